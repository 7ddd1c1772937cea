"""Pages, passages, stores, encoders, indexes and retrievers."""

from dfactscore.retrieval._build import BuildOptions, add_to_index, build_index
from dfactscore.retrieval._documents import Page, Passage, split_pages
from dfactscore.retrieval._encoders import Encoder, GTREncoder, SentenceEncoder
from dfactscore.retrieval._errors import RetrievalError
from dfactscore.retrieval._knowledge import KnowledgeSource, MissingPage
from dfactscore.retrieval._knowledge_sources import open_source
from dfactscore.retrieval._page_bm25 import PageBM25
from dfactscore.retrieval._readers import read_pages, read_passages
from dfactscore.retrieval._retriever import Hit, Retriever
from dfactscore.retrieval._store import PageStore, build_store

__all__ = [
    "BuildOptions",
    "Encoder",
    "GTREncoder",
    "Hit",
    "KnowledgeSource",
    "MissingPage",
    "Page",
    "PageBM25",
    "PageStore",
    "Passage",
    "RetrievalError",
    "Retriever",
    "SentenceEncoder",
    "add_to_index",
    "build_index",
    "build_store",
    "open_source",
    "read_pages",
    "read_passages",
    "split_pages",
]
