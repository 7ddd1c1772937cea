"""Finds the bearers of a name among passages, and leaves open what is not known."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dfactscore import Scorer, check
from dfactscore._evidence.asked_name import asked_name
from dfactscore._evidence.clusters import clusters
from dfactscore._evidence.owners import with_owners
from dfactscore._evidence.relations import VERSION
from dfactscore._records import Biography
from dfactscore.retrieval import Passage

POTTER = "Ned Polling (born 1950) is a Welsh potter. He built a wood kiln in Tenby."
ROWER = "Ned Polling (born 1983) is a Canadian rower. He won silver in the eights in 2008."
KILN = "Polling fires his kiln twice a year and shows his glazes in Tenby."
BARE = "Polling moved house in 2001."
BANK = "The Meridian Bank is a Kenyan bank founded in 1971. It has 88 branches."
SHIP = "Meridian Bank was a cargo ship built in Gdynia in 1954. She sank off Elm Head."


def owners(*passages, name="Ned Polling"):
    """Returns the owners of each text, with their probabilities."""
    given = [p if isinstance(p, Passage) else Passage("", p) for p in passages]
    found = with_owners(Biography("0", name, "x", passages=tuple(given)))
    return [dict(text.owners) for text in found.owners.texts]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ned Polling (painter, born 1950)", "Ned Polling (painter)"),
        ("Ned Polling", "Polling, Ned"),
        ("Ned Polling - Wikipedia", "Interview with Ned Polling"),
        ("Ned Polling | Profile", "Who is Ned Polling?"),
    ],
)
def test_several_documents_about_one_person_are_one(one, other):
    texts = (
        "Ned Polling (born 1950) is a Welsh painter. He lives in Tenby.",
        "Ned Polling (born 1950) is a painter from Wales, known for his seascapes.",
    )
    given = [Passage(t, x, source=t) for t, x in zip((one, other), texts, strict=True)]
    assert len({*map(str, owners(*given))}) == 1


@pytest.mark.parametrize("title", ["Ned Polling", "About us", "Our team", "", "chunk 0"])
def test_a_title_without_a_qualifier_says_nothing(title):
    given = [Passage(title, POTTER, source="a.org"), Passage(title, ROWER, source="b.org"),
             Passage(title, BARE, source="b.org")]  # fmt: skip
    potter, rower, bare = owners(*given)
    assert potter != rower == bare


@pytest.mark.parametrize(
    ("name", "one", "other", "same"),
    [
        ("Meridian Bank", BANK, SHIP, False),
        ("Meridian Bank", BANK, "Meridian Bank is a bank in Kenya, founded in 1971.", True),
        ("Elm", "Elm is a town in Ohio with 900 people.", "Elm is a village in Kent.", False),
        ("Elm", "Elm is a town in Ohio.", "Elm is a 1994 film by Ann Lee.", False),
        ("Elm", "Elm is a 1994 film by Ann Lee.", "Elm is a 2003 film by Bo Ray.", False),
        ("Ned Polling", POTTER, "Ned Polling, a ceramicist, was born in 1950 in Tenby.", True),
        ("Ned Polling", POTTER, "Ned Polling (born 1921) is a Welsh potter.", False),
        ("Ned Polling", "Ned Polling is partner at Hale & Pym.",
         "Ned Polling is partner at Brandt Energy.", False),
        ("Ned Polling", "Ned Polling is head of sales at Hale & Pym.",
         "Ned Polling, head of sales at Hale & Pym, retired in 2019.", True),
        ("Cyril V", "Cyril V was a patriarch of Elm.", "Cyril VI was a patriarch of Elm.", False),
    ],
)  # fmt: skip
def test_definitions_tell_entities_apart(name, one, other, same):
    assert (len({*map(str, owners(one, other, name=name))}) == 1) is same


def test_a_passage_of_unknown_owner_is_about_each_that_is_possible():
    potter, rower, kiln, bare = owners(POTTER, ROWER, KILN, BARE)
    assert kiln == potter
    assert set(bare) == {*potter, *rower}
    assert all(0 < share < 1 for share in bare.values())


def test_two_people_in_one_passage_are_two():
    for text in (f"{POTTER} {ROWER}", f"Ned Polling (potter)\n{KILN}\nNed Polling (rower)\n{BARE}"):
        assert len({*map(str, owners(text))}) == 2
    list_of_two = "Ned Polling may refer to:\n* Ned Polling (1850–1920), poet\n* Ned Polling, rower"
    assert len({*map(str, owners(list_of_two))}) > 1


def test_people_whom_verbs_introduce_are_told_apart():
    fraud = "Ned Polling was convicted of fraud in Ohio and sentenced to six years in prison."
    prison = "The judge ordered him to pay 2 million dollars."
    fair = "Ned Polling sold his first jug at the fair of Elm in 1981."
    given = [(POTTER, "a"), (KILN, "a"), (fraud, "b"), (prison, "b"), (fair, "c")]
    passages = [Passage("", text, source=source) for text, source in given]
    potter, kiln, criminal, payer, seller = owners(*passages)
    assert potter == kiln != criminal == payer
    assert len(criminal) == 1
    assert min(seller.values()) < 1  # may be the potter


def test_an_initial_tells_people_apart_that_share_the_rest_of_the_name():
    found = check(
        "Ned B. Polling is a Welsh potter. He wrote forty westerns.",
        ["Ned B. Polling is a Welsh potter.", "Ned H. Polling wrote forty westerns."],
        question="Who is Ned B. Polling?",
    )
    assert found.mixed is not False
    other = check("Ned B. Polling wrote forty westerns.", ["Ned H. Polling wrote forty westerns."])
    assert other.mixed is None  # no one else bears the name


def test_people_in_one_passage_are_told_apart_whatever_its_title():
    for text in (f"{POTTER} {ROWER}", "Ned Polling may refer to: Ned Polling (1850–1920), Welsh "
                 "poet; Ned Polling (born 1971), Dutch rower."):  # fmt: skip
        passages = [Passage("Ned Polling", text, source="a"), Passage("Elm", "Elm is a town.")]
        assert len({*map(str, owners(*passages))}) > 2


def test_a_passage_about_someone_else_has_its_own_owner():
    found = owners(POTTER, "Bo Polling (born 1950) is a Welsh potter.", "Elm is a town in Ohio.")
    assert len({*map(str, found)}) == 3
    assert owners("John K. (born 1950) is a poet.", name="John J.") == [{"John K.": 1.0}]


def test_what_is_not_known_is_said():
    answer = "Ned Polling is a Welsh potter. He moved house in 2001."
    found = check(answer, [POTTER, ROWER, BARE], name="Ned Polling")
    assert found.mixed is False
    assert 0.2 < found.probability < 1 / 3
    either = "context 3 may be about Ned Polling (potter) or Ned Polling (rower)"
    assert found.reasons == (either,)
    assert found.dfs_owned < found.dfs == pytest.approx(found.fs)
    bare = "Ned Polling lost his purse in Delft in 2001. He bought another in Sneek, drank "
    bare += "a glass of milk, missed the train to Assen and slept under a tree until noon."
    answer = "Ned Polling is a Welsh potter. He lost his purse in Delft."
    found = check(answer, [POTTER, bare], name="Ned Polling")
    assert found.mixed is None
    assert 1 / 3 < found.probability < 1
    assert found.reasons == (
        "1 passage may be about any of several people",
        "context 2 may be about Ned Polling or someone else",
    )
    found = check(answer, ["Elm is a town in Ohio."], name="Ned Polling")
    assert found.mixed is None
    assert found.probability is None
    assert found.reasons == ("no passage bears the name Ned Polling",)
    mixed = "Ned Polling is a Welsh potter. He won silver in the eights in 2008."
    assert check(mixed, [POTTER, ROWER], name="Ned Polling").mixed is True
    assert (
        check("Ned Polling is a Welsh potter.", [POTTER, ROWER], name="Ned Polling").mixed is False
    )


TEXTS = (POTTER, ROWER, KILN, BARE, BANK, "He sang.", f"{POTTER} {ROWER}", "Ned Polling sang.",
         "Ned Polling was convicted of fraud in 1999.", "Bo Polling is a poet.")  # fmt: skip
TITLES = (
    "",
    "Ned Polling",
    "Ned Polling (potter)",
    "About us",
    "Elm",
    "Interview with Ned Polling",
)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(TITLES), st.sampled_from(TEXTS), st.sampled_from("  ab")),
             min_size=1, max_size=7, unique=True),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_the_order_of_passages_changes_nothing(rows, draw: random.Random):
    passages = [Passage(title, text, source=source.strip()) for title, text, source in rows]
    shuffled = draw.sample(passages, len(passages))

    def found(given):
        result = clusters(asked_name("Ned Polling"), given)
        bearers = {frozenset((c.title, c.text) for c in b.members) for b in result.bearers}
        open_ones = {u.clues.text: sorted(round(s, 6) for s in u.shares) for u in result.undecided}
        return bearers, open_ones

    assert found(passages) == found(shuffled)


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.sampled_from(TEXTS), min_size=1, max_size=5, unique=True),
    st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3, unique=True),
    st.sampled_from(["argmax", "hungarian"]),
)
@pytest.mark.filterwarnings("ignore")
def test_both_readings_of_dfs_are_between_zero_and_fs(contexts, sentences, link):
    record = {"name": "Ned Polling", "text": " ".join(sentences), "contexts": contexts}
    (result,) = Scorer(link=link).score_many([record])
    scores = result.record.scores
    if scores is not None and scores.dfs is not None:
        low = scores.dfs if scores.dfs_owned is None else scores.dfs_owned
        assert 0 <= low <= scores.dfs + 1e-9 <= scores.fs + 2e-9 <= 1 + 3e-9


def test_a_text_without_a_name_goes_with_the_person_whose_words_it_shares():
    glazes = "The ash glazes of the Tenby kiln were fired with oak and pine."
    potter, rower, loose, other = owners(
        f"{POTTER} {glazes}", ROWER, "Oak and pine heat the Tenby kiln; its ash glazes are green.",
        "The committee met on Monday and adjourned at noon.",
    )  # fmt: skip
    assert loose == potter != rower
    assert other not in (potter, rower)


@pytest.mark.parametrize(("titles", "recorded"), [(("", ""), True), (("Ned Polling (potter)",
    "Ned Polling (rower)"), False)])  # fmt: skip
def test_a_run_whose_passages_are_read_by_content_records_the_weights(titles, recorded):
    given = [
        {"title": title, "text": text} for title, text in zip(titles, (POTTER, ROWER), strict=True)
    ]
    record = {"name": "Ned Polling", "text": POTTER, "passages": given}
    assert (f"| owners {VERSION} |" in Scorer().score_many([record]).signature) is recorded
