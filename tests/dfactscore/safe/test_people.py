"""Who a search result is about."""

from __future__ import annotations

import pytest

from dfactscore._asking.search import SearchResult
from dfactscore._evidence.entities import gather_entities
from dfactscore._readers import read_biographies
from dfactscore._records import Document, Entity
from dfactscore.examples import example
from dfactscore.retrieval import open_source
from dfactscore.retrieval._documents import split_text
from dfactscore.safe import People
from dfactscore.safe._found_pages import BY_ADDRESS, handle_of


def entity(title, text, **more):
    return Entity(title, title, (Document(title, text),), **more)


SWIMMER = entity(
    "Ann Lee (swimmer)", "Ann Lee was a Scottish swimmer who won a medal in Antwerp in the relay."
)
JUDGE = entity(
    "Ann Lee (judge)", "Ann Lee is a judge of the appeal court in Ohio. She studied law at Yale."
)
BOTH = People("Ann Lee", [SWIMMER, JUDGE], {"Ann Lee (judge)": ["https://court.example/lee"]})


@pytest.mark.parametrize(
    ("title", "text", "address", "who"),
    [
        ("Ann Lee", "Ann Lee won a medal in the relay at Antwerp", "", 0),
        ("Judge Ann Lee", "sits on the appeal court and studied at Yale", "", 1),
        # Neither the relay nor the court: the words decide for no one.
        ("Ann Lee", "Ann Lee sells antique furniture near Boston since spring", "", None),
        # The right words, another name.
        ("Ben Kay", "a medal in the relay at Antwerp", "", None),
        # Words of both pages.
        ("Ann Lee", "Ann Lee won a medal; Ann Lee studied law", "", None),
        # An address beats any words.
        ("?", "a medal in the relay at Antwerp", "http://www.court.example/lee/#top", 1),
        ("x", "", "https://en.m.wikipedia.org/wiki/Ann_Lee_(swimmer)", 0),
        ("x", "", "https://en.wikipedia.org/wiki/Ann_Lee_%28swimmer%29", 0),
    ],
)
def test_whose_evidence_a_result_is(title, text, address, who):
    said = BOTH.give(SearchResult(title, text, address))
    assert said.entity == who
    assert (said.why == BY_ADDRESS) == bool(address)


def test_a_passage_of_a_page_is_about_its_person_by_words_alone():
    source = open_source(example("people").pages)
    right = wrong = total = 0
    for biography in read_biographies(example("people").biographies).biographies:
        entities = gather_entities(biography, source).entities
        people = People(biography.name, entities)
        for place, own in enumerate(entities):
            if len(entities) < 2 or place not in _named(entities, biography.name):
                continue
            for text in split_text(own.documents[0].text):
                said = people.give(SearchResult(own.id, text)).entity
                total += 1
                right += said == place
                wrong += said is not None and said != place
    assert total > 100
    assert right / total >= 0.9
    assert wrong / total <= 0.03


def _named(entities, name):
    from dfactscore.linking import bears_name

    return [i for i, e in enumerate(entities) if bears_name(e.id, name)]


def test_a_handle_never_tells_what_the_fact_says():
    assert handle_of(SWIMMER, "Ann Lee won a medal.") == "swimmer"
    assert handle_of(SWIMMER, "Ann Lee was a swimmer.") == ""
    bare = entity("Ann Lee", "Ann Lee (1901–1980) was a Scottish swimmer and diver.")
    assert handle_of(bare, "Ann Lee was born in 1901.") == "Scottish swimmer 1980"
    assert handle_of(bare, "Ann Lee was a Scottish diver.") == "swimmer 1901 1980"
    assert handle_of(Entity("Ann Lee", "Ann Lee", ()), "Ann Lee sang.") == ""
