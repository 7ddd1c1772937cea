from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from dfactscore._errors import InputError
from dfactscore._readers import read_biographies
from dfactscore.examples import example
from dfactscore.testing import assert_dfs

PAGES = {
    "Ann Lee (poet)": "Ann Lee is a poet. Ann Lee was born in 1950 in Oslo.",
    "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada in 1996.",
}


def test_a_true_text_passes_and_gives_the_result():
    result = assert_dfs("Ann Lee is a poet. She was born in 1950.", name="Ann Lee", pages=PAGES)
    assert 0.99 < result.dfs <= 1
    assert result.groups[0].entity == "Ann Lee (poet)"


def test_the_failure_names_the_facts_that_cost_points_and_their_pages():
    text = "Ann Lee is a poet. She was born in Oslo. She was born in 1962. She rowed for Canada."
    with pytest.raises(AssertionError) as failure:
        assert_dfs(text, name="Ann Lee", pages=PAGES, at_least=0.8)
    lines = str(failure.value).splitlines()
    figures = re.findall(r"\d\.\d+", lines[0])
    wanted = "Ann Lee: D-FActScore {} is below {} (FActScore {})"
    assert lines[0] == wanted.format(*figures)
    assert [float(figure) for figure in figures] == pytest.approx([0.5, 0.8, 0.75], abs=0.03)
    assert lines[1] == "2 of 4 facts cost points:"
    assert lines[2].startswith("  - Ann Lee was born in 1962.  [linked to Ann Lee (poet); no page")
    assert lines[3] == (
        "  ≠ Ann Lee rowed for Canada.  [linked to Ann Lee (poet); true of Ann Lee (rower)]"
    )


def test_the_bound_is_included():
    text = "Ann Lee is a poet. She rowed for Canada."
    options = {"name": "Ann Lee", "pages": PAGES, "counts": "verdicts"}
    assert assert_dfs(text, at_least=0.5, **options).dfs == 0.5
    with pytest.raises(AssertionError, match=r"1 of 2 facts costs points"):
        assert_dfs(text, at_least=0.51, **options)


@pytest.mark.parametrize(
    ("text", "bound", "told"),
    [
        ("Ann Lee writes verse. She hails from Norway.", 0.9, "; by verdicts 0.000)\n2 of 2 facts"),
        ("Ann Lee is a poet born in 1950.", 1, ")\nEvery fact is supported, but not surely; "),
    ],
)
def test_a_failure_shows_the_other_count_where_it_says_more(text, bound, told):
    with pytest.raises(AssertionError, match=re.escape(told)):
        assert_dfs(text, name="Ann Lee", pages=PAGES, at_least=bound)


@pytest.mark.parametrize(
    ("text", "status"),
    [("I'm sorry, I have no information about Ann Lee.", "abstained"), ("", "abstained")],
)
def test_a_text_without_a_score_fails_and_says_why(text, status):
    with pytest.raises(AssertionError, match=f"no D-FActScore: Ann Lee: {status}"):
        assert_dfs(text, name="Ann Lee", pages=PAGES, at_least=0)


def test_pages_may_be_a_file_and_options_are_those_of_score():
    people = example("people")
    mixed = read_biographies(people.biographies).biographies[0]
    with pytest.raises(AssertionError, match="Dick Hanley: D-FActScore"):
        assert_dfs(mixed.text, name=mixed.name, pages=str(people.pages), link="hungarian")
    with pytest.raises(InputError, match="link"):
        assert_dfs(mixed.text, name=mixed.name, pages=str(people.pages), lnik="hungarian")


@pytest.mark.parametrize("bound", [-0.1, 1.1, 90, float("nan")])
def test_a_bound_is_a_fraction(bound):
    with pytest.raises(InputError, match="at_least"):
        assert_dfs("Ann Lee is a poet.", name="Ann Lee", pages=PAGES, at_least=bound)


def test_mixed_people_are_bounded_and_named():
    text = "Ann Lee is a poet. She was born in 1950. She is a rower. She rowed for Canada in 1996."
    options = {"name": "Ann Lee", "pages": PAGES, "at_least": 0.3}
    assert assert_dfs(text, max_mixed=1, **options).n_bio == 1
    with pytest.raises(
        AssertionError, match=r"Ann Lee: mixes Ann Lee \(rower\) and Ann Lee \(poet\) \("
    ):
        assert_dfs(text, max_mixed=0, **options)
    with pytest.raises(InputError, match="max_mixed"):
        assert_dfs(text, max_mixed=-1, **options)


