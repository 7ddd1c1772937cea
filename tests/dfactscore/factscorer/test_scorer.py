"""The class: signature, arguments, pages, unread answers, keys."""

from __future__ import annotations

import asyncio
import inspect
import json

import numpy as np
import pytest

from dfactscore._errors import InputError, LanguageWarning
from dfactscore.factscorer import FactScorer

TEXT = "Ann Lee is an English painter. She was born in 1871."


def test_signatures():
    def defaults(function):
        return [
            (p.name, p.default) for p in inspect.signature(function).parameters.values()
            if p.name != "self" and p.kind is p.POSITIONAL_OR_KEYWORD
        ]  # fmt: skip

    assert defaults(FactScorer.__init__) == [
        ("model_name", "retrieval+builtin"),
        ("data_dir", ".cache/factscore"),
        ("model_dir", ".cache/factscore"),
        ("cache_dir", ".cache/factscore"),
        ("openai_key", "api.key"),
        ("cost_estimate", "consider_cache"),
        ("abstain_detection_type", None),
        ("batch_size", 256),
    ]
    assert defaults(FactScorer.get_score) == [
        ("topics", inspect.Parameter.empty),
        ("generations", inspect.Parameter.empty),
        ("gamma", 10),
        ("atomic_facts", None),
        ("knowledge_source", None),
        ("verbose", False),
    ]
    assert defaults(FactScorer.register_knowledge_source) == [
        ("name", "enwiki-20230401"), ("db_path", None), ("data_path", None),
    ]  # fmt: skip


def test_a_source_of_json_lines_is_built_and_used_at_once(scorer, pages_file, tmp_path):
    fs = scorer()
    fs.register_knowledge_source("mine", data_path=pages_file, db_path=tmp_path / "mine.db")
    out = fs.get_score("Ann Lee", TEXT, 0, knowledge_source="mine")
    (decisions,) = out["decisions"]
    assert [one["is_supported"] for one in decisions] == [
        "1871" not in one["atom"] for one in decisions
    ]
    assert out["score"] == pytest.approx(1 - 1 / len(decisions))
    again = scorer()
    again.register_knowledge_source("mine", tmp_path / "mine.db")
    assert again.get_score("Ann Lee", TEXT, 0, knowledge_source="mine") == out
    with pytest.raises(InputError, match="'mine' is registered already"):
        fs.register_knowledge_source("mine")


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_any_sequence(scorer, kind):
    import pandas as pd

    fs = scorer({"Ann Lee": "Ann Lee (born 1950) is an English painter."})
    out = fs.get_score(kind(["Ann Lee"]), kind([TEXT]), knowledge_source="mine")
    series = fs.get_score(pd.Series(["Ann Lee"]), pd.Series([TEXT]), knowledge_source="mine")
    assert out == series == fs.get_score("Ann Lee", TEXT, knowledge_source="mine")
    assert all(type(one["is_supported"]) is bool for one in out["decisions"][0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["A"], ["x", "y"]), "1 topics for 2 generations"),
        (("A", ["x"]), "topics is a string and generations is not"),
        ((["A"], "x"), "generations is a string and topics is not"),
        ((["A", 3], ["x", "y"]), r"topics\[1\]: expected a string, found 3"),
        ((["A"], [None]), r"generations\[0\]: expected a string, found None"),
        ((["A"], ["x"], 10, [["f", 7]]), r"atomic_facts\[0\]\[1\]: expected a string, found 7"),
        ((["A"], ["x"], 10, [["f"], []]), "atomic_facts: 2 entries for 1 texts"),
        ((["A"], ["x"], 10, ["f", "g"]), None),
        ((["A"], ["x"], "ten"), "gamma: expected a number"),
        ((["A"], ["x"], -1), "gamma: expected a number"),
        ((["A"], ["x"], 10, None, "min"), "'min' is not registered; did you mean mine?"),
        ((None, ["x"], 10, None, "mine"), "topics=None needs an index"),
    ],
)
def test_mistakes_name_argument_index_and_value(scorer, arguments, message):
    fs = scorer({"A": "A page."})
    arguments = (*arguments, None, None, "mine")[: max(len(arguments), 2)]
    call = (lambda: fs.get_score(*arguments)) if len(arguments) > 4 else (
        lambda: fs.get_score(*arguments, knowledge_source="mine"))  # fmt: skip
    if message is None:
        call()
        return
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model_name": "retrieval+llama+npm"}, "nonparametric model .* use 'retrieval\\+builtin'"),
        ({"is_npm": True}, "nonparametric model"),
        ({"model_name": "retrieval+bultin"}, "did you mean retrieval\\+builtin"),
        ({"model_name": "retrieval+ChatGPT"}, "needs a language model: .* 'retrieval\\+builtin'"),
        ({"model": "gpt"}, "expected OpenAIModel"),
        ({"missing": "skp"}, "missing: 'skp' is unknown; did you mean skip"),
        ({"abstain_detection_type": "x"}, "abstain_detection_type"),
    ],
)
def test_models_that_are_not_there(options, message, monkeypatch):
    monkeypatch.delenv("DFACTSCORE_MODEL", raising=False)
    with pytest.raises(InputError, match=message):
        FactScorer(**options)


