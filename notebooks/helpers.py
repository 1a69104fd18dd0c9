"""What Python finds in place of the helpers when a lesson's first code cell has not been run."""

raise ImportError("run the first code cell of this lesson, then this one again: it tells Python where the helpers are")
