"""Passages are shortened by whole sentences, and what was left out is known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dfactscore.generation._llm import estimate_tokens, fit_passages, sentences_of
from dfactscore.generation._request import Trim
from dfactscore.retrieval import Passage

LONG = Passage("A", "Al swam far. He won twice. He left in May.")
SHORT = Passage("B", "Bo sang.")


def words(text):
    return len(text.split())


def test_longest_first_and_heads_last():
    assert fit_passages((LONG, SHORT), 12, words) == ((LONG, SHORT), ())
    kept, trims = fit_passages((LONG, SHORT), 8, words)
    assert [p.text for p in kept] == ["Al swam far. He won twice.", "Bo sang."]
    assert trims == (Trim(1, 1),)
    kept, trims = fit_passages((LONG, SHORT), 3, words)
    assert [p.text for p in kept] == ["Al swam far.", ""]
    assert trims == (Trim(1, 2), Trim(2, 1, dropped=True))
    kept, trims = fit_passages((LONG, SHORT), 0, words)
    assert [(p.title, p.text) for p in kept] == [("A", ""), ("B", "")]


@given(st.lists(st.text(alphabet="Ab. \n", max_size=40), max_size=5), st.integers(0, 60))
def test_fits_and_loses_only_tails(texts, budget):
    passages = tuple(Passage(str(i), t) for i, t in enumerate(texts))
    kept, trims = fit_passages(passages, budget)
    assert len(kept) == len(passages)
    assert all(p.text.startswith(k.text) for p, k in zip(passages, kept, strict=True))
    assert sum(sum(map(estimate_tokens, sentences_of(p.text))) for p in kept) <= budget + len(texts)
    changed = [i for i, (p, k) in enumerate(zip(passages, kept, strict=True), 1) if p != k]
    assert set(changed) <= {t.passage for t in trims}


def test_sentences_put_together_are_the_text():
    for text in (LONG.text, "", "  Dr. Al  swam.\nHe won. "):
        assert "".join(sentences_of(text)).strip() == text.strip()
