from __future__ import annotations

import json

import pytest

from dfactscore._cli.app import main

ROWS = "name,status,fs,dfs\n" + "".join(f"n{i},scored,0.9,0.{i % 5 + 2}\n" for i in range(20))


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    for label in ("a", "b"):
        (tmp_path / label).mkdir()
        (tmp_path / label / "scores.csv").write_text(ROWS)
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["dfactscore", "compare", *arguments])
        with pytest.raises(SystemExit) as exit_:
            main()
        return (exit_.value.code or 0, *capsys.readouterr())

    return call


def test_prints_the_tables(run):
    code, out, err = run("a", "b", "--resamples", "200")
    assert (code, err) == (0, "")
    assert "20/20" in out
    assert "a − b" in out


def test_labels(run):
    code, out, _ = run("first=a", "second=b", "--resamples", "200", "-f", "csv")
    assert code == 0
    assert "first,20,20" in out


@pytest.mark.parametrize("suffix", ["md", "tex", "csv", "json", "txt"])
def test_the_suffix_chooses_the_format(run, tmp_path, suffix):
    code, out, _ = run("a", "b", "--resamples", "200", "-o", f"table.{suffix}")
    assert (code, out) == (0, "")
    text = (tmp_path / f"table.{suffix}").read_text()
    start = {
        "md": "**Scores of 2 runs",
        "tex": "% \\use",
        "csv": "model,",
        "json": "{",
        "txt": " ",
    }[suffix]
    assert text.startswith(start)
    if suffix == "json":
        assert json.loads(text)["resamples"] == 200


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("c",), "c: no such run or file"),
        (("a", "x/../a"), "two runs are called 'a'"),
        (("a", "-o", "no/where.md"), "no: no such folder; create it first"),
        (("a", "-o", "t.foo"), "t.foo: unknown suffix '.foo'; choose .txt, .md, .tex, .csv, .json"),
    ],
)
def test_mistakes_are_one_line(run, arguments, words):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_folder_of_runs_gives_all_of_them(run, tmp_path):
    for label in ("one entity", "mixing"):
        (tmp_path / "experiment" / label / "run").mkdir(parents=True)
        (tmp_path / "experiment" / label / "run" / "scores.csv").write_text(ROWS)
    (tmp_path / "experiment" / "index").mkdir()
    code, out, _ = run("experiment", "--resamples", "200", "--format", "csv")
    assert code == 0
    assert [line.split(",")[0] for line in out.splitlines()[1:]] == ["mixing", "one entity"]
    code, out, _ = run("x=experiment", "a", "--resamples", "200", "--format", "csv")
    labels = [line.split(",")[0] for line in out.splitlines()[1:]]
    assert labels == ["x/mixing", "x/one entity", "a"]
    (tmp_path / "empty").mkdir()
    assert run("empty")[0] == 2


def test_columns_and_captions(run):
    code, out, _ = run("a", "b", "--resamples", "200", "--columns", "fs, gap", "--no-tests")
    assert code == 0
    assert out.splitlines()[0].split() == ["run", "n", "FS", "gap"]
    assert "Holm" not in out
    code, out, _ = run("a", "--columns", "fs", "-f", "latex", "--caption", "Ours")
    assert "\\caption{Ours.}" in out
    code, _, err = run("a", "--columns", "fs,gpa")
    assert code == 2
    assert "unknown column 'gpa'" in err
