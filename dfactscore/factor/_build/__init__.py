"""Builds FACTOR items from any corpus: sentences from pages, and false variants of them."""

from dfactscore.factor._build.building import Built, build_factor

__all__ = ["Built", "build_factor"]
