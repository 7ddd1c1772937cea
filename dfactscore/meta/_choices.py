"""Names of data sets and evaluators that settings choose from."""

from __future__ import annotations

from typing import Literal

Threshold = Literal["own", "fitted"] | float
Unit = Literal["segment", "claim"]
