"""A paragraph read once, layer by layer: lines, sentences, clauses, cues, individuals."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dfactscore.engines.builtin.group.cast import Cast, Individual, relations
from dfactscore.engines.builtin.group.cues import POSSESSIVE, Cues, View, cues_of
from dfactscore.engines.builtin.group.doubled_names import skip_doubled_name
from dfactscore.engines.builtin.group.in_passing import people_in_passing
from dfactscore.engines.builtin.group.mentions import Mention, person_words, roles_in
from dfactscore.engines.builtin.group.rules import RULES, Rule, decide
from dfactscore.engines.builtin.group.wordings import clause_cues
from dfactscore.engines.builtin.language.announcements import (
    ASIDE,
    MARKER,
    NAMED,
    is_listing,
    skip_connectives,
)
from dfactscore.engines.builtin.language.clauses import Clause, parse_clauses
from dfactscore.engines.builtin.language.markup import Line, line_at, read_lines
from dfactscore.engines.builtin.language.tokenizer import tokenize
from dfactscore.engines.builtin.language.word_classes import (
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    is_demonym,
)
from dfactscore.text.sentences import Sentence, split_sentences

__all__ = ["ClauseReading", "Paragraph", "read_paragraph"]

_OTHER_PEOPLE = re.compile(
    r"\bone of (?:the )?(?:two|three|four|several)\b|\b(?:two|three|four) (?:\w+ )?(?:women|men|"
    r"people|sisters|brothers|daughters|sons|children|friends|colleagues)\b",
    re.IGNORECASE,
)
_BOTH = frozenset({"they", "both"})
_LABEL = re.compile(r"\s*(?:[A-Z][\w’'/& -]{1,40}?|\d{1,3})\s*[:,]\s+(?=[A-Z])")
_FEWEST_FACTS = 7
_FACT_WORDS = 9
_NOWHERE = Clause(0, 0, (0, 0), (0, 0), (), (), -1)


@dataclass(frozen=True, slots=True)
class ClauseReading:
    """One clause with what the reader makes of it.

    Attributes:
        view: The clause where it stands.
        individual: Index of the individual it is about.
        cues: What it shows, by name.
        rule: The rule that decided.
        passing: Where it turns to someone else in passing: first token and individual, in order.
    """

    view: View
    individual: int
    cues: frozenset[str]
    rule: str
    passing: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph read once.

    Attributes:
        sentences: Start and end of each sentence.
        clauses: In order.
        individuals: In order of appearance.
        spans: (start, end, individual), in order, without overlap; a clause that presents
            someone in passing is several.
    """

    sentences: tuple[tuple[int, int], ...]
    clauses: tuple[ClauseReading, ...]
    individuals: tuple[Individual, ...]
    spans: tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=4)  # the decomposer and the grouper read the same text in turn
def read_paragraph(text: str, name: str = "", rules: tuple[Rule, ...] = RULES) -> Paragraph:
    """Reads a paragraph; linear in its length, takes any string.

    Args:
        text: The paragraph, citations removed.
        name: The target name, or empty.
        rules: How to see who a clause is about.

    Example:
        >>> found = read_paragraph("Ann Lee (born 1736) was a preacher. Another Ann Lee is a poet.")
        >>> [(p.label, p.born, sorted(p.roles)) for p in found.individuals]
        [('Ann Lee', 1736, ['preacher']), ('Ann Lee', None, ['poet'])]
    """
    cast = Cast(name)
    sentences = split_sentences(text)
    clean, lines = read_lines(text)
    clauses: list[ClauseReading] = []
    spans: list[tuple[int, int, int]] = []
    line_before = None
    facts = _lists_facts(text, sentences, lines)
    for index, sentence in enumerate(sentences):
        line = line_at(lines, sentence.start)
        written = clean[sentence.start : sentence.end]
        opens = line is not line_before
        for view in _views(index, sentence.start, written, line, opens=opens, name=name):
            reading = _read(cast, view, rules, facts=facts)
            clauses.append(reading)
            cuts = [(view.start, reading.individual)]
            for token, who in reading.passing:
                cuts.append((max(view.offset + view.tokens[token].start, cuts[-1][0] + 1), who))
            ends = [*(start for start, _ in cuts[1:]), view.end]
            spans += [(start, end, who) for (start, who), end in zip(cuts, ends, strict=True)]
        line_before = line
    return Paragraph(
        tuple((s.start, s.end) for s in sentences),
        tuple(clauses),
        tuple(cast.people),
        tuple(spans),
    )


def _lists_facts(text: str, sentences: Sequence[Sentence], lines: Sequence[Line]) -> bool:
    """Whether a text is a list of plain facts, which repeat the name: "X was Dutch. X sang."."""
    sizes = [text.count(" ", s.start, s.end) + 1 for s in sentences]
    plain = len(sizes) >= _FEWEST_FACTS and all(line.kind == "prose" for line in lines)
    return plain and statistics.median(sizes) <= _FACT_WORDS


