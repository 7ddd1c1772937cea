"""The embedded engine: no network, no key, no model download."""
