"""The command line: one module per command, with slow imports inside functions."""