def _views(
    index: int, offset: int, text: str, line: Line, *, opens: bool, name: str
) -> Iterator[View]:
    """The clauses of a sentence, list marks and connectives at its beginning left out."""
    marker = MARKER.match(text)
    opened = marker.end() if marker else 0
    skipped = skip_doubled_name(text, skip_connectives(text, opened))
    aside = ASIDE.match(text, skipped)
    if aside is not None and len(text) - aside.end() > 2:
        skipped = aside.end()
    if opens and line.kind != "heading":
        skipped = _behind_label(text, skipped, marked=line.labeled)
    body, shift = text[skipped:], offset + skipped
    end = offset + len(text)
    tokens = tokenize(body, markup=False)
    if not tokens:
        yield View(index, shift, body, (), _NOWHERE, offset, end, "", line, opens)
        return
    parsed = parse_clauses(tokens, name.lower().split())
    for number, clause in enumerate(parsed):
        start = shift + tokens[clause.start].start if number else offset
        stop = end
        if number + 1 < len(parsed):
            stop = shift + tokens[parsed[number + 1].start].start
        before = text[opened:skipped]
        if number:
            before = text[: tokens[clause.start].start + skipped][-12:]
        yield View(
            index, shift, body, tokens, clause, start, stop, before, line, opens and not number
        )


def _behind_label(text: str, start: int, *, marked: bool) -> int:
    """Where a sentence begins behind "Career: ", if a whole sentence does."""
    label = _LABEL.match(text, start)
    if label is None or ("," in label.group() and not label.group().strip()[0].isdigit()):
        return start
    tokens = tokenize(text[label.end() :])
    if len(tokens) < 3:
        return start
    clause = parse_clauses(tokens)[0] if tokens[0].word else _NOWHERE
    sentence = clause.verb > clause.subject[0] >= 0 and clause.subject[1] > clause.subject[0]
    own = marked or tokens[0].low not in {"a", "an", "the", "one"}
    sentence = sentence or is_listing(text[label.end() :])
    return label.end() if sentence and own else start


def _read(cast: Cast, view: View, rules: Sequence[Rule], *, facts: bool) -> ClauseReading:
    """Decides who a clause is about, and lets the cast learn from it."""
    cues = clause_cues(view) if view.tokens else cues_of("other")
    passing = people_in_passing(view) if view.tokens else []
    if cast.people:  # "not related to the poet Tom Lee" speaks of no bearer of the name
        passing = [
            (at, of)
            for at, of in passing
            if "perhaps" not in of or of.mention is None or cast.has_given_name(of.mention.words)
        ]
    described = bool(passing) and all("without a name" in of for _, of in passing)
    known = any(person.described for person in cast.people) and not cast.listing
    if described and known and "perhaps" in passing[0][1]:
        passing = []  # "He refers to a poet and a judge"
    elif described and not cast.people:
        names = view.names(view.whole)
        bearer = next((m for m in names if len(m.words) > 1), cues.mention)
        if bearer is None:
            passing = []  # "One was a poet, the other a judge": no one is named yet
        else:
            cast.announce(bearer)
    elif not cast.people and any("turns back" in of or of.mention is None for _, of in passing):
        if cues.mention is None or "turns back" not in passing[0][1]:
            passing = []
        else:
            cast.people.append(Individual("", described=False))
            cast.learn(cast.begin(cues), cues)
    if cast.counts_others and cues.mention is None and cues.ordinal is not None:
        cues = cues_of("other")
    shown = set(cues.names)
    rule = decide(frozenset(shown), [r for r in rules if r.outcome == "announce"])
    announces = rule.outcome == "announce"
    if described and passing:
        shown.add("without a name")
    if announces:
        names = view.names(view.whole)
        named = next((m for m in names if len(m.words) > 1), cues.mention)
        cast.announce(named, others="announces others" in shown)
    if announces or passing:
        who = cast.current
        if (
            passing
            and cast.people
            and view.clause.verb >= 0
            and view.low(view.clause.subject[0]) in _BOTH
        ):
            who = cast.current = 0
        found = tuple((token, cast.present(of)) for token, of in passing)
        cast.aside = None
        if found and "turns back" not in passing[0][1]:
            cast.current = found[-1][1]  # "others include X, a poet. He ..."
        elif found:
            cast.aside = found[-1][1]  # "not to be confused with X, a poet. That X ..."
        rule_id = rule.id if announces else "in passing"
        return ClauseReading(view, who, frozenset(shown), rule_id, found)
    if not cast.people:
        cast.people.append(Individual("", described=False))
    cues = _behind_circumstance(cast, view, cues)
    if view.opens and view.line.kind == "heading":
        shown.add("title")
        if _topic_of(cast, view, cues):
            cues = cues_of("other")
    own = bool(view.tokens) and view.tokens[view.clause.start].low in PRONOUNS | POSSESSIVE
    if (view.clause.verb >= 0 or own) and "talk" not in shown:
        cues = replace(cues, names=cues.names | {"statement"})
    if cues.mention is not None and _refers(cast, view):
        shown.add("refers")
    related = relations(cast, cues)
    shown |= related.names
    if facts:
        shown.add("facts")
    rule = decide(frozenset(shown), rules)
    if view.clause.verb >= 0:  # not a heading, nor the number of a row
        cast.aside = None
    if rule.outcome == "new":
        who = cast.present(cues)
    elif rule.outcome == "begin":
        who = cast.begin(cues)
    else:
        who = related.which.get(rule.outcome, cast.current)
    if rule.id in {"topic", "label", "relative"} or "talk" in shown:
        cues = cues_of("other")
    cast.learn(who, cues)
    cast.just_named = cues.mention is not None and view.clause.verb < 0 and not cues.roles
    cast.bystanders = sum(
        len(m.words) > 1 and not cast.is_kin(m.words) for m in view.names(view.whole)[:6]
    )
    said = _said(view)
    cast.people[who].said |= said
    if {"characterized", "apposed"} & cues.names:
        cast.people[who].called |= said
    _notice(cast, view, cues)
    return ClauseReading(view, who, frozenset(shown), rule.id)


