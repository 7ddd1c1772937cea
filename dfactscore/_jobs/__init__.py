"""A scoring job: its settings, the objects they open, and its estimate."""
