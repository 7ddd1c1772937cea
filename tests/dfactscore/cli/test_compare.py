from __future__ import annotations

import json

import pytest

from dfactscore.cli.app import main

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
    start = {"md": "|", "tex": "% \\use", "csv": "model,", "json": "{", "txt": " "}[suffix]
    assert text.startswith(start)
    if suffix == "json":
        assert json.loads(text)["resamples"] == 200


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("c",), "c: no such run or file"),
        (("a", "x/../a"), "two runs are called 'a'"),
        (("a", "-o", "no/where.md"), "no: no such folder; create it first"),
    ],
)
def test_mistakes_are_one_line(run, arguments, words):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
