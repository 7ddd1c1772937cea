"""A paragraph read once: its sentences, clauses, and whom each stretch is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dfactscore.engines.builtin.group.doubled_names import skip_doubled_name
from dfactscore.engines.builtin.group.individuals import Cast, Individual
from dfactscore.engines.builtin.group.introductions import Introduction, introduce
from dfactscore.engines.builtin.group.mentions import (
    Mention,
    life_years,
    person_words,
    roles_in,
    runs_of_names,
)
from dfactscore.engines.builtin.language.announcements import (
    CONFUSED,
    MARKER,
    is_listing,
    skip_connectives,
)
from dfactscore.engines.builtin.language.clauses import Clause, parse_clauses
from dfactscore.engines.builtin.language.tokenizer import Token, tokenize
from dfactscore.engines.builtin.language.word_classes import PREPOSITIONS, RELATIVES
from dfactscore.text.sentences import split_sentences

__all__ = ["ClauseReading", "Paragraph", "read_paragraph"]

_NOWHERE = Clause(0, 0, (0, 0), (0, 0), (), (), -1)


@dataclass(frozen=True, slots=True)
class ClauseReading:
    """One clause with what the reader makes of it.

    Attributes:
        sentence: Index of its sentence.
        offset: Character of the paragraph at which the tokens' positions begin.
        text: The text that the tokens were cut from.
        tokens: Of the sentence.
        clause: The clause.
        individual: Index of the individual it is about.
        start: First character in the paragraph.
        end: After the last.
        cut: Where it turns to somebody else in passing, and to whom; None where it does not.
    """

    sentence: int
    offset: int
    text: str
    tokens: Sequence[Token]
    clause: Clause
    individual: int
    start: int
    end: int
    cut: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph read once.

    Attributes:
        sentences: Start and end of each sentence.
        clauses: In order.
        individuals: In order of appearance.
        spans: (start, end, individual), in order, without overlap; a clause that presents
            someone in passing is two.
    """

    sentences: tuple[tuple[int, int], ...]
    clauses: tuple[ClauseReading, ...]
    individuals: tuple[Individual, ...]
    spans: tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=4)  # the decomposer and the grouper read the same text in turn
def read_paragraph(text: str, name: str = "") -> Paragraph:
    """Reads a paragraph; linear in its length, takes any string.

    Args:
        text: The paragraph, citations removed.
        name: The target name, or empty.

    Example:
        >>> found = read_paragraph("Ann Lee (born 1736) was a preacher. Another Ann Lee is a poet.")
        >>> [(p.label, p.born, sorted(p.roles)) for p in found.individuals]
        [('Ann Lee', 1736, ['preacher']), ('Ann Lee', None, ['poet'])]
    """
    cast = Cast(name)
    sentences = split_sentences(text)
    clauses: list[ClauseReading] = []
    spans: list[tuple[int, int, int]] = []
    for index, sentence in enumerate(sentences):
        for reading in _read_sentence(cast, index, sentence.start, sentence.text):
            clauses.append(reading)
            cut = reading.cut
            if cut is None:
                spans.append((reading.start, reading.end, reading.individual))
            else:
                spans.append((reading.start, cut[0], reading.individual))
                spans.append((cut[0], reading.end, cut[1]))
    return Paragraph(
        tuple((s.start, s.end) for s in sentences),
        tuple(clauses),
        tuple(cast.people),
        tuple(spans),
    )


_Cut = tuple[int, int] | None  # where a clause turns to another individual, and to whom


def _read_sentence(cast: Cast, index: int, offset: int, text: str) -> list[ClauseReading]:
    marker = MARKER.match(text)
    opened = marker.end() if marker else 0
    skipped = skip_doubled_name(text, skip_connectives(text, opened))
    body, shift = text[skipped:], offset + skipped
    end = offset + len(text)
    tokens = [t for t in tokenize(body) if t.text[0] not in "*#"]
    if not tokens:
        who = cast.hear(Introduction("other"))
        return [ClauseReading(index, shift, body, (), _NOWHERE, who, offset, end)]
    item = marker is not None or text.startswith("**")
    out: list[ClauseReading] = []
    parsed = parse_clauses(tokens)
    for number, clause in enumerate(parsed):
        start = shift + tokens[clause.start].start if number else offset
        stop = end
        if number + 1 < len(parsed):
            stop = shift + tokens[parsed[number + 1].start].start
        before = (
            text[opened:skipped] if number == 0 else text[: tokens[clause.start].start + skipped]
        )
        who, cut = _read_clause(
            cast, tokens, clause, body, before if number == 0 else before[-12:], item and not number
        )
        if cut is not None:
            cut = (max(shift + cut[0], start + 1), cut[1])
        out.append(ClauseReading(index, shift, body, tokens, clause, who, start, stop, cut))
    return out


