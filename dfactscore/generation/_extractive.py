"""Writes biographies by copying sentences from the passages, without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._text.block_headings import without_sections
from dfactscore._text.names import name_words, plain_name
from dfactscore.generation._llm import sentences_of
from dfactscore.generation._request import Generation, Provenance, Request, same_name_entities
from dfactscore.retrieval import Passage

ExtractiveMode = Literal["one-entity", "mixing"]
_YEARS = re.compile(r"\(([^()]*\d{3,4}[^()]*)\)")
_INTRODUCES = re.compile(r"^\W*(?:\w[\w.'’-]*\W+){1,8}?(?:is|was|were|are)\s+(?:an?|the|one)\b")


@dataclass(frozen=True, slots=True)
class _Pick:
    text: str
    passage: int
    title: str


@dataclass(frozen=True)
class ExtractiveGenerator:
    """Copies sentences from the passages of one or several entities, with citations.

    ``"one-entity"`` uses only the best-ranked entity of the name, so FActScore and D-FActScore
    should be equal. ``"mixing"`` introduces this entity and then alternates between its sentences
    and those of other entities of the name, as if all were about one person: FActScore should stay
    near 1, and D-FActScore should fall to the largest share of any one entity. In both modes, the
    true source of each sentence is recorded.

    A mixed text contains no sentences that would introduce another entity, such as the first
    sentence of its page or one with a lifetime in parentheses. A full name at the start of a
    sentence is shortened to the surname.

    Args:
        mode: Whether to use sentences about one entity, or about several as if they were one.
        sentences: Maximum number of sentences.
        entities: Maximum number of entities to mix.
    """

    mode: ExtractiveMode = "one-entity"
    sentences: int = 6
    entities: int = 2

    def __post_init__(self) -> None:
        if self.mode not in ("one-entity", "mixing"):
            raise InputError(f"extractive mode {self.mode!r}: choose one-entity or mixing")
        if self.sentences < 1 or self.entities < 2:
            raise InputError(
                f"extractive: sentences={self.sentences} must be at least 1 and "
                f"entities={self.entities} at least 2"
            )

    @property
    def name(self) -> str:
        """``extractive-one-entity`` or ``extractive-mixing``."""
        return f"extractive-{self.mode}"

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect an output."""
        settings = {"generator": "extractive", "mode": self.mode, "sentences": self.sentences}
        return {**settings, "entities": self.entities} if self.mode == "mixing" else settings

    async def generate(self, request: Request) -> Generation:
        """Writes one biography, the same one every time."""
        return self.write(request)

    def write(self, request: Request) -> Generation:
        """Writes one biography, the same one every time."""
        if not any(p.text.strip() for p in request.passages):
            return Generation("", "no_passages", note=f"no passages for {request.name!r}")
        picks, note = self._pick(request)
        if not picks:
            return Generation("", "empty", note="no whole sentence in the passages")
        output = ""
        provenance = []
        for pick in picks:
            start = len(output) + bool(output)
            output += " " * bool(output) + _cite(pick.text, pick.passage)
            provenance.append(Provenance(start, len(output), pick.passage, pick.title))
        return Generation(output, "stop", provenance=tuple(provenance), note=note)

    def _pick(self, request: Request) -> tuple[list[_Pick], str]:
        named = same_name_entities(request.name, request.passages)
        note = "" if named else f"no passage has the name {request.name!r}; the best was used"
        titles = named or tuple(dict.fromkeys(p.title for p in request.passages))[:1]
        pools = {t: _pool(request.passages, t) for t in titles}
        pools = {t: pool for t, pool in pools.items() if pool}
        if not pools:
            return [], note
        first = next(iter(pools))
        if self.mode == "one-entity":
            return pools[first][: self.sentences], note
        others = [_unannounced(pool, request.name) for t, pool in pools.items() if t != first]
        turns = [pools[first], *filter(None, others)][: self.entities]
        if len(turns) == 1 and not note:
            note = f"only one entity named {request.name!r} has sentences to mix"
        in_turns = (pick for row in zip_longest(*turns) for pick in row if pick is not None)
        return list(islice(in_turns, self.sentences)), note


def _pool(passages: Sequence[Passage], title: str) -> list[_Pick]:
    """Returns the complete sentences about an entity, in page order, without duplicates."""
    picks = []
    seen: set[str] = set()
    of_entity = [(n, passage) for n, passage in enumerate(passages, 1) if passage.title == title]
    for number, passage in sorted(of_entity, key=lambda item: _place(item[1])):
        for sentence in _whole_sentences(passage):
            if sentence not in seen:
                seen.add(sentence)
                picks.append(_Pick(sentence, number, title))
    return picks


def _place(passage: Passage) -> tuple[bool, int]:
    """Returns a sort key: the passage introducing the person is first, others are by number."""
    introduces = any(
        _INTRODUCES.match(sentence) or _YEARS.search(sentence[:120])
        for sentence in _whole_sentences(passage)[:1]
    )
    return not introduces, int(passage.id) if passage.id.isdecimal() else 0


def _whole_sentences(passage: Passage) -> list[str]:
    """Returns the complete sentences of a passage, which may begin or end mid-sentence."""
    text = " ".join(without_sections(passage.text).split())
    body = text.removeprefix(passage.title).lstrip()
    if body and body[0].isupper():
        text = body
    sentences = [s.strip() for s in sentences_of(text)]
    opening = set(name_words(" ".join(text.split()[:8])))
    if opening.isdisjoint(name_words(passage.title)):  # the passage starts in the middle of a page
        sentences = sentences[1:]
    return [
        s
        for s in sentences
        if s[-1:] in ".!?" and (s[:1].isupper() or s[:1].isdigit()) and len(s.split()) > 3
    ]


def _unannounced(pool: Sequence[_Pick], name: str) -> list[_Pick]:
    """Returns the sentences that do not introduce the person they are about."""
    picks = []
    for pick in pool:
        if _YEARS.search(pick.text) or _INTRODUCES.match(pick.text):
            continue
        picks.append(_Pick(_surname_only(pick.text, pick.title, name), pick.passage, pick.title))
    return picks


def _surname_only(sentence: str, title: str, name: str) -> str:
    """Shortens a name at the start: ``"Dick Hanley swam"`` becomes ``"Hanley swam"``."""
    surname = plain_name(name).split()[-1:]
    if not surname:
        return sentence
    words = set(name_words(title)) | set(name_words(name))
    tokens = sentence.split()
    head = 0
    while (
        head < len(tokens)
        and set(name_words(tokens[head]))
        and set(name_words(tokens[head])) <= words
    ):
        head += 1
    if head > 1 and name_words(tokens[head - 1])[-1:] == name_words(surname[0])[-1:]:
        return " ".join(tokens[head - 1 :])
    return sentence


def _cite(sentence: str, number: int) -> str:
    body = sentence.rstrip(".!?")
    return f"{body} [{number}]{sentence[len(body) :]}"
