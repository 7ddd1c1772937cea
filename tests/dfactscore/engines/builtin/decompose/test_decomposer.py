"""The built-in decomposer: readable facts, nothing lost, any text."""

# ruff: noqa: E501 (one case a line)

import json
import re
import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._readers import read_biographies
from dfactscore._readers.shown_text import strip_citations
from dfactscore._records import Biography
from dfactscore._text.remarks import remark_of
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer, ScriptWarning
from dfactscore.engines._roles import Decomposer
from dfactscore.examples import example


def facts(text, name="Ann Lee"):
    return [fact.text for fact in BuiltinDecomposer().decompose(Biography("b", name, text))]


GOLDEN = [
    (
        "dates in a bracket and a list of roles",
        "Ann Lee (1736–1784) was an English preacher, writer and singer.",
        [
            "Ann Lee was born in 1736.",
            "Ann Lee died in 1784.",
            "Ann Lee was English.",
            "Ann Lee was a preacher.",
            "Ann Lee was a writer.",
            "Ann Lee was a singer.",
        ],
    ),
    (
        "an apposition and shared verbs",
        "Ann Lee, a Canadian politician, was born in Leeds and died in York.",
        [
            "Ann Lee was Canadian.",
            "Ann Lee was a politician.",
            "Ann Lee was born in Leeds.",
            "Ann Lee died in York.",
        ],
    ),
    (
        "a pronoun becomes the name as written, a possessive too",
        "Ann Lee sang. She moved to York. Her father was a miner. Lee taught music.",
        [
            "Ann Lee sang.",
            "Ann Lee moved to York.",
            "Ann Lee’s father was a miner.",
            "Lee taught music.",
        ],
    ),
    (
        "a relative clause after a description",
        "Ann Lee was a Scottish surgeon who was Regius Professor at Leeds and wrote two books.",
        [
            "Ann Lee was Scottish.",
            "Ann Lee was a surgeon.",
            "Ann Lee was Regius Professor.",
            "Ann Lee was Regius Professor at Leeds.",
            "Ann Lee wrote two books.",
        ],
    ),
    (
        "a relative clause about someone else",
        "Ann Lee married John Smith, who was a miner.",
        ["Ann Lee married John Smith.", "John Smith was a miner."],
    ),
    (
        "phrases that are fronted or hang on",
        "Born in Leeds in 1950, Lee moved to York, earning a degree and becoming a judge.",
        [
            "Lee was born in Leeds.",
            "Lee was born in 1950.",
            "Lee moved to York.",
            "Lee earned a degree.",
            "Lee became a judge.",
        ],
    ),
    (
        "a circumstance stays with its verb",
        "In 1990, she joined Ajax. As a child, she lived in Leeds.",
        [
            "In 1990, Ann Lee joined Ajax.",
            "Ann Lee joined Ajax.",
            "As a child, Ann Lee lived in Leeds.",
            "Ann Lee lived in Leeds.",
        ],
    ),
    (
        "names in a list",
        "She played for Leon, Chivas, and Necaxa.",
        [
            "Ann Lee played for Leon.",
            "Ann Lee played for Chivas.",
            "Ann Lee played for Necaxa.",
        ],
    ),
    (
        "verbs that share an object or an auxiliary",
        "She owns and runs a shop. She was born in Leeds and raised in York. "
        "She has written three books and appeared in two films.",
        [
            "Ann Lee owns and runs a shop.",
            "Ann Lee was born in Leeds.",
            "Ann Lee was raised in York.",
            "Ann Lee has written three books.",
            "Ann Lee has appeared in two films.",
        ],
    ),
    (
        "what no rule reads stays where it stood",
        "She studied at a school where she sang and danced.",
        ["Ann Lee studied at a school where she sang and danced."],
    ),
    (
        "two clauses",
        "She studied law, but at the age of ten, she began to sing; her work won prizes.",
        [
            "Ann Lee studied law.",
            "At the age of ten, Ann Lee began to sing.",
            "Ann Lee began to sing.",
            "Ann Lee’s work won prizes.",
        ],
    ),
    (
        "list items and headings",
        "1. Ann Lee (1736–1784): A Scottish poet who taught in York.\n2. Ann Lee (judge)",
        [
            "Ann Lee was born in 1736.",
            "Ann Lee died in 1784.",
            "Ann Lee was Scottish.",
            "Ann Lee was a poet.",
            "Ann Lee taught in York.",
            "Ann Lee is a judge.",
        ],
    ),
    (
        "a warning of someone else",
        "Ann Lee is a judge, not to be confused with Ann Lee, a Welsh poet.",
        ["Ann Lee is a judge."],
    ),
    (
        "words to the reader are not facts",
        "I'm not sure which Ann Lee you mean. Here are some facts:",
        [],
    ),
    (
        "a list of pursuits is not a list of deeds",
        "Ann Lee taught many arts, enabling her to engage in dance, theatre, drawing, voice, and "
        "painting. She stayed, touring Spain and earning a medal. She liked swimming, cycling and "
        "running.",
        [
            "Ann Lee taught many arts.",
            "Ann Lee taught many arts, enabling her to engage in dance, theatre, drawing, voice, "
            "and painting.",
            "Ann Lee stayed.",
            "Ann Lee toured Spain.",
            "Ann Lee earned a medal.",
            "Ann Lee liked swimming.",
            "Ann Lee liked cycling.",
            "Ann Lee liked running.",
        ],
    ),
    (
        "held to be",
        "Ann Lee was a painter and considered one of the best. She was born in Leeds and "
        "considered the law unjust. She is a poet and known for her odes.",
        [
            "Ann Lee was a painter.",
            "Ann Lee was considered one of the best.",
            "Ann Lee was born in Leeds.",
            "Ann Lee considered the law unjust.",
            "Ann Lee is a poet.",
            "Ann Lee is known for her odes.",
        ],
    ),
    (
        "a film is based on a book",
        "Ann Lee is the voice of a film released in 2008, based on the book of the same name.",
        ["Ann Lee is the voice of a film released in 2008, based on the book of the same name."],
    ),
    (
        "a programme with a list for its name",
        "Ann Lee was an officer with the Monuments, Fine Arts, and Archives program. She wrote for "
        "the Times, Guardian, and Observer.",
        [
            "Ann Lee was an officer with the Monuments, Fine Arts, and Archives program.",
            "Ann Lee wrote for the Times.",
            "Ann Lee wrote for Guardian.",
            "Ann Lee wrote for Observer.",
        ],
    ),
    (
        "places and dates",
        "Ann Lee (Leeds, 5 May 1897 – Paris, 1967) was a poet.",
        [
            "Ann Lee was born on 5 May 1897.",
            "Ann Lee was born in Leeds.",
            "Ann Lee died in 1967.",
            "Ann Lee died in Paris.",
            "Ann Lee was a poet.",
        ],
    ),
    (
        "a clause behind a date is not a place",
        "Ann Lee was born in Dublin on 8 March 1954, where she is head of a body at both national "
        "and European level.",
        [
            "Ann Lee was born in Dublin.",
            "Ann Lee was born on 8 March 1954.",
            "Ann Lee is head of a body.",
            "Ann Lee is head of a body at both national and European level.",
        ],
    ),
    (
        "a title is not a fronted description",
        "Pope Ann Lee, born on August 8, 1824 in Damanhour, Egypt, into a family of monks, was the "
        "longest-serving judge. She sang.",
        [
            "Pope Ann Lee was born on August 8, 1824.",
            "Pope Ann Lee was born in Damanhour, Egypt, into a family of monks.",
            "Pope Ann Lee was the longest-serving judge.",
            "Ann Lee sang.",
        ],
    ),
    (
        "semicolons between items",
        "Ann Lee was educated at York (BA); at Leeds (MA); and at Hull. She wrote a book; it was "
        "lost. Prior to this, she sang.",
        [
            "Ann Lee was educated at York (BA); at Leeds (MA); and at Hull.",
            "Ann Lee wrote a book.",
            "It was lost.",
            "Prior to this, Ann Lee sang.",
            "Ann Lee sang.",
        ],
    ),
    (
        "a circumstance without a comma is not part of the name",
        "Ann Lee was a coach. During the Second World War Lee was a major. She died in York.",
        [
            "Ann Lee was a coach.",
            "During the Second World War, Lee was a major.",
            "Lee was a major.",
            "Ann Lee died in York.",
        ],
    ),
    (
        "what is said of the name is not a fact",
        "Ann Lee sang. There are two judges named Ann Lee. Three songs are called Ash. "
        "There is only one person named Ann Lee listed in the search results. The search results are "
        "all about her life. The documents are about Ann Lee, a poet.",
        [
            "Ann Lee sang.",
            "Three songs are called Ash.",
            "The documents are about Ann Lee.",
            "Ann Lee is a poet.",
        ],
    ),
    (
        "two verbs in -ing with one object",
        "Ann Lee stayed in York, studying and working with Bob Hill and winning a medal.",
        [
            "Ann Lee stayed in York.",
            "Ann Lee studied and worked with Bob Hill.",
            "Ann Lee won a medal.",
        ],
    ),
    (
        "dates behind a rank",
        "Ann Lee, 5th Baronet (June 1753 – 23 February 1812), was a senior officer.",
        [
            "Ann Lee was the 5th Baronet.",
            "Ann Lee was born in June 1753.",
            "Ann Lee died on 23 February 1812.",
            "Ann Lee was a senior officer.",
        ],
    ),
    (
        "a pronoun behind a phrase without a comma",
        "Ann Lee sang. In the course of her early life she became a nun. After Bob Hill sold his "
        "house she left.",
        [
            "Ann Lee sang.",
            "In the course of her early life, Ann Lee became a nun.",
            "Ann Lee became a nun.",
            "After Bob Hill sold his house she left.",
        ],
    ),
    (
        "a participle behind a thing is said of the thing",
        "Ann Lee was a judge and the author of a novel published in 1920.",
        ["Ann Lee was a judge.", "Ann Lee was the author of a novel published in 1920."],
    ),
    (
        "a date before a subject of its own, and an object that shows the verb",
        "Ann Lee was a ship. Ann Lee sailed to Cuba, and in 1969 a rocket exploded on board "
        "and the fires killed 28 of her crew.",
        [
            "Ann Lee was a ship.",
            "Ann Lee sailed to Cuba.",
            "In 1969, a rocket exploded on board.",
            "A rocket exploded on board.",
            "The fires killed 28 of her crew.",
        ],
    ),
    (
        "a clause with a circumstance before its subject",
        "Ann Lee sang. In 1901 she moved to York, and in 1905 she married a baker.",
        [
            "Ann Lee sang.",
            "In 1901, Ann Lee moved to York.",
            "Ann Lee moved to York.",
            "In 1905, Ann Lee married a baker.",
            "Ann Lee married a baker.",
        ],
    ),
    (
        "two complements with dates of their own",
        "Ann Lee was the secretary of the guild in York in 1901 and of the council in Leeds in "
        "1905.",
        [
            "Ann Lee was the secretary of the guild in York in 1901.",
            "Ann Lee was the secretary of the council in Leeds in 1905.",
        ],
    ),
    (
        "which of two a clause describes is left open",
        "Her plays include Dawn and Noon, which is set in York.",
        ["Ann Lee’s plays include Dawn and Noon, which is set in York."],
    ),
    (
        "another is not part of the name",
        "Another notable Ann Lee, the botanist, was born in York. There is also Ann Lee, a poet.",
        ["Ann Lee was the botanist.", "Ann Lee was born in York.", "Ann Lee is a poet."],
    ),
    (
        "a place within a place",
        "Ann Lee lives in Ash, Kent, with Bob Hill, Duke of York.",
        [
            "Ann Lee lives in Ash.",
            "Ash is in Kent.",
            "Ann Lee lives in Ash, Kent with Bob Hill, Duke of York.",
        ],
    ),
    (
        "what and joins",
        "Ann Lee is known for her lyrical and romantic themes. She worked as an architect and urban "
        "planner. She hopes to tour and record new songs. She won several gold and silver medals.",
        [
            "Ann Lee is known for her lyrical themes.",
            "Ann Lee is known for her romantic themes.",
            "Ann Lee worked as an architect.",
            "Ann Lee worked as an urban planner.",
            "Ann Lee hopes to tour and record new songs.",
            "Ann Lee won several gold medals.",
            "Ann Lee won several silver medals.",
        ],
    ),
    (
        "what is joined with an adjunct of its own, or shares one",
        "Ann Lee sang in halls and clubs all over Kent in 1990. She earned her diploma from Yale and her "
        "license from Brown. She oversaw the design and construction of bridges.",
        [
            "Ann Lee sang in halls.",
            "Ann Lee sang in clubs all over Kent.",
            "Ann Lee sang in halls and clubs all over Kent in 1990.",
            "Ann Lee earned her diploma from Yale.",
            "Ann Lee earned her license from Brown.",
            "Ann Lee oversaw the design of bridges.",
            "Ann Lee oversaw the construction of bridges.",
        ],
    ),
    (
        "a verb that says enough with one adjunct",
        "Ann Lee was signed by Leeds as a free agent in 1990. She studied law at Yale. She is a cyclist "
        "from Kent. Besides her work as a nurse, she sang.",
        [
            "Ann Lee was signed by Leeds.",
            "Ann Lee was signed as a free agent.",
            "Ann Lee was signed in 1990.",
            "Ann Lee studied law.",
            "Ann Lee studied at Yale.",
            "Ann Lee is a cyclist.",
            "Ann Lee is from Kent.",
            "Ann Lee worked as a nurse.",
            "Ann Lee sang.",
        ],
    ),
    (
        "there and it",
        "Ann Lee moved to York and died there. She founded Elm School in 1990. It enrolls 300 pupils. "
        "Her son was born in Leeds. She moved there.",
        [
            "Ann Lee moved to York.",
            "Ann Lee died in York.",
            "Ann Lee founded Elm School.",
            "Ann Lee founded Elm School in 1990.",
            "Elm School enrolls 300 pupils.",
            "Ann Lee’s son was born in Leeds.",
            "Ann Lee moved to Leeds.",
        ],
    ),
    (
        "works are of the kind that they are examples of",
        "Ann Lee starred in films such as Boy (2010), Man (2014), and Old (2020). She sang in the plays "
        "Hamlet and Faust.",
        [
            "Ann Lee starred in films.",
            "Ann Lee starred in Boy.",
            "Ann Lee starred in Man.",
            "Ann Lee starred in Old.",
            "Boy is from 2010.",
            "Boy is a film.",
            "Man is from 2014.",
            "Man is a film.",
            "Old is from 2020.",
            "Old is a film.",
            "Ann Lee sang in Hamlet.",
            "Ann Lee sang in Faust.",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), [g[1:] for g in GOLDEN], ids=[g[0] for g in GOLDEN])
def test_golden(text, expected):
    lead = "" if text.startswith(("Ann Lee", "Born", "I'm", "1.")) else "Ann Lee sang. "
    skip = ["Ann Lee sang."] if lead else []
    assert facts(lead + text) == skip + expected


FACTS = [
    json.loads(line)
    for line in Path(__file__).with_name("golden_facts.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("row", FACTS, ids=[f"{n} {row['rule']}" for n, row in enumerate(FACTS)])
def test_a_clause_is_read_by_its_rule(row):
    assert facts(row["text"]) == row["facts"]


def test_each_fact_has_its_sentence_and_characters():
    text = "Ann Lee sang.  She moved to York and died."
    made = BuiltinDecomposer().decompose(Biography("b", "Ann Lee", text))
    assert [(f.sentence, text[slice(*f.span)]) for f in made] == [
        (0, "sang"),
        (1, "moved to York"),
        (1, "died"),
    ]


def test_it_is_a_decomposer_with_json_settings():
    assert isinstance(BuiltinDecomposer(), Decomposer)
    assert json.loads(json.dumps(dict(BuiltinDecomposer().settings)))


def test_other_scripts_warn_and_are_kept():
    with pytest.warns(ScriptWarning, match="not Latin"):
        made = BuiltinDecomposer().decompose(Biography("x", "", "Он родился в Москве. Он поэт."))
    assert len(made) == 2


@pytest.mark.parametrize(
    "text",
    ["", "\x00", "\ud800 was a poet. He died.", "😀 is a poet.", "((((", '"""', "a" * 5000, "- \n* ", "He",
     "Ann Ann (", "Ann Lee ()", "Ann Lee (1900", "Ann Lee was one, based in York, and a",
     "(1900–1950) is. Jr. and"],
)  # fmt: skip
def test_odd_text_never_fails(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScriptWarning)
        facts(text)


@pytest.mark.parametrize("step", [37, pytest.param(3, marks=pytest.mark.slow)])
def test_a_text_may_be_cut_off_anywhere(step):
    for biography in read_biographies(example("people").biographies).biographies:
        for end in range(1, len(biography.text), step):
            assert all(facts(biography.text[max(0, end - 150) : end]))


_WORDS = st.sampled_from(
    [
        "Ann",
        "Lee",
        "She",
        "he",
        "was",
        "is",
        "a",
        "the",
        "poet",
        ",",
        ".",
        ";",
        ":",
        "(",
        ")",
        '"',
        "who",
        "born",
        "in",
        "1950",
        "and",
        "moved",
        "to",
        "York",
        "-",
        "–",
        "another",
        "There",
        "also",
        "which",
        "known",
        "for",
        "His",
        "1.",
        "\n",
        "*",
        "Jr.",
        "A.",
        "E.",
        "earning",
        "becoming",
        "including",
        "as",
        "where",
        "it",
    ]
)


@given(st.lists(_WORDS, max_size=60).map(" ".join) | st.text(max_size=200))
def test_spans_lie_in_their_sentence_and_are_ordered(text):
    biography = Biography("b", "Ann Lee", text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScriptWarning)
        made = BuiltinDecomposer().decompose(biography)
        assert made == BuiltinDecomposer().decompose(biography)
    assert [f.sentence for f in made] == sorted(f.sentence for f in made)
    for fact in made:
        start, end = fact.span
        assert 0 <= start < end <= len(text)
        assert fact.text.strip()


@pytest.mark.data
def test_real_paragraphs_lose_nothing(data):
    lost = total = count = 0
    for name in ("alce_tulu.json", "alce_llama13b-careful.json"):
        for record in json.loads((data / "dfactscore" / name).read_text("utf-8"))["data"]:
            text = strip_citations(record["output"])[0]
            made = " ".join(facts(text, record["question"].removeprefix("Tell me a bio of ")))
            kept = set(re.findall(r"\w{4,}", made.lower()))
            stated = (s.text for s in split_sentences(text) if remark_of(s.text) is None)
            words = re.findall(r"\w{4,}", " ".join(stated).lower())
            lost += sum(word not in kept for word in words)
            total += len(words)
            count += 1
    assert count == 272
    assert lost / total < 0.03


def test_a_pronoun_behind_an_opening_phrase_becomes_the_name():
    text = (
        "Ann Lee was a coach. In 1946 she led the Rockets for three games. Ann Lee moved to York, "
        "where she died. His father said that he was ill."
    )
    facts = [f.text for f in BuiltinDecomposer().decompose(Biography("0", "Ann Lee", text))]
    assert "In 1946, Ann Lee led the Rockets." in facts
    assert any("where she died" in f for f in facts) or "Ann Lee died there." in facts
    assert not any("Ann Lee was ill" in f for f in facts)


@pytest.mark.parametrize(
    ("text", "expected", "reasons"),
    [
        (
            "Where was she born? She was born in Rome.",
            ["Ann Lee was born in Rome."],
            ["a question"],
        ),
        ("Did she sing? Yes, she sang in Rome.", ["Ann Lee sang in Rome."], ["a question"]),
        ("Q: Who is Ann Lee?\nA: Ann Lee is a nun.", ["Ann Lee is a nun."], ["a question"]),
        ("Glad you asked! Ann Lee sang.", ["Ann Lee sang."], ["talk"]),
        ("I was trained on books. Ann Lee sang.", ["Ann Lee sang."], ["about the writer"]),
        ("You died of cancer. Ann Lee sang.", ["Ann Lee sang."], ["about the reader"]),
        ("Ann Lee sang. Visit her website.", ["Ann Lee sang."], ["about the reader"]),
        ("Ann Lee sang. The passages conflict.", ["Ann Lee sang."], ["about the sources"]),
        ("Ann Lee sang. Her age is not known.", ["Ann Lee sang."], ["missing knowledge"]),
        ("Facts about Ann Lee. Ann Lee sang.", ["Ann Lee sang."], ["an announcement"]),
        ("Ann Lee sang. A truly great career.", ["Ann Lee sang."], ["no predicate"]),
        ("Ann Lee was", [], ["no predicate"]),
        ("It is worth noting that she sang in Rome.", ["Ann Lee sang in Rome."], []),
        ("Per the above, she sang in Rome.", ["Ann Lee sang in Rome."], []),
        ("As noted above, she sang in Rome.", ["Ann Lee sang in Rome."], []),
        ("It should be noted that Ann Lee sang.", ["Ann Lee sang."], []),
        ("In 1990, there is a school in Leeds.", ["In 1990, there is a school in Leeds."], []),
    ],
)
def test_what_states_nothing_is_left_out_with_its_reason(text, expected, reasons):
    made = BuiltinDecomposer().by_clause(Biography("b", "Ann Lee", text))
    assert [fact.text for clause in made for fact in clause.facts] == expected
    assert [reason for clause in made for _, reason in clause.left_out] == reasons


def test_a_text_that_begins_with_a_pronoun_is_about_its_name():
    made = BuiltinDecomposer().decompose(
        Biography(
            "b", "Ann Lee (nun)", "In 1903 she shared a prize with her husband Tom. She died."
        )
    )
    assert "Tom was Ann Lee’s husband." in [fact.text for fact in made]
    assert made[-1].text == "Ann Lee died."


@pytest.mark.parametrize(
    ("subject", "name"),
    [
        ("Composer Ann Lee, Jr.,", "Composer Ann Lee"),
        ("Ann (Annie) Lee", "Ann (Annie) Lee"),
        ("Lt.-Col. (Ret.) Ann Lee", "Ann Lee"),
        ('Ann "the Red" Lee', 'Ann "the Red" Lee'),
        ('Ann "Annie" van Lee', 'Ann "Annie" van Lee'),
        ("Flt Lt Ann ‘Annie’ Lee", "Flt Lt Ann ‘Annie’ Lee"),
    ],
)
def test_suffixes_and_nicknames_belong_to_the_subject(subject, name):
    made = facts(f"{subject} was born in Rome. She died.")
    assert made == [f"{subject} was born in Rome.", f"{name} died."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("wrote Romola and Silas.", ["wrote Romola", "wrote Silas"]),
        ("made Hud and 12 Angry Men.", ["made Hud", "made 12 Angry Men"]),
        (
            "is known for Blue Rock and Dances with Wolves.",
            ["is known for Blue Rock", "is known for Dances with Wolves"],
        ),
        (
            "directed Sense and Sensibility and Hulk.",
            ["directed Sense and Sensibility", "directed Hulk"],
        ),
        ("starred in The Great Road (1950) and Hud.", None),
        ("wrote 'Dune' and 'Hud'.", ["wrote 'Dune'", "wrote 'Hud'"]),
        ("wrote ‘War and Peace’ and «Hud».", ["wrote ‘War and Peace’", "wrote «Hud»"]),
        (
            "supports Unicef and Stand Up to Cancer.",
            ["supports Unicef", "supports Stand Up to Cancer"],
        ),
        (
            "starred in Gone with the Wind, Hud and Milk.",
            ["starred in Gone with the Wind", "starred in Hud", "starred in Milk"],
        ),
        (
            "starred in *Gone with the Wind*, *Bread and Roses* and *Milk*.",
            [
                "starred in Gone with the Wind",
                "starred in Bread and Roses",
                "starred in Milk",
            ],
        ),
        (
            "composed Aida and Otello in Rome.",
            [
                "composed Aida",
                "composed Otello",
                "composed Aida in Rome",
                "composed Otello in Rome",
            ],
        ),
        (
            "is the author of Romola and Silas.",
            ["is the author of Romola", "is the author of Silas"],
        ),
        ("defeated Tom Hill and Bo Ray.", ["defeated Tom Hill", "defeated Bo Ray"]),
        ("is the son of Panthous and Phrontis.", None),
    ],
)
def test_joined_names_are_two_facts(text, said):
    made = facts(f"Ann Lee {text}")
    if said is None:
        first, second = text.rstrip(".").split(" and ")
        assert made[0] == f"Ann Lee {first.removesuffix(' (1950)')}."
        assert made[1].endswith(f" {second}.")
        assert first.split()[-1] not in made[1]
    else:
        assert made == [f"Ann Lee {one}." for one in said]


@pytest.mark.parametrize(
    "text",
    [
        "wrote The Old Man and the Sea.",
        "starred in Harry Potter and the Goblet of Fire.",
        "lived in Trinidad and Tobago.",
        "founded Lee and Hill.",
        "toured North and South America.",
        "won Emmy and Tony Awards.",
        "was Political and Industrial Correspondent.",
        "is a member of the Forum on Religion and Ecology.",
        "is the daughter of Jack and Mary Lee.",
        "wrote Sonnets and Other Poems.",
    ],
)
def test_one_name_with_and_stays_whole(text):
    made = facts(f"Ann Lee {text}")
    assert made[-1].endswith(text.split(" ", 1)[1])
    assert not any(fact.endswith(f"{text.split(' and ')[0]}.") for fact in made)
