"""Models that lose, misplace, invent or repeat facts: all faults are counted."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from dfactscore._asking.client import ChatClient
from dfactscore._asking.probe import Capabilities
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.transport import Transport
from dfactscore._records import Biography
from dfactscore.engines._llm.roles.coverage import ListedFact, TextWords
from dfactscore.engines._llm.roles.decomposer import LLMDecomposer
from dfactscore.engines._roles import RoleError

SENTENCES = [
    "Anna Berg (born 4 May 1950 in Malmo) is a Swedish sculptor.",
    "She studied chemistry at Uppsala until 1974.",
    "In 1981 she won the Lund Medal for a bronze fountain.",
    "Her brother Nils directs the harbor museum.",
    "She moved to Oslo and teaches drawing there.",
]
FACTS = [
    ["Anna Berg was born on 4 May 1950.", "Anna Berg was born in Malmo.",
     "Anna Berg is a Swedish sculptor."],
    ["Anna Berg studied chemistry at Uppsala.", "Anna Berg studied until 1974."],
    ["Anna Berg won the Lund Medal in 1981.", "Anna Berg made a bronze fountain."],
    ["Nils is Anna Berg's brother.", "Nils directs the harbor museum."],
    ["Anna Berg moved to Oslo.", "Anna Berg teaches drawing."],
]  # fmt: skip
BIOGRAPHY = Biography("1", "Anna Berg", " ".join(SENTENCES))
ALL = [fact for facts in FACTS for fact in facts]
FAITHFUL = dict(enumerate(FACTS, 1))


class Model(Transport):
    """Answers by a function of the requested sentences, and records its requests."""

    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    @property
    def endpoint(self):
        return "http://x/v1"

    async def send(self, body):
        prompt = body["messages"][-1]["content"]
        spans = re.findall(r"^Sentences to split: (\d+)(?:-(\d+))?", prompt, re.MULTILINE)
        first, last = spans[-1] if spans else self.asked[-1]  # a repair does not name a sentence
        self.asked.append((first, last))
        said = self.answer(list(range(int(first), int(last or first) + 1)))
        content, finish = said if isinstance(said, tuple) else (said, "stop")
        content = content if isinstance(content, str) else json.dumps(content)
        return {"choices": [{"message": {"content": content}, "finish_reason": finish}]}


def decompose(answer, **settings):
    """Returns the facts per sentence, the counted faults, and the model."""
    model = Model(answer)
    chat = OpenAIModel("m", base_url="http://x/v1", structured="text")
    client = ChatClient(chat, transport=model)
    client._able = Capabilities()
    facts = asyncio.run(LLMDecomposer(client, **settings).decompose(BIOGRAPHY))
    found = {}
    for fact in facts:
        found.setdefault(fact.sentence + 1, []).append(fact.text)
    total = client.usage.total()
    return found, (total.lost_sentences, total.not_in_text, total.moved), model


def keyed(numbers, facts):
    return {str(number): facts.get(number, []) for number in numbers}


def test_a_faithful_answer_stays_as_it_is_and_costs_one_call():
    found, faults, model = decompose(lambda numbers: keyed(numbers, FAITHFUL))
    assert found == FAITHFUL
    assert faults == (0, 0, 0)
    assert len(model.asked) == 1


@pytest.mark.parametrize("home", [1, 3, 5])
def test_facts_all_under_one_sentence_move_to_their_own(home):
    found, faults, model = decompose(lambda numbers: keyed(numbers, {home: ALL}))
    assert {k: sorted(v) for k, v in found.items()} == {k: sorted(v) for k, v in FAITHFUL.items()}
    assert faults == (0, 0, len(ALL) - len(FACTS[home - 1]))
    assert len(model.asked) == 1


def test_facts_under_wrong_numbers_move_to_their_own():
    turned = {number % 5 + 1: facts for number, facts in FAITHFUL.items()}
    found, faults, _ = decompose(lambda numbers: keyed(numbers, turned))
    assert sorted(f for facts in found.values() for f in facts) == sorted(ALL)
    assert found == FAITHFUL
    assert faults == (0, 0, len(ALL))


def test_sentences_left_empty_are_asked_again_alone_once():
    def answer(numbers):
        return keyed(numbers, FAITHFUL if len(numbers) == 1 else {1: FACTS[0]})

    found, faults, model = decompose(answer)
    assert found == FAITHFUL
    assert faults == (0, 0, 0)
    assert model.asked == [("1", "5"), ("2", ""), ("3", ""), ("4", ""), ("5", "")]


def test_sentences_that_stay_empty_are_lost_and_counted():
    found, faults, model = decompose(lambda numbers: keyed(numbers, {1: FACTS[0]}))
    assert found == {1: FACTS[0]}
    assert faults == (4, 0, 0)
    assert len(model.asked) == 5


@pytest.mark.parametrize(
    "foreign",
    [
        "Mara Voss won two silver medals.",  # another person, in words similar to the text's
        "Anna Berg won the Lund Medal in 1993.",
        "Anna Berg wrote several cookbooks.",
        "Anna Berg commanded a frigate.",
    ],
)
def test_what_the_text_does_not_have_is_dropped_and_counted(foreign):
    said = {**FAITHFUL, 2: [*FACTS[1], foreign]}
    found, faults, _ = decompose(lambda numbers: keyed(numbers, said))
    assert found == FAITHFUL
    assert faults == (0, 1, 0)


@pytest.mark.parametrize(
    "worded",
    [
        "Anna Berg's birth year is 1950.",
        "Anna Berg is a woman.",
        "Anna Berg was a student of chemistry.",
        "Anna Berg received a medal in the '80s.",
    ],
)
def test_other_words_for_the_same_stay(worded):
    text = TextWords(SENTENCES, "Anna Berg")
    assert text.check({0: [ListedFact(worded)]}).faults["not_in_text"] == 0


def test_numbers_may_be_written_out():
    text = TextWords(["He served 1914-18.", "It cost 1.5 million, or 2,300 a day."], "Al Roe")
    kept = [
        "Al Roe served until 1918.",
        "It cost 1500000.",
        "It cost 2300 a day.",
        "It cost 2,300.",
    ]
    assert text.check({0: list(map(ListedFact, kept))}).faults["not_in_text"] == 0
    wrong = text.check({0: [ListedFact("Al Roe served until 1919."), ListedFact("It cost 1750.")]})
    assert wrong.faults["not_in_text"] == 2


LIFE = [
    "Al Roe (born 3 May 1931 in Cork) was an Irish painter and sculptor.",
    "He studied at MIT, won three medals at the 1956 Olympic Games, and lived in the USA.",
    "His brother Tom served in the Second World War; Roe left two sons.",
]


@pytest.mark.parametrize(
    "fact",
    [
        "Al Roe was from Ireland.",
        "Al Roe was Irish.",
        "Al Roe lived in the US.",
        "Al Roe lived in the U.S.",
        "Al Roe lived in America.",
        "Al Roe won 3 medals.",
        "Al Roe won medals at the Olympics in 1956.",
        "Al Roe studied at the Massachusetts Institute of Technology.",
        "Al Roe was born on May 3, 1931.",
        "Al Roe was born in the 20th century.",
        "Al Roe won medals in the '50s.",
        "Tom Roe served in World War II.",
        "Tom Roe was the brother of Al Roe.",
        "Al Roe's brother was Tom.",
        "Al Roe had 2 sons.",
        "Al Roe was a Sculptor.",
    ],
)
def test_what_the_text_has_in_other_words_stays(fact):
    assert TextWords(LIFE, "Al Roe").check({0: [ListedFact(fact)]}).faults["not_in_text"] == 0


@pytest.mark.parametrize(
    "fact",
    [
        "Al Roe was a British painter.",
        "Al Roe was an Irish-Canadian painter.",
        "Al Roe was a Dutch sculptor.",
        "Al Roe won 4 medals.",
        "Al Roe had 12 sons.",
        "Al Roe won the Hawthorn Medal.",
        "Al Roe studied at Yale.",
        "Al Roe was born in Dublin.",
        "Al Roe was born on 4 May 1931.",
        "Al Roe was born in Cork, Munster.",
        "Al Roe's brother was Peter.",
    ],
)
def test_names_numbers_and_nationalities_that_the_text_lacks_are_dropped(fact):
    assert TextWords(LIFE, "Al Roe").check({0: [ListedFact(fact)]}).faults["not_in_text"] == 1


def test_a_fact_that_is_there_is_dropped_and_counted():
    born, won = "Al Roe was born in Cork.", "Al Roe won three medals."
    found = TextWords(LIFE, "Al Roe").check(
        {
            0: [ListedFact(born), ListedFact("al roe was born in Cork"), ListedFact(born)],
            1: [ListedFact(won), ListedFact(born)],
        }
    )
    assert [[fact.text for fact in found.facts[n]] for n in range(3)] == [[born], [won], []]
    assert found.faults["repeated"] == 3


def test_two_people_may_share_a_fact():
    sentences = [
        "Al Roe was a painter from Cork.",
        "Another Al Roe, also a painter, lived in Hull.",
    ]
    fact = "Al Roe was a painter."
    listed = {0: [ListedFact(fact)], 1: [ListedFact(fact)]}
    assert not TextWords(sentences, "Al Roe").check(listed).faults["repeated"]
    assert TextWords([sentences[0]] * 2, "Al Roe").check(listed).faults["repeated"] == 1
    same = {0: [ListedFact(fact, 1)], 1: [ListedFact(fact, 1)]}
    other = {0: [ListedFact(fact, 1)], 1: [ListedFact(fact, 2)]}
    assert TextWords(sentences, "Al Roe").check(same).faults["repeated"] == 1
    assert not TextWords(sentences, "Al Roe").check(other).faults["repeated"]


@pytest.mark.parametrize(
    ("sentences", "said", "kept"),
    [
        (["Bo Ray is a Danish rower, and Bo Ray is a Danish painter."], "Bo Ray is Danish.", 2),
        (["Bo Ray is a Danish rower and painter."], "Bo Ray is Danish.", 1),
        (["Bo Ray, from Denmark, rows.", "Bo Ray is a Danish poet."], "Bo Ray is Danish.", 2),
        (["Bo Ray, from Denmark, rows.", "He won a race."], "Bo Ray is Danish.", 1),
        (["Al Roe died in 1950, the poet Al Roe in 1951."], "Al Roe died in 1950.", 1),
        (["Al Roe died in 1950; the poet Al Roe died in 1950."], "Al Roe died in 1950.", 2),
    ],
)
def test_a_fact_is_kept_as_often_as_the_text_says_it(sentences, said, kept):
    listed = {0: [ListedFact(said)], len(sentences) - 1: [ListedFact(said)]}
    if len(sentences) == 1:
        listed = {0: [ListedFact(said)] * 2}
    found = TextWords(sentences, said[:6]).check(listed)
    assert sum(map(len, found.facts.values())) == kept
    assert found.faults["repeated"] == 2 - kept


def test_every_list_repeated_under_each_sentence_counts_once():
    found, faults, _ = decompose(lambda numbers: keyed(numbers, dict.fromkeys(numbers, ALL)))
    assert sorted(f for facts in found.values() for f in facts) == sorted(ALL)
    assert faults[:2] == (0, 0)


def test_an_answer_in_another_language_is_no_whole_answer():
    german = {
        1: ["Anna Berg wurde 1950 in Malmo geboren."],
        2: ["Anna Berg hat bis 1974 dort gelernt."],
        3: ["Anna Berg erhielt eine hohe Auszeichnung."],
        4: ["Anna Berg hat einen Bruder."],
        5: ["Anna Berg gibt Unterricht im Zeichnen."],
    }
    found, faults, _ = decompose(lambda numbers: keyed(numbers, german))
    assert set(found) == {1, 2}
    assert faults[0] == 3
    assert faults[1] >= 3


def test_texts_without_blanks_are_read_by_pairs_of_characters():
    text = TextWords(["王芳生于上海。", "她在北京大学教化学。"], "王芳")
    facts = [ListedFact("王芳生于上海。"), ListedFact("王芳在北京大学教化学。")]
    checked = text.check({0: facts})
    assert checked.facts == {0: facts[:1], 1: facts[1:]}
    assert text.open({0: facts[:1]}) == (1,)


def test_a_heading_or_greeting_states_nothing():
    text = TextWords(["Early life", "Sure!", "She was born in York."], "Ann Lee")
    assert text.open({}) == (2,)


@pytest.mark.parametrize("numbers", [{"1": ["x y z"]}, "no JSON", "", '{"1": []', "{}"])
def test_a_paragraph_answer_that_cannot_be_read_is_asked_for_by_sentence(numbers):
    def answer(asked):
        return keyed(asked, FAITHFUL) if len(asked) == 1 else numbers

    found, faults, _ = decompose(answer)
    assert found == FAITHFUL
    assert faults == (0, 0, 0)


def test_prose_around_the_answer_is_passed_over():
    def answer(numbers):
        return f"Here are the facts!\n```json\n{json.dumps(keyed(numbers, FAITHFUL))}\n```\nDone."

    assert decompose(answer)[:2] == (FAITHFUL, (0, 0, 0))


@pytest.mark.parametrize("form", ["paragraph", "sentence"])
def test_one_sentence_that_cannot_be_read_costs_only_itself(form):
    def answer(numbers):
        return keyed(numbers, FAITHFUL) if numbers != [3] and len(numbers) == 1 else "nonsense"

    found, faults, _ = decompose(answer, form=form)
    assert found == {k: v for k, v in FAITHFUL.items() if k != 3}
    assert faults == (1, 0, 0)


def test_a_model_that_says_nothing_readable_is_an_error():
    with pytest.raises(RoleError, match="decomposition unparsed"):
        decompose(lambda numbers: "nonsense")


@pytest.mark.parametrize("line", ['"Anna Berg sang.", ', '"Anna Berg', "1", "\n", "- Anna sang.\n"])
def test_an_answer_without_end_is_asked_for_by_sentence_at_once(line):
    def answer(numbers):
        if len(numbers) == 1:
            return keyed(numbers, FAITHFUL)
        return '{"1": [' + line * 500, "length"

    found, faults, model = decompose(answer)
    assert (found, faults) == (FAITHFUL, (0, 0, 0))
    assert len(model.asked) == 1 + len(SENTENCES)


def test_a_sentence_without_end_is_lost_alone():
    def answer(numbers):
        if numbers in ([1], [3]) or len(numbers) > 1:
            return '{"1": ["' + "and so on " * 200, "length"
        return keyed(numbers, FAITHFUL)

    found, faults, model = decompose(answer)
    assert found == {k: v for k, v in FAITHFUL.items() if k not in (1, 3)}
    assert faults == (2, 0, 0)
    assert len(model.asked) == 1 + len(SENTENCES)


def test_a_cut_answer_that_does_not_repeat_itself_is_asked_for_again_whole():
    cut = iter([(json.dumps(keyed(range(1, 6), FAITHFUL))[:300], "length")])
    found, faults, model = decompose(lambda numbers: next(cut, keyed(numbers, FAITHFUL)))
    assert (found, faults) == (FAITHFUL, (0, 0, 0))
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("She is an American painter.", "Anna Berg is from the United States."),
        ("She served in WWII.", "Anna Berg served in World War II."),
        ("She studied at UCLA.", "Anna Berg studied at the University of California, Los Angeles."),
        ("She won twenty-one medals.", "Anna Berg won 21 medals."),
        ("She wrote Sand.", "Fact 2: Anna Berg wrote Sand."),
        ("She wrote Sand.", "1. Anna Berg wrote Sand."),
        ("She lives in NZ.", "Anna Berg lives in New Zealand."),
    ],
)
def test_faithful_wordings_stay(text, fact):
    checked = TextWords([text], "Anna Berg").check({0: [ListedFact(fact)]})
    assert not checked.faults["not_in_text"]
    assert not checked.facts[0][0].text.startswith(("Fact", "1."))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("She is an American painter.", "Anna Berg is from Canada."),
        ("She served in WWI.", "Anna Berg studied at Yale University."),
        ("She won twenty-one medals.", "Anna Berg won 23 medals."),
        ("1. FC Lund bought her.", "Anna Berg plays for FC Malmo."),
    ],
)
def test_unfaithful_wordings_go(text, fact):
    assert TextWords([text], "Anna Berg").check({0: [ListedFact(fact)]}).faults["not_in_text"]


def test_without_the_check_facts_stay_where_they_are_listed():
    said = {1: ["Anna Berg was born in 1931.", *FACTS[1]], 2: ["Anna Berg likes Paris."]}
    found, faults, _ = decompose(lambda numbers: keyed(numbers, said), check_facts=False)
    assert (found[1], found[2]) == (said[1], said[2])
    assert faults[1:] == (0, 0)
