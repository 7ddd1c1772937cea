"""Rules that choose a clause's person, in order; the first that holds decides.

A rule needs cues and must not see others. The cues are what the clause shows (`cues.py`) and how
that relates to the people presented so far (`relations.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to see who a clause is about.

    Attributes:
        id: A short name.
        says: The rule in one line.
        needs: Cues that must be there.
        lacks: Cues that must not.
        outcome: "new", "begin" (the first person), "announce" (several bear the name), or the cue
            that points at the individual meant ("current", "bearer", ...).
    """

    id: str
    says: str
    needs: frozenset[str]
    lacks: frozenset[str]
    outcome: str


def decide(cues: frozenset[str], rules: Iterable[Rule]) -> Rule:
    """The first rule that holds.

    Args:
        cues: Those of the clause and its relations.
        rules: In order.

    Example:
        >>> decide(frozenset({"pronoun"}), RULES).id
        'else'
    """
    for rule in rules:
        if rule.needs <= cues and not rule.lacks & cues:
            return rule
    return _ELSE


def _rule(id_: str, says: str, needs: str, lacks: str, outcome: str) -> Rule:
    """A rule; cues are parted by "; "."""

    def cues(text: str) -> frozenset[str]:
        return frozenset(text.split("; ")) if text else frozenset()

    return Rule(id_, says, cues(needs), cues(lacks), outcome)


_ELSE = _rule("else", "Nothing says that someone else is meant", "", "", "current")

# fmt: off
RULES: tuple[Rule, ...] = (
    _rule("announcement", "A clause says that several people bear the name, and presents none",
          "announces", "presented", "announce"),
    _rule("item", "A further item describes someone",
          "item; listing; opens", "name; no one yet", "new"),
    _rule("topic", "A heading that is not the name is a topic",
          "title", "surname; another", "current"),
    _rule("role as a label", "A label that is a role, and a person of it",
          "role label", "no one yet", "new"),
    _rule("qualifier", "A heading puts something else behind the name",
          "bears the name; qualified", "no one yet", "new"),
    _rule("heading", "A heading that names someone opens a part about someone else",
          "item; heading; kin", "no one yet", "new"),
    _rule("first person", "Whoever is named or described first is the first person",
          "no one yet", "", "begin"),
    _rule("counted", "'The first', 'one' count those presented",
          "counted; counted one", "", "counted one"),
    _rule("next", "'The second X', 'the other' is someone new",
          "next one", "", "new"),
    _rule("role again", "'The painter', 'X, the painter' is the one who was said to be a painter",
          "one with the role", "", "one with the role"),
    _rule("next by a role", "Of those announced and told apart by roles, another role is the next",
          "listing; definite; description; role said; by a role", "suits", "new"),
    _rule("that one", "'That X' is the one just set apart from the one the text is about",
          "this; set apart", "", "set apart"),
    _rule("item again", "An item repeats the name and role of someone",
          "item; same name and role", "", "same name and role"),
    _rule("other epithet", "'X, the painter' beside 'X, the judge' is someone else",
          "other epithet", "", "new"),
    _rule("another", "The text says that it is someone else",
          "another", "colleague", "new"),
    _rule("relative", "A relative's name stays with the one whose relative it is",
          "tied to someone", "bears the name; contrast", "current"),
    _rule("relative of the name", "A relative of the same full name is someone else",
          "relative; their name", "refers", "new"),
    _rule("target", "The full target name, unlike the one before, presents its bearer",
          "stranger; bears the name; main; someone named", "", "new"),
    _rule("of the family", "Of another full name, like a known one, is said who it is",
          "stranger; full name; kin; tells", "", "new"),
    _rule("in passing", "A name of which little is said presents no one",
          "stranger; mentioned", "", "current"),
    _rule("stranger", "Another name with a birth year or a description is someone new",
          "stranger", "", "new"),
    _rule("part of a name", "A part of a name is the one of that name",
          "known", "full name; born otherwise", "known"),
    _rule("named before", "A heading without a word about its person is followed by one",
          "undescribed", "", "undescribed"),
    _rule("same birth", "The same birth year is the same person",
          "same birth", "", "same birth"),
    _rule("other dates", "The full name with another birth year is someone else",
          "born otherwise", "", "new"),
    _rule("next of a list", "Of those announced, the full name again is the next one",
          "listing; bears the name; full name; said before", "no one yet; fits; adds", "new"),
    _rule("another time", "The full name in another age is someone else",
          "another time; bears the name; full name; alive", "also; hedged", "new"),
    _rule("also", "'Also' adds to the one who bears the name",
          "also; bearer", "", "bearer"),
    _rule("topic of a source", "A passage that is about a longer name is about someone else",
          "topic; longer name", "fits", "new"),
    _rule("without a role", "The name without a role is the one who bears it",
          "bearer", "role said", "bearer"),
    _rule("longer", "A longer name with a role of its own is someone else",
          "longer name", "", "new"),
    _rule("fits", "The role can be that of one who bears the name",
          "fits", "", "fits"),
    _rule("role at last", "The one just named had no role yet; nothing more was said",
          "without a role", "followed; defined", "without a role"),
    _rule("another role", "The full name is said to be what does not go together",
          "bearer; role shown", "facts", "new"),
)
# fmt: on
