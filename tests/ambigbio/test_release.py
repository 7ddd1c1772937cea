"""A set to upload, and what a person says of it."""

import csv
import hashlib
import json
from dataclasses import replace

import pytest
import yaml

from dfactscore.ambigbio import AmbigBioError, load
from dfactscore.ambigbio.builder import build
from dfactscore.ambigbio.files import write_records
from dfactscore.ambigbio.languages import language
from dfactscore.ambigbio.release import (
    audit_counts,
    split_of,
    strata,
    write_audit,
    write_release,
)

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
