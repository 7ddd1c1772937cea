"""FACTOR items of any corpus: rules, plans, filters, choice, order, journals, models."""

from __future__ import annotations

import asyncio
import json
import random

import pytest
from uniform_model import UniformModel

from dfactscore._errors import RunError
from dfactscore.examples import example
from dfactscore.factor import read_factor
from dfactscore.factor._build import build_factor
from dfactscore.factor._build.building import FORMS
from dfactscore.factor._build.candidates import (
    Edit,
    Filters,
    Selected,
    _consistent,
    apply_edits,
    candidate,
    select_sentences,
)
from dfactscore.factor._build.circumstances import Chronology, circumstance_candidates
from dfactscore.factor._build.corpus_names import Corpus, mentions
from dfactscore.factor._build.makers import read_candidates
from dfactscore.factor._contexts import all_pages
from dfactscore.factor._description import baselines, edit_distance
from dfactscore.factor._settings import BuildSettings
from dfactscore.retrieval import Page

NOTHING = Chronology.of("", 2025)


def build(pages, **options):
    return asyncio.run(build_factor(pages, settings=BuildSettings(**options)))


@pytest.fixture(scope="module")
def pages():
    return {**all_pages(example().pages), **all_pages(example("ships").pages)}


@pytest.fixture(scope="module")
def built(pages):
    return build(pages, per_document=3)


def texts(candidates):
    return [one.text for one in candidates]


def test_years_keep_their_order_and_form():
    sentence = "He taught there from 1922 until 1926."
    for seed in range(30):
        found = circumstance_candidates(sentence, random.Random(seed), sentence, NOTHING)
        assert found
        for one in found:
            first, last = (int(w) for w in one.text.rstrip(".").split() if w.isdigit())
            assert first < last
            assert one.text != sentence


@pytest.mark.parametrize(
    ("sentence", "old"),
    [
        ("She left on 3 May 1901.", "3"),
        ("In July 1966 he flew again.", "July"),
        ("It took eight months to build.", "eight"),
        ("He gained 1,521 yards in all.", "1,521"),
        ("They came in the summer of the war.", "summer"),
    ],
)
def test_dates_and_numbers_keep_their_form(sentence, old):
    found = [
        edit
        for one in circumstance_candidates(sentence, random.Random(1), sentence, NOTHING)
        for edit in one.edits
        if edit.old == old
    ]
    assert found
    for edit in found:
        assert edit.new != old
        assert ("," in edit.new) == ("," in old)
        assert edit.new.isdigit() == old.isdigit()
        assert edit.new[0].isupper() == old[0].isupper()


def test_numbers_of_names_stay():
    sentence = "He flew on Apollo 11 with the Big Ten."
    assert not circumstance_candidates(sentence, random.Random(1), sentence, NOTHING)


def test_names_and_their_kinds():
    text = "He met Thomas Slade in Oslo. He joined the University of Rome and lived near Lund."
    found = {one.text: one.kind for one in mentions(text)}
    assert found == {
        "Thomas Slade": "he",
        "Oslo": "place perhaps",
        "University of Rome": "the university",
        "Lund": "place town",
    }
    text += " He was Swedish."
    other = "She saw John Moor in Rome. It was near his home in Turin. He was Swedish."
    pages = {"a": Page("a", text), "b": Page("b", f"{other} Mary Lee starred in Creed.")}
    corpus = Corpus.of(pages)
    person = next(one for one in mentions(text) if one.kind == "he")
    # Only names of other documents that do not stand in this one.
    assert corpus.others(person, "a") == ["John Moor"]
    place = next(one for one in mentions(text) if one.text == "Lund")
    assert corpus.others(place, "a") == ["Turin"]


def test_selection():
    text = (
        "Ann Lee was born in Oslo in 1900 and lived there for many years. "
        "She taught at a school in Rome for ten years before the war.\n\n"
        "- She wrote a list line of more than ten words about it\n"
        "Short one. “She said a thing that has more than ten words in it.”"
    )
    found = select_sentences(Page("Ann Lee", text), most=9)
    assert [one.sentence for one in found] == [
        "She taught at a school in Rome for ten years before the war."
    ]
    assert found[0].prefix == text[: text.index("She taught")]


def test_consistency():
    assert not _consistent("He ruled from 1926 until 1922.")
    assert not _consistent("Thomas Slade met Thomas Slade in Oslo.")
    assert _consistent("He ruled from 1922 until 1926 with Thomas Slade.")


def test_the_shipped_pages(built, pages):
    assert len(built.items) >= 90
    kinds = {one.type for item in built.items for one in item.contradictions}
    assert kinds == {"entity", "circumstance"}
    distances = []
    for item in built.items:
        assert len(item.contradictions) == 3
        page = pages[item.document].text
        assert page.startswith(item.prefix + item.completion)
        assert item.extra["filter"] == "builtin"
        for one in item.contradictions:
            edits = [Edit(e["from"], e["to"], tuple(e["span"])) for e in one.extra["edits"]]
            assert apply_edits(item.completion, edits) == one.text
            filters = one.extra["filters"]
            assert filters["support"] < filters["original"] - 0.12 + 1e-9
            distances.append(edit_distance(item.completion, one.text))
    assert sum(distances) / len(distances) <= 4
    trivial = baselines(built.items)
    assert max(found["accuracy_tie_credit"] for found in trivial.values()) <= 0.35


