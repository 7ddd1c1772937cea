"""A clause's subject as written in facts: a name for "he", "another X" and "the second"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dfactscore._text.person_names import leading_titles
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.kin import is_tie
from dfactscore.engines._builtin.group.mentions import Mention, runs_of_names
from dfactscore.engines._builtin.language.announcements import ORDINALS, PEOPLE
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import PREPOSITIONS, RELATIVES, is_role
from dfactscore.engines._builtin.language.word_lists import word_list

_OF_OWN = re.compile(r"^(Some|One|Many|Most|All|Several|Two|Three) of (?:his|her) ")
_NAMING = word_list("naming")
_PLAIN = word_list("plain")
_POSSESSIVES = frozenset({"his", "her"})
_SUBJECT_PRONOUNS = frozenset({"he", "she"})
_MARKING = frozenset({"another", "this", "that", "the", "a", "an", "one", "yet"})
_OF_NAME = re.compile(r"\b(?:this|that|the|same) name$")


@dataclass(frozen=True)
class SubjectCase:
    """A clause whose subject is to be written out.

    Attributes:
        view: The clause.
        label: The individual's name as the paragraph writes it; empty if unknown.
        announced: Whether the text announces an additional person.
    """

    view: View
    label: str
    announced: bool

    @property
    def span(self) -> Range:
        """The token range of the subject."""
        return self.view.clause.subject

    @property
    def words(self) -> Sequence[Token]:
        """The tokens of the subject."""
        return self.view.tokens[slice(*self.span)]

    @cached_property
    def lows(self) -> list[str]:
        """The words of the subject in lowercase."""
        return [t.low for t in self.words]

    @property
    def written(self) -> str:
        """The subject as written in the text, with the name for "her" in "some of her"."""
        text = self.view.words(self.span)
        return _OF_OWN.sub(rf"\1 of {self.label}’s ", text) if self.label else text

    @property
    def has_role(self) -> bool:
        """Whether the subject includes a role."""
        return any(map(is_role, self.lows))

    @property
    def owned_lead(self) -> bool:
        """Whether the words before the subject begin with "his" or "her"."""
        a, b = self.view.clause.lead
        return b > a and self.view.low(a) in _POSSESSIVES

    @cached_property
    def names(self) -> list[Mention]:
        """Names that occur in the subject."""
        return runs_of_names(self.view.tokens, *self.span, self.view.body)

    @cached_property
    def block_name(self) -> str:
        """The name that forms the entire first addition ("The poet, Ann Lee, was"), or empty."""
        blocks = self.view.clause.blocks
        inside = runs_of_names(self.view.tokens, *blocks[0], self.view.body) if blocks else []
        whole = inside and (inside[0].first, inside[0].last) == blocks[0]
        return inside[0].text if whole else ""

    @cached_property
    def called(self) -> str:
        """The name after "named" or "called" if a phrase follows it; otherwise empty."""
        low = self.view.low
        name = next((m for m in self.names if low(m.first - 1) in {"named", "called"}), None)
        if name is None or name.last >= self.span[1]:
            return ""
        return name.text if low(name.last) in {"with", "from", "of"} else ""

    @property
    def ends_with_name(self) -> bool:
        """Whether the subject ends with a name and has words before it."""
        name = self.names[-1] if self.names else None
        a, b = self.span
        return name is not None and name.last == b and not name.possessive and name.first > a

    @cached_property
    def description(self) -> Range:
        """The range of the words before the name."""
        a = self.span[0]
        return a, naming_begins(self.view.tokens, a, self.names[-1].first)

    @property
    def described(self) -> Sequence[Token]:
        """The tokens of the description."""
        return self.view.tokens[slice(*self.description)]

    @property
    def ties(self) -> bool:
        """Whether the description relates to another person: "the son of", "Tom's brother"."""
        words = self.described
        return len(self.names) > 1 or any(
            t.low in PREPOSITIONS | RELATIVES or t.text.endswith(("'s", "’s")) for t in words
        )

    @property
    def marks(self) -> bool:
        """Whether the description merely tells bearers apart: "another person named"."""
        plain = all(t.low in _PLAIN or t.low in ORDINALS or t.low in PEOPLE for t in self.described)
        if not (self.label and plain and self.lows[0] in _MARKING):
            return False
        ends = self.span[1] < len(self.view.tokens) and self.names[-1].text == self.label
        return self.lows[0] != "the" or ends

    @property
    def describes(self) -> bool:
        """Whether the description includes a role."""
        role = any(is_role(t.low) and not t.capital for t in self.described)
        return role and self.lows[0] not in {"another", "this", "that", "yet"}


Subject = tuple[str, Range]


def _label(case: SubjectCase) -> Subject:
    return case.label, (case.span[0],) * 2


def _as_written(case: SubjectCase) -> Subject:
    return case.written, (case.span[0],) * 2


def _last_name(case: SubjectCase) -> Subject:
    return case.names[-1].text, (case.span[0],) * 2


def _owned(case: SubjectCase) -> Subject:
    view, (a, b) = case.view, case.span
    words = view.body[view.tokens[a].end : view.tokens[b - 1].end]
    return f"{case.label}’s{words}", (a, a)


def _relative_first(case: SubjectCase) -> Subject:
    view, (a, b) = case.view, case.view.clause.lead
    kin = view.body[view.tokens[a].end : view.tokens[b - 1].end]
    return f"{case.label}’s{kin}, {view.words(case.span)},", (case.span[0],) * 2


def _namesake_lead(case: SubjectCase) -> bool:
    lead = "namesake" in case.view.lows(case.view.clause.lead)
    return case.announced and lead and bool(case.names) and case.names[-1].last == case.span[1]


def _this_role(case: SubjectCase) -> bool:
    plain = not any(t.low in PREPOSITIONS or t.capital for t in case.words[1:])
    return case.lows[0] == "this" and plain and case.has_role


# fmt: off
SUBJECT: Table[SubjectCase, Callable[[SubjectCase], Subject]] = Table("subjects", (
    Row("pronoun", "A pronoun becomes the name.",
        "Ann Lee sang. She was taught in Leeds where her uncle, Tom Lee, painted.",
        lambda c: c.label and len(c.lows) == 1 and c.lows[0] in _SUBJECT_PRONOUNS, _label),
    Row("own namesake", 'After an announcement, "her namesake" becomes the name.',
        "There are two people named Ann Lee. One is a nun. Her namesake is a judge.",
        lambda c: c.label and c.announced and c.lows[0] in _POSSESSIVES
        and c.lows[-1] == "namesake", _label),
    Row("possessive", "A possessive becomes the name's.",
        "Ann Lee sang. Her father was a miner.",
        lambda c: c.label and c.lows[0] in _POSSESSIVES and not leading_titles(c.lows), _owned),
    Row("namesake before", 'After an announcement, a name after "namesake" is the subject.',
        "There are two people named Ann Lee. One is a nun. Her namesake, Ann Lee, is a judge.",
        lambda c: c.label and _namesake_lead(c), _last_name),
    Row("relative before", "A relative before the subject belongs to the individual.",
        "Ann Lee sang. Her brother, Tom Hill, moved to Leeds.",
        lambda c: c.label and c.owned_lead, _relative_first),
    Row("one of them", 'Words such as "the second" and "one of them" become the name.',
        "There are two people named Ann Lee. The first is a nun. The second is a judge.",
        lambda c: c.label and stands_for_name(c), _label),
    Row("this role", 'A role after "this" becomes the name.',
        "Ann Lee sang. This famous singer moved to Leeds.",
        lambda c: c.label and _this_role(c), _label),
    Row("name after", "A name after a role and a comma is the subject.",
        "Welsh judge, Ann Lee, was born in Leeds.",
        lambda c: not c.names and c.has_role and c.block_name, lambda c: (c.block_name, c.span)),
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


def subject_of(view: View, label: str, *, announced: bool = True) -> Subject:
    """Returns the clause's subject as written in facts, and the description before the name.

    A pronoun is replaced by the individual's name, and "another X" and "this X" by X. If another
    person is announced, "a second person" is replaced, too.
    """
    case = SubjectCase(view, label, announced)
    return SUBJECT.answer(case)(case)


# fmt: off
STANDING: Table[SubjectCase, bool] = Table("subjects that are the individual", (
    Row("one alone", '"One" is a number unless another person is announced.',
        "Ann Lee had two sons. One drowned in Leeds.",
        lambda c: c.lows == ["one"] and not c.announced, False),
    Row("one of them", '"One", "another" and "one of them" are the individual.',
        "There are two people named Ann Lee. One of them is a nun.",
        lambda c: c.lows[0] in {"one", "another"} and (len(c.lows) == 1
        or c.lows[1:] in (["of", "them"], ["of", "these"])), True),
    Row("another of the name", '"Another person of this name" is the individual.',
        "Ann Lee was a nun. Another woman of that name was a judge.",
        lambda c: c.lows[0] == "another" and c.lows[1] in PEOPLE
        and _OF_NAME.search(" ".join(c.lows)), True),
    Row("a second", 'After an announcement, "a second" and "a third person" are the individual.',
        "There are two people named Ann Lee. One is a nun. A second is a judge.",
        lambda c: c.announced and _is_next(c.lows), True),
    Row("a namesake", 'After an announcement, "a namesake" is the individual.',
        "There are two people named Ann Lee. One is a nun. A namesake is a judge.",
        lambda c: c.announced and c.lows[0] in _POSSESSIVES | {"a"} and "namesake" in c.lows, True),
    Row("ordinal", '"The second" and "the second person" are the individual.',
        "There are two people named Ann Lee. The first person is a nun.",
        lambda c: c.lows[0] == "the" and c.lows[1:2] and c.lows[1] in ORDINALS
        and c.lows[2:] in ([], ["person"], ["individual"], ["one"]), True),
), otherwise=False)
# fmt: on


def _is_next(lows: list[str]) -> bool:
    """Whether a subject is "a second", "yet another" or "a third person"."""
    if lows[0] in {"a", "yet"} and len(lows) == 2:
        return lows[1] in ORDINALS or lows[1] == "another"
    plain = all(low in _PLAIN | ORDINALS.keys() for low in lows[:-1])
    return lows[0] == "a" and lows[-1] in PEOPLE and plain


def stands_for_name(case: SubjectCase) -> bool:
    """Whether the subject merely says who is meant: "the second", "another", "one of them"."""
    return STANDING.answer(case)


def without_tie(view: View) -> tuple[Clause, Range]:
    """Makes a clause about a relative with the same name begin with the name.

    Also returns the range of the description before the name.

    "His son", ", also named Ann Lee," and ", his niece," identify the person and are not
    statements.
    """
    clause = view.clause
    start = clause.subject[0]
    blocks = [b for b in clause.blocks if not is_tie(view, b)]
    named = next((b for b in blocks if any(m.words[1:] for m in view.names(b))), None)
    description = (start, start)
    if named is not None:
        blocks.remove(named)
        first = view.names(named)[0].first
        if any(is_role(t.low) for t in view.tokens[named[0] : first]):
            description = (named[0], first)  # "His son, the painter Ann Lee, was"
    return replace(clause, lead=(start, start), blocks=tuple(blocks)), description


def naming_begins(tokens: Sequence[Token], first: int, name: int) -> int:
    """Returns the start of the words that introduce a name: "a nun | by the name of Ann"."""
    while name > first and tokens[name - 1].low in _NAMING:
        name -= 1
    return name


def stands_for_thing(view: View, individuals: int) -> bool:
    """Whether "the first" means a thing ("the first came in 1990"), as there is one individual."""
    tokens, (a, b) = view.tokens, view.clause.subject
    ordinal = b - a == 2 and tokens[a].low == "the" and tokens[a + 1].low in ORDINALS
    return ordinal and individuals < 2
