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
        'else'
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

# fmt: off
RULES: tuple[Rule, ...] = (
    _rule("announcement", "A clause says that several people bear the name, and presents none",
          "announces", "presented", "announce",
          ("Mark Hall sang. There are several people named Mark Hall. The first died. The "
           "second lived.", "0001")),
    _rule("first item", "The first item of a list describes the first person",
          "item; listing; opens; no one yet", "name", "begin",
          ("Mark Hall:\n* English cricketer (born 1960)\n* American painter (born 1970)", "001")),
    _rule("item", "A further item describes someone",
          "item; listing; opens", "name", "new",
          ("Mark Hall:\n* English cricketer (born 1960)\n* The painter of Rome", "001")),
    _rule("part", "Of those announced, each is described between semicolons or in a sentence",
          "listing; role said; part", "no one yet; just named", "new",
          ("The name Mark Hall is shared by two men: an English judge who sat in Leeds; and a "
           "Welsh poet.", "001"),
          ("There are two men named Mark Hall. An English judge. A Welsh poet.", "001")),
    _rule("topic", "A heading that is not the name is a topic",
          "title", "surname; another", "current",
          ("# Mark Hall\nMark Hall sang.\n## The Trial of Mark Hall\nHe died in Ohio.", "0000")),
    _rule("role as a label", "A label that is a role, and a person of it",
          "role label", "", "new",
          ("1. Mark Hall: A judge, born in Ohio.\n2. Painter: A painter, born in Rome.", "01")),
    _rule("label", "A label before a value is no one",
          "label", "surname", "current",
          ("- Mark Hall sat in Leeds.\n- Current Occupation: painter", "00")),
    _rule("qualifier again", "A heading repeats what stands behind the name",
          "same qualifier", "", "same qualifier",
          ("# Mark Hall - Abbot\nHe sat.\n# Mark Hall - Angler\nHe fished.\n"
           "# Mark Hall - Abbot\nHe died.", "001100")),
    _rule("qualifier", "A heading puts something else behind the name",
          "bears the name; qualified", "no one yet", "new",
          ("# Mark Hall - Abbot\nHe sat.\n# Mark Hall - Angler\nHe fished.", "0011"),
          ("- Mark Hall – luger\n- Mark Hall – angler", "01")),
    _rule("heading", "A heading that names someone opens a part about someone else",
          "item; heading; kin", "no one yet", "new",
          ("# Mark Hall\nMark Hall sat.\n# Mark A. Hall\nHe wrote.", "0011")),
    _rule("topic item", "An item without a word about its name, unlike a known one, is a topic",
          "heading; stranger", "", "current",
          ("1. Mark Hall\nMark Hall sat.\n2. Early Honors:\nHe won.", "0000")),
    _rule("first person", "Whoever is named or described first is the first person",
          "no one yet", "", "begin",
          ("Mark Hall was a judge. Another Mark Hall is a poet.", "01"),
          ("He sang. Mark Hall, a judge, died.", "00")),
    _rule("other of two", "'The other' is the one of two that the text is not about",
          "other one; the other", "", "the other",
          ("There are two men named Mark Hall. One was a judge. The other was a poet. The "
           "other person was born in Ohio.", "0010")),
    _rule("latter, new", "'The latter' of two announced, one of them known, is the second",
          "latter", "several; bystanders", "new",
          ("Two men share the name Mark Hall. The first was a judge. The latter was a "
           "poet.", "001")),
    _rule("latter", "'The latter' is the latest",
          "latter; several", "bystanders", "latest",
          ("Mark Hall was a judge. Another Mark Hall was a poet. The judge died. The latter "
           "was a Canadian nun.", "0101"),
          ("There are two men named Mark Hall. One was a judge. Another was a poet. The "
           "first died. The latter lived.", "00101")),
    _rule("counted of a list", "'The first', 'one' count those announced",
          "listing; counted one", "", "counted one",
          ("There are two men named Mark Hall. One was a judge. The other was a poet. The "
           "first sat in Leeds.", "0010")),
    _rule("further of a list", "'Another', 'the third' is someone new of those announced",
          "counted; listing", "named", "new",
          ("Mark Hall sang. There are several people named Mark Hall. The first died. The "
           "second lived.", "0001")),
    _rule("one more of them", "'Whereas a third died' counts one more than were presented",
          "counted; description; beyond the first; contrast; several", "counted one", "new",
          ("Mark Hall was a judge. Another Mark Hall was a painter in Leeds, whereas a third died "
           "at sea.", "012")),
    _rule("turned back", "'If you mean the judge' leads back to the judge",
          "turned; one with the role", "", "one with the role",
          ("Mark Hall was a judge. Mark Hall was a poet. If you mean the judge, he died in Ohio.",
           "010")),
    _rule("turned to", "'If you mean the poet', 'as for the poet X' turn to someone else",
          "turned", "", "new",
          ("Mark Hall was a judge. If you mean the poet, he died in Ohio.", "01"),
          ("Mark Hall was a judge. As for the poet Mark Hall, he died in Ohio.", "01")),
    _rule("in another result", "What the second result says does not go with what was said",
          "result; beyond the first; role said; pronoun", "goes with current", "new",
          ("Mark Hall is a judge. In the second result, he is a painter.", "01")),
    _rule("another result", "A further result is about someone of another description",
          "document; description; beyond the first; role said", "goes with current", "new",
          ("The first result is about Mark Hall, a judge. The second result describes a "
           "French painter.", "01")),
    _rule("role again", "'The painter' is the one who was said to be a painter",
          "description; definite; one with the role", "", "one with the role",
          ("Mark Hall was a judge who painted. Another Mark Hall is a painter. The judge died in "
           "Leeds. The painter sang.", "0101")),
    _rule("described so", "'The hockey player' is the one who was said to play hockey",
          "definite; described so", "known", "described so",
          ("Mark Hall won gold in rowing. Another Mark Hall is a poet. The rower died.", "010")),
    _rule("that one", "'That X' is the one just set apart from the one the text is about",
          "this; set apart", "", "set apart",
          ("Mark Hall was a judge. He should not be confused with the poet Mark Hall, who was born "
           "in 1970. That Hall wrote odes.", "0011")),
    _rule("this one", "'This X' is the one of that name",
          "this; known", "", "known",
          ("Mark Hall was a judge. This Mark Hall was a French painter.", "00")),
    _rule("item again", "An item repeats the name and role of someone",
          "item; same name and role", "", "same name and role",
          ("- Mark Hall, a French judge, sat.\n- Mark Hall, a poet, wrote.\n- Mark Hall, a French "
           "judge, died.", "010")),
    _rule("same epithet", "'X, the painter' is the one who was called that",
          "same epithet", "", "same epithet",
          ("Mark Hall, the stiltwalker, died. Mark Hall, the ropewalker, sat. Mark Hall, the "
           "stiltwalker, wrote.", "010")),
    _rule("other epithet", "'X, the painter' beside 'X, the judge' is someone else",
          "other epithet", "", "new",
          ("Mark Hall, the artist, died. Mark Hall, the painter, sat.", "01")),
    _rule("another of a kind", "Another employee, of another name, is a colleague",
          "another; of a kind; stranger", "kin", "current",
          ("Mark Hall was a judge. Another Times employee was Ann Poe, a nun.", "00")),
    _rule("another", "The text says that it is someone else",
          "another", "", "new",
          ("Mark Hall was a judge. Another Mark Hall sat in Leeds.", "01"),
          ("Mark Hall was a judge. The painter of the same name was born in Ohio.", "01")),
    _rule("counted name", "'The first X' counts those presented",
          "presented; counted one", "suffix", "counted one",
          ("Mark Hall was a judge. Another Mark Hall was a poet. The first Mark Hall was a "
           "cricketer.", "010"),
          ("Mark Hall was a judge. Another Mark Hall was a poet. The first was a Canadian "
           "painter.", "010")),
    _rule("further name", "'The other X' is someone new",
          "counted; presented", "", "new",
          ("Mark Hall was a judge. The other Mark Hall is an English judge.", "01"),
          ("Mark Hall was a judge. The other person was a poet from Ohio.", "01"),
          ("Mark Hall was a judge. Another Mark Hall was a poet. Another was a nun.", "012"),
          ("Mark Hall was a judge. The second was a painter from Ohio.", "01"),
          ("There are three men named Mark Hall. One is a judge. Another is a poet. The "
           "third is a nun.", "0012")),
    _rule("second of the name", "'The second X' counts those presented, whatever is said",
          "counted; bears the name; beyond the first; counted one", "", "counted one",
          ("Mark Hall was a judge. Another Mark Hall was a poet. The second Mark Hall "
           "died.", "011")),
    _rule("next of the name", "'The second X' beside one is someone new, whatever is said",
          "counted; bears the name; beyond the first", "", "new",
          ("Mark Hall was a judge. The second Mark Hall lived in Ohio.", "01")),
    _rule("other bearer", "'The other X' beside one is someone new, whatever is said",
          "counted; bears the name; other of the name", "several", "new",
          ("Mark Hall was a judge. The other Mark Hall sits in Leeds.", "01")),
    _rule("relative", "A name tied to someone stays with them",
          "tied to someone", "bears the name; contrast", "current",
          ("Mark Hall was a judge. His brother, John Hall, was a painter. John Hall died in "
           "1950.", "000")),
    _rule("other number", "Only a number tells two names apart",
          "other number", "", "new",
          ("Mark V of Rome was a pope. Mark VI of Rome loved horses.", "01")),
    _rule("acting name", "Another full name, like a known one, does what a person does",
          "stranger; acts; full name; kin", "", "new",
          ("Mark Hall was a judge. Adam Hall plays for Leeds.", "01")),
    _rule("target", "The full target name, unlike the one before, presents its bearer",
          "stranger; bears the name; main; someone named", "", "new",
          ("John Hall was a judge. Mark Hall loved horses.", "01")),
    _rule("says who", "Another full name, like a known one, of which is said who it is",
          "stranger; full name; kin; says who", "",
          "new",
          ("Mark Hall was a judge. Ian Hall was a leading figure.", "01"),
          ("Mark Hall was a judge. Ian Hall, who sings in Leeds, lives there.", "01")),
    _rule("bare name", "A name of which nothing is said presents no one",
          "stranger", "introduced", "current",
          ("Mark Hall was a judge. Bob Stone met them. Bob Stone died.", "000")),
    _rule("speaker", "Who speaks of someone presented is no one new",
          "refers", "kin", "current",
          ("Mark Hall was a judge. Ann Poe, a critic, praised him.", "00")),
    _rule("of one given name", "'The critic X' who is said to be someone's has but the given name",
          "refers; definite", "surname", "current",
          ("Mark Hall was a judge. The critic Mark Poe was among his pupils.", "00")),
    _rule("detail", "A bullet within an item describes the person of the item",
          "detail; stranger", "kin", "current",
          ("1. **Mark Hall (judge)**:\n   - Sat in Leeds\n2. **Mark Hall (nun)**:\n"
           "   - Swedish Doctor of Divinity, writer, and nun", "0011")),
    _rule("the former", "'The former' who did what a person does is the first of those presented",
          "alone; counted one; several", "", "counted one",
          ("Mark Hall was a judge. Another Mark Hall was a poet. The former died.", "010")),
    _rule("the critic", "'The critic X' in passing is no one new",
          "definite", "kin; the elder; heir", "current",
          ("Mark Hall was a judge. The critic Ann Poe praised Leeds.", "00")),
    _rule("single word", "A single word that is not a known name presents no one",
          "stranger", "full name; kin; articled", "current",
          ("Mark Hall was a judge. Coach at Valencia was Eva Poe, a nun. Born: 4 May 1875.", "000"),
          ("Mark Hall was a judge. Here, a painter by night, he sat in Ohio.", "000")),
    _rule("stranger", "Another name with a birth year or a description is someone new",
          "stranger", "", "new",
          ("Mark Hall was a judge. John Hall was born in 1950.", "01"),
          ("Mark Hall was a judge. John Hall, the French composer of great operas, is known for "
           "his songs.", "01")),
    _rule("the elder", "'The elder X' is the one without a number, 'the younger X' the other",
          "the elder", "", "the elder",
          ("Mark Hall was a judge. Mark Hall II was a poet. The elder Hall died. The younger Hall "
           "sang.", "0101")),
    _rule("the heir", "'The younger X' is the son who was said to bear the name",
          "heir", "", "new",
          ("Mark Hall was a judge. His son, also called Mark Hall, sat in Leeds. The younger Hall "
           "was elected. The elder Hall died. The younger Hall sang.", "00101")),
    _rule("part of a name", "A part of a name is the one of that name",
          "known", "full name", "known",
          ("Mark Hall was a judge. Hall, a painter, sat in Ohio.", "00")),
    _rule("named before", "A heading without a word about its person is followed by one",
          "undescribed", "", "undescribed",
          ("# Mark Hall (judge)\nMark Hall (born 1920) sat.\n# Mark Hall (poet)\nMark Hall, a "
           "French nun, wrote.", "0011")),
    _rule("role before", "Of those announced, one is introduced by a role as a label",
          "role before; listing; bearer", "no one yet; fits", "new",
          ("Mark Hall can be one of these people:\n* Judge: Mark Hall sat in Leeds.\n* Actor: Mark "
           "Hall sang.", "001")),
    _rule("of a nation", "'The Canadian X' beside one of another nation",
          "nation before; another nation; full name", "", "new",
          ("Mark Hall is an Irish judge. The Canadian Mark Hall also sat.", "01")),
    _rule("added", "'Also' adds to the one of a fuller name",
          "longer name; also", "", "bearer",
          ("Mark Hall was a judge. Mark Alan Hall, born in 1920, was also a poet.", "00")),
    _rule("suffix", "The name with Jr. or a number is someone else",
          "longer name; suffix; bears the name", "", "new",
          ("Mark Hall was a judge. Mark Hall Jr. lived in Ohio.", "01")),
    _rule("same birth", "The same birth year is the same person",
          "same birth", "", "same birth",
          ("Mark Hall (born 1920) was a judge. Another Mark Hall is a poet. Mark Hall (born "
           "1920) was a monk.", "010")),
    _rule("dates, same role", "Life dates are those of the one with the same role",
          "open, same role", "", "open, same role",
          ("Mark Hall was a judge. Mark Hall (born 1920) was a judge in Ohio.", "00")),
    _rule("dates, open", "Life dates are those of the one without a known role",
          "open, without a role", "longer name; another nation", "open, without a role",
          ("Mark Hall sang. Mark Hall (born 1920) was a judge in Ohio.", "00"),
          ("Mark Hall is a Swedish tax adviser. Mark Hall (born 1920) is a Chilean poet.", "01")),
    _rule("dates", "New life dates with the name present someone else",
          "dated; birth year", "no role", "new",
          ("Mark Hall was a judge. Mark Hall (born 1970) lived in Ohio.", "01")),
    _rule("born otherwise", "The full name born in another year is someone else",
          "born otherwise", "", "new",
          ("Mark Hall was born in 1920 in Leeds. He sang. Mark Hall was born in 1970 in "
           "Ohio.", "001")),
    _rule("died otherwise", "The full name with another year of death is someone else",
          "full name; died otherwise", "", "new",
          ("Mark Hall (died 1920) was a judge. Mark Hall (died 1990) was a judge.", "01")),
    _rule("item said before", "An item says once more what the name is",
          "item; characterized; said before", "fits; also; adds", "new",
          ("1. Mark Hall is a judge.\n2. Mark Hall is the ski jumper.", "01")),
    _rule("last of several", "'Finally' presents one more and says who it is",
          "contrast; full name; main; says who; several", "refers; fits; role said", "new",
          ("Mark Hall was a judge. Another Mark Hall was a nun. Finally, Mark Hall, who died in "
           "1920, kept bees.", "012")),
    _rule("adds", "To one of many professions another may be added",
          "adds; characterized", "longer name", "adds",
          ("Mark Hall was a judge. Mark Hall was also a diver. Mark Hall was a French "
           "monk.", "000")),
    _rule("also", "'Also' adds to the one who bears the name",
          "also; bearer", "", "bearer",
          ("Mark Hall was a judge. Mark Hall is also a painter.", "00"),
          ("Mark Hall was a judge. As a diver, Mark Hall was a champion jumper.", "00")),
    _rule("of another nation", "The full name again, of another nation",
          "another nation; of a nation; full name", "role said; longer name", "new",
          ("Mark Hall is a Swedish tax adviser. Mark Hall is a Chilean full back.", "01")),
    _rule("next of a list", "Of those announced, a line says who the next one is",
          "listing; opened; said before", "no one yet; fits", "new",
          ("Notable people with this name:\n* Mark Hall, judge\n* Mark Hall, contributor to the "
           "Leeds Mail", "001")),
    _rule("without a role", "The name without a role is the one who bears it",
          "bearer", "role said", "bearer",
          ("Mark Hall was a judge. Mark Alan Hall lived in Ohio.", "00")),
    _rule("fuller name", "The first person's fuller name with a role that fits",
          "longer name; fits", "several", "bearer",
          ("Mark Hall was a lawyer. Mark Alan Hall was a judge in Ohio.", "00")),
    _rule("longer", "A longer name with a role of its own is someone else",
          "longer name", "", "new",
          ("Mark Hall was a judge. Mark Alan Hall, the painter of great ships, died.", "01")),
    _rule("fits", "The role can be that of one who bears the name",
          "fits", "", "fits",
          ("Mark Hall was a judge. Another Mark Hall is a painter. Mark Hall, a French "
           "lawyer, sat.", "010")),
    _rule("set off", "The name with another role, set off from the one person presented",
          "contrast; full name; role said", "several", "new",
          ("Mark Hall won gold. The poet Mark Hall, on the other hand, sat in Leeds.", "01")),
    _rule("role at last", "The one just named had no role yet; nothing more was said",
          "without a role", "followed; joined", "bearer",
          ("Mark Hall lived in Ohio. Mark Hall, a French lawyer, sat.", "00"),
          ("Mark Hall was a judge. Separately, a Mark Hall served in Leeds, and the Welsh "
           "footballer Mark Hall played for Hull.", "012")),
    _rule("apposition", "The name with another role in apposition",
          "apposed", "", "new",
          ("Mark Hall was a judge. Mark Hall, a painter, lived in Ohio.", "01")),
    _rule("contrast", "The name with another role, set off",
          "contrast; full name; role said", "", "new",
          ("Mark Hall was a judge. Another Mark Hall was a nun. In contrast, Mark Hall has been a "
           "painter.", "012")),
    _rule("described otherwise", "The full name is said to be what does not go together",
          "full name; characterized", "facts", "new",
          ("Mark Hall was a judge. He died. Mark Hall was a painter.", "001"),
          ("Mark Hall sold hay. He died in Ohio. Mark Hall was a French painter.", "001"),
          ("Mark Hall is Dutch. Mark Hall was a judge. Mark Hall was a painter. He sat in Leeds. "
           "He was born in 1950. Hall sang. Hall died.", "0000000")),
)
# fmt: on
