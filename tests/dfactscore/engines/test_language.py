"""Texts that the built-in engine cannot read are not scored, with a warning."""

from __future__ import annotations

import json
import re
import warnings

import pytest

from dfactscore import Scorer, score
from dfactscore._cli.app import main
from dfactscore._errors import LanguageWarning
from dfactscore.engines._roles import Decomposer, Grouper, Verifier

PAGES = {
    "Anna Weber": "Anna Weber (geboren 1951 in Graz) ist eine österreichische Malerin. Sie lebt in "
    "Berlin und lehrt dort an der Universität der Künste."
}
GERMAN = "Anna Weber ist eine Malerin. Sie wurde 1951 in Graz geboren und lebt in Berlin."
FRENCH = "Anna Weber est une peintre. Elle est née en 1951 à Graz et vit à Berlin."
ENGLISH = "Anna Weber is a painter. She was born in 1951 in Graz."


def test_one_text():
    with pytest.warns(
        LanguageWarning, match="the text about Anna Weber was not scored: the text looks German"
    ):
        result = score(GERMAN, name="Anna Weber", pages=PAGES)
    assert (result.status, result.fs, result.dfs) == ("not_english", None, None)
    assert "reads English only" in str(result)
    with warnings.catch_warnings():
        warnings.simplefilter("error", LanguageWarning)
        forced = score(GERMAN, name="Anna Weber", pages=PAGES, language="any")
        assert score(ENGLISH, name="Anna Weber", pages=PAGES).status == "scored"
    assert forced.status == "scored"
    assert forced.fs is not None


def test_they_lower_no_mean_and_are_counted():
    texts = [{"id": str(i), "name": "Anna Weber", "text": t} for i, t in
             enumerate((GERMAN, ENGLISH, FRENCH))]  # fmt: skip
    with pytest.warns(
        LanguageWarning, match="2 of 3 texts were not scored: 1 looks German, 1 looks French"
    ):
        results = Scorer(pages=PAGES).score_many(texts)
    assert results.summary.statuses == {"not_english": 2, "scored": 1}
    assert results.summary.response_rate == 1  # another language is not an abstention
    assert results.summary.fs == results[1].fs
    assert results.summary.response_rate == 1
    assert "not english" in str(results)


class Anything(Decomposer, Grouper, Verifier):
    """Roles of users may read any language."""

    settings = {"name": "anything"}

    def decompose(self, biography):
        from dfactscore import Fact

        return [Fact(biography.text)]

    def group(self, biography, facts):
        from dfactscore import FactGroup

        return [FactGroup(tuple(range(len(facts))))]

    def verify(self, biography, facts, entity):
        from dfactscore import Verdict

        return [Verdict("supported") for _ in facts]


def test_only_what_is_asked_has_to_read_the_text():
    anything = Anything()
    roles = {"decomposer": anything, "grouper": anything, "verifier": anything}
    record = {"name": "Anna Weber", "text": GERMAN}
    assert Scorer(pages=PAGES, **roles).score_many([record])[0].status == "scored"
    for role in roles:
        mixed = {k: v for k, v in roles.items() if k != role}
        with pytest.warns(LanguageWarning):
            found = Scorer(pages=PAGES, **mixed).score_many([record])[0]
        assert found.status == "not_english", role
    given = {**record, "facts": ["Anna Weber ist Malerin."], "groups": [[0]],
             "verdicts": {"Anna Weber": [True]}}  # fmt: skip
    assert Scorer(pages=PAGES).score_many([given])[0].status == "scored"


def test_the_command_warns_and_can_be_overruled(tmp_path, monkeypatch, capsys):
    rows = [{"name": "Anna Weber", "text": text} for text in (GERMAN, FRENCH, ENGLISH)]
    (tmp_path / "b.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    (tmp_path / "p.jsonl").write_text(
        json.dumps({"title": "Anna Weber", "text": PAGES["Anna Weber"]}) + "\n"
    )
    monkeypatch.chdir(tmp_path)

    def run(*more):
        monkeypatch.setattr(
            "sys.argv", ["dfactscore", "score", "b.jsonl", "--pages", "p.jsonl", *more]
        )
        with pytest.raises(SystemExit) as exit_:
            main()
        return exit_.value.code, *capsys.readouterr()

    code, out, err = run()
    assert code == 0
    assert (
        "warning: 2 of 3 texts were not scored: 1 looks German, 1 looks French; --language any"
        in err
    )
    assert "--language any" in err
    assert re.search(r"^not english +2 ", out, re.MULTILINE)
    code, out, err = run("--language", "any")
    assert (code, "not english" in out, "not scored" in err) == (0, False, False)
