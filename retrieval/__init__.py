"""Pages, passages, stores, encoders, indexes and retrievers."""

from retrieval.documents import Page, Passage
from retrieval.errors import RetrievalError
from retrieval.readers import read_pages, read_passages
from retrieval.sources import KnowledgeSource, MissingPage, open_source
from retrieval.store import PageStore, build_store

__all__ = [
    "KnowledgeSource",
    "MissingPage",
    "Page",
    "PageStore",
    "Passage",
    "RetrievalError",
    "build_store",
    "open_source",
    "read_pages",
    "read_passages",
]
