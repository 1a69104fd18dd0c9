"""Can learners, who have user ids of their own, reach what they need?"""

from pathlib import Path


def closed_to_learners(path):
    """The first folder on the way to a path that others than its owner may not pass; None when all are open."""
    real = Path(path).resolve()
    return next((place for place in (*reversed(real.parents), real) if not place.stat().st_mode & 0o001), None)
