"""Digests of the built-in rules: hashes of their output on fixed texts.

A run records both, so that other rules cannot resume it, and a comparison names them.
``python tests/dfactscore/engines/builtin/test_rules_digest.py`` writes them, and its test fails if
the output of the rules has changed.
"""

from __future__ import annotations

DECOMPOSER = "8e8bc0bfe24bd2cc"
GROUPER = "c664bd386c9a4fac"