def test_what_changes_nothing_is_said():
    with pytest.warns(UserWarning, match="cost_estimate, batch_size, is_logits: accepted"):
        FactScorer(cost_estimate="ignore_cache", batch_size=8, is_logits=True)


def test_missing_pages_are_found_before_anything_is_judged(scorer):
    fs = scorer({"Ann Lee (painter)": "A page.", "Bob": "B."}, {0: [1]})
    with pytest.raises(InputError) as problem:
        fs.get_score(["Ann Lee", "Bob", "Zed"], ["x"] * 3, 10, [["a"]] * 3, "mine")
    assert "2 of 3 topics have no page" in str(problem.value)
    assert "no page 'Ann Lee'; near titles: Ann Lee (painter)" in str(problem.value)
    assert "no page 'Zed'" in str(problem.value)


def test_missing_pages_can_be_skipped_or_counted(scorer):
    args = (["Bob", "Zed"], ["x", "y"], 0, [["a"], ["b"]], "mine")
    with pytest.warns(UserWarning, match="no page 'Zed'"):
        out = scorer({"Bob": "B."}, {0: [1]}, missing="skip").get_score(*args)
    assert (out["score"], out["respond_ratio"], out["decisions"][1]) == (1, 1, None)
    with pytest.warns(UserWarning, match="no page 'Zed'"):
        out = scorer({"Bob": "B."}, {0: [1]}, missing="unsupported").get_score(*args)
    assert (out["score"], out["respond_ratio"]) == (0.5, 1)
    assert out["decisions"][1] == [{"atom": "b", "is_supported": False, "support": 0.0}]


def test_titles_match_in_normal_form_and_never_by_a_guess(scorer):
    fs = scorer({"Ann Lee": "Ann Lee is a painter."})
    for topic in ("Ann_Lee", "  Ann   Lee", "ann Lee"):
        fs.get_score(topic, "Ann Lee is a painter.", knowledge_source="mine")
    with pytest.raises(InputError, match="no page 'Ann Leee'"):
        fs.get_score("Ann Leee", "x", knowledge_source="mine")


def test_pages_without_text_support_nothing_and_are_reported(scorer, pages_file, tmp_path):
    fs = scorer(verdicts={0: [1]})
    fs.register_knowledge_source("mine", tmp_path / "p.db", pages_file)
    with pytest.warns(UserWarning, match="pages without text.*: Cy Moe"):
        out = fs.get_score("Cy Moe", "x", 0, ["a fact"], "mine")
    assert out["score"] == 0


def test_answers_that_cannot_be_read_are_no_support_and_counted(scorer):
    fs = scorer({"A": "A page."}, {0: ["", True, "", False]})
    with pytest.warns(UserWarning, match="2 verdicts are unreadable"):
        out = fs.get_score("A", "x", 0, list("abcd"), "mine")
    assert out["score"] == 0.25
    assert fs.results.summary.coverage_fs == 0.5


