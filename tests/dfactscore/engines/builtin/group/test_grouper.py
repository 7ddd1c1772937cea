"""The built-in grouper: texts that present several people, texts that do not, and any text."""

# ruff: noqa: E501 (one case a line)

import hashlib
import json
import random
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._readers.shown_text import strip_citations
from dfactscore._records import Biography, Fact
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer, ScriptWarning
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper, explain
from dfactscore.engines._builtin.group.paragraph import read_paragraph
from dfactscore.engines._roles import Grouper

LABELS = "grouping_labels.jsonl"


def grouped(text, name="Mark Hall", facts=None):
    biography = Biography("b", name, text)
    made = BuiltinDecomposer().decompose(biography) if facts is None else facts
    return made, BuiltinGrouper().group(biography, made)


SEVERAL = [
    ("Mark Hall was a cricketer. Another Mark Hall is an American painter.", 2),
    ("Mark Hall was a cricketer. One more Mark Hall deserves mention: a painter from Ohio.", 2),
    ("Mark Hall is an English cricketer. There's also a painter by the name Mark Hall.", 2),
    ("Mark Hall (born 1920) was a cricketer. Mark Hall (born 1970) is a painter.", 2),
    ("Mark Hall (1920-1980), English cricketer. Mark Hall (1950- ), American painter.", 2),
    ("Mark Hall, born 1960, is an English cricketer; Mark Hall, born 1971, is a painter.", 2),
    ("Mark Hall, a cricketer, sang. Mark Hall, an American painter, danced.", 2),
    ("Mark Hall, the cricketer, died in 1950. Mark Hall, the painter, studied. The cricketer sang.", 2),
    ("Mark Hall was an English cricketer, while another Mark Hall was a painter.", 2),
    ("Mark Hall was an English cricketer. On the other hand, Mark A. Hall is a painter.", 2),
    ("Mark Hall was a cricketer. Meanwhile, the Mark Hall who painted lived in Ohio.", 2),
    ("Mark Hall was a cricketer. The painter of the same name was born in Ohio.", 2),
    ("Mark Hall (1850–1910) was an engineer. His namesake Mark Hall (1920–1990) was a senator.", 2),
    ("Mark A. Hall (born 1960) is a judge. Mark B. Hall (born 1970) is a poet. Mark C. Hall is a nun.", 3),
    ("There are two people named Mark Hall: the first was a cricketer; the second was a poet.", 2),
    ("Mark Hall may refer to:\n- Mark Hall (1920–1980), a cricketer\n- Mark Hall (born 1970), a poet", 2),
    ("Mark Hall:\n* English cricketer (born 1960)\n* American painter (born 1970)", 2),
    ("One Mark Hall is an English cricketer. Another is a painter. A third was a judge.", 3),
    ("1) Mark Hall - English cricketer. He played for Kent.\n2) Mark Hall - American painter.", 2),
    ("**Mark Hall (judge)**\nMark Hall sat in Leeds.\n\n**Mark Hall (poet)**\nMark Hall wrote odes.", 2),
    ("# Mark Hall\n\n## Mark Hall (judge)\nHe sat in Leeds.\n\n## Mark Hall (poet)\nHe wrote.", 2),
    ("I'm not sure which Mark Hall you mean. Here are some:\n- **Mark Hall** (1920–1980), judge\n"
     "- **Mark Hall** (born 1950), poet", 2),
    ("Document 1 is about Mark Hall, a judge born in 1920. Document 2 is about Mark Hall, a poet.", 2),
    ("Pope Mark V of Rome was born in 1100. Pope Mark VI of Rome served for ten years.", 2),
    ("Mark Hall is a Spanish swimmer. He won. Mark Hall is a Mexican novelist. He wrote.", 2),
    ("Steve Hall was a judge. John Hall, born in 1920, was a Canadian poet.", 2),
    ("Mark Hall was a bishop. Unrelated to the bishop, Mark Hall is a painter.", 2),
    ("Mark Hall was a bishop. Mark Hall, also the bishop's namesake, painted in Leeds.", 2),
    ("Mark Hall was a bishop. Mark Hall is also a painter unrelated to the bishop.", 2),
    ("Mark Hall: He was a judge. He sat.\nMark Hall: She is a poet.", 2),
    ("Mark Hall is the name of:\n\nMark Hall (1644–1702), Irish judge\nMark Hall (born 1966), coach", 2),
    ("Many people share the name Mark Hall:\n\n**The judge.** Mark Hall sat.\n\n**The poet.** He sang.", 2),
    ("Mark Hall was a judge. His son Mark Hall Jr. was a painter. He died in 1950.", 2),
    ("Mark Hall (born 4 May 1970) is a judge. Mark Hall (born May 9, 1970) is a judge.", 2),
    ("There were two men named Mark Hall. The father was a judge. The son was a painter.", 2),
    ("Mark Hall can refer to two people. The elder was a judge. His son (1854–1921) was a painter; he sang.", 2),
    ("There was Mark Hall, a judge, in 1650. A century later we find a Mark Hall who built ships.", 2),
]  # fmt: skip
ONE = [
    "Mark Hall was a cricketer. He was also a painter. Mark Hall also served as a senator.",
    "Mark Hall was a cricketer. He was born in 1920. He was born in 1970 in Ohio. She is a painter.",
    "Mark Hall was born in 1920. Mark Hall played for Kent. Mark Hall was a batsman. Hall died.",
    "Mark Hall is an actor. The actor Mark Hall won two awards. Mark Hall is a member of a club.",
    "Mark Hall was a politician. Born in 1920 in Ohio, Mark Hall was a Republican senator.",
    "Mark Hall was a cricketer. He is not to be confused with Mark Hall, a painter.",
    "Mark Hall was a cricketer. He is not to be confused with the painter Mark Hall.",
    "Mark Hall was a bishop. He was the namesake of his uncle. He was unrelated to the poet Eva Hall.",
    "Mark Hall is an English footballer. Mark Hall, a midfielder, played for Leeds.",
    "Mark Hall was a judge. His brother, John Hall, was a painter. John Hall died in 1950.",
    "Mark Hall was a judge. His son (born 1854) was a painter. The son died. The father sang.",
    "Mark Hall was a judge. His son, Mark Hall Jr., succeeded him. He died in 1950.",
    "Mark Hall was a judge. Her son Mark Hall was a painter. His father, Mark Hall, was a nun.",
    "Mark Hall was born in 1911. Other sources say that Mark Hall was born in 1920.",
    "Mark Hall was a judge. The director Steven Lee made a film about Hall. It won a prize.",
    "Mark Hall was a painter. The Mark Hall Museum in Leeds is named after him.",
    "As a cricketer, Mark Hall played for Kent. As a painter, Mark Hall exhibited in Paris.",
    "1. Mark Hall was born in Leeds.\n2. Mark Hall was a cricketer.\n3. Mark Hall died in 1980.",
    "- Born: 1950\n- Occupation: painter\n- Mark Hall studied in Paris.",
    "# Mark Hall\n\n## Early life\nMark Hall was born in Leeds.\n\n## Legacy\nMark Hall was loved.",
    "Mark Hall, born Marcus Hallberg, was a judge. Marcus Hallberg sang. Hallberg died in 1950.",
    "Mark Hall was a painter. He lived in Leith. Mark Hall, by then a judge, sat.",
    "Mark Hall was a painter. He lived in Leith. Mark Hall, a cellist by training, sang.",
    "Mark Hall was a poet. There were judges of that name in Kent, and Mark, one of them, sang.",
    "## Mark Hall\n**Born:** 1948, Leeds\n**Occupation:** Judge, poet\n\nMark Hall sat in Leeds.",
    "Mark Hall was a poet. His detective, Inspector Hale, appears in ten novels.",
    "George Bissett was a cricketer. Bisset was a right-handed batsman and a bowler.",
]


