"""Facts that may be about someone of the name who has no page."""

import csv
import json
import sys
from dataclasses import replace

import pytest

from dfactscore import Scorer, ambigbio
from dfactscore._cli.app import main
from dfactscore._records import Fact, FactGroup
from dfactscore._runs import load_run
from dfactscore._scoring import ScoreOptions, score_record
from dfactscore.ambigbio._records import AmbiguousName, Header, Person
from dfactscore.linking import STATUSES

PAGES = {
    "Ann Lee (painter)": "Ann Lee (born 1950) is an English painter of landscapes.",
    "Ann Lee (rower)": "Ann Lee (born 1971) is a rower. She rowed for Canada in 1996.",
}
TEXT = (
    "Ann Lee is an English painter of landscapes. Another Ann Lee was a chess master from Riga. "
    "She won the Latvian championship in 1931."
)
CHESS = "Ann Lee (1902–1977), Latvian chess master"
JUDGE = "Ann Lee (judge), judge in Ohio"


def dataset(*named):
    people = tuple(
        Person(title, n, 1, "2026-01-01T00:00:00Z", "https://example.org", "Ann Lee")
        for n, title in enumerate(PAGES, 2)
    )
    name = AmbiguousName(
        "Ann Lee", "Ann Lee", 1, 1, "2026-01-01T00:00:00Z", "https://example.org", people,
        named=named,
    )  # fmt: skip
    header = Header("https://example.org/wiki/Main", "en", "2026-01-01", 1, 1, 1, 1, 1, 2)
    return ambigbio.AmbigBio(header, (name,))


@pytest.fixture
def scored(tmp_path):
    def score(*named):
        ambigbio.save(dataset(*named), tmp_path / "names.jsonl")
        scorer = Scorer(pages=PAGES, dataset=tmp_path / "names.jsonl")
        return scorer.score(TEXT, name="Ann Lee")

    return score


def test_a_group_without_support_may_be_about_a_bearer_without_a_page(scored):
    result, plain = scored(JUDGE, CHESS), scored()
    first, second = result.groups
    assert first.outside == ()
    assert second.support < 1  # it is linked without a verdict
    assert all(result.facts[fact].standing == "unsupported" for fact in second.facts)
    assert second.outside == (CHESS,)
    assert result.scores.outside == len(second.facts)
    assert f"outside: may be about {CHESS!r}" in str(result)
    # The scores are what they are without it.
    assert (result.fs, result.dfs, result.n_bio) == (plain.fs, plain.dfs, plain.n_bio)
    assert plain.scores.outside is None
    assert "outside" not in str(plain)


def test_where_no_line_is_alike_all_are_told(scored):
    other = "Ann Lee, farmer"
    result = scored(JUDGE, other)
    assert result.groups[1].outside == (JUDGE, other)
    assert "one of 2 of the name without a page" in str(result)


def test_a_group_of_another_name_and_one_with_support_are_about_no_one_else(make_scored):
    record = make_scored(
        support=[[1], [0], [0]], groups=[[0], [1], [2]], titles=["Ann Lee (painter)"]
    )
    groups = (*record.groups[:2], FactGroup((2,), "Bob Roe", False))
    record = replace(record, groups=groups)
    found = score_record(record, outside=[CHESS])
    assert found.outside == ((), (CHESS,), ())
    assert found.scores.outside == 1


def test_a_group_that_people_linked_is_about_that_entity(make_scored):
    record = make_scored(support=[[1], [0]], groups=[[0], [1]], titles=["Ann Lee (painter)"])
    linked = (record.entities[0].id, record.entities[0].id)
    record = replace(record, biography=replace(record.biography, links=linked))
    found = score_record(record, outside=[CHESS])
    assert found.outside == ((), ())
    assert found.scores.outside == 0


def test_a_group_without_a_fact_that_counts_is_not_told(make_scored):
    record = make_scored(support=[[1], [0]], groups=[[0], [1]], titles=["Ann Lee (painter)"])
    facts = (record.facts[0], replace(record.facts[1], label="irrelevant"))
    found = score_record(
        replace(record, facts=facts), options=ScoreOptions(irrelevant="exclude"), outside=[CHESS]
    )
    assert (found.outside, found.scores.outside) == (((), ()), 0)


def test_a_verdict_that_could_not_be_read_may_be_support(make_scored):
    record = make_scored(support=[[1], [0]], groups=[[0], [1]], titles=["Ann Lee (painter)"])
    status = record.matrix.status.copy()
    status[1] = STATUSES.index("error")
    found = score_record(
        replace(record, matrix=replace(record.matrix, status=status)), outside=[CHESS]
    )
    assert (found.outside, found.scores.outside) == (((), ()), 0)


def test_a_long_line_is_cut_where_it_is_printed(scored):
    result = scored(f"Ann Lee, {'chess ' * 90}master")
    assert max(map(len, str(result).splitlines())) < 220


def test_a_group_whose_entity_another_group_has_is_not_without_support():
    scorer = Scorer(pages=PAGES, link="hungarian", counts="verdicts")
    text = (
        "Ann Lee is an English painter of landscapes. Another Ann Lee was born in 1950. She is an "
        "English painter."
    )
    result = scorer.score(text, name="Ann Lee")
    assert [group.entity for group in result.groups].count(None) == 1
    assert "linked to no entity (next: Ann Lee (painter), " in str(result)


def test_words_that_say_nothing_of_anyone_do_not_tell(make_scored):
    record = make_scored(support=[[0]], groups=[[0]], titles=["Ann Lee (painter)"])
    facts = (Fact("Ann Lee was born in Leeds and died in 1940."),)
    record = replace(record, facts=facts)
    lines = ["Ann Lee (born 1920), judge", "Ann Lee (died 1940), nun"]
    assert score_record(record, outside=lines).outside == ((lines[1],),)


def test_a_run_keeps_and_shows_it(tmp_path, capsys, monkeypatch):
    def command(*words):
        monkeypatch.setattr(sys, "argv", ["dfactscore", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code
        return capsys.readouterr().out

    ambigbio.save(dataset(CHESS), tmp_path / "names.jsonl")
    texts = tmp_path / "texts.jsonl"
    texts.write_text(json.dumps({"id": "1", "name": "Ann Lee", "text": TEXT}) + "\n", "utf-8")
    pages = tmp_path / "pages.jsonl"
    rows = ({"title": title, "text": text} for title, text in PAGES.items())
    pages.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    out = tmp_path / "run"
    command("score", texts, "--pages", pages, "--out", out, "--dataset", tmp_path / "names.jsonl")
    run = load_run(out)
    (record,) = run.records()
    assert record.outside == ((), (CHESS,))
    (row,) = csv.DictReader((out / "scores.csv").open(encoding="utf-8"))
    assert int(row["outside"]) == len(record.groups[1].facts)
    assert json.loads((out / "summary.json").read_text("utf-8"))["outside"] == int(row["outside"])
    assert "chess master" in (out / "report.html").read_text("utf-8")
    assert list(run.frames().links["outside"].fillna("")) == ["", CHESS]
    again = command("rescore", out, "--columns", "all")
    assert "may be about people of the name without a page" in again
