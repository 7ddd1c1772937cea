"""The built-in engine, which needs no network, key or model download."""