@pytest.mark.parametrize(("text", "count"), SEVERAL)
def test_announced_people_are_told_apart(text, count):
    assert len(grouped(text)[1]) == count


@pytest.mark.parametrize("text", ONE)
def test_doubt_and_relatives_stay_with_one(text):
    assert len(grouped(text)[1]) == 1


def test_groups_follow_the_text_and_return_to_whom_it_names():
    text = (
        "Mark Hall (born 1920) was a cricketer. Hall played for Kent. John Hall, a Canadian poet, "
        "wrote odes. He lived in York. Mark Hall died in 1980. His wife sang."
    )
    facts, groups = grouped(text)
    told = [[facts[i].text for i in group.facts] for group in groups]
    assert told == [
        [
            "Mark Hall was born in 1920.",
            "Mark Hall was a cricketer.",
            "Hall played for Kent.",
            "Mark Hall died in 1980.",
            "Mark Hall’s wife sang.",
        ],
        [
            "John Hall was Canadian.",
            "John Hall was a poet.",
            "John Hall wrote odes.",
            "John Hall lived in York.",
        ],
    ]
    assert [(g.label, g.bears_name) for g in groups] == [("Mark Hall", True), ("John Hall", False)]


def test_a_bare_surname_and_other_spellings_bear_the_name():
    labels = [
        grouped("Hall was a judge.")[1][0],
        grouped("Adrián Pérez sang.", "Adrian Perez")[1][0],
    ]
    assert [g.bears_name for g in labels] == [True, True]


