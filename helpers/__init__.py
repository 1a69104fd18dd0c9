"""What the lessons share: the mathematics, the example, and the pictures."""
