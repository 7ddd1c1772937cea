"""A scoring job: its settings, what they open, and what it would ask."""