def test_facts_are_stripped_and_blank_ones_left_out(scorer):
    fs = scorer({"A": "A page."}, {0: [1], 1: [], 2: []})
    out = fs.get_score(["A"] * 3, ["x"] * 3, 0, [["  a ", " "], [" "], []], "mine")
    assert out["decisions"] == [[{"atom": "a", "is_supported": True, "support": 1.0}], None, None]


def test_abstentions(scorer):
    texts = ["I'm sorry, I do not know Ann Lee.", "Please provide more details.",
             "I couldn't find any information about Ann Lee.", "Ann Lee is a painter."]  # fmt: skip
    found = {}
    for kind in ("generic", "perplexity_ai"):
        fs = scorer({"A": "Ann Lee is a painter."}, abstain_detection_type=kind)
        out = fs.get_score(["A"] * 4, texts, 0, knowledge_source="mine")
        found[kind] = [d is None for d in out["decisions"]]
        assert {r.status for r in fs.results} <= {"abstained", "scored", "no_facts"}
    assert found["generic"][:2] == [True, True]
    assert found["perplexity_ai"] == [True, True, True, False]


def test_inside_a_running_loop(scorer):
    fs = scorer({"A": "A page."}, {0: [1]})

    async def both():
        one = await fs.aget_score("A", "x", 0, ["a"], "mine")
        return one, fs.get_score("A", "x", 0, ["a"], "mine")

    assert len({json.dumps(out) for out in asyncio.run(both())}) == 1


def test_results_and_frames(scorer):
    fs = scorer({"Ann Lee": "Ann Lee (born 1950) is an English painter."})
    fs.get_score("Ann Lee", TEXT, knowledge_source="mine")
    assert fs.results[0].facts[0].evidence is not None
    assert list(fs.frames().cells["status"])[-1] == "not_supported"
    fs.save_cache()


def test_five_passages_of_the_page(scorer):
    page = " ".join(f"Word{i} stands here." for i in range(400)) + " Ann Lee was born in 1950."
    fs = scorer({"Ann Lee": page}, evidence="top5")
    out = fs.get_score("Ann Lee", "x", 0, ["Ann Lee was born in 1950."], "mine")
    assert out["score"] == 1
    result = fs.results[0]
    assert "born in 1950" in result.facts[0].evidence


def test_old_retrieval_is_read_and_pickles_are_not(scorer, tmp_path, capsys):
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "ChatGPT.pkl").write_bytes(b"not opened")
    passage = {"title": "Ann Lee", "text": "<s>Ann Lee was born in 1871.</s><s>She died.</s>"}
    known = {"Ann Lee#Ann Lee She was born in 1871.": [passage]}
    (cache / "retrieval-mine.json").write_text(json.dumps(known))
    args = ("Ann Lee", "x", 0, ["She was born in 1871."], "mine")
    pages = {"Ann Lee": "Ann Lee is a painter."}
    assert scorer(pages).get_score(*args)["score"] == 0
    assert "ChatGPT.pkl: pickled caches are not read" in capsys.readouterr().err
    assert scorer(pages, reuse_retrieval=True).get_score(*args)["score"] == 1