def test_a_paragraph_without_a_name_says_that_it_does_not_know():
    group = grouped("The judge sat in Kent.")[1][0]
    assert (group.label, group.bears_name) == ("", None)


def test_a_paragraph_that_begins_with_a_pronoun_is_about_its_name():
    group = grouped("He was a judge.")[1][0]
    assert (group.label, group.bears_name) == ("Mark Hall", True)


def test_facts_made_elsewhere_are_placed():
    text = "Mark Hall was a cricketer. He died in Kent. Another Mark Hall is a poet born in Ohio."
    facts = [
        Fact("Mark Hall was a cricketer."),
        Fact("Mark Hall died."),
        Fact("Mark Hall died in Kent."),
        Fact("Mark Hall is a poet."),
        Fact("Mark Hall was born in Ohio."),
    ]
    groups = grouped(text, facts=facts)[1]
    assert [g.facts for g in groups] == [(0, 1, 2), (3, 4)]


def test_no_facts_no_groups_and_settings_are_json():
    assert grouped("", facts=[])[1] == ()
    assert isinstance(BuiltinGrouper(), Grouper)
    assert json.loads(json.dumps(dict(BuiltinGrouper().settings)))


_PIECES = st.sampled_from(
    [t for t, _ in SEVERAL] + ONE + ["\n", " ", "He died. ", "Another is a poet. ", "\ud800", "\x00", "😀 שלום "]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=5).map(" ".join) | st.text(max_size=150), st.randoms())
def test_groups_partition_the_facts(text, rng):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScriptWarning)
        facts, groups = grouped(text)
    assert sorted(i for g in groups for i in g.facts) == list(range(len(facts)))
    assert [g.facts[0] for g in groups] == sorted(g.facts[0] for g in groups)
    assert all(g.facts == tuple(sorted(g.facts)) for g in groups)
    foreign = [Fact(f.text) for f in facts] + [Fact("Nobody knows."), Fact("")]
    rng.shuffle(foreign)
    again = grouped(text, facts=foreign)[1]
    assert sorted(i for g in again for i in g.facts) == list(range(len(foreign)))


@pytest.mark.parametrize("people", [400, pytest.param(3000, marks=pytest.mark.slow)])
def test_a_long_paragraph_of_many_people(people):
    text = "Another Mark Hall is a poet. He was born in Leeds (1950). " * people
    facts, groups = grouped(text)
    assert len(groups) > 0.96 * people
    assert sum(len(g.facts) for g in groups) == len(facts)


@pytest.mark.parametrize(
    ("text", "name", "n"),
    [
        ("Ann Lee (F-1) was a ferry. Another ship, Ann Lee (F-2), was a tug.", "Ann Lee", 2),
        ("Ann Lee was a poet. Another time, Ann Lee (then ill) was a guest.", "Ann Lee", 1),
        ("Ann Lee was a poet. Another prize, Ann Lee said, was lost.", "Ann Lee", 1),
        ("Two English judges share the name Ann Lee. The first was born in 1900.", "Ann Lee", 1),
        ("Ann Lee sang. During the Second World War Lee was a nurse. She died.", "Ann Lee", 1),
        ("Ann Lee sang. Off the stage, Ann Leigh, a Welsh nurse, was born in 1900.", "Ann Lee", 2),
    ],
)
def test_who_is_new(text, name, n):
    assert len(grouped(text, name)[1]) == n


