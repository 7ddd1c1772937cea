"""The folder for ``--include_path`` of lm-eval, with a task."""
