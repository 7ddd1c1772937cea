"""A clause's subject as written in facts: a name for "he", "another X" and "the second"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dfactscore._text.person_names import leading_titles
from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.clause_words import joined
from dfactscore.engines._builtin.group.cues import View, is_tie
from dfactscore.engines._builtin.group.mentions import Mention
from dfactscore.engines._builtin.language.announcements import ORDINALS, PEOPLE
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import PREPOSITIONS, RELATIVES, word_list

_OF_OWN = re.compile(r"^(Some|One|Many|Most|All|Several|Two|Three) of (?:his|her) ")
_NAMING = word_list("naming")
_PLAIN = word_list("plain") | PEOPLE | ORDINALS.keys()
_POSSESSIVES = ("his", "her")
_MARKING = frozenset({"another", "this", "that", "the", "a", "an", "one", "yet"})
_OF_NAME = re.compile(r"another .*\b(?:this|that|the|same) name")
_ORDINAL = re.compile(r"the (\S+)(?: person| individual| one)?")


@dataclass(frozen=True)
class SubjectCase:
    """A clause whose subject is to be written out."""

    view: View
    label: str  # individual's name as the paragraph writes it; empty if unknown
    announced: bool
    alone: bool

    @property
    def span(self) -> Range:
        """The token range of the subject."""
        return self.view.clause.subject

    @cached_property
    def lows(self) -> list[str]:
        """The words of the subject in lowercase; an empty word if there is no subject."""
        return [t.low for t in self.view.tokens[slice(*self.span)]] or [""]

    @cached_property
    def names(self) -> list[Mention]:
        """Names that occur in the subject."""
        return self.view.names(self.span)

    @cached_property
    def block_name(self) -> str:
        """The name that forms the entire first addition ("The poet, Ann Lee, was"), or empty."""
        blocks = self.view.clause.blocks[:1]
        inside = [mention for block in blocks for mention in self.view.names(block)][:1]
        return next((m.text for m in inside if (m.first, m.last) == blocks[0]), "")

    @cached_property
    def called(self) -> str:
        """The name after "named" or "called" if a phrase follows it; otherwise empty."""
        low = self.view.low
        return next(
            (
                m.text
                for m in self.names
                if low(m.first - 1) in {"named", "called"} and low(m.last) in {"with", "from", "of"}
            ),
            "",
        )

    @property
    def ends_with_name(self) -> bool:
        """Whether the subject ends with a name, unlike "One of Lee's" before "first acts"."""
        last = self.names[-1:]
        return any(m.last == self.span[1] and not m.possessive for m in last)

    @cached_property
    def description(self) -> Range:
        """The range of the words before the name, after "another" and "this"."""
        a = self.span[0] + (self.lows[0] in {"another", "this"})
        return a, naming_begins(self.view.tokens, a, self.names[-1].first)

    @property
    def described(self) -> Sequence[Token]:
        """The tokens of the description."""
        return self.view.tokens[slice(*self.description)]

    @property
    def ties(self) -> bool:
        """Whether the description relates to another person: "the son of", "Tom's brother"."""
        return len(self.names) > 1 or any(
            t.low in PREPOSITIONS | RELATIVES or t.text.endswith(("'s", "’s"))
            for t in self.described
        )

    @property
    def marks(self) -> bool:
        """Whether the description merely tells bearers apart: "another person named"."""
        plain = all(t.low in _PLAIN for t in self.described)
        same = self.lows[0] != "the" or self.names[-1].text == self.label
        return plain and same and self.lows[0] in _MARKING

    @property
    def describes(self) -> bool:
        """Whether the description includes a role."""
        return any(is_role(t.low) and not t.capital for t in self.described)


Subject = tuple[str, Range]
Writer = Callable[[SubjectCase], Subject]


def _label(case: SubjectCase) -> Subject:
    return case.label, (case.span[0],) * 2


def _as_written(case: SubjectCase) -> Subject:
    text = case.view.words(case.span)
    text = _OF_OWN.sub(rf"\1 of {case.label}’s ", text) if case.label else text
    return text, (case.span[0],) * 2


def _last_name(case: SubjectCase) -> Subject:
    return case.names[-1].text, (case.span[0],) * 2


def _owned(case: SubjectCase) -> Subject:
    words = case.view.words((case.span[0] + 1, case.span[1]))
    return f"{case.label}’s {words}", (case.span[0],) * 2


def _relative_first(case: SubjectCase) -> Subject:
    a, b = case.view.clause.lead
    relative = f"{case.label}’s {case.view.words((a + 1, b))}"
    return f"{joined(relative, case.view.words(case.span))},", (case.span[0],) * 2


def _is_next(lows: list[str]) -> bool:
    """Whether a subject is "one of them", "a second", "yet another" or "a third person"."""
    if lows[0] in {"a", "yet"}:
        return all(low in _PLAIN for low in lows[1:])
    text = " ".join(lows)
    listed = {"one", "another", "one of them", "one of these"}
    return text in listed or _OF_NAME.fullmatch(text) is not None


def _is_ordinal(lows: list[str]) -> bool:
    """Whether a subject is "the second" or "the second person"."""
    ordinal = _ORDINAL.fullmatch(" ".join(lows))
    return ordinal is not None and ordinal[1] in ORDINALS


# fmt: off
REFERENCE: Table[SubjectCase, Writer | None] = Table("subjects that refer to the individual", (
    Row("pronoun", "A pronoun becomes the name.",
        "Ann Lee sang. She was taught in Leeds where her uncle, Tom Lee, painted.",
        lambda c: c.lows in (["he"], ["she"]), _label),
    Row("namesake", '"Her namesake" and "a namesake" become the name.',
        "There are two people named Ann Lee. One is a nun. Her namesake is a judge.",
        lambda c: c.lows[0] in {*_POSSESSIVES, "a"} and "namesake" in c.lows, _label),
    Row("possessive", "A possessive becomes the name's.",
        "Ann Lee sang. Her father was a miner.",
        lambda c: c.lows[0] in _POSSESSIVES and not leading_titles(c.lows), _owned),
    Row("namesake before", 'A name after "namesake" is the subject.',
        "There are two people named Ann Lee. One is a nun. Her namesake, Ann Lee, is a judge.",
        lambda c: c.ends_with_name and "namesake" in c.view.lows(c.view.clause.lead), _last_name),
    Row("relative before", "A relative before the subject belongs to the individual.",
        "Ann Lee sang. Her brother, Tom Hill, moved to Leeds.",
        lambda c: c.view.words(c.view.clause.lead).lower().startswith(_POSSESSIVES),
        _relative_first),
    Row("one of them", 'After an announcement, "one of them" and "a second" become the name.',
        "There are two people named Ann Lee. One of them is a nun.",
        lambda c: c.announced and _is_next(c.lows), _label),
    Row("ordinal thing", "An ordinal is a thing where the text is about one individual.",
        "Ann Lee wrote two books. The first came out in 1990.",
        lambda c: c.alone and c.lows[2:] == [] and _is_ordinal(c.lows), _as_written),
    Row("ordinal", '"The second" and "the second person" become the name.',
        "There are two people named Ann Lee. The first person is a nun.",
        lambda c: _is_ordinal(c.lows), _label),
    Row("this role", 'A role after "this" becomes the name.',
        "Ann Lee sang. This famous singer moved to Leeds.",
        lambda c: c.lows[0] == "this" and any(map(is_role, c.lows)) and not c.ends_with_name
        and not PREPOSITIONS & {*c.lows}, _label),
), otherwise=None)
SUBJECT: Table[SubjectCase, Writer] = Table("subjects", (
    Row("name after", "A name after a role and a comma is the subject.",
        "Welsh judge, Ann Lee, was born in Leeds.",
        lambda c: not c.names and any(map(is_role, c.lows)) and c.block_name,
        lambda c: (c.block_name, c.span)),
    Row("called", 'A name after "named" with a phrase is the subject.',
        "A person named Ann Lee with a degree in law moved to Leeds.",
        lambda c: c.called, lambda c: (c.called, (c.span[0],) * 2)),
    Row("other subject", "A subject without a name at its end stays as written.",
        "Several songs were hits.",
        lambda c: not c.ends_with_name or c.ties, _as_written),
    Row("marked name", 'A name after words such as "another person named" is the subject.',
        "Ann Lee was a nun. Another person named Ann Lee was a judge.",
        lambda c: c.marks, _last_name),
    Row("described name", "A role before a name describes its bearer.",
        "The painter Ann Lee moved to Leeds.",
        lambda c: c.describes, lambda c: (c.names[-1].text, c.description)),
), otherwise=_as_written)
# fmt: on


def subject_of(view: View, label: str, *, announced: bool = True, alone: bool = False) -> Subject:
    """Returns the clause's subject as written in facts, and the description before the name.

    A pronoun is replaced by the individual's name, and "another X" and "this X" by X. If another
    person is announced, "a second person" is replaced, too.
    """
    case = SubjectCase(view, label, announced, alone)
    reference = REFERENCE.answer(case) if label else None
    return (reference or SUBJECT.answer(case))(case)


def without_tie(view: View) -> tuple[Clause, Range]:
    """Makes a clause about a relative with the same name begin with the name.

    Also returns the range of the description before the name.

    "His son", ", also named Ann Lee," and ", his niece," identify the person and are not
    statements.
    """
    clause = view.clause
    start = clause.subject[0]
    blocks = [b for b in clause.blocks if not is_tie(view, b)]
    description = (start, start)
    for block in [b for b in blocks if any(m.words[1:] for m in view.names(b))][:1]:
        blocks.remove(block)
        first = view.names(block)[0].first
        if any(is_role(t.low) for t in view.tokens[block[0] : first]):
            description = (block[0], first)  # "His son, the painter Ann Lee, was"
    return replace(clause, lead=(start, start), blocks=tuple(blocks)), description


def naming_begins(tokens: Sequence[Token], first: int, name: int) -> int:
    """Returns the start of the words that introduce a name: "a nun | by the name of Ann"."""
    while name > first and tokens[name - 1].low in _NAMING:
        name -= 1
    return name