def _read_clause(
    cast: Cast, tokens: Sequence[Token], clause: Clause, body: str, before: str, item: bool
) -> tuple[int, _Cut]:
    """Decides whom a clause is about; also where it turns to somebody else in passing."""
    confused = _confused(cast, tokens, clause, body)
    if confused is not None:
        return confused
    intro = introduce(tokens, clause, body, before=before, item=item)
    text = body[tokens[clause.start].start : tokens[clause.end - 1].end]
    presents = (intro.kind == "name" and intro.strong) or intro.marked
    if is_listing(text) and not (presents and cast.people):
        names = runs_of_names(tokens, clause.start, clause.end, body)
        named = next((m for m in names if len(m.words) > 1), intro.mention)
        return cast.announce_list(named), None
    bare = clause.lead[1] <= clause.lead[0] and tokens[clause.start].low in PREPOSITIONS
    if intro.mention is not None and bare:
        intro = replace(intro, mention=_behind_circumstance(cast, tokens, intro.mention, body))
    if intro.mention is not None and clause.verb >= 0:
        intro = replace(intro, refers=_refers(cast, tokens, clause, body))
    if intro.ordinal == 0 and tokens[clause.start].low == "one":
        cast.listing = True
    who = cast.hear(intro, item=item)
    if intro.heading and text_ends_in_colon(body):
        cast.listing = True
    _note_passing(cast, tokens, clause, body, intro)
    return who, None


def _behind_circumstance(
    cast: Cast, tokens: Sequence[Token], mention: Mention, body: str
) -> Mention:
    """The known name at the end of "During the Second World War Smith"."""
    if cast.stands_for_known(mention.words):
        return mention
    for first in range(mention.first + 1, mention.last):
        text = body[tokens[first].start : tokens[mention.last - 1].end]
        words = person_words(text)
        if words and cast.stands_for_known(words):
            return replace(mention, first=first, text=text, words=words)
    return mention


def text_ends_in_colon(text: str) -> bool:
    """Whether a heading announces a list."""
    return text.rstrip(" *").endswith(":")


def _refers(cast: Cast, tokens: Sequence[Token], clause: Clause, body: str) -> bool:
    """Whether the predicate speaks of somebody already presented ("... praised him")."""
    if any(t.low in {"him", "his", "her"} for t in tokens[clause.verb : clause.end]):
        return True
    names = runs_of_names(tokens, clause.verb, clause.end, body)
    return any(cast.stands_for_known(m.words) for m in names[:8])


def _confused(
    cast: Cast, tokens: Sequence[Token], clause: Clause, body: str
) -> tuple[int, _Cut] | None:
    """Reads "not to be confused with X, a poet": X is somebody else, the rest is not."""
    if not cast.people:
        return None
    start = tokens[clause.start].start
    found = CONFUSED.search(body, start, tokens[clause.end - 1].end)
    if found is None:
        return None
    names = runs_of_names(tokens, clause.start, clause.end, body)
    mention = next((m for m in names if tokens[m.last - 1].end > found.end()), None)
    if mention is None:
        return None
    follow = tokens[mention.last].low if mention.last < clause.end else ""
    between = next(
        (k for k in range(clause.start, mention.first + 1) if tokens[k].end > found.end()), 0
    )
    before = roles_in(tokens, between, mention.first)
    roles = roles_in(tokens, mention.last, clause.end) | before
    born = life_years(body[tokens[mention.last - 1].end :][:80])[0]
    if not (before or follow in {",", "(", "who", "the"}) or not (roles or born is not None):
        return None
    if tokens[clause.subject[0]].low in {"they", "both"} if clause.verb >= 0 else False:
        cast.current = 0
    intro = Introduction("name", mention, strong=True, roles=roles, born=born)
    at = tokens[between if before else mention.first].start
    return cast.current, (at, cast.present(intro))


def _note_passing(
    cast: Cast, tokens: Sequence[Token], clause: Clause, body: str, intro: Introduction
) -> None:
    """Remembers names in passing: relatives, and people whom an apposition presents."""
    names = runs_of_names(tokens, clause.start, clause.end, body)
    for mention in names[:12]:
        if len(mention.words) < 2 or mention == intro.mention or len(cast.mentioned) > 500:
            continue
        before = {t.low for t in tokens[max(clause.start, mention.first - 3) : mention.first]}
        if before & RELATIVES:
            cast.mentioned[mention.words] = False
        elif (
            mention.last + 2 < clause.end
            and tokens[mention.last].text == ","
            and tokens[mention.last + 1].low in {"a", "an"}
            and roles_in(tokens, mention.last + 1, min(clause.end, mention.last + 8))
        ):
            cast.mentioned.setdefault(mention.words, True)
