from __future__ import annotations

from dfactscore._records import Document, Entity
from dfactscore.engines._llm.roles.base import PASSAGE_CHARS, passages_of, select_passages


def entity(text: str) -> Entity:
    return Entity("A", "A", (Document("A", text),))


def test_a_page_without_blanks_is_cut_too() -> None:
    text = "安娜是画家她住在马尔默" * 1000
    passages = passages_of(entity(text))
    assert "".join(passages) == text
    assert max(map(len, passages)) == PASSAGE_CHARS
    chosen = select_passages(entity(text), ["安娜是画家"], per_query=3, at_most=20)
    assert len(chosen) == 3


def test_usual_text_is_cut_by_words_only() -> None:
    text = " ".join(f"word{i}" for i in range(250))
    assert [len(p.split()) for p in passages_of(entity(text))] == [100, 100, 50]
    assert passages_of(entity("  ")) == ()
