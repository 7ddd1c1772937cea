"""The commands as a person types them."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dfactscore._cli import app as app_module
from dfactscore.examples import example


@pytest.fixture
def dfactscore(monkeypatch, capsys, tmp_path):
    """Runs the command line in this process; gives status, standard output and error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["dfactscore", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            app_module.main()
        captured = capsys.readouterr()
        return end.value.code or 0, captured.out, captured.err

    return run


@pytest.fixture(scope="module")
def scored_once(tmp_path_factory):
    """A run of the shipped example, and what the command printed."""
    shipped, out = example(), io.StringIO()
    command = ("score", shipped.biographies, "--pages", shipped.pages, "--out", "run")
    folder = tmp_path_factory.mktemp("scored")
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.chdir(folder)
        patch.setattr(sys, "argv", ["dfactscore", *map(str, command)])
        with pytest.raises(SystemExit) as end:
            app_module.main()
    assert not end.value.code
    return folder / "run", out.getvalue()


@pytest.fixture
def scored(scored_once, tmp_path):
    """The same run in the test's own folder."""
    folder, out = scored_once
    return shutil.copytree(folder, tmp_path / "run"), out


def test_score_writes_a_run(scored):
    folder, out = scored
    assert "D-FActScore" in out
    names = {"manifest.json", "scores.csv", "summary.json", "errors.jsonl", "timing.json"}
    names |= {f"{n}.jsonl" for n in ("biographies", "facts", "groups", "verdicts", "documents")}
    assert names <= {p.name for p in folder.iterdir()}
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["status"], manifest["settings"]["evidence"]) == ("complete", "page")
    rows = list(csv.DictReader(io.StringIO((folder / "scores.csv").read_text())))
    required = "id,name,fs,dfs,dfs_one_group,n_bio,n_ent,n_facts,category,coverage,status"
    assert set(required.split(",")) <= set(rows[0])
    assert len(rows) == 30


def test_the_same_command_again_changes_nothing(scored, dfactscore):
    folder, _ = scored
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "timing.json"}
    shipped = example()
    command = ("score", shipped.biographies, "--pages", shipped.pages, "--out", "run")
    assert dfactscore(*command)[0] == 0
    after = {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "timing.json"}
    assert after == before
    sessions = json.loads((folder / "timing.json").read_text())["sessions"]
    assert [s["judged"] for s in sessions] == [30, 0]


def test_a_run_grows_with_its_limit(scored, dfactscore, tmp_path):
    whole, _ = scored
    shipped = example()
    command = ("score", shipped.biographies, "--pages", shipped.pages, "--out", "grown")
    for limit in (5, 12):
        assert dfactscore(*command, "--limit", limit)[0] == 0
    assert dfactscore(*command)[0] == 0
    grown = {p.name: p.read_bytes() for p in (tmp_path / "grown").iterdir()}
    sessions = json.loads(grown.pop("timing.json"))["sessions"]
    assert [s["judged"] for s in sessions] == [5, 7, 18]
    assert grown == {p.name: p.read_bytes() for p in whole.iterdir() if p.name != "timing.json"}
    code, _, err = dfactscore(*command, "--limit", 12)
    assert code == 2
    assert "the limit was None and is now 12" in err


def test_json_and_csv(scored, dfactscore):
    folder, _ = scored
    code, out, _ = dfactscore("rescore", folder, "--format", "json")
    assert code == 0
    summary = json.loads((folder / "summary.json").read_text())
    printed = json.loads(out)
    assert printed["summary"] == summary
    assert printed["fs_scope"] == "retrieved pages"
    code, out, _ = dfactscore("rescore", folder, "--format", "csv")
    assert out == (folder / "scores.csv").read_text()


def test_rescore_options(scored, dfactscore):
    folder, _ = scored

    def summary(*options):
        code, out, err = dfactscore("rescore", folder, "--format", "json", *options)
        assert code == 0, err
        return json.loads(out)["summary"]

    base = summary()
    assert summary("--link", "hungarian")["dfs"] <= base["dfs"]
    strict, lax = (summary("--threshold", at) for at in "10")
    assert strict["fs_verdicts"] < base["fs_verdicts"] <= lax["fs_verdicts"]
    assert strict["fs"] == base["fs"] == lax["fs"]
    assert summary("--gamma", "30")["fs"] < base["fs"]
    assert summary("--candidates", "named")["fs"] == base["fs"]
    assert summary("--counts", "verdicts")["fs"] == base["fs_verdicts"] != base["fs"]
    assert summary("--unreadable", "bounds")["dfs_bounds"] == [base["dfs"], base["dfs"]]


