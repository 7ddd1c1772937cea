"""Determines how a clause is read: it is left out, kept whole or turned into statements."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dfactscore._text.names import name_words
from dfactscore.engines._builtin.decompose.clause_subject import (
    naming_begins,
    subject_of,
    without_tie,
)
from dfactscore.engines._builtin.decompose.clause_words import Statement, as_sentence
from dfactscore.engines._builtin.decompose.fragments import (
    brackets_at,
    described_alone,
    is_predicate,
    labeled,
    labeled_value,
    lacks_predicate,
    without_subject,
)
from dfactscore.engines._builtin.decompose.statements import block_statements, statements
from dfactscore.engines._builtin.group.clause_cues import remark_in
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.paragraph import ClauseReading, Paragraph
from dfactscore.engines._builtin.language.announcements import (
    INVERTED,
    is_announcement,
    is_listing,
    may_say,
    warns,
)
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.verbs import is_adverb
from dfactscore.engines._builtin.language.word_classes import POSSESSIVES

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
_OF_NAME = re.compile(
    r"(?:although |while |though )?there (?:are|were|is|was)\b|(?:the|this) name\b|"
    r"[^,;:]{2,60} (?:is|was) a (?:\w+ )?(?:\w+ )?name\b",
    re.IGNORECASE,
)
_ANNOUNCING = frozenset({"include", "includes", "included", "are", "were"})
_SHORT = 3  # words; "Early life" is a heading


def latin_share(text: str) -> float:
    """Returns the share of a text's letters that are Latin; 1 if it has no letters."""
    if text.isascii():
        return 1.0
    letters = [c for c in text[:20_000] if c.isalpha()]
    latin = sum(c.isascii() or unicodedata.name(c, "").startswith("LATIN") for c in letters)
    return latin / len(letters) if letters else 1.0


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
    """Makes statements from "he is not to be confused with X, who sang"; the second is about X."""
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


@dataclass(frozen=True)
class ClauseCase:
    """A clause that is being read."""

    paragraph: Paragraph
    reading: ClauseReading
    target: frozenset[str]
    name: str

    @property
    def view(self) -> View:
        """The clause together with its tokens."""
        return self.reading.view

    @property
    def label(self) -> str:
        """The individual's name as the paragraph writes it."""
        return self.paragraph.individuals[self.reading.individual].label

    @property
    def owner(self) -> str:
        """The name of the individual that a fragment without a subject is about."""
        return self.label or self.name

    @property
    def span(self) -> Range:
        """The character range of the clause."""
        tokens, clause = self.view.tokens, self.view.clause
        return tokens[clause.start].start, tokens[clause.end - 1].end

    @property
    def lacks_subject(self) -> bool:
        """Whether the clause has no verb, or nothing before it."""
        return self.view.clause.subject[1] <= self.view.clause.subject[0]

    @cached_property
    def described(self) -> list[Statement]:
        """The statements from a description on its own."""
        return described_alone(self.view, self.owner, opens="opens" in self.reading.cues)

    @cached_property
    def valued(self) -> list[Statement]:
        """The statements from a labeled value."""
        line = self.view.line
        return labeled_value(self.view, self.owner) if line.labeled or line.kind == "item" else []

    @cached_property
    def labeled(self) -> list[Statement]:
        """The statements from a name followed by punctuation and a role."""
        return labeled(self.view)

    @cached_property
    def presents(self) -> list[Statement]:
        """The statements from a clause that introduces another bearer of the name."""
        return presents_another(self.view, self.label)


Reader = Callable[[ClauseCase], list[Statement]]


def _nothing(case: ClauseCase) -> list[Statement]:
    return []


def _whole(case: ClauseCase) -> list[Statement]:
    return [Statement(as_sentence(case.view.text), *case.span)]


def _predicate_alone(case: ClauseCase) -> list[Statement]:
    return without_subject(case.view, case.owner, case.view.clause.start)


def _presented(case: ClauseCase) -> list[Statement]:
    return presented(case.view, case.label) or _whole(case)


def _about_relative(case: ClauseCase) -> list[Statement]:
    view, label = case.view, case.label
    clause, description = without_tie(view)
    return statements(view.body, view.tokens, clause, label, label, description)


def _about_subject(case: ClauseCase) -> list[Statement]:
    view, label, clause = case.view, case.label, case.view.clause
    announced = case.reading.rule == "another" or "listing" in case.reading.cues
    alone = len(case.paragraph.individuals) < 2
    subject, description = subject_of(view, label, announced=announced, alone=alone)
    if view.low(clause.lead[0]) in {"his", "her"}:
        clause = replace(clause, lead=clause.subject[:1] * 2)  # it is part of the subject now
    if clause.subject == description:
        clause = replace(clause, blocks=clause.blocks[1:])  # the name was an addition
    return statements(view.body, view.tokens, clause, subject, label or subject, description)


def _announces_list(case: ClauseCase) -> bool:
    view = case.view
    last = view.low(view.clause.end - 1) in _ANNOUNCING
    return last and view.body[case.span[1] :].lstrip().startswith(":")


def _is_predicate(case: ClauseCase) -> bool:
    """Whether a clause without a subject, or an item, begins with its verb."""
    view = case.view
    item = view.line.kind == "item"  # "Joined the firm in 1950"
    return (item or case.lacks_subject) and is_predicate(view, view.clause.start)


