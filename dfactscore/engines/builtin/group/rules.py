"""Who a clause is about: rules in the order in which they are tried; the first that holds decides.

A rule needs cues and must not see others. The cues are what the clause shows (`cues.py`) and how
that relates to the people presented so far (`relations.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["RULES", "Rule", "decide"]


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
    _rule("first item", "The first item of a list describes the first person",
          "item; listing; opens; no one yet", "name", "begin"),
    _rule("item", "A further item describes someone",
          "item; listing; opens", "name", "new"),
    _rule("topic", "A heading that is not the name is a topic",
          "title", "surname; another", "current"),
    _rule("role as a label", "A label that is a role, and a person of it",
          "role label", "", "new"),
    _rule("qualifier", "A heading puts something else behind the name",
          "bears the name; qualified", "no one yet", "new"),
    _rule("heading", "A heading that names someone opens a part about someone else",
          "item; heading; kin", "no one yet", "new"),
    _rule("first person", "Whoever is named or described first is the first person",
          "no one yet", "", "begin"),
    _rule("counted", "'The first', 'one' count those presented",
          "counted; counted one", "", "counted one"),
    _rule("further of a list", "'Another', 'the third' is someone new of those announced",
          "counted; listing", "named", "new"),
    _rule("role again", "'The painter' is the one who was said to be a painter",
          "description; definite; one with the role", "", "one with the role"),
    _rule("that one", "'That X' is the one just set apart from the one the text is about",
          "this; set apart", "", "set apart"),
    _rule("item again", "An item repeats the name and role of someone",
          "item; same name and role", "", "same name and role"),
    _rule("same epithet", "'X, the painter' is the one who was called that",
          "same epithet", "", "same epithet"),
    _rule("other epithet", "'X, the painter' beside 'X, the judge' is someone else",
          "other epithet", "", "new"),
    _rule("another of a kind", "Another employee, of another name, is a colleague",
          "another; of a kind; stranger", "kin", "current"),
    _rule("another", "The text says that it is someone else",
          "another", "", "new"),
    _rule("further name", "'The other X' is someone new",
          "counted; presented", "latter", "new"),
    _rule("next of the name", "'The second X' beside one is someone new, whatever is said",
          "counted; bears the name; beyond the first", "", "new"),
    _rule("relative", "A relative's name stays with the one whose relative it is",
          "tied to someone", "bears the name; contrast", "current"),
    _rule("acting name", "Another full name, like a known one, does what a person does",
          "stranger; acts; full name; kin", "", "new"),
    _rule("target", "The full target name, unlike the one before, presents its bearer",
          "stranger; bears the name; main; someone named", "", "new"),
    _rule("says who", "Another full name, like a known one, of which is said who it is",
          "stranger; full name; kin; says who", "", "new"),
    _rule("bare name", "A name of which nothing is said presents no one",
          "stranger", "introduced", "current"),
    _rule("speaker", "Who speaks of someone presented is no one new",
          "refers", "kin", "current"),
    _rule("of one given name", "'The critic X' who is said to be someone's has but the given name",
          "refers; definite", "surname", "current"),
    _rule("the critic", "'The critic X' in passing is no one new",
          "stranger; definite", "kin", "current"),
    _rule("detail", "A bullet within an item describes the person of the item",
          "detail; stranger", "kin", "current"),
    _rule("single word", "A single word that is not a known name presents no one",
          "stranger", "full name; kin; apposed", "current"),
    _rule("stranger", "Another name with a birth year or a description is someone new",
          "stranger", "", "new"),
    _rule("part of a name", "A part of a name is the one of that name",
          "known", "full name", "known"),
    _rule("named before", "A heading without a word about its person is followed by one",
          "undescribed", "", "undescribed"),
    _rule("added", "'Also' adds to the one of a fuller name",
          "longer name; also", "", "bearer"),
    _rule("suffix", "The name with Jr. or a number is someone else",
          "longer name; suffix; bears the name", "", "new"),
    _rule("same birth", "The same birth year is the same person",
          "same birth", "", "same birth"),
    _rule("dates, same role", "Life dates are those of the one with the same role",
          "open, same role", "", "open, same role"),
    _rule("dates", "New life dates with the name present someone else",
          "dated; birth year", "no role", "new"),
    _rule("born otherwise", "The full name born in another year is someone else",
          "born otherwise", "", "new"),
    _rule("died otherwise", "The full name with another year of death is someone else",
          "full name; died otherwise", "", "new"),
    _rule("item said before", "An item says once more what the name is",
          "item; characterized; said before", "fits; also; adds", "new"),
    _rule("next of a list", "Of those announced, a full name with a description is the next one",
          "listing; bears the name; full name; presented; said before",
          "no one yet; fits; adds", "new"),
    _rule("next item", "Of those announced, an item that opens with the full name is the next one",
          "listing; item; bears the name; full name; said before",
          "no one yet; fits; adds", "new"),
    _rule("another time", "The full name in another age is someone else",
          "another time; bears the name; full name; alive", "also", "new"),
    _rule("of another nation", "The full name, of another nation",
          "another nation; bears the name; full name; says who",
          "longer name; also; adds; anyone", "new"),
    _rule("introduced late", "The full name is introduced once the text has gone on about someone",
          "followed; bears the name; full name; titled",
          "fits; also; adds; longer name", "new"),
    _rule("told apart", "'The painter X' tells X from the one before",
          "definite; titled; bears the name; full name; without a role",
          "fits; also; adds; longer name", "new"),
    _rule("adds", "To one of many professions another may be added",
          "adds; characterized", "longer name", "adds"),
    _rule("also", "'Also' adds to the one who bears the name",
          "also; bearer", "", "bearer"),
    _rule("without a role", "The name without a role is the one who bears it",
          "bearer", "role said", "bearer"),
    _rule("longer", "A longer name with a role of its own is someone else",
          "longer name", "", "new"),
    _rule("fits", "The role can be that of one who bears the name",
          "fits", "", "fits"),
    _rule("role at last", "The one just named had no role yet; nothing more was said",
          "without a role", "followed", "bearer"),
    _rule("apposition", "The name with another role in apposition",
          "apposed", "", "new"),
    _rule("epithet", "The full name with another role beside it, 'X, the painter'",
          "titled; bears the name; full name; said before", "longer name; also; adds", "new"),
    _rule("described otherwise", "The full name is said to be what does not go together",
          "full name; characterized", "", "new"),
)
# fmt: on
