"""Ordered rules that choose the person a clause is about; the first that applies is used.

A rule requires some cues and excludes others. Cues come from the clause (`cues.py`) and from its
relations to the people introduced so far (`relations.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for choosing the person a clause is about."""

    id: str
    says: str
    needs: frozenset[str]  # cues that must be present
    lacks: frozenset[str]  # cues that must be absent
    # "new", "begin" (the first person), "announce" (several bear the name), or the cue that points
    # to the individual ("current", "bearer", ...).
    outcome: str


def decide(cues: frozenset[str], rules: Iterable[Rule]) -> Rule:
    """Returns the first rule that applies.

    Example:
        >>> decide(frozenset({"pronoun"}), RULES).id
        'else'
    """
    for rule in rules:
        if rule.needs <= cues and not rule.lacks & cues:
            return rule
    return ELSE


def _rule(id_: str, says: str, needs: str, lacks: str, outcome: str) -> Rule:
    """Creates a rule from strings of cues separated by "; "."""

    def cues(text: str) -> frozenset[str]:
        return frozenset(text.split("; ")) if text else frozenset()

    return Rule(id_, says, cues(needs), cues(lacks), outcome)


ELSE = _rule("else", "Nothing suggests another person", "", "", "current")
SECTION = _rule("section", "The text of each section begins with its heading's name", "", "", "new")

# fmt: off
RULES: tuple[Rule, ...] = (
    _rule("announcement", "A clause says that several people bear the name, but presents none",
          "announces", "presented", "announce"),
    _rule("item", "Another list item describes a person",
          "item; listing; opens", "name; no one yet", "new"),
    _rule("thing", "A heading with the text's own name and a qualifier begins another thing",
          "title; thing", "bears the name; no one yet", "new"),
    _rule("topic", "A heading without the name is a topic",
          "title", "surname; another", "current"),
    _rule("role as a label", "A role as a label presents a person",
          "role label", "no one yet", "new"),
    _rule("qualifier", "A heading adds a qualifier to the name",
          "bears the name; qualified", "no one yet", "new"),
    _rule("heading", "A heading that names a person starts a part about another person",
          "item; heading; kin", "no one yet", "new"),
    _rule("first person", "The first name or description presents the first person",
          "no one yet", "", "begin"),
    _rule("counted", "'The first' or 'one' gives the number of a presented person",
          "counted; counted one", "", "counted one"),
    _rule("next", "'The second X' or 'the other' is a new person",
          "next one", "", "new"),
    _rule("role again", "'The painter' or 'X, the painter' is the person described as a painter",
          "one with the role", "", "one with the role"),
    _rule("next by a role", "Among announced people with different roles, another role is the next",
          "listing; definite; description; role said; by a role", "suits", "new"),
    _rule("that one", "'That X' is the person just distinguished from the text's subject",
          "this; set apart", "", "set apart"),
    _rule("item again", "An item repeats the name and role of a known person",
          "item; same name and role", "", "same name and role"),
    _rule("other epithet", "'X, the painter' is not 'X, the judge'",
          "other epithet", "", "new"),
    _rule("item of a list", "An item that names something else belongs to the person of the list",
          "item; stranger", "listing; surname; no one yet", "current"),
    _rule("another", "The text says that this is another person",
          "another", "colleague", "new"),
    _rule("relative", "A relative's name does not start another person",
          "tied to someone", "bears the name; contrast", "current"),
    _rule("relative of the name", "A relative with the same full name is another person",
          "relative; their name", "refers", "new"),
    _rule("target", "The full target name, after another name, presents its bearer",
          "stranger; bears the name; main; someone named", "", "new"),
    _rule("of the family", "The text describes the bearer of another, similar full name",
          "stranger; full name; kin; tells", "", "new"),
    _rule("in passing", "A name without much information presents no one",
          "stranger; mentioned", "", "current"),
    _rule("stranger", "Another name with a birth year or a description is a new person",
          "stranger", "", "new"),
    _rule("part of a name", "A part of a known name means its bearer",
          "known", "full name; born otherwise", "known"),
    _rule("named before", "The first statement after a heading is about the person that it names",
          "undescribed", "", "undescribed"),
    _rule("same birth", "The same birth year is the same person",
          "same birth", "", "same birth"),
    _rule("other dates", "The full name with another birth year is another person",
          "born otherwise", "", "new"),
    _rule("next of a list", "Among announced people, the full name again is the next one",
          "listing; bears the name; full name; said before", "no one yet; fits; adds", "new"),
    _rule("another time", "The full name at another time is another person",
          "another time; bears the name; full name; alive", "also; hedged", "new"),
    _rule("also", "'Also' adds to the known bearer of the name",
          "also; bearer", "", "bearer"),
    _rule("topic of a source", "A passage about a longer name is about another person",
          "topic; longer name", "fits", "new"),
    _rule("without a role", "The name without a role means its known bearer",
          "bearer", "role said", "bearer"),
    _rule("longer", "A longer name with its own role is another person",
          "longer name", "", "new"),
    _rule("fits", "The role is compatible with a known bearer of the name",
          "fits", "", "fits"),
    _rule("role at last", "The role belongs to the person just named, who had none",
          "without a role", "followed; defined", "without a role"),
    _rule("another role", "The full name has a role that its known bearer cannot have",
          "bearer; role shown", "facts", "new"),
)
# fmt: on
