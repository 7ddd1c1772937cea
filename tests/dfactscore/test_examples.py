"""The shipped examples: whole, consistent with their gold, and ours."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from dfactscore._errors import InputError
from dfactscore._evidence.entities import gather_entities
from dfactscore._readers import biography_from_record, read_biographies
from dfactscore._records import Biography
from dfactscore._scorer.scorer import Scorer
from dfactscore._scoring import Record, judge, score_matrix, score_record
from dfactscore._text.remarks import is_abstention
from dfactscore._util.tasks import run_sync
from dfactscore.engines._roles import Decomposer, Engine, Grouper, Verifier
from dfactscore.examples import Example, example, example_names
from dfactscore.linking import SupportMatrix, bears_name
from dfactscore.retrieval import open_source

EXAMPLES = [example(name) for name in example_names()]
every_example = pytest.mark.parametrize("shipped", EXAMPLES, ids=lambda e: e.name)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def pages(shipped: Example) -> dict[str, dict[str, Any]]:
    return {row["title"]: row for row in rows(shipped.pages)}


def biographies(shipped: Example) -> tuple[Biography, ...]:
    reading = read_biographies(shipped.biographies)
    assert not reading.bad
    return reading.biographies


def pairs(shipped: Example) -> list[tuple[Biography, dict[str, Any]]]:
    gold = rows(shipped.gold)
    found = biographies(shipped)
    assert [b.id for b in found] == [g["id"] for g in gold]
    return list(zip(found, gold, strict=True))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def test_an_unknown_example_names_the_near_miss():
    with pytest.raises(InputError, match=r"no example 'poeple'; did you mean 'people'\?"):
        example("poeple")
    with pytest.raises(InputError, match="no example 'xyz' \\(known: people, ships\\)"):
        example("xyz")


@every_example
def test_pages_have_100_to_300_words_and_titles_of_their_own(shipped):
    found = rows(shipped.pages)
    titles = [t for row in found for t in (row["title"], *row.get("redirects", []))]
    assert len(titles) == len(set(titles))
    for row in found:
        assert set(row) <= {"title", "text", "redirects"}
        assert 100 <= len(row["text"].split()) <= 300, row["title"]


@every_example
def test_every_passage_stands_in_its_page_and_every_citation_names_one(shipped):
    known = pages(shipped)
    for biography in biographies(shipped):
        assert 3 <= len(biography.passages) <= 5
        assert len(set(biography.passages)) == len(biography.passages)
        for passage in biography.passages:
            assert passage.text in known[passage.title]["text"]
            assert 60 <= len(passage.text.split()) <= 100, (biography.id, passage.title)
        for citation in biography.citations:
            assert all(1 <= n <= len(biography.passages) for n in citation.numbers)


@every_example
def test_every_name_is_borne_by_at_least_two_pages(shipped):
    titles = pages(shipped)
    for name in {b.name for b in biographies(shipped)}:
        assert sum(bears_name(t, name) for t in titles) >= 2, name


def test_names_and_kinds_are_as_the_documentation_says():
    people, ships = (pairs(example(n)) for n in ("people", "ships"))
    assert len({b.name for b, _ in people}) == 12
    assert len({b.name for b, _ in ships}) == 4
    kinds = {"mixed": 12, "several": 7, "clean": 6, "abstained": 3, "off_target": 2}
    assert Counter(g["kind"] for _, g in people) == kinds
    kinds = {"mixed": 4, "several": 2, "clean": 2, "abstained": 1}
    assert Counter(g["kind"] for _, g in ships) == kinds


@every_example
def test_gold_sentences_are_the_text(shipped):
    for biography, gold in pairs(shipped):
        joined = " ".join(s["text"] for s in gold["sentences"])
        assert joined == " ".join(biography.text.split())
        for index, sentence in enumerate(gold["sentences"]):
            facts = [f for f in gold["facts"] if f["sentence"] == index]
            assert sentence["individuals"] == list(dict.fromkeys(f["individual"] for f in facts))
            entities = dict.fromkeys(e for f in facts for e in f["entities"])
            assert sentence["entities"] == list(entities)


@every_example
def test_gold_indices_and_titles_are_valid(shipped):
    for biography, gold in pairs(shipped):
        retrieved = {p.title for p in biography.passages}
        individuals = [f["individual"] for f in gold["facts"]]
        assert sorted(set(individuals)) == list(range(gold["n_bio"] or 0))
        assert individuals == sorted(individuals)
        sentences = [f["sentence"] for f in gold["facts"]]
        assert sentences == sorted(sentences)
        assert all(0 <= i < len(gold["sentences"]) for i in sentences)
        for fact in gold["facts"]:
            assert set(fact["entities"]) <= retrieved


@every_example
def test_supported_facts_share_their_words_with_the_page_and_not_with_a_namesake(shipped):
    """A fact is built of its page's words; the pages of namesakes lack some of them."""
    known = {title: set(words(row["text"])) for title, row in pages(shipped).items()}
    for biography, gold in pairs(shipped):
        common = set(words(biography.name)) | {
            "the",
            "a",
            "an",
            "of",
            "in",
            "on",
            "was",
            "and",
            "s",
        }
        for fact in gold["facts"]:
            content = set(words(fact["text"])) - common
            for title in fact["entities"]:
                assert len(content & known[title]) >= 0.5 * len(content), (title, fact["text"])
            if gold["id"].endswith("-hard"):  # there a namesake's page holds the same words
                continue
            for title in {p.title for p in biography.passages} - set(fact["entities"]):
                assert content - known[title], (title, fact["text"])


