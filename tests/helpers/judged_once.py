"""Imported, it judges a text: what the built-in engine loads and reads is there afterwards."""

from __future__ import annotations

from dfactscore import Scorer

Scorer(pages={"Ann Lee": "Ann Lee is a poet."}).score("Ann Lee is a poet.", name="Ann Lee")
