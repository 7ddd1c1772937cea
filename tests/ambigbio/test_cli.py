"""The commands `dfactscore ambigbio`."""

import json
import sqlite3

import pytest

from dfactscore._cli.app import main
from dfactscore.ambigbio import load

CONTACT = ("--contact", "tests@example.org", "--interval", "0")


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs a command; returns its exit status, output and messages."""

    def running(*arguments):
        monkeypatch.setattr("sys.argv", ["dfactscore", "ambigbio", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            main()
        done = capsys.readouterr()
        return caught.value.code or 0, done.out, done.err

    return running


def fails(result, *words):
    status, _, err = result
    assert status == 2
    [line] = err.strip().splitlines()[-1:]
    assert line.startswith("dfactscore: ")
    for word in words:
        assert word in line
    assert "Traceback" not in err


def test_no_contact_no_build(run, tmp_path, wiki):
    out = tmp_path / "a.jsonl"
    result = run("build", "--out", out, "--api-url", wiki.api)
    fails(result, "no contact is given", "10 requests a minute", "--contact")
    fails(run("build", "--out", out, "--contact", "me"), "neither a mail address nor a URL")
    assert wiki.requests() == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--dump", "x", "--wikidata"), ("--wikidata needs the live wiki",)),
        (("--dump", "none.xml"), ("cannot read the dump none.xml",)),
        (("--lang", "xx"), ("no language data for 'xx'", "de, en", "--language-data")),
        (("--count", "0"), ("--count 0", "at least 1, or 'all'")),
        (("--count", "many"), ("--count many",)),
        (("--language-data", "none.json"), ("none.json: no such file",)),
        (("--column", "a"), ("--names-file",)),
        (
            ("--count", "5", "--names-file", "a.txt"),
            ("--count 5", "--names-file a.txt", "leave one"),
        ),
        (("--names-file", "none.csv"), ("none.csv: no such file",)),
        (("--contact", "a@b.org", "--api-url", "http://127.0.0.1:9/w"), ("cannot be reached",)),
    ],
)
def test_what_cannot_be_built(run, tmp_path, options, words):
    fails(run("build", "--out", tmp_path / "a.jsonl", *options), *words)


@pytest.mark.slow
def test_live_and_dump_and_everything_after(run, wiki, export, fixture, tmp_path):
    live, dump = tmp_path / "live.jsonl", tmp_path / "dump.jsonl"
    names = str(len(fixture.EXPECTED))
    status, out, err = run(
        "build", "--count", names, "--out", live, "--api-url", wiki.api, *CONTACT
    )
    assert status == 0
    assert f"{names} names" in out
    assert "(1 to list the category" in out
    assert "pages listed" in err
    status, again, _ = run(
        "build", "--count", names, "--out", live, "--api-url", wiki.api, "--quiet", *CONTACT
    )
    assert "0 requests" in again
    assert run("build", "--count", names, "--out", dump, "--dump", export, "--quiet")[0] == 0
    same = [path.read_text("utf-8").splitlines()[1:] for path in (live, dump)]
    assert same[0] == same[1]
    for ending in (".pages.jsonl", ".log.jsonl"):
        both = [(tmp_path / f"{stem}{ending}").read_bytes() for stem in ("live", "dump")]
        assert both[0] == both[1]
    log = [json.loads(line) for line in (tmp_path / "live.log.jsonl").read_text().splitlines()]
    assert sum(line["kept"] for line in log) == int(names)
    assert all(line["kept"] or line["reason"] for line in log)

    status, out, _ = run("info", live)
    assert status == 0
    assert "(paper: 4.6)" in out
    assert "entities of any kind per name" in out
    assert "█" in out
    report = json.loads(run("info", live, "--format", "json")[1])
    assert report["names"] == int(names)
    status, out, _ = run("validate", live, "--pages", tmp_path / "live.pages.jsonl")
    assert (status, "no problem" in out) == (0, True)
    status, out, _ = run("diff", live, dump)
    assert (status, "snapshot" in out) == (0, True)
    assert run("diff", live, live)[1] == "no difference\n"
    assert json.loads(run("diff", live, live, "--format", "json")[1])["changed"] == []

    wiki.pageviews({"David_Tarn": 7})
    address = f"{wiki.root}/api/rest_v1"
    counted = tmp_path / "counted.jsonl"
    status, out, _ = run(
        "popularity", live, "--out", counted, "--end", "2026-02", "--pageviews-url", address,
        *CONTACT,
    )  # fmt: skip
    assert (status, "84 in all" in out) == (0, True)
    assert "84 page views from 2025-03 to 2026-02" in run("info", counted)[1]
    assert load(counted)["David Tarn"].people[0].views == 84
    fails(run("popularity", live, "--pageviews-url", address), "no contact")

    assert run("export", live, "--format", "csv", "--out", tmp_path / "a.csv")[0] == 0
    pytest.importorskip("pyarrow")
    pages = ("--pages", tmp_path / "live.pages.jsonl")
    assert run("export", live, "--out", tmp_path / "hf", *pages)[0] == 0
    assert (tmp_path / "hf" / "README.md").exists()
    fails(run("export", live, "--format", "csv", "--out", tmp_path / "b.csv", *pages), "--pages")


def test_an_export_has_the_pages_of_its_file_or_says_so(run, export, tmp_path):
    file, moved = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert run("build", "--count", 3, "--out", file, "--dump", export)[0] == 0
    status, _, said = run("export", file, "--format", "release", "--out", tmp_path / "whole")
    assert (status, (tmp_path / "whole" / "pages.jsonl").exists(), said) == (0, True, "")
    file.rename(moved)
    status, _, said = run("export", moved, "--format", "release", "--out", tmp_path / "less")
    assert (status, (tmp_path / "less" / "pages.jsonl").exists()) == (0, False)
    assert "without the people's pages" in said
    assert "b.pages.jsonl does not exist" in said


def test_another_build_is_not_overwritten(run, export, tmp_path):
    out = tmp_path / "a.jsonl"
    assert run("build", "--count", 3, "--out", out, "--dump", export)[0] == 0
    first = out.read_bytes()
    second = ("build", "--count", 3, "--seed", 2, "--out", out, "--dump", export)
    fails(run(*second), "built with seed 1, now 2", "--overwrite")
    assert out.read_bytes() == first
    assert run(*second, "--overwrite")[0] == 0
    assert out.read_bytes() != first
    out.write_text("my own notes")
    fails(run(*second), "is not an AmbigBio file")


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("a.log.jsonl", ()),
        ("a.pages.jsonl", ()),
        ("m.jsonl", ("--pages-out", "m.jsonl")),
        ("a.audit.csv", ("--audit", 2)),
    ],
)
def test_a_file_of_something_else_is_not_overwritten(
    run, export, tmp_path, monkeypatch, name, more
):
    monkeypatch.chdir(tmp_path)
    build = ("build", "--count", 2, "--out", "a.jsonl", "--dump", export, *more)
    (tmp_path / name).write_text('{"title": "my own", "text": "notes"}\n')
    fails(run(*build), name, "--overwrite")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert run(*build, "--overwrite")[0] == 0
    written = (tmp_path / name).read_bytes()
    assert run(*build)[0] == 0
    assert (tmp_path / name).read_bytes() == written


def test_one_of_a_kind_is_counted_as_one(run, export, tmp_path):
    out = tmp_path / "a.jsonl"
    assert run("build", "--count", "all", "--out", out, "--dump", export)[0] == 0
    assert "1 name with a primary topic" in run("info", out)[1]


def test_a_whole_page_is_known_again(run, export, tmp_path):
    build = ("build", "--count", 2, "--out", tmp_path / "a.jsonl", "--dump", export)
    assert run(*build)[0] == 0
    pages = tmp_path / "a.pages.jsonl"
    pages.write_text(pages.read_text("utf-8").replace('"text": "', f'"text": "{"x " * 99_999}', 1))
    assert run(*build)[0] == 0


def test_no_answer_of_an_audit_is_lost(run, export, tmp_path):
    path = tmp_path / "a.audit.csv"
    build = ("build", "--count", 5, "--out", tmp_path / "a.jsonl", "--dump", export)
    assert run(*build, "--audit", 5)[0] == 0
    head, *lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([head, *(f"{line}y" for line in lines)]), "utf-8")
    answered = run("audit", path)[1]
    assert run(*build, "--audit", 5)[0] == 0
    assert run("audit", path)[1] == answered
    before = path.read_bytes()
    fails(run(*build, "--audit", 2), "a.audit.csv", "--overwrite")
    assert path.read_bytes() == before
    assert run(*build, "--audit", 9)[0] == 0
    assert run("audit", path)[1] == answered
    assert run(*build, "--audit", 2, "--overwrite")[0] == 0
    assert len(path.read_bytes()) < len(before)


@pytest.mark.slow
def test_refresh_asks_again(run, wiki, tmp_path):
    out = tmp_path / "a.jsonl"
    command = ("build", "--count", 2, "--out", out, "--api-url", wiki.api, "--page-text", "none")
    assert run(*command, *CONTACT)[0] == 0
    with sqlite3.connect(tmp_path / "a.cache") as db:
        count = "SELECT COUNT(*) FROM answers WHERE address NOT LIKE '%#one'"
        assert db.execute(count).fetchone()[0] == len(wiki.requests())
    assert "0 answers from the cache" in run(*command, *CONTACT, "--refresh")[1]
    assert not (tmp_path / "a.pages.jsonl").exists()


def test_names_of_a_file(run, wiki, tmp_path):
    names = tmp_path / "names.tsv"
    names.write_text("n\tname\n1\tDavid Tarn\n2\tRobin Vale\n3\tNoone Atall\n")
    out = tmp_path / "a.jsonl"
    status, text, _ = run(
        "build", "--names-file", names, "--out", out, "--api-url", wiki.api, "--wikidata",
        "--wikidata-url", f"{wiki.root}/wikidata/api.php", *CONTACT,
    )  # fmt: skip
    assert status == 0
    assert "rejected: Noone Atall: there is no such page" in text
    assert "from a list of names" in run("info", out)[1]
    assert [name.name for name in load(out)] == ["David Tarn", "Robin Vale"]
    assert run("validate", out)[0] == 0


def test_fewer_names_than_asked_for(run, wiki, tmp_path):
    result = run("build", "--count", 90, "--out", tmp_path / "a.jsonl", "--api-url", wiki.api,
                 *CONTACT)  # fmt: skip
    fails(result, "90 were asked for: give --count", "a.log.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "a.log.jsonl").read_text().splitlines()]
    assert {line["kept"] for line in lines} == {True, False}
    assert all(line["kept"] or line["reason"] for line in lines)
    assert (tmp_path / "a.cache").exists()
    assert not (tmp_path / "a.jsonl").exists()


def test_a_larger_set_asks_only_for_what_is_new(run, wiki, tmp_path):
    def asked():
        """Returns the pages in requests, by id or title, with the requested properties."""
        return [
            (value, given["prop"])
            for request in wiki.requests()
            for given in [request["parameters"]]
            for key in ("pageids", "titles")
            for value in given.get(key, "").split("|")
            if value and "continue" not in given
        ]

    out = tmp_path / "a.jsonl"
    command = ("build", "--out", out, "--api-url", wiki.api, "--overwrite", *CONTACT)
    assert run(*command, "--count", 2)[0] == 0
    first = asked()
    assert len(first) == len(set(first)) > 20
    assert run(*command, "--count", "all")[0] == 0
    both = asked()
    assert len(both) > len(first)
    assert len(both) == len(set(both))
    whole = out.read_bytes()
    assert run(*command, "--count", "all", "--cache", tmp_path / "other.cache")[0] == 0
    assert out.read_bytes() == whole


def test_stopping_by_hand_is_one_line(run, wiki, tmp_path, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("dfactscore.ambigbio._builder.Builder.draw", stop)
    out = tmp_path / "a.jsonl"
    status, _, err = run("build", "--out", out, "--api-url", wiki.api, *CONTACT)
    assert status == 130
    assert err == (
        "dfactscore: stopped; what is done is kept, run the same command again to resume\n"
    )


def test_validate_lists_what_is_wrong(run, export, tmp_path):
    out = tmp_path / "a.jsonl"
    assert run("build", "--count", 3, "--out", out, "--dump", export)[0] == 0
    lines = out.read_text("utf-8").splitlines()
    out.write_text("\n".join(lines[:-1]), "utf-8")
    status, text, err = run("validate", out)
    assert status == 1
    assert "line 1, n_names: 3, but the file holds 2" in text
    assert "problems" in err
    fails(run("validate", tmp_path / "none.jsonl"), "no such file")


def test_diff_tells_what_changed(run, export, tmp_path):
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert run("build", "--count", 5, "--out", one, "--dump", export)[0] == 0
    assert run("build", "--count", 5, "--seed", 2, "--out", two, "--dump", export)[0] == 0
    text = run("diff", one, two)[1]
    assert "seed: 1 -> 2" in text
    assert "\n+ " in text
    assert "\n- " in text
    lines = one.read_text("utf-8").replace('"label": "', '"label": "Dr ', 1)
    lines = lines.replace('"revision": ', '"revision": 9', 2)
    (tmp_path / "3.jsonl").write_text(lines, "utf-8")
    text = run("diff", one, tmp_path / "3.jsonl")[1]
    assert "new description" in text
    assert "edited" in text
    assert "1 changed" in text


def test_a_missing_extra_names_the_command(run, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "wikipediaapi", None)
    monkeypatch.delitem(sys.modules, "dfactscore.ambigbio._wiki_client", raising=False)
    fails(
        run("build", "--out", tmp_path / "a.jsonl", "--contact", "a@b.org"),
        "[wikipedia]",
    )


def test_all_names_and_any_page(run, wiki, export, fixture, tmp_path):
    live, dump = tmp_path / "live.jsonl", tmp_path / "dump.jsonl"
    every = ("build", "--count", "all", "--page-text", "none", "--quiet")
    assert run(*every, "--out", dump, "--dump", export)[0] == 0
    assert {name.name for name in load(dump)} == set(fixture.EXPECTED)
    assert run(*every, "--out", dump, "--dump", export)[0] == 0  # the same command again
    fails(run(*every, "--draw", "any", "--out", dump, "--dump", export), "draw 'names', now 'any'")
    any_page = (*every, "--draw", "any", "--overwrite")
    assert run(*any_page, "--out", dump, "--dump", export)[0] == 0
    assert run(*any_page, "--out", live, "--api-url", wiki.api, *CONTACT, "--timeout", 30)[0] == 0
    one, two = load(live), load(dump)
    assert one.names == two.names
    assert one.header.draw == "any"
    mixed = one["Robin Vale"]
    assert [person.title for person in mixed.people] == [
        "Robin Vale (actor)", "Robin Vale (botanist)",
    ]  # fmt: skip
    assert mixed.entities == 3


def test_what_was_asked_is_recorded(run, export, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("Tell me a bio of J. Harrow\t['J. Harrow']\nTell me a bio of David Tarn\tx\n")
    out = tmp_path / "a.jsonl"
    assert run("build", "--names-file", names, "--out", out, "--dump", export)[0] == 0
    assert [(name.asked, name.name) for name in load(out)] == [
        ("J. Harrow", "John Harrow"), ("David Tarn", "David Tarn"),
    ]  # fmt: skip