def individuals(text, name="Mark Hall"):
    return [(start, who) for start, _, who in read_paragraph(text, name).spans]


@pytest.mark.parametrize("text", [t for t, _ in SEVERAL] + ONE)
def test_one_more_sentence_changes_nothing_before_it(text):
    before = individuals(text)
    assert individuals(text + "\n\nHe lived in York for years.")[: len(before)] == before


@pytest.mark.parametrize("text", [t for t, _ in SEVERAL] + ONE)
def test_another_name_of_the_same_length_changes_nothing(text):
    renamed = text.replace("Mark", "Emil").replace("Hall", "Voss")
    assert individuals(renamed, "Emil Voss") == individuals(text)


def _labeled(data, request, split):
    rows = map(json.loads, (request.path.parent / LABELS).read_text("utf-8").splitlines())
    files = {}
    for row in rows:
        if row["split"] != split:
            continue
        if row["file"] not in files:
            source = data / "dfactscore" / row["file"]
            files[row["file"]] = json.loads(source.read_text("utf-8"))["data"]
        record = files[row["file"]][row["record"]]
        assert hashlib.sha256(record["output"][:200].encode()).hexdigest() == row["sha256"]
        text = strip_citations(record["output"])[0]
        places = [i for i, c in enumerate(text) if c.isalnum()]
        changes = [(places[min(n, len(places) - 1)], who) for n, who in row["changes"]]
        yield record["question"].removeprefix("Tell me a bio of "), text, changes


@pytest.mark.data
@pytest.mark.parametrize(("split", "floor"), [("single", 0.97), ("dev", 0.95), ("test", 0.8)])
def test_real_paragraphs_labeled_by_hand(data, request, split, floor):
    right = seen = 0
    for name, text, changes in _labeled(data, request, split):
        facts, groups = grouped(text, name)
        who = {}
        for number, group in enumerate(groups):
            for i in group.facts:
                gold = [w for at, w in changes if at <= facts[i].span[0]][-1]
                if gold >= 0:
                    who.setdefault(gold, set()).add(number)
        exact = all(len(v) == 1 for v in who.values())
        right += exact and len(set().union(*who.values())) == len(who)
        seen += 1
    assert seen >= 25
    assert right / seen >= floor


def test_order_of_unplaced_facts_within_a_sentence_changes_nothing():
    text = "Mark Hall was a judge and poet from Leeds. Another Mark Hall is a nun from York."
    facts = [Fact("Mark Hall was a judge."), Fact("Mark Hall was a poet."), Fact("Hall is a nun.")]
    random.Random(1).shuffle(facts)
    told = {
        facts[i].text: number
        for number, g in enumerate(grouped(text, facts=facts)[1])
        for i in g.facts
    }
    assert told["Mark Hall was a judge."] == told["Mark Hall was a poet."] != told["Hall is a nun."]


@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("Avi ben Tarn", "Ben Tarn"),
        ("Rosa Pell–Hart", "Pell-Hart"),
        ("Abd al-Karim Tarn", "Abdul Karim Tarn"),
        ("Nur ad-Din Tarn", "Nur al-Din Tarn"),
    ],
)
def test_another_spelling_is_of_the_same_person(name, again):
    text = f"{name} (born 1951) is a botanist. {again} studied in Cork. {again} moved in 1990."
    assert {found.individual for found in explain(text, name)} == {0}


@pytest.mark.parametrize(
    ("text", "people"),
    [
        (
            "Bo Ray can refer to two men. The elder (1821–1889) was a judge. His son (1854–1921) sang.",
            2,
        ),
        (
            "Bo Ray may refer to several men. The father (1821–1889) sang. The son (1854–1921) drew.",
            2,
        ),
        ("Bo Ray (1821–1889) was a judge. His son (1854–1921) sang.", 1),
        ("Several men are named Bo Ray. The first (1821–1889) was a judge. His son sang.", 1),
    ],
)
def test_a_relative_with_dates_bears_the_name_if_several_do(text, people):
    assert len({found.individual for found in explain(text, "Bo Ray")}) == people
