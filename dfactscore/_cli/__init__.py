"""The command line: one module per command; slow imports are inside functions."""
