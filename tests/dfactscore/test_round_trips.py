"""Readers restore the data of writers, for texts with any characters.

Each pair of a writer and a reader is here once: U+2028, U+0085 and other line separators, halves of
surrogate pairs, NUL, byte order marks and carriage returns stand in every text, and each file is
read again with a byte order mark and with CRLF.
"""

from __future__ import annotations

import asyncio
import csv
import gzip
import io
import json
import re
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.messages import Answer, TokenLogprob
from dfactscore._readers import biography_from_record, read_biographies
from dfactscore._readers.released_labels import read_annotations
from dfactscore._runs import load_run
from dfactscore._runs.run_manifest import read_manifest
from dfactscore._scoring.released_scores import read_released
from dfactscore._text.clean_text import clean
from dfactscore._text.name_lists import listed_names
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import read_jsonl, write_json, write_jsonl
from dfactscore._util.tables import csv_text, without_guard
from dfactscore.ambigbio import AmbigBio, AmbiguousName, Header, Person, load, save
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._files import write_records
from dfactscore.citations import citation_record, read_judged
from dfactscore.comparison import compare
from dfactscore.comparison._comparison_tables import records as comparison_rows
from dfactscore.comparison._loading import load_scores
from dfactscore.generation._request import Generation, Request, alce_json, generation_record
from dfactscore.generation._request_files import read_names, read_requests
from dfactscore.mixing import run_mixing
from dfactscore.mixing._popularity import read_views
from dfactscore.retrieval import Page, Passage, build_store, open_source, read_pages
from dfactscore.retrieval._passage_file import PassageStore, append_passages
from dfactscore.work._journal import Journal
from dfactscore.work._work_folder import new_manifest, write_manifest

