"""Option types that settings share with evaluators, which take longer to import."""

from __future__ import annotations

from typing import Literal

Reading = Literal["strict", "reasons", "stored", "felm-vicuna", "felm-chat"]
Threshold = Literal["own", "fitted"] | float
Unit = Literal["segment", "claim"]
