"""Assertions for your own tests, in pytest, unittest or plain Python."""

from dfactscore.testing._assertions import assert_dfs

__all__ = ["assert_dfs"]
