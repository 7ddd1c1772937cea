"""Pages, passages, stores, encoders, indexes and retrievers."""

from retrieval.build import BuildOptions, add_to_index, build_index
from retrieval.documents import Page, Passage
from retrieval.encoders import Encoder, GTREncoder, SentenceEncoder
from retrieval.errors import RetrievalError
from retrieval.page_bm25 import PageBM25
from retrieval.readers import read_pages, read_passages
from retrieval.retriever import Hit, Retriever
from retrieval.sources import KnowledgeSource, MissingPage, open_source
from retrieval.splitting import split_pages
from retrieval.store import PageStore, build_store

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
