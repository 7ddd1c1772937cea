"""Who a clause is about: rules in the order in which they are tried; the first that holds decides.

A rule needs cues and must not see others. The cues are what the clause shows (`cues.py`) and how
that relates to the people presented so far (`cast.py`). Its examples are tests: a text about Mark
Hall with the individual of each clause, and with the rule left out one of them comes out otherwise.
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
        examples: Texts, each with a figure a clause: its individual.
    """

    id: str
    says: str
    needs: frozenset[str]
    lacks: frozenset[str]
    outcome: str
    examples: tuple[tuple[str, str], ...]


def decide(cues: frozenset[str], rules: Iterable[Rule]) -> Rule:
    """The first rule that holds.

    Args:
        cues: Those of the clause and its relations.
        rules: In order.

    Example:
        >>> decide(frozenset({"pronoun"}), RULES).id
        'pronoun'
    """
    for rule in rules:
        if rule.needs <= cues and not rule.lacks & cues:
            return rule
    return _ELSE


def _rule(
    id_: str, says: str, needs: str, lacks: str, outcome: str, *examples: tuple[str, str]
) -> Rule:
    """A rule; cues are parted by "; "."""

    def cues(text: str) -> frozenset[str]:
        return frozenset(text.split("; ")) if text else frozenset()

    return Rule(id_, says, cues(needs), cues(lacks), outcome, examples)


_ELSE = _rule("else", "Nothing says that someone else is meant", "", "", "current")