def test_dscore_has_the_released_keys(scorer):
    docs = [
        {"title": "Ann Lee (painter)", "text": "Ann Lee (born 1950) is an English painter."},
        {"title": "Ann Lee (rower)", "text": "Ann Lee is a rower. She rowed in 1996."},
    ]
    text = "Ann Lee is an English painter. She rowed in 1996."
    fs = scorer({d["title"]: d["text"] for d in docs})
    out = fs.get_dscore("Ann Lee", text, docs=docs)
    assert list(out) == [
        "score", "respond_ratio", "decisions", "num_facts_per_response", "init_score",
        "global_score", "init_global_score", "global_decisions", "num_groups",
        "num_supporting_topics",
    ]  # fmt: skip
    assert out["init_score"] == 1
    assert out["init_global_score"] < 1
    assert out["num_supporting_topics"] == 2
    linked = [d["supporting_topic"] for d in out["global_decisions"][0] if d["is_supported"]]
    assert set(linked) == {"Ann Lee (painter)"}
    titles = fs.get_dscore(["Ann Lee"], [text], docs=[[d["title"] for d in docs]],
                           knowledge_source="mine")  # fmt: skip
    assert titles == out
    with pytest.raises(InputError, match="docs: 1 titles have no page: no page 'Nowhere'"):
        fs.get_dscore("Ann Lee", text, docs=["Nowhere"], knowledge_source="mine")


def test_the_shipped_example_scores_as_on_the_command_line(scorer):
    from dfactscore import Scorer, read_biographies
    from dfactscore.examples import example
    from dfactscore.retrieval import open_source

    people = example("people")
    pages = open_source(str(people.pages))
    texts = {}
    records = []
    for one in read_biographies(people.biographies).biographies:
        if one.passages:
            texts.setdefault(one.name, pages.lookup(one.passages[0].title).text)
            passage = {"title": one.name, "text": texts[one.name]}
            records.append({"id": one.id, "name": one.name, "text": one.text,
                            "passages": [passage]})  # fmt: skip
    for counts in (None, "verdicts"):
        expected = Scorer(counts=counts).score_many(records).summary
        out = scorer(texts, counts=counts).get_score(
            [r["name"] for r in records], [r["text"] for r in records], 0, None, "mine"
        )
        assert out["score"] == pytest.approx(expected.fs, abs=1e-9)
        assert out.get("score_verdicts", expected.fs) == pytest.approx(
            expected.fs if counts else expected.fs_verdicts, abs=1e-9
        )


def test_the_key_is_taken_from_a_file_and_written_nowhere(scorer, tmp_path, monkeypatch, capsys):
    import os

    monkeypatch.setenv("OPENAI_API_KEY", "")
    file = tmp_path / "api.key"
    file.write_text("sk-secret-1\nmore\n")
    fs = scorer({"A": "A page."}, {0: [1]}, openai_key=file)
    assert os.environ["OPENAI_API_KEY"] == "sk-secret-1"
    fs.get_score("A", "x", 0, ["a"], "mine", True)
    written = b"".join(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file() and p != file)
    out = capsys.readouterr()
    assert b"sk-secret-1" not in written
    assert "sk-secret-1" not in out.out + out.err + repr(vars(fs))
    scorer(openai_key="")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-env")
    scorer(openai_key=file)
    assert os.environ["OPENAI_API_KEY"] == "sk-env"


def test_an_index_finds_the_page_of_each_text(scorer, tmp_path, capsys):
    from dfactscore.retrieval import Passage
    from dfactscore.retrieval._build import BuildOptions, build_index

    rows = [("Ann Lee", "Ann Lee (born 1950) is an English painter."), ("Bob Ray", "A rower.")]
    passages = [Passage(title, text, str(i)) for i, (title, text) in enumerate(rows)]
    build_index(passages, tmp_path / "index", BuildOptions(kind="bm25"))
    fs = scorer()
    fs.register_knowledge_source("index", db_path=tmp_path / "index")
    texts = ["Bob Ray was a rower.", "Ann Lee is an English painter."]
    out = fs.get_score(None, texts, 0, knowledge_source="index")
    assert out["score"] == 1
    assert [result.name for result in fs.results] == ["Bob Ray", "Ann Lee"]
    assert "text 1: judged against 'Ann Lee'" in capsys.readouterr().err


