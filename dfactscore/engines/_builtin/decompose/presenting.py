"""Statements from clauses that introduce someone: "there is X, a poet", "The text describes X"."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.decompose.clause_subject import naming_begins, subject_of
from dfactscore.engines._builtin.decompose.clause_words import Statement, as_sentence
from dfactscore.engines._builtin.decompose.statements import block_statements
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.mentions import runs_of_names
from dfactscore.engines._builtin.group.paragraph import ClauseReading, Paragraph
from dfactscore.engines._builtin.language.adverbs import is_adverb
from dfactscore.engines._builtin.language.announcements import INVERTED, is_listing
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.word_classes import PASSIVE, is_role

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
# Words between two people who are introduced
_BETWEEN = frozenset({"and", "or", "as", "well", "the", "other", "second", "by", "of", "to"})


def presents_another(view: View, label: str) -> list[Statement]:
    """Makes statements from "Document 2 describes Ann Lee, a nun" or "It is the name of a nun".

    "a nun bore the same name" is treated in the same way.
    """
    tokens, clause = view.tokens, view.clause
    if not label or clause.verb < 0:
        return []
    first = clause.start
    last = clause.end
    bore = _BORE_NAME.search(view.text) if tokens[last - 1].low == "name" else None
    if bore is not None and tokens[first].low in {"a", "an", "the"}:
        stop = view.tokens[first].start + bore.start()
        last = next(k for k in range(first, clause.end) if tokens[k].end >= stop) + 1
    else:
        mention = next((m for m in view.names((clause.verb, last)) if m.text == label), None)
        behind = mention.first if mention is not None else clause.verb
        while mention is None and behind < last and tokens[behind].low not in {"a", "an"}:
            behind += 1
        before = view.body[tokens[first].start : tokens[behind].start] if behind < last else ""
        bearing = any(map(before.lower().__contains__, _BEARING_CUES)) and _BEARING.search(before)
        if behind >= last or not (bearing or INVERTED.match(view.text)):
            return []
        first = behind if mention is None else mention.last
        first += mention is not None and first < last and tokens[first].low in {",", "as"}
    if first >= last:
        return []
    made = Clause(clause.start, clause.end, (0, 0), (0, 0), (), ((first, last),), last)
    return block_statements(view.body, tokens, made, label, "is")


def in_passing(paragraph: Paragraph, reading: ClauseReading) -> list[Statement]:
    """Makes statements from "he should not be confused with X, a poet"; the second is about X."""
    view = reading.view
    tokens, clause = view.tokens, view.clause
    out: list[Statement] = []
    first = reading.passing[0][0]
    names = view.names((first, clause.end))
    told = not is_listing(view.text)
    if clause.verb >= 0 and clause.verb < first and told:
        label = paragraph.individuals[reading.individual].label
        subject = subject_of(view, label)[0]
        named = next((m for m in names if len(m.words) > 1), names[0] if names else None)
        stop = named.last if named is not None else first
        start, end = tokens[clause.start].start, tokens[stop - 1].end
        said = f"{subject} {view.body[tokens[clause.subject[1]].start : end]}"
        out.append(Statement(as_sentence(said), start, end))
    starts = [token for token, _ in reading.passing]
    for (token, who), stop in zip(reading.passing, [*starts[1:], clause.end], strict=True):
        out += _presented_in_passing(view, paragraph.individuals[who].label, token, stop)
    return out


def _presented_in_passing(view: View, name: str, a: int, b: int) -> list[Statement]:
    """Makes statements from "X, a poet" or "a poet" inside another clause."""
    tokens = view.tokens
    while b > a and (tokens[b - 1].text in ",;:" or tokens[b - 1].low in _BETWEEN):
        b -= 1
    names = view.names((a, b))
    mention = next((m for m in names if m.text == name), names[0] if names else None)
    brackets: tuple[Range, ...] = ()
    blocks: list[Range] = []
    k = a
    if mention is not None and mention.text == name:
        if mention.first > a + (tokens[a].low in {"another", "a", "an", "the"}):
            blocks.append((a, naming_begins(tokens, a, mention.first)))
        k = mention.last
        if k < b and tokens[k].text == "(":
            close = k + 1
            while close < b and tokens[close].depth:
                close += 1
            brackets = ((k + 1, close - 1),)
            k = close
        if k < b and tokens[k].text == ",":
            k += 1
    if k < b:
        blocks.append((k, b))
    made = Clause(a, b, (0, 0), (0, 0), brackets, tuple(blocks), b)
    return block_statements(view.body, tokens, made, name, "is")


def presented(view: View, label: str) -> list[Statement] | None:
    """Makes statements from "there is also X, a poet" or "there is a poet named X"."""
    tokens, clause = view.tokens, view.clause
    if not label:
        return None
    names = runs_of_names(tokens, clause.verb + 1, clause.end, view.body)
    mention = next((m for m in names if m.text == label), None)
    if mention is None:
        return None
    verb = clause.verb
    first = verb + 1
    while first < clause.end and (is_adverb(tokens[first]) or tokens[first].text == ","):
        first += 1
    after = mention.last
    stop = naming_begins(tokens, first, mention.first)
    described = first < mention.first - 1
    described = described and tokens[first].low != "another"
    blocks = [(first, stop)] if described else []
    if after < clause.end and tokens[after].low == "who":
        blocks.append((after, clause.end))
    elif after < clause.end and tokens[after].text == "," and after + 1 < clause.end:
        blocks.append((after + 1, clause.end))
    elif not blocks or after < clause.end:
        return None
    for a, b in blocks:
        said = any(is_role(t.low) or t.low in PASSIVE for t in tokens[a:b])
        if not said and tokens[a].low not in {"a", "an", "who"}:
            return None
    clause = Clause(
        clause.start, clause.end, (0, 0), (mention.first, after), (), tuple(blocks), blocks[-1][1]
    )
    return block_statements(view.body, tokens, clause, label, tokens[verb].low)
