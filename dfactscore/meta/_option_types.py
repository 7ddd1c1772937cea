"""Option types shared by settings and evaluators."""

from __future__ import annotations

from typing import Literal

Threshold = Literal["own", "fitted"] | float
Unit = Literal["segment", "claim"]
