"""A digest of the built-in rules: the hash of their output on fixed texts.

A run notes both, so that it is not resumed by other rules, and a comparison names them. They are
written by ``python tests/dfactscore/engines/builtin/test_rules_digest.py``; its test fails where
the rules give something else than when they were written.
"""

from __future__ import annotations

DECOMPOSER = "8e8bc0bfe24bd2cc"
GROUPER = "c664bd386c9a4fac"
