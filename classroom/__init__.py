"""What a teacher runs: the class copy, the summary of exercises, the class benchmark, a hub for a class."""