def test_seeds_and_limits(built, pages):
    assert build(pages, per_document=3).items == built.items
    fewer = build(pages, per_document=3, items=20)
    assert fewer.items == built.items[:20]
    assert build(pages, per_document=3, seed=1).items != built.items
    shuffled = dict(random.Random(1).sample(list(pages.items()), len(pages)))
    assert build(shuffled, per_document=3, items=20).items == fewer.items


def test_stages_are_journals(pages, tmp_path):
    some = {title: pages[title] for title in sorted(pages)[:8]}

    def run(folder, maker=None):
        how = BuildSettings(per_document=2)
        return asyncio.run(build_factor(some, settings=how, stages=folder, maker=maker))

    whole = run(tmp_path / "a")
    assert {p.stem for p in (tmp_path / "a").glob("*.jsonl")} == set(FORMS)

    calls = []

    class Breaks:
        settings = {"engine": "builtin"}

        async def make(self, selected):
            calls.append(selected.key)
            raise KeyboardInterrupt

    # What is there is not made again: the maker would raise.
    again = run(tmp_path / "a", Breaks())
    assert not calls
    assert again.items == whole.items


@pytest.mark.parametrize(
    ("stage", "odd"),
    [
        ("selection", {"sentences": [[0, "1", 2]]}),
        ("selection", {"sentences": [7]}),
        ("selection", {}),
        ("contradictions", {"candidates": [{"text": 1}], "statuses": {}}),
        ("contradictions", {"candidates": [], "statuses": {"ok": "x"}}),
        ("filters", {"judged": [{"type": "entity"}]}),
        ("choice", {"chosen": None}),
    ],
)
def test_a_damaged_journal_is_named(pages, tmp_path, stage, odd):
    some = {title: pages[title] for title in sorted(pages)[:2]}

    def run():
        return asyncio.run(build_factor(some, stages=tmp_path / "a"))

    run()
    path = tmp_path / "a" / f"{stage}.jsonl"
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    place = next(iter(FORMS[stage].model_fields))
    whole = [n for n, line in enumerate(lines) if place in line]
    lines[whole[0]] = {
        **{key: value for key, value in lines[whole[0]].items() if key not in
           FORMS[stage].model_fields}, **odd,
    }  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    with pytest.raises(RunError, match=rf"{stage}\.jsonl:1: not a line of a journal"):
        run()


def test_fluency_is_a_filter(pages):
    class Hates(UniformModel):
        async def score(self, context, continuations):
            from dataclasses import replace

            found = list(await super().score(context, continuations))
            return [found[0], *(replace(o, logprob=o.logprob - 9 * len(o.tokens))
                                for o in found[1:])]  # fmt: skip

    some = {title: pages[title] for title in sorted(pages)[:5]}
    strict = asyncio.run(build_factor(some, fluency=Hates()))
    assert not strict.items
    assert strict.about["drops"]["candidate: fluency"] > 0
    assert strict.about["filters"]["fluency"] == "on"
    even = asyncio.run(build_factor(some, fluency=UniformModel()))
    assert len(even.items) == len(build(some).items)


def test_an_entailment_model_is_a_filter():
    class Model:
        settings = {"model": "made up"}

        def contradiction(self, pairs):
            return [0.4 if " she " in second.lower() else 0.5 for _, second in pairs]

    text = "Ann Lee was a poet. In 1900 he joined the Navy in Oslo with his brother John."
    page = Page("Ann Lee", text)
    selected = Selected("Ann Lee", 1, text[:20], text[20:])
    changes = (("predicate", "joined", "left"), ("coreference", "he", "she"))
    candidates = [
        candidate(kind, selected.sentence, [Edit(old, new, (at, at + len(old)))])
        for kind, old, new in changes
        for at in [selected.sentence.index(old)]
    ]
    filters = Filters({"Ann Lee": page}, BuildSettings(), nli=Model())
    judged = asyncio.run(filters.judge(selected, candidates))
    assert {one.candidate.type: one.failed for one in judged} == {
        "predicate": "contradiction",  # .5 is below .6
        "coreference": "",  # .4 is above .3
    }


SENTENCE = "He won a medal in Rome in 1960."


