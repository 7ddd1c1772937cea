"""The signature of scores: the same line wherever scores are shown, and explained by field."""

from __future__ import annotations

import json
import re

import pytest

from dfactscore import Scorer, compare
from dfactscore._errors import InputError
from dfactscore._report import write_report
from dfactscore._results.signature import explain_signature, signature_lines, signature_of
from dfactscore._runs.rescore import rescore
from dfactscore.correct import correct

PAGES = {
    "Ann Lee (painter)": "Ann Lee (born 1950) is an English painter of landscapes.",
    "Ann Lee (rower)": "Ann Lee (born 1971) is a rower. She rowed for Canada in 1996.",
}
TEXT = "Ann Lee is an English painter. She rowed for Canada in 1996."
BUILTIN = {"name": "builtin"}


def manifest(**settings):
    roles = dict.fromkeys(("decomposer", "grouper", "verifier"), BUILTIN)
    return {"versions": {"dfactscore": "9.1"}, "settings": {**roles, **settings}}


@pytest.fixture(scope="module")
def results():
    records = [{"id": str(i), "name": "Ann Lee", "text": TEXT} for i in range(12)]
    return Scorer(pages=PAGES).score_many(records)


def test_every_view_of_scores_has_the_same_signature(results, tmp_path):
    folder = results.save(tmp_path / "run")
    signature = results.signature
    assert signature == signature_of(json.loads((folder / "manifest.json").read_text()))
    assert signature == rescore(folder).signature
    table = compare(folder, tests=False, resamples=100)
    assert list(json.loads(table.to_json())["signatures"].values()) == [signature]
    corrected = correct(folder, by=folder / "scores.csv")
    assert corrected.signatures == (f"signature: {signature}",)
    assert "F1@64" in corrected.to_text(columns=["all"])
    markdown = signature.replace("|", "\\|")
    latex = signature.replace("|", r"\textbar{}")
    for shown, line in (
        (str(results), signature),
        (results._repr_html_(), signature),
        (table.to_text(width=300), signature),
        (table.to_markdown(), markdown),
        (table.to_latex(), latex),
        (table.to_latex(caption=""), f"% signature: {signature}"),
        (corrected.to_text(width=300), signature),
        (corrected.to_json(), signature),
        (write_report(folder).read_text(), json.dumps(signature)),
    ):
        assert line in shown


def test_results_that_no_scorer_made_have_none(results):
    made = type(results)(list(results))
    assert made.signature == ""
    assert "signature" not in str(made) + made._repr_html_()


def test_an_option_that_changes_scores_changes_the_signature(results, tmp_path):
    folder = results.save(tmp_path / "run")
    changes = (
        {"link": "hungarian"}, {"counts": "verdicts"}, {"unreadable": "exclude"}, {"gamma": 10.0},
        {"irrelevant": "exclude"}, {"threshold": 0.5}, {"min_foreign": 1},
        {"keep_repeats": True}, {"candidates": "named"},
    )  # fmt: skip
    found = {rescore(folder, **change).signature for change in changes}
    assert len(found | {results.signature}) == len(changes) + 1
    for signature in found:
        explain_signature(signature)


def test_the_digest_is_that_of_the_engine():
    def engine(**verifier):
        judge = {"name": "llm-verifier", "model": "m", "prompt": "a", **verifier}
        return signature_of(manifest(verifier=judge)).split(" | ")[1]

    assert engine() == engine(endpoint="http://127.0.0.1:1/v1") == engine(sample=3)
    assert engine() != engine(prompt="b")
    assert engine() != engine(inner={"model": "m2"})


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"evidence": "passages", "snapshots": {"verification": ["2018-12-20"]}},
         "evidence passages 2018-12-20"),
        ({"evidence": "page", "pages": {"kind": "jsonl", "sha256": "d79437aa", "snapshot": ""}},
         "evidence pages jsonl/d79437"),
        ({"evidence": "page", "pages": {"kind": "store", "source": "enwiki.xml"},
          "snapshots": {"verification": ["2024-01-01"]}},
         "evidence pages store/enwiki.xml 2024-01-01"),
        ({"verifier": {"name": "safe", "search": {"service": "serper"}}, "evidence": "passages"},
         "evidence search serper"),
        ({"verifier": {**BUILTIN, "fs_scope": {"scope": "corpus", "method": "bm25",
          "index": "0a1b2c3d", "snapshot": "2018-12-20"}}}, "fs corpus bm25/0a1b2c 2018-12-20"),
        ({"verifier": {"name": "llm-verifier", "model": "a/b-7B", "endpoint": "http://h/v1"}},
         "judge a/b-7B (llm-verifier)"),
        ({"sample": {"n": 30, "of": 100, "seed": 1}}, "sample 30/100 seed 1"),
        ({"language": "any"}, "language any"),
    ],
)  # fmt: skip
def test_parts(settings, part):
    signature = signature_of(manifest(**settings))
    assert part in signature.split(" | ")
    assert part.partition(" ")[2] in [str(row[1]) for row in explain_signature(signature).rows]


