"""Whether the subject is the most viewed, with its interval."""

from __future__ import annotations

import json

import pytest

from dfactscore._cli.app import main
from dfactscore._errors import InputError
from dfactscore._scorer.scorer import Scorer
from dfactscore.examples import example
from dfactscore.mixing._popularity import PopularityCase, popularity, read_views, subjects

PAGES = example("people").pages
VIEWS = {"A": 9, "B": 5, "C": 9, "D": 1}


def test_counts():
    cases = [
        PopularityCase("x", "A", ("A", "B")),  # yes
        PopularityCase("x", "B", ("A", "B")),  # no
        PopularityCase("x", "C", ("A", "C", "D")),  # a tie of two
        PopularityCase("x", "A", ("A", "E")),  # only one is known
        PopularityCase("x", "E", ("A", "B", "E")),  # the subject is not known
    ]
    result = popularity(cases, VIEWS, {"other": 3})
    assert (result.n, result.share) == (3, 0.5)
    assert result.chance == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)
    assert result.left_out == {"other": 3, "page views unknown": 2}
    assert popularity([], VIEWS).share is None


def test_interval_is_wilsons():
    stats = pytest.importorskip("scipy.stats")
    cases = [PopularityCase("x", "A", ("A", "B"))] * 7 + [PopularityCase("x", "B", ("A", "B"))] * 13
    known = stats.binomtest(7, 20).proportion_ci(0.95, method="wilson")
    assert popularity(cases, VIEWS).interval == pytest.approx((known.low, known.high))


def test_subjects():
    passages = [
        {"title": "Ann Lee (rower)", "text": "Ann Lee is a rower. She won a medal in 1988."},
        {"title": "Ann Lee (painter)", "text": "Ann Lee was a painter. She lived in Leeds."},
        {"title": "Leeds", "text": "Leeds is a city."},
    ]
    titles = [p["title"] for p in passages]
    support = {"one": (0, 0), "mixed": (0, 1), "town": (2, 2)}
    records = [
        {
            "id": identity,
            "name": "Ann Lee",
            "text": "Ann Lee did this. She did that.",
            "passages": passages,
            "facts": ["Ann Lee did this.", "Ann Lee did that."],
            "groups": [[0, 1]],
            "verdicts": {t: [i == by for by in pair] for i, t in enumerate(titles)},
        }
        for identity, pair in support.items()
    ]
    one = records[0]
    alone = {"passages": passages[:1], "verdicts": {titles[0]: [True, True]}}
    records += [{**one, "id": "alone", **alone}, {"id": "none", "name": "Ann Lee", "text": ""}]
    cases, left_out = subjects([r.record for r in Scorer().score_many(records)])
    assert cases == [
        PopularityCase("Ann Lee", "Ann Lee (rower)", ("Ann Lee (rower)", "Ann Lee (painter)"))
    ]
    assert left_out == {
        "not one biography of one entity": 2,
        "fewer than two entities of the name retrieved": 1,
        "about a person of another name": 1,
    }


def test_views(tmp_path):
    file = tmp_path / "v.jsonl"
    rows = [
        {"format": "ambigbio", "schema_version": 1},
        {"name": "x", "people": [{"title": "A", "views": 3, "aliases": ["a"]}, {"title": "B"}]},
        {"title": "C\u2028", "views": 0, "x": None},
        {"title": "D", "views": 2.5},
        {"title": "E", "views": None},
    ]
    file.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), encoding="utf-8")
    assert read_views(file) == {"A": 3, "a": 3, "C\u2028": 0, "D": 2.5}
    bad = {
        "{": "not valid JSON",
        "3": "expected an object",
        "{}": "no page views",
        '{"title": "A", "views": "12"}': ":1, field \"views\": '12' must be a number",
        '{"title": "A", "views": -1}': "-1 must be a number ≥ 0",
    }
    for text, words in bad.items():
        file.write_text(text)
        with pytest.raises(InputError, match=words):
            read_views(file)
    with pytest.raises(InputError, match="gone: no such file"):
        read_views(tmp_path / "gone")


@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_command(form, tmp_path, monkeypatch, capsys):
    experiment = tmp_path / "e.yaml"
    experiment.write_text("example: people\nlimit: 4\nmodels: {one: {generator: extractive}}\n")
    pages = [json.loads(x) for x in PAGES.read_text(encoding="utf-8").splitlines()]
    views = tmp_path / "views.jsonl"
    views.write_text(
        "\n".join(json.dumps({"title": p["title"], "views": i}) for i, p in enumerate(pages))
    )

    def run(*words):
        monkeypatch.setattr("sys.argv", ["dfactscore", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        return end.value.code, capsys.readouterr().out

    code, _ = run("run", experiment, "--out", tmp_path / "out", "-q")
    assert code == 0
    folder = tmp_path / "out" / "one" / "run"
    code, said = run("popularity", folder, "--views", views, "--format", form)
    assert code == 0
    if form == "json":
        found = json.loads(said)
        assert found["n"] >= 1
        assert 0 < found["chance"] <= 0.5
    else:
        assert ("by chance" in said) == (form == "table")
