"""lm-eval: the folder of ``--include_path``, with a task."""