def test_rescore_released(dfactscore, data):
    path = data / "dfactscore" / "released" / "tulu.json"
    code, out, _ = dfactscore("rescore", path, "--format", "json")
    stored = json.loads(path.read_text())
    values = json.loads(out)
    assert code == 0
    for key, value in values.items():
        assert value == pytest.approx(stored[key], abs=1e-12)


def test_rescore_labels(dfactscore, data):
    code, out, _ = dfactscore("rescore", data / "factscore_labels" / "ChatGPT.jsonl")
    assert code == 0
    assert "0.582" in out


def test_snapshot_dates_are_shown_and_compared(dfactscore, tmp_path):
    record = json.loads(example().biographies.read_text().splitlines()[0])
    (tmp_path / "x.jsonl").write_text(json.dumps({**record, "snapshot": "2018-12-20"}))
    code, out, err = dfactscore("score", "x.jsonl", "--out", "run")
    assert code == 0
    assert "| evidence passages 2018-12-20 |" in out
    assert "differ" not in err
    from dfactscore.ambigbio import AmbigBio, AmbiguousName, Header, Person, save

    person = Person("Dick Hanley (swimmer)", 1, 1, "", "", "Dick Hanley")
    other = Person("Dick Hanley (American football)", 2, 1, "", "", "Dick Hanley")
    name = AmbiguousName("Dick Hanley", "Dick Hanley", 3, 1, "", "", (person, other))
    header = Header("https://x.org/", "en", "2026-01-01", 1, 1, 1, 1, 1, 2)
    save(AmbigBio(header, (name,)), tmp_path / "names.jsonl")
    command = ("score", "x.jsonl", "--dataset", "names.jsonl", "--candidates", "dataset")
    code, _, err = dfactscore(*command, "--out", "run2")
    assert code == 0
    assert "snapshot dates differ: names 2026-01-01, retrieval 2018-12-20" in err