@every_example
def test_numbers_in_supported_facts_stand_in_the_page(shipped):
    known = pages(shipped)
    for _, gold in pairs(shipped):
        for fact in gold["facts"]:
            for title in fact["entities"]:
                text = known[title]["title"] + known[title]["text"]
                for number in re.findall(r"\d[\d,]*", fact["text"]):
                    assert number.rstrip(",") in text, (title, fact["text"])


@every_example
def test_gold_scores_follow_from_the_gold_facts(shipped):
    for biography, gold in pairs(shipped):
        facts = gold["facts"]
        assert (gold["kind"] == "abstained") == (not facts)
        if not facts:
            assert gold["fs"] is gold["dfs"] is gold["n_bio"] is gold["n_ent"] is None
            continue
        titles = list(dict.fromkeys(p.title for p in biography.passages))
        support = np.array([[t in f["entities"] for t in titles] for f in facts])
        groups = [
            [i for i, f in enumerate(facts) if f["individual"] == k] for k in range(gold["n_bio"])
        ]
        scores = score_matrix(SupportMatrix.from_support(support, titles), groups)
        assert scores.fs == pytest.approx(gold["fs"], abs=1e-6)
        assert scores.dfs == pytest.approx(gold["dfs"], abs=1e-6)
        assert (scores.n_bio, scores.n_ent) == (gold["n_bio"], gold["n_ent"])
        assert scores.category == gold["category"]
        linked = [None if link.entity is None else titles[link.entity] for link in scores.links]
        assert linked == gold["links"]


class Unwanted(Decomposer, Grouper, Verifier):
    """A role that must not be asked: the record brings its stages along."""

    settings: ClassVar[dict[str, Any]] = {}
    threshold = None

    def decompose(self, *_: object) -> Any:
        raise AssertionError("the facts are given")

    def group(self, *_: object) -> Any:
        raise AssertionError("the groups are given")

    def verify(self, *_: object) -> Any:
        raise AssertionError("the verdicts are given")


@every_example
def test_the_pipeline_scores_gold_stages_as_gold_says(shipped):
    engine = Engine(Unwanted(), Unwanted(), Unwanted())
    source = open_source(shipped.pages)
    records = {row["id"]: row for row in rows(shipped.biographies)}
    for biography, gold in pairs(shipped):
        gathered = gather_entities(biography, source)
        assert not gathered.missing
        record = dict(records[gold["id"]])
        if gold["facts"]:
            record["facts"] = [
                {"text": f["text"], "sentence": f["sentence"]} for f in gold["facts"]
            ]
            record["groups"] = [
                {
                    "facts": [i for i, f in enumerate(gold["facts"]) if f["individual"] == k],
                    "bears_name": bears,
                }
                for k, bears in enumerate(gold["bears_name"])
            ]
            record["verdicts"] = {
                e.id: [e.id in f["entities"] for f in gold["facts"]] for e in gathered.entities
            }
        start = Record(biography_from_record(record), entities=gathered.entities)
        scored = score_record(run_sync(judge(start, engine)))
        assert scored.off_target == (gold["kind"] == "off_target")
        if gold["kind"] == "abstained":
            assert scored.status == "abstained"
            assert scored.scores is None
            continue
        assert scored.scores is not None
        assert scored.scores.fs == pytest.approx(gold["fs"], abs=1e-6)
        assert scored.scores.dfs == pytest.approx(gold["dfs"], abs=1e-6)
        assert scored.scores.category == gold["category"]
        if gold["kind"] == "off_target":
            assert scored.scores.n_bio_named == scored.scores.n_ent_named == 0


