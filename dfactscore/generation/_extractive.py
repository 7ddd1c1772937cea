"""Biographies strung together from sentences of the passages, without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._text.names import name_words, plain_name
from dfactscore.generation._request import Generation, Provenance, Request
from dfactscore.generation._retrieved import same_name_entities
from dfactscore.generation._trim import sentences_of
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
    """Copies sentences, each with its citation, from the passages of one entity or of several.

    ``"one-entity"`` keeps to the best ranked entity with the name: nothing in it is mixed,
    so FActScore and D-FActScore should agree. ``"mixing"`` introduces that entity and continues, in
    turns, with sentences of the others with the name, so that a reader takes all of it for
    one person: FActScore should stay near 1 and D-FActScore fall to the largest share. Either is a
    baseline and a known truth, since each sentence's source is kept.

    Sentences of a further entity that would introduce it (its first sentence, a lifetime in
    parentheses) are not used in a mix; the name at their head is cut to the surname.

    Args:
        mode: One entity, or several as one.
        sentences: The largest number of sentences.
        entities: The largest number of entities to mix.
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
        """Everything that can change an output."""
        found = {"generator": "extractive", "mode": self.mode, "sentences": self.sentences}
        return {**found, "entities": self.entities} if self.mode == "mixing" else found

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
    """Whole sentences of an entity's passages, in the page's order, without repetitions."""
    picks = []
    seen: set[str] = set()
    own = [(n, passage) for n, passage in enumerate(passages, 1) if passage.title == title]
    for number, passage in sorted(own, key=lambda item: _place(item[1])):
        for sentence in _whole_sentences(passage):
            if sentence not in seen:
                seen.add(sentence)
                picks.append(_Pick(sentence, number, title))
    return picks


def _place(passage: Passage) -> tuple[bool, int]:
    """Sorts a page's passages: the one that introduces the person first, then by running number."""
    introduces = any(
        _INTRODUCES.match(sentence) or _YEARS.search(sentence[:120])
        for sentence in _whole_sentences(passage)[:1]
    )
    return not introduces, int(passage.id) if passage.id.isdecimal() else 0


def _whole_sentences(passage: Passage) -> list[str]:
    """Sentences with head and tail: 100-word passages begin with the title and end anywhere."""
    text = " ".join(passage.text.split())
    rest = text.removeprefix(passage.title).lstrip()
    if rest and rest[0].isupper():
        text = rest
    found = [s.strip() for s in sentences_of(text)]
    opening = set(name_words(" ".join(text.split()[:8])))
    if opening.isdisjoint(name_words(passage.title)):  # not the page's head: cut in somewhere
        found = found[1:]
    return [
        s
        for s in found
        if s[-1:] in ".!?" and (s[:1].isupper() or s[:1].isdigit()) and len(s.split()) > 3
    ]


def _unannounced(pool: Sequence[_Pick], name: str) -> list[_Pick]:
    """The sentences that do not show a reader that they are about another person."""
    kept = []
    for pick in pool:
        if _YEARS.search(pick.text) or _INTRODUCES.match(pick.text):
            continue
        kept.append(_Pick(_surname_only(pick.text, pick.title, name), pick.passage, pick.title))
    return kept


def _surname_only(sentence: str, title: str, name: str) -> str:
    """``"Dick Hanley swam"`` becomes ``"Hanley swam"``: less of a new introduction."""
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