def test_good_records_are_scored_beside_bad_ones(dfactscore, tmp_path):
    lines = example().biographies.read_text().splitlines()[:2]
    (tmp_path / "x.jsonl").write_text("\n".join([lines[0], '{"id": 5', lines[1]]) + "\n")
    code, out, err = dfactscore("score", "x.jsonl", "--out", "run")
    assert code == 1
    assert "scored" in out
    assert "skipped record: x.jsonl:2: record 1: not valid JSON" in err
    (error,) = (tmp_path / "run" / "errors.jsonl").read_text().splitlines()
    assert json.loads(error)["line"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("score", "no.jsonl"), "no.jsonl: no such file"),
        (("score", "x.jsonl", "--pages", "no.sqlite"), "no.sqlite"),
        (("score", "x.jsonl", "--candidates", "dataset"), "needs --dataset"),
        (("rescore", "no"), "no such run folder"),
        (("score", "x.jsonl", "--out", "full"), "holds something else"),
        (("score", "x.jsonl", "--out", "file"), "is a file, not a folder"),
        (("score", "x.jsonl", "--columns", "fs,gpa"), "did you mean gap?"),
    ],
)
def test_mistakes_are_one_line(dfactscore, tmp_path, arguments, message):
    (tmp_path / "x.jsonl").write_text(example().biographies.read_text().splitlines()[0])
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("")
    (tmp_path / "file").write_text("")
    code, out, err = dfactscore(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_other_scripts_warn_in_one_line(tmp_path):
    record = {
        "name": "Лев",
        "text": "Лев родился в Туле.",
        "passages": [{"title": "Лев", "text": "x"}],
    }
    (tmp_path / "x.jsonl").write_text(json.dumps(record))
    code = "import sys; from dfactscore._cli.app import main; sys.argv[0] = 'dfactscore'; main()"
    result = subprocess.run(
        [sys.executable, "-c", code, "score", "x.jsonl", "--out", "run"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(app_module.__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    said = [line for line in result.stderr.splitlines() if "warning" in line]
    assert len(said) == 1
    assert "1 of 1 text was not scored: it is in Cyrillic script;" in said[0]
    assert "--language any" in said[0]


@pytest.mark.parametrize("arguments", [("score", "x", "--link", "best"), ("scor",), ("score",)])
def test_wrong_commands(dfactscore, arguments):
    code, _, err = dfactscore(*arguments)
    assert code == 2
    assert "Traceback" not in err


def test_without_out_each_input_has_its_own_run(dfactscore, tmp_path):
    (tmp_path / "x.jsonl").write_text(example().biographies.read_text().splitlines()[0])
    assert dfactscore("score", "x.jsonl")[0] == 0
    assert dfactscore("score", "x.jsonl", "--link", "hungarian")[0] == 0
    assert len(list((tmp_path / "runs").iterdir())) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_ctrl_c_says_how_to_resume(tmp_path):
    lines = example().biographies.read_text().splitlines()
    with open(tmp_path / "many.jsonl", "w") as file:
        for copy in range(200):
            for line in lines:
                record = json.loads(line)
                file.write(json.dumps({**record, "id": f"{record['id']}-{copy}"}) + "\n")
    command = [sys.executable, "-m", "dfactscore", "score", "many.jsonl", "--out", "run"]
    command += ["--pages", str(example().pages)]
    there = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=there,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Tests in the background of a shell ignore SIGINT, and their children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    journal = tmp_path / "run" / "biographies.jsonl"
    while process.poll() is None and not (journal.exists() and journal.stat().st_size):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    end = "dfactscore: stopped; what is done is kept, run the same command again to resume"
    assert err.strip().splitlines()[-1] == end
    assert "Traceback" not in err
    assert 0 < len(journal.read_text().splitlines()) < 200 * len(lines)


def test_demo(dfactscore):
    code, out, _ = dfactscore("demo")
    assert code == 0
    assert "≠ Dick Hanley died on December 16, 1970." in out


def test_read_only_folder(dfactscore, monkeypatch):
    """As the system says it: a test that runs as root may write anywhere."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda p, *a, **k: "locked" not in str(p) and access(p, *a))
    code, _, err = dfactscore("score", example().biographies, "--out", "locked")
    assert code == 2
    assert "locked: cannot be written (permission denied)" in err


def test_imports_stay_light():
    """Nothing heavy is loaded before it is used."""
    code = (
        "import sys, dfactscore, linking, retrieval, ambigbio\n"
        "heavy = {'scipy', 'pandas', 'openai', 'torch', 'faiss', 'bm25s', 'networkx'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "import dfactscore._cli.app as a\n"
        "sys.argv = ['dfactscore', '--help']\n"
        "try:\n    a.main()\nexcept SystemExit:\n    pass\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    lines = result.stdout.splitlines()
    assert lines[0] == lines[-1] == "[]"


def test_nothing_to_judge_against_says_what_to_do(dfactscore, tmp_path):
    record = {"name": "Ann Lee", "text": "Ann Lee is a painter."}
    (tmp_path / "bios.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    for name in ("bios.jsonl", "mixed.jsonl"):
        abstained = {"id": "a", "name": "Ann Lee", "text": "I could not find any information."}
        if name == "mixed.jsonl":
            lines = [json.dumps({"id": "b", **record}), json.dumps(abstained)]
            (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
        status, out, err = dfactscore("score", name, "-o", "bare", "-q")
        assert (status, out) == (2, "")
        assert "--pages FILE" in err
        assert "--pages wikipedia" in err
        assert "'passages'" in err
        assert not (tmp_path / "bare").exists()
    (tmp_path / "abstained.jsonl").write_text(json.dumps(abstained), encoding="utf-8")
    assert dfactscore("score", "abstained.jsonl", "-o", "none", "-q")[0] == 0
    page = {"title": "Tom Hill", "text": "Tom Hill is a botanist."}
    (tmp_path / "pages.jsonl").write_text(json.dumps(page) + "\n", encoding="utf-8")
    _, _, err = dfactscore("score", "bios.jsonl", "--pages", "pages.jsonl", "-o", "other", "-q")
    assert "no page 'Ann Lee'" in err
    more = [json.dumps({"title": f"Tom Hill ({n})", "text": "He digs."}) for n in range(21)]
    (tmp_path / "more.jsonl").write_text("\n".join(more), encoding="utf-8")
    _, _, err = dfactscore("score", "bios.jsonl", "--pages", "more.jsonl", "-o", "third", "-q")
    assert "1 of 1 texts have nothing to be judged against: more.jsonl has no page" in err


@pytest.mark.parametrize("command", ["rescore", "report", "mixing"])
def test_a_run_that_is_not_finished_is_said_to_be(scored, dfactscore, command):
    folder, _ = scored
    assert dfactscore(command, folder)[::2] == (0, "")
    path = folder / "biographies.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    code, _, err = dfactscore(command, folder)
    assert code == 0
    assert err.startswith(f"warning: {folder}: the run is not finished: 3 of 30 biographies are")
    assert err.count("\n") == 1


def test_rescore_refuses_what_it_cannot_apply(scored, dfactscore, tmp_path):
    path = tmp_path / "released.json"
    path.write_text('{"decisions": [], "global_decisions": []}')
    code, out, err = dfactscore("rescore", path, "--link", "hungarian")
    assert (code, out) == (2, "")
    assert "--link cannot be applied" in err
    code, _, err = dfactscore("rescore", scored[0], "--candidates", "dataset")
    assert code == 2
    assert "needs --dataset FILE" in err


def test_an_infinite_gamma_is_one_line(dfactscore):
    shipped = example()
    code, _, err = dfactscore("score", shipped.biographies, "--gamma", "inf", "--out", "run")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "--gamma: expected a finite number, found 'inf'" in err


def test_titles_without_a_page_are_told(dfactscore, tmp_path):
    record = {
        "name": "Ann Lee",
        "text": "Ann Lee paints.",
        "passages": [{"title": "Ann Lee (paintr)", "text": "Ann Lee paints."}],
    }
    (tmp_path / "bios.jsonl").write_text(json.dumps(record))
    page = {"title": "Ann Lee (painter)", "text": "Ann Lee is a painter."}
    (tmp_path / "pages.jsonl").write_text(json.dumps(page))
    code, _, err = dfactscore("score", "bios.jsonl", "--pages", "pages.jsonl", "--out", "run")
    assert code == 0
    assert "pages.jsonl lacks 1 of the titles (in 1 of 1 texts)" in err
    assert "no page 'Ann Lee (paintr)'; near titles: Ann Lee (painter)" in err


def test_columns_stay_under_each_other_in_any_script(dfactscore, tmp_path):
    from rich.cells import cell_len

    records = [{"id": "李明" * 20, "name": n, "text": "N/A"} for n in ("李明" * 9, "A" * 50)]
    records[1]["id"] = "b"
    (tmp_path / "bios.jsonl").write_text("\n".join(map(json.dumps, records)))
    _, out, _ = dfactscore("score", "bios.jsonl", "--out", "run")
    ends = {cell_len(line.rsplit("  ", 1)[0]) for line in out.splitlines()[:3]}
    assert len(ends) == 1


@pytest.mark.parametrize("name", ["pages.jsonl", "pages/a/Ann Lee.txt"])
def test_other_pages_are_another_run(dfactscore, tmp_path, name):
    (tmp_path / "bios.jsonl").write_text('{"name": "Ann Lee", "text": "Ann Lee paints."}')
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"title": "Ann Lee", "text": "Ann Lee paints."}')
    command = ("score", "bios.jsonl", "--pages", name.split("/")[0], "--out", "run")
    assert dfactscore(*command)[0] == 0
    assert dfactscore(*command)[0] == 0
    path.write_text('{"title": "Ann Lee", "text": "Ann Lee rows."}')
    code, _, err = dfactscore(*command)
    assert code == 2
    assert "holds another run: settings.pages.sha256 was" in err


@pytest.mark.parametrize("workers", [1, 2])
def test_the_run_says_which_pages_were_candidates_of_no_text(dfactscore, workers):
    titles = ["Robert Johnson", "Robert L. Johnson", "Johnson Robert", *"ABCDEF"]
    pages = [json.dumps({"title": title, "text": f"{title} was a singer."}) for title in titles]
    Path("pages.jsonl").write_text("\n".join(pages))
    Path("texts.csv").write_text(
        "name,text,candidates\n"
        "Robert Johnson,Robert Johnson was a singer.,\n"
        'Ann Lee,Ann Lee was a singer.,"[""A"", ""Not there""]"\n'
    )
    status, _, err = dfactscore(
        "score", "texts.csv", "--pages", "pages.jsonl", "--workers", workers, "--out", "run"
    )
    assert status == 0, err
    (line,) = [line for line in err.splitlines() if line.startswith("not used")]
    assert line == (
        "not used: Johnson Robert, B, C, D, E and 1 more (6 of 9 pages; no text bears these names)"
    )
    assert "Not there" in err
    assert "instead" not in err
