"""Types of options that settings and evaluators share."""

from __future__ import annotations

from typing import Literal

Threshold = Literal["own", "fitted"] | float
Unit = Literal["segment", "claim"]