@every_example
def test_gold_scores_show_what_each_kind_is_for(shipped):
    for biography, gold in pairs(shipped):
        if gold["kind"] == "mixed":
            assert gold["fs"] == 1
            assert gold["fs"] - gold["dfs"] >= 0.3, gold["id"]
            assert gold["category"] == "one_bio_several_ents"
        elif gold["kind"] == "clean":
            assert gold["fs"] == gold["dfs"]
            assert gold["n_bio"] == gold["n_ent"] == 1
        elif gold["kind"] == "off_target":
            assert not any(bears_name(title, biography.name) for title in gold["links"])
        elif gold["kind"] == "several":
            assert gold["n_bio"] >= 2


@every_example
def test_only_the_abstained_are_recognized_as_abstentions(shipped):
    for biography, gold in pairs(shipped):
        assert is_abstention(biography.text) == (gold["kind"] == "abstained"), gold["id"]


def builtin(shipped: Example) -> list[tuple[Any, dict[str, Any]]]:
    """Each text as the built-in engine scores it against the pages, with its gold."""
    found = Scorer(pages=str(shipped.pages)).score_many(biographies(shipped))
    return list(zip(found, rows(shipped.gold), strict=True))


@every_example
def test_the_builtin_engine_shows_the_gap_of_every_mixed_text(shipped):
    mixed = [(r, g) for r, g in builtin(shipped) if g["kind"] == "mixed"]
    assert mixed
    for result, gold in mixed:
        # A year is a fact of its own, so that one clause that is missed counts twice.
        assert result.fs >= 0.8, gold["id"]
        assert result.fs - result.dfs >= 0.2, gold["id"]
        assert result.n_ent == gold["n_ent"], gold["id"]


@every_example
def test_the_builtin_engine_sees_no_gap_where_one_individual_is_one_entity(shipped):
    for result, gold in builtin(shipped):
        if gold["kind"] in ("clean", "off_target"):
            scores = result.scores
            assert scores.fs_verdicts == scores.dfs_verdicts, gold["id"]
            assert result.n_ent == 1, gold["id"]
            assert scores.fs_verdicts == pytest.approx(gold["fs"], abs=0.15), gold["id"]


@every_example
def test_the_builtin_engine_comes_close_to_gold(shipped):
    scored = [(r, g) for r, g in builtin(shipped) if g["kind"] != "abstained"]
    assert all(r.status == "scored" for r, _ in scored)
    assert np.mean([abs(r.fs - g["fs"]) for r, g in scored]) <= 0.05
    assert np.mean([abs(r.dfs - g["dfs"]) for r, g in scored]) <= 0.12
    assert np.mean([r.n_bio == g["n_bio"] for r, g in scored]) >= 0.85


@every_example
def test_abstentions_are_not_scored(shipped):
    for result, gold in builtin(shipped):
        assert (result.status == "abstained") == (gold["kind"] == "abstained"), gold["id"]


def test_the_texts_about_others_are_off_target():
    for result, gold in builtin(example("people")):
        if gold["kind"] != "several":
            assert result.record.off_target == (gold["kind"] == "off_target"), gold["id"]


@pytest.mark.data
def test_nothing_is_taken_from_the_measurement_data(data):
    """No eight words in a row are shared with the Wikipedia passages or the released outputs."""

    def grams(text: str) -> set[tuple[str, ...]]:
        found = words(text)
        return {tuple(found[i : i + 8]) for i in range(len(found) - 7)}

    ours: dict[tuple[str, ...], str] = {}
    for shipped in EXAMPLES:
        for title, row in pages(shipped).items():
            ours |= dict.fromkeys(grams(row["text"]), title)
        for biography in biographies(shipped):
            ours |= dict.fromkeys(grams(biography.text), biography.id)
    assert len(ours) > 5000
    folder = data / "dfactscore"
    theirs = [row["text"] for row in rows(folder / "passages.jsonl")]
    for file in sorted(folder.glob("alce_*.json")):
        for item in json.loads(file.read_text(encoding="utf-8"))["data"]:
            theirs += [item["output"], *(d["text"] for d in item["docs"])]
    assert len(theirs) > 2000
    shared = {(ours[g], " ".join(g)) for text in theirs for g in grams(text) if g in ours}
    assert not shared
