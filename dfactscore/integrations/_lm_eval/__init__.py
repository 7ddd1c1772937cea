"""The folder for lm-eval's ``--include_path``, which contains a task."""
