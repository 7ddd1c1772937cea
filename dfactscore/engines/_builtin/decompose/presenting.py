"""Statements from clauses that introduce someone: "there is X, a poet", "The text describes X"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dfactscore.engines._builtin.decompose.clause_subject import naming_begins, subject_of
from dfactscore.engines._builtin.decompose.clause_words import Statement, as_sentence
from dfactscore.engines._builtin.decompose.fragments import brackets_at
from dfactscore.engines._builtin.decompose.statements import block_statements
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.paragraph import ClauseReading, Paragraph
from dfactscore.engines._builtin.language.adverbs import is_adverb
from dfactscore.engines._builtin.language.announcements import INVERTED, is_listing, may_say
from dfactscore.engines._builtin.language.clauses import Clause, Range

# The names in a clause that says who bears them, before their descriptions
_BEARING = re.compile(
    r"\b(?:the|this|that) (?:same )?name (?:also |likewise )?"
    r"(?:belongs to|(?:is|was) borne by|is that of) $|"
    r"(?:document|passage|source|result|article)s? ?(?:\[?\d+\]? )?(?:is about|describes|discusses|"
    r"mentions|covers|concerns|talks about|introduces|refers to|profiles)\b[^,]{0,40}?$|"
    r"\b(?:is|was) (?:also |likewise )?the name of (?:both )?$",
    re.IGNORECASE,
)
# Every match contains one of these.
_BEARING_CUES = ("name", "document", "passage", "source", "result", "article")
_BORE_NAME = re.compile(
    r"\s(?:also |likewise )?(?:bore|bears|carried|carries|shared|shares) (?:this|that|the)"
    r"(?: same)? name$",
    re.IGNORECASE,
)
# Words and marks between two people who are introduced
_BETWEEN = frozenset(
    {*",;:", "and", "or", "as", "well", "the", "other", "second", "by", "of", "to"}
)


def presents_another(view: View, label: str) -> list[Statement]:
    """Makes statements from "Document 2 describes Ann Lee, a nun" or "A nun bore the same name"."""
    start, end = view.whole
    bore = _BORE_NAME.search(view.text) if view.low(end - 1) == "name" else None
    if bore is not None and view.low(start) in {"a", "an", "the"}:
        stop = view.tokens[start].start + bore.start()
        description = start, next(k for k in range(start, end) if view.tokens[k].start >= stop)
    else:
        verb = range(max(view.clause.verb, start), end)
        mention = next((m for m in view.names((verb.start, end)) if m.text == label), None)
        article = next((k for k in verb if view.low(k) in {"a", "an"}), end)
        place = article if mention is None else mention.first
        before = f"{view.words((start, place))} "
        bearing = may_say(before, _BEARING_CUES) and _BEARING.search(before)
        if place == end or not (bearing or INVERTED.match(view.text)):
            return []
        after = article if mention is None else mention.last
        description = after + (view.low(after) in {",", "as"}), end
    return _described(view, label, [description])


def _described(
    view: View,
    name: str,
    blocks: Sequence[Range],
    *,
    brackets: Sequence[Range] = (),
    be: str = "is",
) -> list[Statement]:
    """Makes statements from descriptions of someone."""
    start, end = view.whole
    clause = Clause(start, end, (0, 0), (0, 0), tuple(brackets), tuple(blocks), end)
    return block_statements(view.body, view.tokens, clause, name, be)


def in_passing(paragraph: Paragraph, reading: ClauseReading) -> list[Statement]:
    """Makes statements from "he should not be confused with X, a poet"; the second is about X."""
    view = reading.view
    tokens, clause = view.tokens, view.clause
    out: list[Statement] = []
    first = reading.passing[0][0]
    if not is_listing(view.text):
        subject = subject_of(view, paragraph.individuals[reading.individual].label)[0]
        names = sorted(view.names((first, clause.end)), key=lambda m: not m.words[1:])
        stop = next((m.last for m in names), clause.end)
        text = f"{subject} {view.words((clause.subject[1], stop))}"
        start, end = tokens[clause.start].start, tokens[stop - 1].end
        out.append(Statement(as_sentence(text), start, end))
    starts = [token for token, _ in reading.passing]
    for (token, who), stop in zip(reading.passing, [*starts[1:], clause.end], strict=True):
        out += _presented_in_passing(view, paragraph.individuals[who].label, token, stop)
    return out


def _presented_in_passing(view: View, name: str, a: int, b: int) -> list[Statement]:
    """Makes statements from "X, a poet" or "a poet" inside another clause."""
    while view.tokens[b - 1].low in _BETWEEN:
        b -= 1
    mention = next((m for m in view.names((a, b)) if m.text == name), None)
    if mention is None:
        return _described(view, name, [(a, b)])
    brackets = brackets_at(view, mention.last)
    after = brackets[-1][1] + 1 if brackets else mention.last
    after += view.low(after) == ","
    before = a, naming_begins(view.tokens, a, mention.first)
    return _described(view, name, [before, (after, b)], brackets=brackets)


def presented(view: View, label: str) -> list[Statement]:
    """Makes statements from "there is also X, a poet" or "there is a poet named X"."""
    tokens, verb, end = view.tokens, view.clause.verb, view.clause.end
    names = view.names((verb + 1, end))
    mention = next((m for m in names if m.text == label), None)
    if mention is None:
        return []
    first = verb + 1
    while is_adverb(tokens[first]) or view.low(first) == ",":  # "there is, however, a poet"
        first += 1
    stop = naming_begins(tokens, first, mention.first)
    described = first < mention.first - 1 and tokens[first].low != "another"
    blocks = [(first, stop)] if described else []
    after = view.low(mention.last)
    if after in {"who", ","}:
        blocks.append((mention.last + (after == ","), end))
    elif after:
        return []  # "a crater called Lee on the Moon"
    return _described(view, label, blocks, be=view.low(verb))