TRANSFORMER = {"model": "tiny", "sha256": "0a", "bos": "auto", "endpoint": "http://h/v1"}


@pytest.mark.parametrize(
    ("command", "source", "settings", "signature"),
    [
        ("citations", {"limit": 9}, {"entailer": "verifier", "name": "builtin", "precision": True},
         "dfactscore 9.1 | entailer builtin/DIGEST | limit 9"),
        ("citations", {}, {"entailer": "nli", "model": "a/b", "sha256": "1"},
         "dfactscore 9.1 | entailer nli/DIGEST | judge a/b (nli)"),
        ("citations", {}, {"entailer": "verifier", "name": "llm-verifier", "model": "m",
         "endpoint": "http://h/v1"},
         "dfactscore 9.1 | entailer llm/DIGEST | judge m (llm-verifier)"),
        ("citations", {}, {"entailer": "judged"}, "dfactscore 9.1 | entailer judged"),
        ("factor score", {"file": "a.csv", "sha256": "0123456789"},
         {"column": "full_prefix", "model": TRANSFORMER, "normalize": "sum", "policy": "exclude",
          "contexts": ["gold", "retrieved"], "index": "fedcba9876", "limit": None},
         "dfactscore 9.1 | items a.csv/012345 | prefix full_prefix | model tiny/DIGEST | "
         "normalize sum | policy exclude | before gold+retrieved | index fedcba"),
        ("factor score", {}, {"column": "prefix", "retrieval": {"index": "fedcba9876"}},
         "dfactscore 9.1 | index fedcba"),
    ],
)  # fmt: skip
def test_other_commands_have_fields_of_their_own(command, source, settings, signature):
    manifest = {"command": command, "input": source, "settings": settings,
                "versions": {"dfactscore": "9.1"}}  # fmt: skip
    found = signature_of(manifest)
    assert re.sub("/[0-9a-f]{6}(?= |$)(?<!012345)", "/DIGEST", found) == signature
    assert len(explain_signature(found).rows) == found.count("|") + 1
    settings = {**settings, "precision": False}
    moved = {name: value for name, value in settings.items() if name != "endpoint"}
    assert signature_of({**manifest, "settings": moved}) == found


def test_another_model_of_likelihoods_has_another_digest():
    def digest(**changes):
        settings = {"model": {**TRANSFORMER, **changes}}
        return signature_of({"command": "factor score", "settings": settings})

    assert digest() == digest(endpoint="http://other/v1")
    assert len({digest(), digest(bos="no"), digest(sha256="0b")}) == 3


def test_a_signature_is_explained_field_by_field():
    rows = explain_signature("signature: dfactscore 0.3.0 | counts expected | link argmax").rows
    assert [row[0] for row in rows] == ["dfactscore", "counts", "link"]
    assert rows[1][2] == "FS and D-FS add up calibrated probabilities"


@pytest.mark.parametrize("text", ["", "dfactscore", "dfactscore 0.3.0 | conts expected", "a b"])
def test_what_is_not_a_signature_is_refused(text):
    with pytest.raises(InputError, match=r"^signature: .* is not a field with a value"):
        explain_signature(text)


def test_runs_of_one_signature_share_a_line():
    assert signature_lines({"a": "x 1", "b": "x 1"}) == ["signature: x 1"]
    assert signature_lines({"a": "x 1", "b": "x 2", "c": "x 1"}) == [
        "signature of a, c: x 1", "signature of b: x 2",
    ]  # fmt: skip
    assert signature_lines({"a": "x 1", "b": ""}) == ["signature of a: x 1"]
    assert signature_lines({"a": ""}) == []