@pytest.mark.parametrize(
    ("entry", "status"),
    [
        ({"edits": [{"from": "Rome", "to": "Oslo"}],
          "sentence": "He won a medal in Oslo in 1960."}, "kept"),
        ({"edits": [{"from": "Rome", "to": "Oslo"}]}, "no_sentence"),
        ({"sentence": "He won a medal in Oslo in 1960."}, "no_plan"),
        ({"edits": [], "sentence": "He won a medal in Oslo in 1960."}, "no_plan"),
        ({"edits": [{"from": "Rome", "to": "Oslo"}], "sentence": SENTENCE}, "unchanged"),
        ({"edits": [{"from": "Rome", "to": "Oslo"}],
          "sentence": "He won a medal in Oslo in 1964."}, "plan_mismatch"),
        ({"edits": [{"from": "Paris", "to": "Oslo"}],
          "sentence": "He won a medal in Oslo in 1960."}, "plan_mismatch"),
        ("He won a medal in Oslo.", "unparsed"),
    ],
)  # fmt: skip
def test_what_a_model_answers(entry, status):
    found, statuses = read_candidates(
        {"contradictions": [entry]}, SENTENCE, "circumstance", maker="toy"
    )
    assert statuses == {status: 1}
    assert len(found) == (status == "kept")


def test_repeated_and_none():
    entry = {"edits": [{"from": "Rome", "to": "Oslo"}],
             "sentence": "He won a medal in Oslo in 1960."}  # fmt: skip
    found, statuses = read_candidates(
        {"contradictions": [entry, entry]}, SENTENCE, "circumstance", maker="toy"
    )
    assert (len(found), statuses) == (1, {"kept": 1, "repeated": 1})
    assert read_candidates({"contradictions": []}, SENTENCE, "link", maker="toy") == (
        [], {"none": 1},
    )  # fmt: skip


def test_the_route_by_a_model(pages):
    """A scripted endpoint: plans, prose and nothing, each with its own status."""
    from dfactscore._asking.client import ChatClient
    from dfactscore._asking.settings import OpenAIModel
    from dfactscore._asking.transport import Transport
    from dfactscore.factor._build.makers import ModelMaker

    class Scripted(Transport):
        endpoint = "http://127.0.0.1/scripted"

        async def send(self, body):
            user = "\n".join(m["content"] for m in body["messages"] if m["role"] == "user")
            if "checks the form" in user:
                text = '{"1": true, "2": false}'
            elif "Kind of change: entity" in user:
                text = "I would rather talk about something else."
            elif "Kind of change: link" in user:
                text = '{"contradictions": []}'
            else:
                sentence = user.split("Sentence:\n")[1].split("\n")[0]
                word = sentence.split()[-1]
                false = [
                    {"edits": [{"from": word, "to": f"place{n}."}],
                     "sentence": sentence[: -len(word)] + f"place{n}."}
                    for n in range(2)
                ]  # fmt: skip
                text = json.dumps({"contradictions": false})
            return {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}

    client = ChatClient(OpenAIModel("toy", base_url="http://127.0.0.1/v1"), transport=Scripted())
    maker = ModelMaker(client, ("entity", "circumstance", "link"))
    some = {title: pages[title] for title in sorted(pages)[:4]}
    built = asyncio.run(build_factor(some, maker=maker))
    drops = built.about["drops"]
    assert drops["answer: unparsed"] == built.about["sentences"]
    assert drops["answer: none"] == built.about["sentences"]
    assert built.about["settings"]["engine"]["engine"] == "llm"
    assert set(built.about["candidates"]) <= {"circumstance"}


def test_the_commands(tmp_path):
    from typer.testing import CliRunner

    import dfactscore._cli.factor  # noqa: F401
    from dfactscore._cli.app import app

    def run(*args):
        return CliRunner().invoke(app, [str(arg) for arg in args])

    out = tmp_path / "built.jsonl"
    line = ["factor", "build", example().pages, "--out", out, "--per-document", 2, "--quiet"]
    assert run(*line).exit_code == 0
    first = out.read_bytes()
    assert run(*line, "--items", 5).exit_code == 0
    assert first.startswith(out.read_bytes())
    assert run(*line).exit_code == 0
    assert out.read_bytes() == first
    assert "choose another --out" in str(run(*line, "--seed", 3).exception)
    assert "did you mean entity" in str(
        run("factor", "build", example().pages, "--out", out, "--types", "entitty").exception
    )
    assert "--types link: made by a model only; add --engine llm" in str(
        run("factor", "build", example().pages, "--out", out, "--types", "link,entity").exception
    )
    info = json.loads(run("factor", "info", out, "--format", "json").stdout)
    assert info["drops"]
    assert info["items"] == len(read_factor(out).items)
    sample = run("factor", "info", out, "--sample", 10, "--for-people").stdout
    head, *rows = sample.splitlines()
    assert head.endswith("contradicts,fluent,consistent")
    filled = tmp_path / "filled.csv"
    filled.write_text(sample)
    assert "has no answers" in str(run("factor", "info", filled, "--read").exception)
    answers = [row.removesuffix(",,") + ",yes,no" if row.endswith(",,,") else row for row in rows]
    filled.write_text("\n".join([head, *(a.replace(",,yes", ",yes,yes") for a in answers)]))
    found = json.loads(run("factor", "info", filled, "--read", "--format", "json").stdout)
    assert found["contradicts"]["all"]["share"] == 1
    assert found["consistent"]["all"]["share"] == 0
