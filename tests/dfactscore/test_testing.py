from __future__ import annotations

import pytest

from dfactscore.errors import InputError
from dfactscore.examples import example
from dfactscore.readers import read_biographies
from dfactscore.testing import assert_dfs

PAGES = {
    "Ann Lee (poet)": "Ann Lee is a poet. Ann Lee was born in 1950 in Oslo.",
    "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada in 1996.",
}


def test_a_true_text_passes_and_gives_the_result():
    result = assert_dfs("Ann Lee is a poet. She was born in 1950.", name="Ann Lee", pages=PAGES)
    assert result.dfs == 1
    assert result.groups[0].entity == "Ann Lee (poet)"


def test_the_failure_names_the_facts_that_cost_points_and_their_pages():
    text = "Ann Lee is a poet. She was born in 1962. She rowed for Canada."
    with pytest.raises(AssertionError) as failure:
        assert_dfs(text, name="Ann Lee", pages=PAGES, at_least=0.8)
    lines = str(failure.value).splitlines()
    assert lines[0] == "Ann Lee: D-FActScore 0.333 is below 0.8 (FActScore 0.667)"
    assert lines[1] == "2 of 3 facts cost points:"
    assert lines[2].startswith("  - Ann Lee was born in 1962.  [linked to Ann Lee (poet); no page")
    assert lines[3] == (
        "  ≠ Ann Lee rowed for Canada.  [linked to Ann Lee (poet); true of Ann Lee (rower)]"
    )


def test_the_bound_is_included():
    text = "Ann Lee is a poet. She rowed for Canada."
    assert assert_dfs(text, name="Ann Lee", pages=PAGES, at_least=0.5).dfs == 0.5
    with pytest.raises(AssertionError, match=r"1 of 2 facts costs points"):
        assert_dfs(text, name="Ann Lee", pages=PAGES, at_least=0.51)


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


def test_in_pytest_the_failure_is_short_and_no_plugin_is_loaded(pytester_run):
    out = pytester_run(
        "from dfactscore.testing import assert_dfs\n"
        f"PAGES = {PAGES!r}\n"
        "def test_it():\n"
        "    assert_dfs('Ann Lee is a poet. She rowed for Canada.', name='Ann Lee', pages=PAGES)\n"
    )
    assert "1 failed" in out
    assert "true of Ann Lee (rower)" in out
    assert "dfactscore/testing.py" not in out.replace("\\", "/")  # frames of ours are hidden


@pytest.fixture
def pytester_run(tmp_path):
    import os
    import subprocess
    import sys

    def run(text):
        (tmp_path / "test_mine.py").write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"],
            cwd=tmp_path, capture_output=True, encoding="utf-8",
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )  # fmt: skip
        return done.stdout + done.stderr

    return run
