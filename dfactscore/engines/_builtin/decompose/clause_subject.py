"""A clause's subject as facts write it: a name for "he", "another X" and "the second"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dfactscore._text.person_names import leading_titles
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.kin import is_tie
from dfactscore.engines._builtin.group.mentions import runs_of_names
from dfactscore.engines._builtin.language.announcements import ORDINALS, PEOPLE
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import PREPOSITIONS, RELATIVES, is_role
from dfactscore.engines._builtin.language.word_lists import word_list

_OF_OWN = re.compile(r"^(Some|One|Many|Most|All|Several|Two|Three) of (?:his|her) ")
_NAMING = word_list("naming")
_PLAIN = word_list("plain")
_POSSESSIVES = frozenset({"his", "her"})
_SUBJECT_PRONOUNS = frozenset({"he", "she"})
_OF_NAME = re.compile(r"\b(?:this|that|the|same) name$")


def subject_of(view: View, label: str, *, announced: bool = True) -> tuple[str, Range]:
    """The clause's subject as facts write it, and what describes it before the name.

    A pronoun becomes the individual's name, "another X" and "this X" become X; where another is
    announced, so does "a second person".
    """
    tokens, clause = view.tokens, view.clause
    a, b = clause.subject
    nothing = (a, a)
    written = view.body[tokens[a].start : tokens[b - 1].end]
    first = tokens[a]
    if label and first.low in _SUBJECT_PRONOUNS and b - a == 1:
        return label, nothing
    if label and announced and first.low in _POSSESSIVES and tokens[b - 1].low == "namesake":
        return label, nothing
    if label and first.low in _POSSESSIVES and not leading_titles([t.low for t in tokens[a:b]]):
        return f"{label}’s{view.body[first.end : tokens[b - 1].end]}", nothing
    lead = clause.lead
    whole = view.names((a, b))
    if label and announced and whole and "namesake" in view.lows(lead) and whole[-1].last == b:
        return whole[-1].text, nothing
    if label and lead[1] > lead[0] and tokens[lead[0]].low in _POSSESSIVES:
        kin = view.body[tokens[lead[0]].end : tokens[lead[1] - 1].end]
        return f"{label}’s{kin}, {written},", nothing
    if label and _stands_for_name(view, announced=announced):
        return label, nothing
    if label:
        written = _OF_OWN.sub(rf"\1 of {label}’s ", written)
    plain = not any(t.low in PREPOSITIONS or t.capital for t in tokens[a + 1 : b])
    if label and first.low == "this" and plain and any(is_role(t.low) for t in tokens[a:b]):
        return label, nothing  # "This powerful landowner"
    names = runs_of_names(tokens, a, b, view.body)
    if not names and clause.blocks and any(is_role(t.low) for t in tokens[a:b]):
        first_block = clause.blocks[0]
        inside = runs_of_names(tokens, *first_block, view.body)
        if inside and inside[0].first == first_block[0] and inside[0].last == first_block[1]:
            return inside[0].text, (a, b)
    named = next((m for m in names if tokens[m.first - 1].low in {"named", "called"}), None)
    if named is not None and named.last < b and tokens[named.last].low in {"with", "from", "of"}:
        return named.text, nothing  # "A person named Ann Lee with a degree in law"
    if not names or names[-1].last != b or names[-1].possessive or names[-1].first == a:
        return written, nothing
    mention = names[-1]
    stop = naming_begins(tokens, a, mention.first)
    described = any(is_role(t.low) and not t.capital for t in tokens[a:stop])
    relation = {t.low for t in tokens[a:stop]} & RELATIVES
    if len(names) > 1 or any(t.low in PREPOSITIONS for t in tokens[a:stop]):
        return written, nothing
    if relation or any(t.text.endswith(("'s", "’s")) for t in tokens[a:stop]):
        return written, nothing
    marked = first.low in {"another", "this", "that", "the", "a", "an", "one", "yet"} and all(
        t.low in _PLAIN or t.low in ORDINALS or t.low in PEOPLE for t in tokens[a:stop]
    )
    if marked and label and (first.low != "the" or (b < len(tokens) and mention.text == label)):
        return mention.text, nothing
    if described and first.low not in {"another", "this", "that", "yet"}:
        return mention.text, (a, stop)
    return written, nothing


def _stands_for_name(view: View, *, announced: bool) -> bool:
    """Whether the subject only says which one is meant: "the second", "another", "one of them"."""
    tokens, clause = view.tokens, view.clause
    a, b = clause.subject
    lows = [t.low for t in tokens[a:b]]
    if lows == ["one"] and not announced:
        return False  # "One, Tom Hill, was", "two men: one drowned"
    if lows[0] in {"one", "another"}:
        one = len(lows) == 1 or lows[1:] in (["of", "them"], ["of", "these"])
        return one or (
            lows[0] == "another"
            and lows[1] in PEOPLE
            and _OF_NAME.search(" ".join(lows)) is not None
        )
    if announced and lows[0] in {"a", "yet"} and len(lows) == 2:
        return lows[1] in ORDINALS or lows[1] == "another"
    if announced and lows[0] in {"a", "another"} and lows[-1] in PEOPLE:
        return all(low in _PLAIN | ORDINALS.keys() for low in lows[:-1])
    if announced and lows[0] in _POSSESSIVES | {"a"} and "namesake" in lows:
        return True
    if announced and lows[0] == "the" and lows[1:] in (["older"], ["elder"], ["younger"]):
        return True
    ordinal = lows[0] == "the" and len(lows) >= 2 and lows[1] in ORDINALS
    return ordinal and (len(lows) == 2 or lows[2:] in (["person"], ["individual"], ["one"]))


def without_tie(view: View) -> tuple[Clause, Range]:
    """A clause about a relative of the same name as if it began with the name, and its description.

    "His son", ", also named Ann Lee," and ", his niece," say who it is, not what is said.
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
    """Whether "the first" means a thing: one individual only, "the first came in 1990"."""
    tokens, (a, b) = view.tokens, view.clause.subject
    ordinal = b - a == 2 and tokens[a].low == "the" and tokens[a + 1].low in ORDINALS
    return ordinal and individuals < 2