STRANGE = "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\r\n\x00\ufeff\ud800\udbff\udfff\"\\',;\t{}[]|=<>&"
# A high half before a low half is a whole character to every reader, so only one kind is drawn.
TEXT = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from(STRANGE)), max_size=30
).map(lambda text: text.replace("\ud800\udfff", "\ud800").replace("\udbff\udfff", "\udbff"))
WHOLE = TEXT.map(lambda text: "".join(c for c in text if not "\ud800" <= c <= "\udfff"))
NAMED = TEXT.filter(lambda text: clean(text).strip(" \t\r\n\ufffd\u2028\u2029\x85\ufeff") != "")
FEW = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def place():
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def disguises(path):
    """The same file as it is, with a byte order mark, with CRLF, and packed."""
    data = path.read_bytes()
    for disguised in (data, b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n")):
        path.write_bytes(disguised)
        yield path
    packed = path.with_name(path.name + ".gz")
    packed.write_bytes(gzip.compress(data))
    if path.name.startswith("packed"):
        yield packed
    path.write_bytes(data)


PASSAGES = st.lists(
    st.fixed_dictionaries({"title": NAMED.filter(str.strip), "text": TEXT}), max_size=2
)
BIOGRAPHIES = st.lists(
    st.fixed_dictionaries(
        {"name": NAMED.filter(str.strip), "text": TEXT, "passages": PASSAGES},
        optional={"model": TEXT, "note": st.lists(TEXT)},
    ),
    min_size=1,
    max_size=3,
)


def made(records):
    found = []
    for number, record in enumerate(records):
        found.append(biography_from_record(record, default_id=str(number)))
    return tuple(found)


def usable(records):
    try:
        return len({b.id for b in made(records)}) == len(records)
    except ValueError:
        return False


@FEW
@given(BIOGRAPHIES.filter(usable))
def test_biographies(place, records):
    write_jsonl(place / "b.jsonl", records)
    for path in disguises(place / "b.jsonl"):
        assert read_biographies(path).biographies == made(records)
    write_json(place / "b.json", {"data": records})
    for path in disguises(place / "b.json"):
        assert read_biographies(path).biographies == made(records)
    table = [{"name": clean(r["name"]), "text": clean(r["text"]),
              "passages": dump_json(r["passages"])} for r in records]  # fmt: skip
    wanted = [replace(b, extra={}, model="") for b in made(records)]
    if all(r["text"] for r in table):  # an empty cell is not a text
        (place / "b.csv").write_bytes(csv_text(table).encode())
        (place / "b.csv").write_bytes(b"\xef\xbb\xbf" + (place / "b.csv").read_bytes())
        assert read_biographies(place / "b.csv").biographies == tuple(wanted)


class Writer:
    name = "w\u2028riter"
    settings = {"generator": "\x85"}


REQUESTS = st.lists(
    # ALCE writes the name into a question, whose full stop is not part of the name
    st.tuples(NAMED, TEXT, PASSAGES).filter(lambda row: re.search(r"[^\s.]", clean(row[0]))),
    min_size=1, max_size=3, unique_by=lambda row: clean(row[0]).strip(),
)  # fmt: skip


@FEW
@given(REQUESTS)
def test_generated_biographies(place, rows):
    records = []
    for number, (name, output, passages) in enumerate(rows):
        given_passages = tuple(Passage(p["title"], p["text"]) for p in passages)
        request = Request(str(number), name, given_passages, {"note": output})
        records.append(generation_record(request, Generation(output, "stop"), Writer()))
    if not usable(records):
        return
    (place / "g.jsonl").unlink(missing_ok=True)
    journal = Journal(place / "g.jsonl")
    for record in records:
        journal.append(record["id"], record)
    journal.close()
    again = Journal(place / "g.jsonl", read_only=True)
    read = [r for r in again.records(list(again.keys())) if r is not None]
    assert [{k: v for k, v in r.items() if k != "key"} for r in read] == records
    written = [replace(b, extra={}) for b in made(records)]
    found = read_biographies(place / "g.jsonl").biographies
    assert [replace(b, extra={}) for b in found] == written
    write_json(place / "alce.json", alce_json(records))
    alce = read_biographies(place / "alce.json").biographies
    assert [(b.id, b.text, b.citations) for b in alce] == [
        (b.id, b.text, b.citations) for b in written
    ]


@FEW
@given(REQUESTS)
def test_names_with_passages(place, rows):
    records = [{"id": str(n), "name": name, "passages": passages, "note": text}
               for n, (name, text, passages) in enumerate(rows)]  # fmt: skip
    write_jsonl(place / "p.jsonl", records)
    first = [asdict(r) for r in read_requests(place / "p.jsonl")]
    assert [r["extra"]["note"] for r in first] == [r["note"] for r in records]
    assert [[p["text"] for p in r["passages"]] for r in first] == [
        [clean(p["text"]) for p in r["passages"]] for r in records
    ]
    for path in disguises(place / "p.jsonl"):
        assert [asdict(r) for r in read_requests(path)] == first
    assert [r.name for r in read_names(place / "p.jsonl")] == [r["name"] for r in first]


@FEW
@given(TEXT, TEXT, TEXT, st.sampled_from(STRANGE))
def test_run_folders(make_scored, make_run, tmp_path_factory, name, text, title, sign):
    if not clean(name).strip():
        return
    records = [
        make_scored(clean(name), texts=[f"{text}a", f"b{sign}"], support=((1, 0), (0, 1)),
                    titles=(f"{title}1", f"2{sign}"), groups=((0,), (1,)),
                    pages=[f"{text} The deciding words. There", sign], id=f"{sign}{number}")
        for number in range(2)
    ]  # fmt: skip
    folder = make_run(records, tmp_path_factory.mktemp("run").name)
    run = load_run(folder)
    again = list(run.records())
    for before, after in zip(records, again, strict=True):
        assert after.biography == before.biography
        assert after.facts == before.facts
        assert after.groups == before.groups
        assert after.entities == before.entities
        assert after.scores == before.scores
        for column in range(2):
            assert after.matrix.column(column) == before.matrix.column(column)
    (scores,) = load_scores(folder)
    assert set(scores.names) == {r.name for r in records}
    mixing = run_mixing(again)
    assert json.loads(mixing.to_json())["biographies"] == json.loads(dump_json(mixing.rows()))
    read = list(csv.DictReader(io.StringIO(mixing.to_csv(), newline="")))
    unguarded = [(without_guard(r["id"]), without_guard(r["name"])) for r in read]
    assert unguarded == [(r["id"], r["name"]) for r in mixing.rows()]


@FEW
@given(WHOLE, WHOLE.filter(lambda text: text.strip()))
def test_comparisons(name, label):
    rows = [{"name": f"{name}{n}", "fs": 1.0, "dfs": n / 3, "status": "scored"} for n in range(3)]
    found = compare({f"a{label}": rows, f"b{label}": rows[::-1]}, resamples=100)
    for part in ("levels", "differences"):
        table = comparison_rows(found, part)
        read = list(csv.DictReader(io.StringIO(found.to_csv(part), newline="")))
        assert len(read) == len(table)
        for row, cells in zip(table, read, strict=True):
            assert {k: cells[k] for k in row if isinstance(row[k], str)} == {
                k: v for k, v in row.items() if isinstance(v, str)
            }
    assert [row["model"] for row in json.loads(found.to_json())["levels"]] == [
        row["model"] for row in comparison_rows(found, "levels")
    ]


PEOPLE = st.lists(st.tuples(WHOLE, WHOLE, st.lists(WHOLE, max_size=2)), min_size=2, max_size=3)


@FEW
@given(WHOLE, PEOPLE, st.booleans())
def test_ambigbio(place, name, people, broken):
    half = "\ud800" if broken else ""
    rows = tuple(
        Person(title, n, n, "2026-01-02T03:04:05Z", f"https://{title}", label=label + half,
               description=title, aliases=tuple(aliases))
        for n, (title, label, aliases) in enumerate(people, start=2)
    )  # fmt: skip
    header = Header("https://x.org", "en", "2026-01-05", 1, 1, 10, 1, 1, len(rows))
    data = AmbigBio(header, (AmbiguousName(name, name, 1, 1, "t", "u", rows),))
    save(data, place / "packed.jsonl")
    whole = tuple(replace(p, label=p.label.replace("\ud800", "\ufffd")) for p in rows)
    wanted = AmbigBio(header, (replace(data.names[0], people=whole),))
    for path in disguises(place / "packed.jsonl"):
        assert load(path) == wanted


def pages_of(rows):
    return [Page(title=title.strip(), text=text, url=text, redirects=(title + "!",))
            for title, text in rows]  # fmt: skip


PAGES = st.lists(
    st.tuples(WHOLE, WHOLE).filter(lambda row: row[0].strip() and row[1].strip()),
    min_size=1, max_size=3, unique_by=lambda row: row[0].strip(),
)  # fmt: skip


@FEW
@given(PAGES)
def test_pages(place, rows):
    pages = pages_of(rows)
    write_records(place / "packed.jsonl", pages)
    for path in disguises(place / "packed.jsonl"):
        assert list(read_pages(path)) == pages
    source = open_source(place / "packed.jsonl")
    assert [source.documents(page.title) for page in pages] == [(page,) for page in pages]
    (place / "p.sqlite").unlink(missing_ok=True)
    build_store(pages, place / "p.sqlite")
    store = open_source(place / "p.sqlite")
    for page in pages:
        (found,) = store.documents(page.title)
        assert (found.title, found.text, found.url) == (page.title, page.text, page.url)
    assert [p.text for p in read_pages(place / "p.sqlite")] == [p.text for p in pages]
    store.close()


@FEW
@given(PAGES)
def test_passages(place, rows):
    passages = [Passage(title, text, str(n)) for n, (title, text) in enumerate(rows)]
    (place / "p.sqlite").unlink(missing_ok=True)
    append_passages(passages, place / "p.sqlite")
    store = PassageStore(place / "p.sqlite")
    assert list(store) == passages
    assert store.recomputed_hash() == store.hash


@FEW
@given(st.lists(st.tuples(TEXT, TEXT, st.booleans()), min_size=1, max_size=3))
def test_released_and_labeled_files(place, rows):
    records = [
        {"name": name, "decisions": [{"atom": atom, "is_supported": yes, "supporting_topic": name}],
         "global_decisions": None}
        for name, atom, yes in rows
    ]  # fmt: skip
    write_jsonl(place / "r.jsonl", records)
    for path in disguises(place / "r.jsonl"):
        released = read_released(path)
        assert released.names == tuple(name for name, _, _ in rows)
        assert [d[0].atom for d in released.decisions if d] == [atom for _, atom, _ in rows]
    whole = {"decisions": [r["decisions"] for r in records], "note": rows[0][0]}
    write_json(place / "r.json", whole)
    for path in disguises(place / "r.json"):
        assert read_released(path).stored["note"] == rows[0][0]
    labeled = [{"topic": name, "output": atom, "annotations": None} for name, atom, _ in rows]
    write_jsonl(place / "l.jsonl", labeled)
    for path in disguises(place / "l.jsonl"):
        assert read_annotations(path) == labeled


@FEW
@given(TEXT, TEXT, st.lists(st.tuples(TEXT, st.lists(st.integers(0, 4), max_size=3))))
def test_judged_citations(place, id, name, sentences):
    rows = [{"text": text, "citations": numbers, "entailed": True if numbers else None}
            for text, numbers in sentences]  # fmt: skip
    write_jsonl(place / "j.jsonl", [{"id": id, "name": name, "sentences": rows}])
    scores = read_judged(place / "j.jsonl")
    assert [s.text for s in scores[0].sentences] == [text for text, _ in sentences]
    write_jsonl(place / "k.jsonl", map(citation_record, scores))
    for path in disguises(place / "k.jsonl"):
        again = read_judged(path)
        assert [dict(citation_record(s)) for s in again] == [
            dict(citation_record(s)) for s in scores
        ]


@FEW
@given(st.dictionaries(TEXT, st.integers(0, 9), min_size=1, max_size=3))
def test_page_views(place, views):
    write_jsonl(place / "v.jsonl", [{"title": t, "views": n, "aliases": [t]}
                                    for t, n in views.items()])  # fmt: skip
    for path in disguises(place / "v.jsonl"):
        assert read_views(path) == views


@FEW
@given(TEXT, TEXT, st.sampled_from([0.0, -0.5, float("-inf")]))
def test_answers(place, text, token, logprob):
    answer = Answer(text, logprobs=(TokenLogprob(token, logprob, ((token, logprob),)),))
    assert Answer.from_json(answer.to_json()) == answer
    (place / "a.sqlite").unlink(missing_ok=True)
    cache = AnswerCache(place / "a.sqlite")
    request = {"model": "m", "messages": [{"role": "user", "content": text}]}
    asyncio.run(cache.put(b"key", answer, request, endpoint="e", stage="s", version="v", sample=0))
    assert cache.get(b"key") == answer
    (record,) = cache.records()
    assert (record["request"], record["answer"]) == (request, text)
    write_jsonl(place / "a.jsonl", [record])
    assert next(read_jsonl(place / "a.jsonl", error=ValueError))[1] == record
    cache.close()


@FEW
@given(TEXT, TEXT)
def test_manifests(place, key, value):
    roles = {role: {"name": value} for role in ("decomposer", "grouper", "verifier")}
    chosen = {
        "evidence": "page",
        "candidates": "retrieved",
        "scores": {"counts": "verdicts"},
        "dataset": {key: [value]},
    }
    source = {"file": value, "records": 1, "bad": 0}
    manifest = new_manifest(command="score", source=source, settings={**roles, **chosen})
    write_manifest(place / "manifest.json", manifest)
    for _ in disguises(place / "manifest.json"):
        assert read_manifest(place) == manifest


@FEW
@given(st.lists(WHOLE.map(lambda text: " ".join(text.split())).filter(bool), min_size=1))
def test_lists_of_names(place, names):
    names = [n for n in dict.fromkeys(names) if not n.startswith("#")]
    if not names or any("\r" in n or "\n" in n for n in names):
        return
    listed = [clean(n).replace("\xad", "").strip() for n in names]
    if listed != names or len(set(listed)) < len(listed):
        return
    (place / "n.txt").write_bytes("\n".join(["#", *names]).encode())
    for path in disguises(place / "n.txt"):
        assert listed_names(path, error=AmbigBioError) == names
    (place / "n.csv").write_bytes(csv_text([{"name": n, "x": 1} for n in names]).encode())
    for path in disguises(place / "n.csv"):
        assert listed_names(path, error=AmbigBioError) == names
