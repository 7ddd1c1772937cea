"""FACTOR items made from any corpus: a sentence of a page and false variants of it."""

from dfactscore.factor._build.building import Built, build_factor

__all__ = ["Built", "build_factor"]