def _says_nothing(case: ClauseCase) -> bool:
    """Whether a clause without a subject is short, a heading or a mere phrase."""
    short = len(case.view.text.split()) < _SHORT and latin_share(case.view.text) > 0.5
    return short or case.view.line.kind == "heading" or lacks_predicate(case.view)


def _joins_another(view: View, block: Range) -> bool:
    """Whether a span introduces another subject: ", a nun, and her brother, a poet,"."""
    for k in range(block[0] + 2, block[1]):
        if (view.low(k - 2), view.low(k - 1)) == (",", "and"):
            described = view.lows((k, k + 6)) & {"a", "an", "the"}
            if view.low(k) in POSSESSIVES or (view.tokens[k].capital and described):
                return True
    return False


def _warns(case: ClauseCase) -> bool:
    """Whether a clause warns of a bearer of the name, or of someone described, and says no more."""
    view = case.view
    (a, b), verb = view.clause.subject, max(view.clause.verb, view.clause.start)
    predicate = (verb, view.clause.end)
    more = view.clause.blocks or view.clause.brackets or "who" in view.lows(predicate)
    if more or (view.low(a) in POSSESSIVES and b > a):
        return False
    bearers = (m for m in view.names(predicate) if case.target & set(m.words))
    return warns(view.words(predicate)) and bool(case.reading.passing or any(bearers))


# fmt: off
READING: Table[ClauseCase, Reader] = Table("readings of a clause", (
    Row("remark", "A remark about the sources or the text states nothing of anyone.",
        "Facts about Ann Lee. Ann Lee sang.",
        lambda c: remark_in(c.view), _nothing),
    Row("announcement", "An announcement that several people bear the name states nothing of one.",
        "Two women called Ann Lee are known. The first was a nun, the second was a judge.",
        lambda c: is_announcement(c.view.text) and c.target <= {*name_words(c.view.text)},
        _nothing),
    Row("warning", "A warning of someone of the same name states nothing of anyone.",
        "Ann Lee sang. She should not be confused with the actress Ann Lee.",
        _warns, _nothing),
    Row("in passing", "People mentioned in passing have the statements about them.",
        "Ann Lee sang. She is not to be confused with Ann Lee Hill, a poet who won a prize.",
        lambda c: c.reading.passing, lambda c: in_passing(c.paragraph, c.reading)),
    Row("name", "A clause about the name states nothing of a person.",
        "The name Ann Lee belongs to at least two women. A nun in Leeds, Ann Lee sang.",
        lambda c: c.reading.rule == "announcement"
        and (c.view.clause.verb < 0 or _OF_NAME.match(c.view.text)), _nothing),
    Row("list opener", "A clause that only opens a list states nothing.",
        "Ann Lee sang. Her awards include:\n\n- The Hill Cup",
        _announces_list, _nothing),
    Row("not only", 'A clause after "not only" stays whole.',
        "Ann Lee sang. Not only does Lee play with other bands, but she is also a critic.",
        lambda c: c.view.text.lower().startswith("not only "), _whole),
    Row("labeled name", "A name with a role after a mark is described by the role.",
        "Ann Lee (1744–1826): a Scottish historian",
        lambda c: c.labeled, lambda c: c.labeled),
    Row("presents", "A clause that says who bears the name describes that person.",
        "Document 2 describes Ann Lee, a nun who lived in Leeds.",
        lambda c: c.presents, lambda c: c.presents),
    Row("predicate", "A predicate without a subject is about the individual.",
        "Ann Lee was a judge. Died in Leeds in 1950.",
        _is_predicate, _predicate_alone),
    Row("description", "A description alone is about the individual.",
        "Ann Lee sang.\n\n- British journalist and poet",
        lambda c: c.lacks_subject and c.described, lambda c: c.described),
    Row("labeled value", "A labeled value is about the individual.",
        "Ann Lee was a judge.\n\n- Born: 5 May 1900, Leeds",
        lambda c: c.lacks_subject and c.valued, lambda c: c.valued),
    Row("phrase", "A short line or a phrase without a predicate states nothing.",
        "Early life\n\nAnn Lee sang.",
        lambda c: c.lacks_subject and _says_nothing(c), _nothing),
    Row("no subject", "Other words without a subject stay whole.",
        "Ann Lee was a judge. Known to all as kind, honest and brave.",
        lambda c: c.lacks_subject, _whole),
    Row("there is", '"There is" presents a person.',
        "There is also Ann Lee, a poet who lived in Leeds.",
        lambda c: c.view.low(c.view.clause.subject[0]) == "there", _presented),
    Row("joint subject", "A clause about two people with descriptions stays whole.",
        "Ann Lee, a nun, and her brother Tom, a poet, moved to Leeds and York.",
        lambda c: any(_joins_another(c.view, block) for block in c.view.clause.blocks), _whole),
    Row("namesake relative", "A relative of the same name is written by the name.",
        "Ann Lee was a judge. Her daughter, also named Ann Lee, was a poet.",
        lambda c: c.reading.rule == "relative of the name" and c.label, _about_relative),
), otherwise=_about_subject)
# fmt: on


def clause_statements(case: ClauseCase) -> list[Statement]:
    """Returns the statements of one clause, or the clause itself if no rule can split it."""
    if not any(token.word for token in case.view.tokens[slice(*case.view.whole)]):
        return []
    return READING.answer(case)(case)
