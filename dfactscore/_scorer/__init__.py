"""The Python interface, and the one path from settings or objects to a run folder."""
