"""Shared fixtures of the tests of retrieval."""

from __future__ import annotations

import faiss
import pytest
from hash_encoder import HashEncoder


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """FAISS waits actively: two threads on a busy machine are far slower than one."""
    faiss.omp_set_num_threads(1)


@pytest.fixture
def hash_encoder():
    return HashEncoder()


@pytest.fixture
def make_encoder():
    return HashEncoder