def _behind_circumstance(cast: Cast, view: View, cues: Cues) -> Cues:
    """The known name at the end of "During the Second World War Smith"."""
    clause, mention = view.clause, cues.mention
    bare = clause.lead[1] <= clause.lead[0] and view.low(clause.start) in PREPOSITIONS
    if mention is None or not bare or cast.bearers(mention.words):
        return cues
    for first in range(mention.first + 1, mention.last):
        text = view.body[view.tokens[first].start : view.tokens[mention.last - 1].end]
        words = person_words(text)
        if words and cast.bearers(words):
            return replace(cues, mention=replace(mention, first=first, text=text, words=words))
    return cues


def _said(view: View) -> set[str]:
    """What a clause says of the one it is about; behind "son of" others are spoken of."""
    tokens = view.tokens[view.clause.start : view.clause.end]
    stop = next((k for k, t in enumerate(tokens) if t.low in RELATIVES), len(tokens))
    plain = (t for t in tokens[:stop] if t.word and (not t.capital or is_demonym(t.low)))
    return {t.low for t in plain if len(t.low) > 3}


def _topic_of(cast: Cast, view: View, cues: Cues) -> bool:
    """Whether a heading speaks of someone known: "The Trial of Ann Lee"."""
    mention = cues.mention
    if mention is None or " of " not in mention.text:
        return False
    tail = person_words(mention.text.split(" of ", 1)[1])
    return bool(cast.bearers(tail)) and not cast.bearers(mention.words)


def _refers(cast: Cast, view: View) -> bool:
    """Whether the predicate speaks of someone already presented ("... praised him")."""
    if view.clause.verb < 0:
        return False
    reach = (view.clause.verb, view.clause.end)
    near = (view.clause.verb, min(view.clause.end, view.clause.verb + 4))
    if "him" in view.lows(reach) or view.lows(near) & {"his", "her"}:
        return True
    return any(cast.bearers(m.words) for m in view.names(reach)[:8])


def _notice(cast: Cast, view: View, cues: Cues) -> None:
    """Remembers lists that are announced, and names in passing."""
    if not view.tokens:
        return
    if _OTHER_PEOPLE.search(view.text) and not NAMED.search(view.text):
        cast.counts_others = not cast.listing  # "one of two women on board; the other was"
    elif "name" in cues:
        cast.counts_others = False
    blocks = view.clause.blocks[:1]
    others = [m for block in blocks for m in view.names(block) if not cast.is_kin(m.words)]
    if cues.ordinal == 0 and view.low(view.clause.start) == "one":
        cast.listing = cast.listing or not others
        cast.counts_others = bool(others) and not cast.listing
    if "heading" in cues and view.body.rstrip(" *").endswith(":"):
        cast.listing = True
    for mention in view.names(view.whole)[:12]:
        if len(mention.words) > 1 and mention != cues.mention:
            _notice_name(cast, view, mention)


_TYING = frozenset({"married", "wed", "divorced", "played", "plays", "portrayed", "voiced"})


def _notice_name(cast: Cast, view: View, mention: Mention) -> None:
    start, end = view.whole
    reach = view.tokens[max(start, mention.first - 5) : mention.first]
    before = {t.low.removesuffix("'s").removesuffix("’s") for t in reach}  # "his father's name is"
    if before & (RELATIVES | _TYING):
        cast.mention(mention.words, presented=False)
    elif (
        mention.last + 2 < end
        and view.low(mention.last) == ","
        and view.low(mention.last + 1) in {"a", "an"}
        and roles_in(view.tokens, mention.last + 1, min(end, mention.last + 8))
    ):
        cast.mention(mention.words, presented=True)