def test_who_abstains_has_not_answered_whatever_is_missing(scorer):
    topics, facts = ["Bob", "Zed", "Zed", "Bob"], [["a"], None, ["b"], []]
    with pytest.warns(UserWarning, match="1 of 2 topics have no page"):
        out = scorer({"Bob": "B."}, {0: [1], 3: []}, missing="skip").get_score(
            topics, ["x"] * 4, 0, facts, "mine"
        )
    assert (out["score"], out["respond_ratio"]) == (1, 0.75)
    texts = ["Bob is a painter.", "I could not find any information about Zed.", "Zed is a poet."]
    with pytest.warns(UserWarning, match="no page 'Zed'"):
        out = scorer({"Bob": "Bob is a painter."}, missing="skip").get_score(
            topics[:3], texts, 0, knowledge_source="mine"
        )
    assert out["respond_ratio"] == pytest.approx(2 / 3)


def test_another_language_is_an_answer_that_is_said_not_to_be_scored(scorer):
    german = (
        "Bob Roe war ein deutscher Maler und Bildhauer. Er wurde im Jahre 1950 in Berlin geboren "
        "und studierte an der Hochschule der Künste, bevor er nach Köln zog."
    )
    fs = scorer({"Bob Roe": "Bob Roe is a painter."})
    with pytest.warns(LanguageWarning, match="1 of 2 texts was not scored: it looks German"):
        out = fs.get_score(["Bob Roe"] * 2, [german, "Bob Roe is a painter."], 0, None, "mine")
    assert (out["score"], out["respond_ratio"]) == (1, 1)
    assert out["decisions"][0] is None
    docs = [[{"title": "Bob Roe", "text": "Bob Roe is a painter."}]]
    with pytest.warns(LanguageWarning):
        out = fs.get_dscore(["Bob Roe"], [german], 0, None, docs, "mine")
    assert (out["score"], out["respond_ratio"]) == (None, 1)


def test_many_missing_topics_are_counted_first_and_listed_in_a_file(scorer, tmp_path):
    fs = scorer({"Bob": "B."})
    topics = [f"Zed {number}" for number in range(30)]
    with pytest.raises(InputError) as problem:
        fs.get_score(["Bob", *topics], ["x"] * 31, 0, [["a"]] * 31, "mine")
    said = str(problem.value)
    assert said.startswith("mine: 30 of 31 topics have no page: no page 'Zed 0'")
    assert said.count("no page '") == 10
    assert "--missing skip" in said
    file = tmp_path / "cache" / "missing-mine.txt"
    assert str(file) in said
    assert len(file.read_text().splitlines()) == 30
    with pytest.raises(InputError, match=r"docs: 30 titles have no page.*and 20 more"):
        fs.get_dscore(["Bob"], ["x"], 0, [["a"]], [topics], "mine")


@pytest.mark.parametrize("format", ["store", "factscore"])
def test_a_database_of_other_pages_is_refused(scorer, pages_file, tmp_path, format):
    fs = scorer()
    fs.register_knowledge_source("one", tmp_path / "p.db", pages_file, format=format)
    fs.register_knowledge_source("same", tmp_path / "p.db", pages_file)
    with pages_file.open("a") as file:
        file.write('\n{"title": "New Roe", "text": "New."}\n')
    with pytest.raises(InputError, match=r"p\.db was built from another version"):
        fs.register_knowledge_source("two", tmp_path / "p.db", pages_file)
    fs.register_knowledge_source("three", tmp_path / "q.db", pages_file)
    pages_file.unlink()
    fs.register_knowledge_source("four", tmp_path / "p.db", pages_file)


def test_the_answer_alone_is_scored():
    scorer = FactScorer(counts="verdicts")
    scorer.add_pages("mine", {"Ann Lee": "Ann Lee is an English painter."})
    texts = ["<think>Ann Lee rowed.</think>Ann Lee is a painter [1].", "<think>Ann Lee rowed."]
    with pytest.warns(UserWarning, match=r"cut from 2 of 2 texts: thoughts \(2\)"):
        out = scorer.get_score(["Ann Lee"] * 2, texts, gamma=0, knowledge_source="mine")
    assert (out["score"], out["respond_ratio"]) == (1.0, 0.5)
    assert out["decisions"][1] is None
