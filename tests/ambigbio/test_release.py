"""A data set to upload, and a person's audit of it."""

import csv
import hashlib
import json
import os
from dataclasses import replace
from importlib import metadata

import pytest
import yaml

from dfactscore._cli.app import main
from dfactscore._util.datasets_folder import check_folder
from dfactscore.ambigbio import AmbigBioError, load
from dfactscore.ambigbio._builder import build
from dfactscore.ambigbio._files import write_records
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._records import AmbigBio, Popularity
from dfactscore.ambigbio._release import audit_counts, split_of, strata, write_audit, write_release

EN = language("en")


@pytest.fixture
def built(dump_source, export):
    return build(dump_source(export), language=EN, names="all")


def test_a_release_is_whole(built, tmp_path):
    write_records(tmp_path / "pages.jsonl", built.pages)
    folder = tmp_path / "up"
    write_release(built.dataset, folder, language=EN, pages=tmp_path / "pages.jsonl")
    assert load(folder / "ambigbio.jsonl") == built.dataset
    rows = {}
    for split in ("dev", "test"):
        for line in (folder / f"{split}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            rows[row["name"]] = row
            assert split_of(row["name"]) == split
            assert row["strata"]["bearers"] == len(row["people"])
    assert set(rows) == {name.name for name in built.dataset}
    sums = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == {path.name for path in folder.iterdir()} - {"SHA256SUMS"}
    for name, digest in sums.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    front = yaml.safe_load((folder / "README.md").read_text("utf-8").split("---")[1])
    listed = [file["path"] for config in front["configs"] for file in config["data_files"]]
    assert sorted(listed) == ["dev.jsonl", "pages.jsonl", "test.jsonl"]
    assert front["license"] == "cc-by-sa-4.0"


class _Killed(BaseException):
    pass


@pytest.mark.parametrize("before", [True, False])
def test_a_release_killed_between_two_files_is_finished(built, tmp_path, monkeypatch, before):
    pages = tmp_path / "pages.jsonl"
    write_records(pages, built.pages)
    whole = tmp_path / "whole"
    write_release(built.dataset, whole, language=EN, pages=pages)
    expected = {path.name: path.read_bytes() for path in whole.iterdir()}
    real = os.replace
    for number in range(len(expected)):
        folder = tmp_path / str(number)
        if before:  # an earlier release, of other names
            other = replace(built.dataset, names=built.dataset.names[:1])
            write_release(other, folder, language=EN)

        left = iter(range(number))

        def kill(source, target, *, left=left):
            if next(left, None) is None:
                raise _Killed
            real(source, target)

        monkeypatch.setattr(os, "replace", kill)
        with pytest.raises(_Killed):
            write_release(built.dataset, folder, language=EN, pages=pages)
        monkeypatch.setattr(os, "replace", real)
        assert not (folder / "SHA256SUMS").exists()
        check_folder(folder)
        write_release(built.dataset, folder, language=EN, pages=pages)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == expected


def made_set(built, number, *, views):
    """Makes names, few of them with redirects, years or bearers without a page."""
    every = list(built.dataset)
    names = []
    for n in range(number):
        name = every[n % len(every)]
        bare = {"aliases": (), "born": None, "died": None, "short_description": ""}
        full = {"aliases": ("X", "Y"), "born": 1900, "died": 1980, "short_description": "Poet"}
        some = full if n >= number - 2 else bare  # readers infer types from the first lines
        people = tuple(replace(p, **some, views=7 if views else None) for p in name.people)
        named = ("A line",) if n == number - 1 else ()
        names.append(replace(name, name=f"{name.name} {n}", people=people, named=named))
    header = replace(
        built.dataset.header, n_names=number, n_people=sum(len(n.people) for n in names),
        asked=number, listed=number, considered=number,
        popularity=Popularity("2025-01", "2025-12", "en.wikipedia.org") if views else None,
    )  # fmt: skip
    return AmbigBio(header, tuple(names))


@pytest.fixture(params=[(10, False), (60, True), (120, False)], ids=str)
def release(request, built, tmp_path):
    number, views = request.param
    dataset, folder = made_set(built, number, views=views), tmp_path / "up"
    write_records(tmp_path / "pages.jsonl", built.pages)
    write_release(dataset, folder, language=EN, pages=tmp_path / "pages.jsonl")
    return dataset, folder


def splits_of(dataset):
    return {
        split: [name for name in dataset if split_of(name.name) == split]
        for split in ("dev", "test")
    }


@pytest.mark.slow
def test_datasets_loads_every_split(release, tmp_path):
    datasets = pytest.importorskip("datasets")
    dataset, folder = release
    cache = str(tmp_path / "cache")
    tables = datasets.load_dataset(str(folder), cache_dir=cache)
    assert tables["dev"].features == tables["test"].features
    for split, names in splits_of(dataset).items():
        assert tables[split]["name"][:] == [name.name for name in names]
        for row, name in zip(tables[split], names, strict=True):
            assert row["named"] == list(name.named)
            people = [(p["title"], p["born"], p["aliases"]) for p in row["people"]]
            assert people == [(p.title, p.born, list(p.aliases)) for p in name.people]
            assert row["strata"]["bearers"] == len(name.people)
            assert ("views" in row["people"][0]) == (dataset.header.popularity is not None)
    pages = datasets.load_dataset(str(folder), "pages", cache_dir=cache)["test"]
    assert pages["redirects"][0] == []


def test_other_readers_read_every_split(release):
    duckdb, pandas = pytest.importorskip("duckdb"), pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    dataset, folder = release
    for split, names in splits_of(dataset).items():
        file, wanted = str(folder / f"{split}.jsonl"), [name.name for name in names]
        aliases = [[list(p.aliases) for p in name.people] for name in names]
        table = pandas.read_json(file, lines=True)
        assert list(table["name"]) == wanted
        assert [[p["aliases"] for p in people] for people in table["people"]] == aliases
        rows = duckdb.sql(f"SELECT name, people FROM '{file}'").fetchall()
        assert [name for name, _ in rows] == wanted
        assert [[p["aliases"] for p in people] for _, people in rows] == aliases
        table = polars.read_ndjson(file, infer_schema_length=None)
        assert table["name"].to_list() == wanted


def test_a_split_is_read_as_any_set(built, tmp_path, capsys, monkeypatch):
    folder = tmp_path / "up"
    write_release(built.dataset, folder, language=EN)
    splits = splits_of(built.dataset)
    assert all(splits.values())
    for split, names in splits.items():
        file = folder / f"{split}.jsonl"
        part = load(file)
        assert list(part) == names
        for line in ("validate", "info", f"export --format csv --out {tmp_path / split}.csv"):
            command, *options = line.split()
            argv = ["dfactscore", "ambigbio", command, str(file), *options]
            monkeypatch.setattr("sys.argv", argv)
            with pytest.raises(SystemExit) as exit_:
                main()
            said = capsys.readouterr()
            assert (exit_.value.code, said.err) == (0, "")
            assert str(len(names)) in said.out
        assert len((tmp_path / f"{split}.csv").read_text("utf-8").splitlines()) == len(names) + 1
    lone = tmp_path / "dev.jsonl"
    lone.write_bytes((folder / "dev.jsonl").read_bytes())
    with pytest.raises(AmbigBioError, match=r"part of a release.*ambigbio\.jsonl.*beside it"):
        load(lone)


def test_a_split_without_names_has_no_file(built, tmp_path):
    one = next(name for name in built.dataset if split_of(name.name) == "test")
    dataset = AmbigBio(replace(built.dataset.header, n_names=1), (one,))
    write_release(dataset, tmp_path / "up", language=EN)
    assert not (tmp_path / "up" / "dev.jsonl").exists()
    front = yaml.safe_load((tmp_path / "up" / "README.md").read_text("utf-8").split("---")[1])
    assert [file["path"] for file in front["configs"][0]["data_files"]] == ["test.jsonl"]


def test_the_card_says_what_to_cite_and_what_made_it(built, tmp_path):
    write_release(built.dataset, tmp_path / "up", language=EN)
    card = (tmp_path / "up" / "README.md").read_text("utf-8")
    assert card.count("```bibtex") == 2
    assert f"dfactscore {metadata.version('dfactscore')}" in card


def test_bearers_without_a_page_stand_in_the_file(built):
    assert built.dataset["John Harrow"].named == (
        "John Harrow (bishop) (died 1688), bishop of Ely",
    )
    lines = built.dataset["Anna Voss"].named
    assert "Anna Voss (1702–1760), mother of Karl Voss" in lines
    assert not [line for line in lines if "Ada Lund" in line]  # who has a page


def test_strata(built):
    name = built.dataset["Mary Quill"]
    one, two, *_ = name.people

    def of(*people):
        return strata(replace(name, people=people), EN)

    seen = of(replace(one, views=30), replace(two, views=10))
    assert (seen["bearers"], seen["popularity_ratio"]) == (2, 3.0)
    assert of(one, two)["popularity_ratio"] is None
    poets = of(
        replace(one, short_description="Irish poet"),
        replace(two, short_description="Poet and cook"),
    )
    assert poets["same_occupation"] is True
    assert of(one, two)["same_occupation"] is False
    apart = replace(one, born=1700, died=1750), replace(two, born=1760, died=None)
    assert of(*apart)["same_era"] is False
    assert of(replace(apart[0], died=1760), apart[1])["same_era"] is True
    assert of(replace(one, born=None, died=None), two)["same_era"] is None


def test_an_audit_counts_answers(built, tmp_path):
    path = tmp_path / "a.audit.csv"
    write_audit(built.dataset, built.decisions, 5, path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pages = list(dict.fromkeys(row["page"] for row in rows))
    assert len(pages) == 5
    for name in built.dataset:
        if name.title in pages:
            taken = {r["found"] for r in rows if (r["page"], r["kind"]) == (name.title, "taken")}
            assert taken == {person.title for person in name.people}
    with pytest.raises(AmbigBioError, match="no line of kind 'taken' has an answer"):
        audit_counts(path)
    taken = [row for row in rows if row["kind"] == "taken"]
    left = [row for row in rows if row["kind"] == "left"]
    for row in taken:
        row["right"] = "y"
    taken[0]["right"], left[0]["right"], left[1]["right"] = "No", "n", "y"

    def write():
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)

    rows[0]["note"] = "in doubt"
    write()
    write_audit(built.dataset, built.decisions, 5, path)
    with path.open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == [{"note": "", **row} for row in rows]
    right = len(taken) - 1
    assert audit_counts(path) == {"precision": (right, len(taken)), "recall": (right, right + 1)}
    left[1]["right"] = "perhaps"
    write()
    with pytest.raises(AmbigBioError, match=r"'perhaps'.*write y or n"):
        audit_counts(path)
