"""Judges a text on import, so that the built-in engine is loaded."""

from __future__ import annotations

from dfactscore import Scorer

Scorer(pages={"Ann Lee": "Ann Lee is a poet."}).score("Ann Lee is a poet.", name="Ann Lee")
