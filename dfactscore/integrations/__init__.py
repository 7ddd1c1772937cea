"""D-FActScore inside the tools that people evaluate with."""
