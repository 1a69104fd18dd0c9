"""What is run by hand: ``python -m tools.refresh``, ``tools.bench``, ``tools.look``."""
