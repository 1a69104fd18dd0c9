"""A hub for a class on one machine, and the values for one on a cluster."""
