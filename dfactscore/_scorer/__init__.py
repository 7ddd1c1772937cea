"""The Python interface, and how a job becomes a run folder."""
