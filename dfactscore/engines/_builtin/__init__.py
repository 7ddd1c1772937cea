"""The built-in engine: no network, no key, no model download."""
