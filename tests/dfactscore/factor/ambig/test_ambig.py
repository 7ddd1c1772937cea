"""AmbigFACTOR: slots, frames, guarantees, order, contexts, measures, what is left out."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uniform_model import UniformModel

from dfactscore._errors import InputError
from dfactscore._records import Document
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.examples import example
from dfactscore.factor import read_factor
from dfactscore.factor._ambig import build_ambig
from dfactscore.factor._ambig.facts import fill, filler, read_person
from dfactscore.factor._ambig.namesakes import describe_build, write_ambig
from dfactscore.factor._ambig.values import (
    Date,
    content_words,
    date_in,
    fields_of,
    gender_of,
    is_telling,
    may_hold,
    names_one,
    with_article,
)
from dfactscore.factor._contexts import all_pages, readings_in
from dfactscore.factor._description import baselines
from dfactscore.factor._scoring import Asking, evaluate_factor_async
from dfactscore.retrieval import Page

NAMES = ["Ann Moor Lee", "Ann Lee", "Lee"]


@pytest.fixture(scope="module")
def built():
    return build_ambig(example().pages)


@pytest.mark.parametrize(
    ("fact", "slot", "value"),
    [
        ("Ann Lee was born on 3 May 1901.", "birth_date", "3 May 1901"),
        ("Ann Lee was born Anna Lea on May 3, 1901.", "birth_date", "May 3, 1901"),
        ("Ann Lee was born in Salt Lake City, Utah.", "birth_place", "in Salt Lake City, Utah"),
        ("Lee died on July 2, 1972, during a storm.", "death_date", "July 2, 1972"),
        ("Lee died at Colwyn Bay.", "death_place", "at Colwyn Bay"),
        ("Ann Lee was a historian of the Incas.", "occupation", "historian"),
        ("Ann Lee is a former basketball player.", "occupation", "former basketball player"),
        ("Ann Lee attended Clapham Grammar School.", "education", "Clapham Grammar School"),
        (
            "Ann Lee studied physics at the University of Oslo.",
            "education",
            "the University of Oslo",
        ),
    ],
)
def test_slots_with_a_frame(fact, slot, value):
    found = filler(fact, NAMES)
    assert (found.slot, found.value) == (slot, value)
    assert fill(found, found) == found.sentence


@pytest.mark.parametrize(
    ("fact", "slot"),
    [
        ("In 1927 Ann Lee moved to Northwestern University.", "affiliation"),
        ("Ann Lee joined the Air Force.", "affiliation"),
        ("Ann Lee was given the Rumelhart Prize in 2015.", "award"),
        ("Ann Lee was knighted in 1929.", "award"),
    ],
)
def test_slots_of_whole_sentences(fact, slot):
    found = filler(fact, NAMES)
    assert found.slot == slot
    assert found.value == fact.replace("Ann Lee", "{}")


@pytest.mark.parametrize(
    "fact",
    [
        "Ann Lee’s mother was a journalist.",
        "Ann Lee was a son of Hyrum Lee.",
        "Ann Lee was two months old.",
        "Ann Lee was born in the north of the city.",
        "When the war was over, Ann Lee joined the Air Force.",
        "In the film that she made Ann Lee joined the Air Force.",
        "Bo Low joined the Air Force.",
        "Ann Lee joined the club.",
        "Ann Lee was American.",
        "Ann Lee moved to Texas.",
        "In 1950 Ann Lee left England with her family.",
        "In 1922 Ann Lee joined the Air Force and.",
    ],
)
def test_what_fills_no_slot(fact):
    assert filler(fact, NAMES) is None


@given(st.integers(1, 28), st.integers(1, 12), st.integers(1000, 2100), st.booleans())
def test_dates_are_equal_in_either_style(day, month, year, first):
    date = Date(day, month, year)
    for style in (True, False):
        found = date_in(f"He was born on {date.written(day_first=style)}.")
        assert found.same(date)
        assert found.day_first == style
        own = filler(f"Ann Lee died on {date.written(day_first=first)}.", NAMES)
        other = filler(f"Ann Lee died on {date.written(day_first=style)}.", NAMES)
        assert fill(own, other) == own.sentence


@pytest.mark.parametrize(
    ("phrase", "article"),
    [("actor", "an"), ("university teacher", "a"), ("hourly worker", "an"), ("NBA coach", "an"),
     ("BBC host", "a"), ("union leader", "a"), ("unarmed guard", "an"), ("European poet", "a"),
     ("Ukrainian poet", "a"), ("Ugandan cook", "a"), ("Uzbek poet", "an"), ("urban guide", "an")],
)  # fmt: skip
def test_articles(phrase, article):
    assert with_article(phrase).split()[0] == article


@pytest.mark.parametrize(
    ("first", "second", "held"),
    [
        ("in London", "in Westminster", True),
        ("in Brooklyn", "in New York City", True),
        ("in Leeds", "in England", True),
        ("in Leeds", "in Yorkshire", True),
        ("in Toledo", "in Lucas County", True),
        ("in Ohio", "in the United States", True),
        ("in England", "in the United Kingdom", True),
        ("at Far West", "at Far West, Missouri", True),
        ("in Brooklyn", "in London", False),
        ("in Toledo, Spain", "in Toledo, Ohio", False),
        ("in Richmond, Virginia", "in Texas", False),
        ("in France", "in Spain", False),
        ("in Ohio", "in Utah", False),
        ("in Boston", "in Warrington", False),
    ],
)
def test_places_that_may_lie_in_each_other(first, second, held):
    assert may_hold(first, second) == may_hold(second, first) == held


@pytest.mark.parametrize(
    ("sentence", "one"),
    [
        ("Ann Lee joined the Navy.", False),
        ("Ann Lee served in the Royal Air Force.", False),
        ("Ann Lee was Minister of Finance.", False),
        ("Ann Lee sat in the State Senate.", False),
        ("Ann Lee was elected to the City Council.", False),
        ("Ann Lee was elected to Leeds City Council.", True),
        ("Ann Lee was elected to the Senate in 1901.", True),
        ("Ann Lee joined the New Church.", True),
        ("In the Boer War Ann Lee served in the Army.", True),
        ("Ann Lee moved to Texas.", True),
    ],
)
def test_whether_a_sentence_names_its_body(sentence, one):
    assert names_one(sentence, "Ann Lee") == one


@pytest.mark.parametrize(
    ("role", "telling"),
    [("fellow", False), ("Olympic medallist", False), ("businessman", False), ("painter", True),
     ("baseball executive", True), ("English teacher", True), ("teacher", False)],
)  # fmt: skip
def test_roles_that_many_have_are_no_false_completions(role, telling):
    assert is_telling(role) == telling


@pytest.mark.parametrize(
    ("page", "roles"),
    [
        ("{} was a British-Canadian fur trader, surveyor and map-maker.",
         ["a British-Canadian fur trader", "a British-Canadian surveyor",
          "a British-Canadian map-maker"]),
        ("{} (born 1950) is a retired American freestyle swimmer.",
         ["a retired American freestyle swimmer"]),
        ("{} is a South African former sprinter.", ["a South African former sprinter"]),
        ("{} is a British explorer and a historian of the Incas.",
         ["a British explorer", "a historian"]),
        ("{} was a lawyer and politician.", ["a lawyer", "a politician"]),
        ("{} was an Irish poet. Later {} was a poet in Rome.", ["an Irish poet"]),
        ("{} is a fictional character.", []),
        ("{} was an American graduate.", []),
    ],
)  # fmt: skip
def test_an_occupation_keeps_the_words_of_its_page(page, roles):
    person = read_person("Ann Lee", Page("Ann Lee", page.replace("{}", "Ann Lee")))
    found = [one.sentence.split(" ", 3)[3] for one in person.statements]
    assert found == [f"{role}." for role in roles]


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("In 1927 {} moved to Rome University, sharing the Wood Prize in 1930.",
         "Ann Lee shared the Wood Prize."),
        ("In 1927 she joined the Rome Quartet.", "Ann Lee joined the Rome Quartet."),
        ("She then became director of the Rome Quartet.",
         "Ann Lee became director of the Rome Quartet."),
        ("After the war she joined the Rome Quartet.", "Ann Lee joined the Rome Quartet."),
    ],
)  # fmt: skip
def test_an_adverbial_is_of_its_own_verb(page, sentence):
    text = f"Ann Lee was born in Oslo. {page}".replace("{}", "Ann Lee")
    found = [one.sentence for one in read_person("Ann Lee", Page("Ann Lee", text)).statements]
    assert sentence in found


def test_a_parent_is_no_place_of_birth():
    text = "Ann Lee was born in Ballarat, a daughter of William and Francie Hunter."
    found = read_person("Ann Lee", Page("Ann Lee", text)).statements
    assert [one.filler.value for one in found] == ["in Ballarat"]


def test_a_role_of_the_targets_field_is_no_false_completion():
    assert fields_of("an English novelist") & fields_of("a former journalist")
    assert not fields_of("a chemist") & fields_of("an American football player")
    assert fields_of("goalkeeper") & fields_of("football player")
    pages = {
        "Ann Lee (cook)": "Ann Lee was an English cook and novelist. ",
        "Ann Lee (poet)": "Ann Lee was an Irish poet. ",
        "Ann Lee (nurse)": "Ann Lee was a Welsh nurse and painter. ",
    }
    found = {
        item.completion: {one.text for one in item.contradictions}
        for item in build_ambig(pages).items
    }
    assert found["Ann Lee was an Irish poet."] <= {
        "Ann Lee was a Welsh nurse.", "Ann Lee was a Welsh painter.",
        "Ann Lee was an English cook.",
    }  # fmt: skip
    assert len(found["Ann Lee was an Irish poet."]) == 2


def test_values_are_of_one_length(built):
    for item in built.items:
        if item.extra["slot"] in ("occupation", "affiliation", "award"):
            size = len(item.completion.split())
            for one in item.contradictions:
                # "former" is not said of the dead, and names have as many words.
                assert abs(len(one.text.split()) - size) <= 3, (item.completion, one.text)


def test_a_place_inside_the_targets_is_no_false_completion():
    pages = {
        "Ann Lee (cook)": "Ann Lee was born in London. Ann Lee was a cook.",
        "Ann Lee (poet)": "Ann Lee was born in Hackney. Ann Lee was a poet.",
        "Ann Lee (singer)": "Ann Lee was born in Rome. Ann Lee was a singer.",
    }
    places = {
        item.extra["title"]: {one.of for one in item.contradictions}
        for item in build_ambig(pages).items
        if item.extra["slot"] == "birth_place"
    }
    assert places == {
        "Ann Lee (cook)": {"Ann Lee (singer)"},
        "Ann Lee (poet)": {"Ann Lee (singer)"},
        "Ann Lee (singer)": {"Ann Lee (cook)", "Ann Lee (poet)"},
    }


def test_no_actress_among_the_roles_of_a_man(built):
    assert gender_of("He sang. She heard him.") == "he"
    assert gender_of("Nothing is known.") == ""
    roles = [
        c.text for i in built.items for c in i.contradictions if i.extra["slot"] == "occupation"
    ]
    assert roles
    assert not any("actress" in role for role in roles)
    assert not any(" was a former " in role or " was a retired " in role for role in roles)


def test_the_shipped_pages(built):
    about = describe_build(built)
    assert about["items"] >= 75
    assert about["completions"]["namesake"] >= 130
    assert about["leaks"] <= 0.2 * about["items"]
    assert about["names_offered"] == 12
    found = baselines(built.items)
    assert found["shortest"]["accuracy_tie_credit"] <= 0.40
    assert found["longest"]["accuracy_tie_credit"] <= 0.40
    headline = baselines([item for item in built.items if not item.extra["leak"]])
    assert max(headline[n]["accuracy_tie_credit"] for n in ("shortest", "longest")) <= 0.40


def test_every_guarantee_holds(built):
    verifier = BuiltinVerifier()
    pages = built.pages

    def supports(title, sentence, name):
        page = Document(title, pages[title].text)
        return verifier.probabilities([sentence], [page], name)[0] >= verifier.threshold

    for item in built.items:
        name, title = item.extra["name"], item.extra["title"]
        group = [title, *item.extra["namesakes"]]
        kinds = [one.kind for one in item.contradictions]
        assert "namesake" in kinds
        assert kinds.index("namesake") == 0
        owners = [one.of for one in item.contradictions]
        assert len(set(owners)) == len(owners)
        assert supports(title, item.completion, name)
        assert item.completion.count(name) == 1
        assert item.prefix.startswith(f"{title}\n")
        assert pages[title].text.startswith(item.prefix.removeprefix(f"{title}\n"))
        for one in item.contradictions:
            assert not supports(title, one.text, name), (item.id, one)
            assert content_words(one.text) - content_words(f"{title} {pages[title].text}")
            if one.kind == "namesake":
                assert one.of in item.extra["namesakes"]
                assert supports(one.of, one.text, name), (item.id, one)
            else:
                assert one.of not in group
                assert not any(supports(t, one.text, name) for t in group), (item.id, one)


@pytest.mark.slow
def test_the_order_of_pages_does_not_matter(built, tmp_path):
    lines = example().pages.read_text("utf-8").splitlines()
    random.Random(3).shuffle(lines)
    (tmp_path / "pages.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    write_ambig(built, tmp_path / "a.jsonl", {})
    write_ambig(build_ambig(tmp_path / "pages.jsonl"), tmp_path / "b.jsonl", {})
    for suffix in (".jsonl", ".pages.jsonl", ".manifest.json"):
        assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    other = build_ambig(example().pages, seed=2)
    assert [i.id for i in other.items] == [i.id for i in built.items]
    assert other.items != built.items


def test_what_gives_no_item():
    born = "{0} was born on 3 May 1901. {0} was a painter."
    assert not build_ambig({"Ann Lee (painter)": born.format("Ann Lee")}).items
    equal = dict.fromkeys(("Ann Lee (a)", "Ann Lee (b)"), born.format("Ann Lee"))
    found = build_ambig(equal)
    assert not found.items
    assert found.drops["equal pages"] == 2
    found = build_ambig({"Ann Lee (a)": born.format("Ann Lee"), "Ann Lee (b)": "Nothing is known."})
    assert not found.items
    assert found.drops["a page without facts in the slots"] == 1
    with pytest.raises(InputError):
        build_ambig({})


def test_ships_lack_the_slots():
    found = build_ambig(example("ships").pages)
    assert set(found.empty_slots) >= {"birth_date", "birth_place", "occupation"}


def test_dataset_names(built):
    names = {"Chris Evans": ["Chris Evans (actor)", "Chris Evans (presenter)", "Chris Evans (no)"]}
    found = build_ambig(example().pages, names=names)
    assert {item.extra["name"] for item in found.items} == {"Chris Evans"}
    assert found.drops["a person without a page"] == 1
    # Without other names there are no strangers.
    assert all(one.kind == "namesake" for item in found.items for one in item.contradictions)


class Copies(UniformModel):
    """Finds likelier what stands in the context: copying, the later the better."""

    async def score(self, context, continuations):
        from dataclasses import replace

        found = []
        for one in await super().score(context, continuations):
            own = "".join(one.tokens).split()
            share = sum(word in context for word in own) / len(own)
            place = max((context.rfind(word) for word in own[-2:]), default=0)
            value = -10 + share + 0.1 * place / max(1, len(context))
            n = len(one.tokens)
            found.append(replace(one, logprobs=(value,) * n, logprob=value * n))
        return found


def test_contexts_and_measures(built, tmp_path):
    import asyncio

    write_ambig(built, tmp_path / "a.jsonl", {})
    items = read_factor(tmp_path / "a.jsonl").items
    assert items == built.items
    pages = all_pages(tmp_path / "a.pages.jsonl")
    reads = readings_in(["none", "gold", "namesakes", "all", "prior"], pages, None)
    item = next(i for i in items if len(i.extra["namesakes"]) == 2)
    found = {(one.context, one.position): one for one in reads(item)}
    own = item.extra["title"]
    assert found["none", ""].front == ""
    assert found["gold", ""].passages == (own,)
    assert own not in found["namesakes", ""].passages
    assert [found["all", p].passages.index(own) for p in ("first", "middle", "last")] == [0, 1, 2]
    assert found["gold", ""].front == f"{own}\n{pages[own].text.strip()}\n\n"
    assert found["prior", ""].prefix == f"{item.extra['name']}\n"

    async def opened():
        return Copies()

    results = asyncio.run(evaluate_factor_async(Asking(items, opened, readings=reads)))
    ambig = results.summary["ambig"]
    gold, every = ambig["contexts"]["gold"], ambig["contexts"]["all"]
    assert ambig["items"] == sum(not i.extra["leak"] for i in items)
    assert gold["accuracy"]["mean"] > every["accuracy"]["mean"]
    assert ambig["interference"]["mean"] == pytest.approx(
        gold["accuracy"]["mean"] - every["accuracy"]["mean"]
    )
    assert every["confusion_gap"] == pytest.approx(
        every["true_over_stranger"] - every["true_over_namesake"]
    )
    assert sum(every["picks"].values()) == pytest.approx(1)
    assert gold["controls"]["overlap"] == 1
    assert every["controls"]["overlap"] < 0.6
    places = every["by_position"]
    assert places["last"]["mean"] > places["first"]["mean"]
    assert "interference" in str(results)


def test_the_command(tmp_path):
    from toy_server import Toy, serve
    from typer.testing import CliRunner

    import dfactscore._cli.factor  # noqa: F401
    from dfactscore._cli.app import app

    def run(*args):
        return CliRunner().invoke(app, [str(arg) for arg in args])

    out = tmp_path / "ambig.jsonl"
    made = run("factor", "ambig", "--pages", example().pages, "--out", out, "--format", "json")
    assert made.exit_code == 0, made.output
    assert json.loads(made.stdout)["items"] >= 75
    with serve(Toy("echo")) as address:
        line = ["factor", "score", out, "--out", tmp_path / "run", "--base-url", address,
                "--model", "toy", "--no-cache", "--limit", 3, "--quiet"]  # fmt: skip
        before = ["--before", "gold", "--before", "all"]
        dry = run(*line, *before, "--dry-run")
        found = run(*line, *before)
        assert found.exit_code == 0, found.output
        wrong = run(*line, "--before", "golden")
        assert "did you mean gold?" in str(wrong.exception)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert set(summary["contexts"]) == {"gold", "all", "prior"}
    # The estimate counts every context, the pages in each of their places.
    samples = (tmp_path / "run" / "samples.jsonl").read_text().splitlines()
    asked = sum(len(json.loads(line)["completions"]) for line in samples)
    assert dry.stdout.splitlines()[-1].split()[1] == str(asked + 2)
    bad = run("factor", "ambig", "--pages", example().pages, "--out", out, "--slots", "birthdate")
    assert "did you mean birth_date?" in str(bad.exception)


@pytest.mark.parametrize(
    ("text", "kept", "doubt"),
    [
        # As strictly as the false ones: who else may be meant, and what was cut off.
        ("Ann Lee is a poet. She rowed. She is an actor and a king.", {"poet", "actor"},
         "a role of the other gender"),
        ("Ann Lee is a poet. She rowed. Her mother was a famous dancer, a singer and a painter.",
         {"poet"}, ""),
        ("Ann Lee is a poet. She attended Clapham Grammar School. She was an engineer, head of",
         {"poet"}, "a sentence that breaks off"),
        ("Ann Lee is a poet. She attended Clapham Grammar School. She was an engineer.",
         {"poet", "engineer"}, ""),
        ("Ann Lee was born on 3 May 1901. She is a poet. Ann Lee was born on 4 May 1901.",
         {"poet"}, "two dates on the page"),
        ("Ann Lee was born on 3 May 1901. She is a poet. Lee was born on May 3, 1901.",
         {"3 May 1901", "poet"}, ""),
    ],
)  # fmt: skip
def test_what_may_not_be_the_persons_own_is_left_out(text, kept, doubt):
    person = read_person("Ann Lee", Page("Ann Lee (poet)", text))
    said = {
        one.filler.value for one in person.statements if one.slot in ("occupation", "birth_date")
    }
    assert said == kept
    assert {reason for reason, count in person.doubts.items() if count} == ({doubt} - {""})


def test_the_words_of_a_name_stand_in_their_order():
    texts = {
        "John Godfrey (poet)": "John Godfrey was born on 3 May 1901. He is a poet.",
        "John A. Godfrey": "John Godfrey was born on 7 June 1921. He is a swimmer.",
        "Godfrey John": "Godfrey John was born on 9 July 1911. He is a soldier.",
    }
    built = build_ambig({title: Page(title, text) for title, text in texts.items()})
    assert built.items
    assert {item.extra["name"] for item in built.items} == {"John Godfrey"}
    for item in built.items:
        assert "Godfrey John" not in [item.document, *item.extra["namesakes"]]