def test_an_abstention_may_be_allowed():
    text = "I'm sorry, I have no information about Ann Lee."
    assert assert_dfs(text, name="Ann Lee", pages=PAGES, allow_abstention=True).dfs is None


CASES = f"""
PAGES = {PAGES!r}
def test_mixed(dfs):
    text = "Ann Lee is a poet. She was born in 1950. She is a rower. She rowed for Canada in 1996."
    dfs(text, name="Ann Lee", pages=PAGES, max_mixed=0)
def test_true(dfs):
    dfs("Ann Lee is a poet.", name="Ann Lee", pages=PAGES)
"""


@pytest.fixture
def run_pytest(tmp_path):
    import os
    import subprocess
    import sys

    def run(text, *options):
        (tmp_path / "test_mine.py").write_text(text, encoding="utf-8")
        words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "dfactscore._pytest"]
        plugins = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        done = subprocess.run(
            [sys.executable, *words, "test_mine.py", *options],
            cwd=tmp_path, capture_output=True, encoding="utf-8", env={**os.environ, **plugins},
        )  # fmt: skip
        return done.stdout + done.stderr

    return run


def test_the_plugin_hides_frames_and_sums_up(run_pytest, tmp_path):
    out = run_pytest(CASES, "--dfs-report", "r.html", "--junitxml", "j.xml").replace("\\", "/")
    assert "1 failed, 1 passed" in out
    assert "dfactscore/testing/" not in out
    assert "dfactscore/_pytest.py" not in out
    assert "2 texts, 2 scored; mean D-FActScore 0.799; 1 mixed" in out
    assert "  0.603  Ann Lee; mixed: Ann Lee (rower) + Ann Lee (poet)  (test_mine.py" in out
    assert "report: r.html" in out
    assert "Ann Lee (rower)" in (tmp_path / "r.html").read_text("utf-8")
    (case, other) = ElementTree.parse(tmp_path / "j.xml").iter("testcase")
    (row,) = [json.loads(p.get("value")) for p in case.iter("property")]
    assert (round(row["dfs"], 3), row["mixed"]) == (0.603, [["Ann Lee (rower)", "Ann Lee (poet)"]])
    assert len(list(other.iter("property"))) == 1


def test_the_plugin_works_over_several_processes(run_pytest, tmp_path):
    out = run_pytest(CASES, "-p", "xdist", "-n", "2", "--dfs-report", "r.html")
    assert "2 texts, 2 scored; mean D-FActScore 0.799; 1 mixed" in out
    assert list(tmp_path.glob("r-gw*.html"))


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("missing/r.html", "missing: no such folder; create it first"),
        (".", ".: is a folder; --dfs-report names a file"),
        ("test_mine.py", "test_mine.py: exists, and was not written by this command"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused_before_the_tests(run_pytest, place, reason):
    out = run_pytest(CASES, "--dfs-report", place)
    assert f"ERROR: {reason}" in out
    assert "Traceback" not in out
    assert "passed" not in out


@pytest.mark.parametrize("options", [(), ("-p", "xdist", "-n", "1")], ids=["alone", "xdist"])
def test_a_report_that_fails_at_the_end_loses_no_result(run_pytest, tmp_path, options):
    breaks = "import os\ndef test_breaks():\n    os.rename('made', 'gone')\n"
    (tmp_path / "made").mkdir()
    out = run_pytest(CASES + breaks, "--dfs-report", "made/r.html", "--junitxml", "j.xml", *options)
    assert "1 failed, 2 passed" in out
    assert "2 texts, 2 scored; mean D-FActScore 0.799" in out
    assert "warning: no report: made" in out.replace("\\", "/")
    assert "Traceback" not in out.rpartition("D-FActScore")[2]
    assert len(list(ElementTree.parse(tmp_path / "j.xml").iter("testcase"))) == 3


def test_the_plugin_is_silent_where_it_is_not_used(run_pytest):
    out = run_pytest("def test_it():\n    pass\n")
    assert "1 passed" in out
    assert "D-FActScore" not in out
