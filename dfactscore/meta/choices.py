"""What settings of a measurement choose among; read before the measurement itself is."""

from __future__ import annotations

from typing import Literal

__all__ = ["Threshold", "Unit"]

Threshold = Literal["own", "fitted"] | float
Unit = Literal["segment", "claim"]
