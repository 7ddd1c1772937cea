from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.retrieval import _page_bm25 as page_bm25
from dfactscore.retrieval._page_bm25 import PageBM25
from dfactscore.retrieval._tokens import tokenize

WORDS = st.lists(st.sampled_from(["alpha", "beta", "gamma", "1936", "the"]), max_size=12)


def by_hand(passages, fact, k1=1.5, b=0.75):
    """Lucene's BM25, term by term."""
    split = [tokenize(p) for p in passages]
    mean = max(sum(map(len, split)) / len(split), 1.0)
    scores = np.zeros(len(split))
    for word in tokenize(fact):
        seen = sum(word in words for words in split)
        idf = np.log(1 + (len(split) - seen + 0.5) / (seen + 0.5))
        for n, words in enumerate(split):
            tf = words.count(word)
            scores[n] += idf * tf / (tf + k1 * (1 - b + b * len(words) / mean)) if tf else 0
    return scores


@given(st.lists(WORDS, min_size=1, max_size=6), st.lists(WORDS, min_size=1, max_size=4))
def test_scores_equal_the_formula(passages, facts):
    passages = [" ".join(words) for words in passages]
    facts = [" ".join(words) for words in facts]
    page = PageBM25(passages)
    assert len(page) == len(passages)
    expected = np.array([by_hand(passages, fact) for fact in facts])
    np.testing.assert_allclose(page.scores(facts), expected, atol=1e-5)
    for fact, order in zip(facts, page.select_many(facts, k=3), strict=True):
        assert order == page.select(fact, k=3)
        assert len(order) == min(3, len(passages))


def test_empty_facts_and_pages_are_no_accident():
    assert PageBM25([]).select_many(["x"]) == [[]]
    assert PageBM25(["a", "b"]).select_many([]) == []
    assert PageBM25(["a", "b"]).select("") == [0, 1]
    assert PageBM25(["", "b"]).select("b") == [1, 0]


def test_a_page_of_megabytes_ranks_as_a_small_one_does(monkeypatch) -> None:
    passages = [f"word{i % 7} and number {i} of {i * i}" for i in range(200)] + ["", "number"]
    facts = ["number 5 of 25", "word3 word3 and", "nothing here", "", "number 199"]
    small = PageBM25(passages)
    monkeypatch.setattr(page_bm25, "_DENSE_CELLS", 10)
    large = PageBM25(passages)
    assert not large._dense
    assert (small.scores(facts) == large.scores(facts)).all()
    assert small.select_many(facts) == large.select_many(facts)
    assert len(large) == len(small) == 202
    assert PageBM25([]).select("x") == []
