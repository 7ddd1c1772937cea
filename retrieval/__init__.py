"""Pages, passages, stores, encoders, indexes and retrievers."""

from dfactscore.retrieval.build import BuildOptions, add_to_index, build_index
from dfactscore.retrieval.documents import Page, Passage
from dfactscore.retrieval.encoders import Encoder, GTREncoder, SentenceEncoder
from dfactscore.retrieval.errors import RetrievalError
from dfactscore.retrieval.knowledge import KnowledgeSource, MissingPage
from dfactscore.retrieval.knowledge_sources import open_source
from dfactscore.retrieval.page_bm25 import PageBM25
from dfactscore.retrieval.readers import read_pages, read_passages
from dfactscore.retrieval.retriever import Hit, Retriever
from dfactscore.retrieval.splitting import split_pages
from dfactscore.retrieval.store import PageStore, build_store

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
