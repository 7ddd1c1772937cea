"""Pages, passages, stores, encoders, indexes and retrievers."""

from retrieval.documents import Page, Passage

__all__ = ["Page", "Passage"]