RULES: tuple[Rule, ...] = (
    _rule(
        "announcement first", "The text begins by saying that several people bear the name",
        "announces; nothing read", "", "announce",
        ("There are two painters named Mark Hall. Mark Hall was born in Ohio.", "00"),
    ),
    _rule(
        "announcement", "A clause says that several people bear the name, and presents none",
        "announces", "another; presented", "announce",
        ("Mark Hall sang. There are several people named Mark Hall. One is a judge.", "001"),
    ),
    _rule(
        "first item", "The first item of a list describes the first person",
        "item; listing; opens; no one yet", "name", "begin",
        ("Mark Hall:\n* English cricketer (born 1960)\n* American painter (born 1970)", "001"),
    ),
    _rule(
        "item", "A further item describes someone",
        "item; listing; opens", "name", "new",
        ("Mark Hall:\n* English cricketer (born 1960)\n* American painter (born 1970)", "001"),
    ),
    _rule(
        "topic", "A heading that is not the name is a topic",
        "title", "bears the name; surname; another", "current",
        ("# Mark Hall\nMark Hall sang.\n## Death\nHe died in Ohio.", "0000"),
    ),
    _rule(
        "heading again", "A heading repeats the name and role of someone",
        "item; heading; same name and role", "", "same name and role",
        ("**Mark Hall (judge)**\nHe sat.\n**Mark Hall (poet)**\nHe wrote.\n**Mark Hall (judge)**\n"
         "He died.", "001100"),
    ),
    _rule(
        "heading", "A heading that names someone opens a part about someone else",
        "item; heading; named", "no one yet", "new",
        ("# Mark Hall (judge)\nMark Hall sat.\n# Mark Hall (poet)\nMark Hall wrote.", "0011"),
    ),
    _rule(
        "pronoun", "A pronoun means whom the text is about",
        "pronoun", "", "current",
    ),
    _rule(
        "thing", "What is neither a name nor a description of a person changes nothing",
        "other", "", "current",
    ),
    _rule(
        "first person", "Whoever is named or described first is the first person",
        "no one yet", "", "begin",
        ("Mark Hall was a judge.", "0"),
    ),
    _rule(
        "another, unnamed", "A description says that it is of another person",
        "description; another", "", "new",
        ("Mark Hall was a judge. The painter of the same name was born in Ohio.", "01"),
    ),
    _rule(
        "other of two", "'The other' is whom the text is not about",
        "description; other one; the other", "", "the other",
        ("There are two men named Mark Hall. One was a judge. The other was a poet. The other "
         "person was born in Ohio.", "0010"),
    ),
    _rule(
        "other one", "'The other person' beside one is someone new",
        "description; other one", "several", "new",
        ("Mark Hall was a judge. The other person with the name was a poet from Ohio.", "01"),
    ),
    _rule(
        "latter of a list", "'The latter' is the latest of those announced",
        "description; latter; listing", "", "latest",
    ),
    _rule(
        "latter", "'The latter' is the latest",
        "description; latter; several; presented", "", "latest",
    ),
    _rule(
        "counted of a list", "'The first', 'one' count those announced",
        "description; counted; listing; counted one", "", "counted one",
    ),
    _rule(
        "counted", "'The first', 'the second' count those presented",
        "description; counted; several; presented; counted one", "", "counted one",
    ),
    _rule(
        "further of a list", "'Another', 'the third' is someone new of those announced",
        "description; counted; listing", "", "new",
    ),
    _rule(
        "further", "'Another', 'the third' is someone new",
        "description; counted; several; presented", "", "new",
    ),
    _rule(
        "second", "'The second was a poet' is someone new",
        "description; counted; beyond the first; presented", "", "new",
    ),
    _rule(
        "role again", "'The painter' is the one who was said to be a painter",
        "description; definite; several; one with the role", "", "one with the role",
    ),
    _rule(
        "description", "A description alone presents no one",
        "description", "", "current",
    ),
    _rule("no name", "Without a name no one else is meant", "", "named", "current"),
    _rule("owner", "What belongs to someone known is about them", "owner; known", "", "known"),
    _rule("other owner", "What belongs to others stays", "owner", "", "current"),
    _rule(
        "this one", "'This X' is the latest of the name",
        "this; latest by name", "", "latest by name",
    ),
    _rule("this known", "'This X' is the one of that name", "this; known", "", "known"),
    _rule("another", "The text says that it is someone else", "another", "", "new"),
    _rule(
        "counted name", "'The first X' counts those presented",
        "counted; presented; counted one", "", "counted one",
    ),
    _rule("further name", "'The third X' is someone new", "counted; presented", "", "new"),
    _rule(
        "second of the name", "'The second X' counts those presented, whatever is said",
        "counted; bears the name; beyond the first; counted one", "", "counted one",
    ),
    _rule(
        "next of the name", "'The second X' beside one is someone new, whatever is said",
        "counted; bears the name; beyond the first", "", "new",
    ),
    _rule(
        "relative", "A name tied to someone stays with them",
        "stranger; tied to someone", "bears the name; contrast", "current",
    ),
    _rule("other number", "Only a number tells two names apart", "other number", "", "new"),
    _rule(
        "acting name", "Another full name, like a known one, does what a person does",
        "stranger; acts; full name; kin", "introduced; presented in passing; refers", "new",
    ),
    _rule(
        "bare name", "A name of which nothing is said presents no one",
        "stranger", "introduced; presented in passing", "current",
    ),
    _rule(
        "speaker", "Who speaks of someone presented is no one new",
        "stranger; refers", "kin", "current",
    ),
    _rule(
        "the critic", "'The critic X' in passing is no one new",
        "stranger; definite", "kin; dated", "current",
    ),
    _rule("stranger", "Another name with a description is someone new", "stranger", "", "new"),
    _rule("part of a name", "A part of a name is the one of that name", "known", "full name", "known"),
    _rule(
        "named before", "A name announced without a word about it is now described",
        "undescribed", "", "undescribed",
    ),
    _rule(
        "added", "'Also' adds to the one of a fuller name",
        "longer name; also", "", "bearer",
    ),
    _rule(
        "suffix", "The name with Jr. or a number is someone else",
        "longer name; suffix; bears the name", "", "new",
    ),
    _rule("same birth", "The same birth year is the same person", "dated; same birth", "", "same birth"),
    _rule(
        "dates, same role", "Life dates are those of the one with the same role",
        "dated; open, same role", "longer name", "open, same role",
    ),
    _rule(
        "dates, open", "Life dates are those of the one of whom no role is known",
        "dated; open, without a role", "longer name", "open, without a role",
    ),
    _rule("dates", "New life dates with the name present someone else", "dated; birth year", "", "new"),
    _rule(
        "born otherwise", "The full name born in another year is someone else",
        "full name; born otherwise", "also; same birth", "new",
    ),
    _rule(
        "died otherwise", "The full name with another year of death is someone else",
        "full name; dated; died otherwise", "also", "new",
    ),
    _rule(
        "item said before", "An item says anew what the name is",
        "item; full name; characterized; said before", "fits; also", "new",
    ),
    _rule(
        "other origin", "The full name of another nationality is someone else",
        "full name; characterized; other origin", "also", "new",
    ),
    _rule("not presented", "The name alone is the one who bears it", "", "presented", "bearer"),
    _rule("also", "'Also' adds to the one who bears the name", "also", "", "bearer"),
    _rule(
        "fuller name", "The first person's fuller name with a role that fits",
        "longer name; fits", "several; apposed", "bearer",
    ),
    _rule("longer, plain", "A fuller name without a role", "longer name", "role said; apposed", "bearer"),
    _rule("longer", "A longer name with a role of its own is someone else", "longer name", "", "new"),
    _rule("without a role", "The name is the one who bears it", "", "role said", "bearer"),
    _rule("fits", "The role can be that of one who bears the name", "fits", "", "fits"),
    _rule(
        "role at last", "The one who bears the name had no role yet", "without a role", "", "bearer"
    ),
    _rule("apposition", "The name with another role in apposition", "apposed", "", "new"),
    _rule("contrast", "The name with another role, set off", "contrast", "", "new"),
    _rule("nationality", "The name with another role and a nationality", "nationality", "", "new"),
    _rule("bearer", "A role that does not fit is a contradiction", "bearer", "", "bearer"),
)  # fmt: skip
