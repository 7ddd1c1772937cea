"""Digests of the built-in rules: hashes of their output on fixed texts.

A run records both digests, so that it cannot be resumed with different rules and a comparison can
report a difference. ``python tests/dfactscore/engines/builtin/test_rules_digest.py`` writes the
digests; its test fails if the output of the rules has changed.
"""

from __future__ import annotations

DECOMPOSER = "f3117fa77773e372"
GROUPER = "b92311ef7bbd7c26"
