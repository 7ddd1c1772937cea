import csv
import sys
from dataclasses import replace

import pytest
import yaml

from dfactscore._text.name_lists import listed_names
from dfactscore.ambigbio import AmbigBioError
from dfactscore.ambigbio._builder import build
from dfactscore.ambigbio._errors import MissingExtraError
from dfactscore.ambigbio._export import export_csv, export_hf
from dfactscore.ambigbio._files import write_records
from dfactscore.ambigbio._languages import language

EN = language("en")


@pytest.fixture
def built(dump_source, export, fixture):
    return build(dump_source(export), language=EN, names=len(fixture.EXPECTED), pages="full")


def test_csv_has_two_columns_and_reads_back(built, fixture, tmp_path):
    export_csv(built.dataset, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["name", "entities"]
    assert {name: tuple(titles.split("|")) for name, titles in rows[1:]} == fixture.EXPECTED
    assert set(listed_names(tmp_path / "a.csv", error=AmbigBioError)) == set(fixture.EXPECTED)


def test_the_folder_is_what_datasets_reads(built, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    write_records(tmp_path / "pages.jsonl", built.pages)
    folder = tmp_path / "hf"
    export_hf(built.dataset, folder, tmp_path / "pages.jsonl")
    card = (folder / "README.md").read_text("utf-8")
    _, front, body = card.split("---\n", 2)
    data = yaml.safe_load(front)
    assert data["license"] == "cc-by-sa-4.0"
    assert "CC BY-SA 4.0" in body
    assert "by the contributors" in body
    tables = {}
    for config in data["configs"]:
        [files] = config["data_files"]
        tables[config["config_name"]] = parquet.read_table(folder / files["path"]).to_pylist()
    assert [row["name"] for row in tables["names"]] == [name.name for name in built.dataset]
    first, person = tables["names"][0]["people"][0], built.dataset.names[0].people[0]
    assert {key: first[key] for key in ("title", "page_id", "born", "died")} == {
        "title": person.title, "page_id": person.page_id, "born": person.born, "died": person.died,
    }  # fmt: skip
    assert [row["text"] for row in tables["pages"]] == [page.text for page in built.pages]


def test_without_pages_there_is_one_configuration(built, tmp_path):
    pytest.importorskip("pyarrow")
    export_hf(built.dataset, tmp_path / "hf")
    front = (tmp_path / "hf" / "README.md").read_text("utf-8").split("---\n")[1]
    assert [config["config_name"] for config in yaml.safe_load(front)["configs"]] == ["names"]
    assert not (tmp_path / "hf" / "pages").exists()


def test_pages_that_cannot_be_read(built, tmp_path):
    pytest.importorskip("pyarrow")
    with pytest.raises(AmbigBioError, match=r"none\.jsonl: no such file"):
        export_hf(built.dataset, tmp_path / "hf", tmp_path / "none.jsonl")
    (tmp_path / "bad.jsonl").write_text('{"title": ["x"]}\n')
    with pytest.raises(AmbigBioError, match=r"bad\.jsonl: not pages as the builder writes them"):
        export_hf(built.dataset, tmp_path / "hf", tmp_path / "bad.jsonl")


@pytest.mark.parametrize("breaker", "\u2028\u2029\x85\x0b\x0c\x1e")
def test_a_line_separator_in_a_page_is_content(built, tmp_path, breaker):
    parquet = pytest.importorskip("pyarrow.parquet")
    page = replace(built.pages[0], text=f"one{breaker}two")
    write_records(tmp_path / "pages.jsonl", [page])
    export_hf(built.dataset, tmp_path / "hf", tmp_path / "pages.jsonl")
    (file,) = (tmp_path / "hf" / "pages").iterdir()
    assert [row["text"] for row in parquet.read_table(file).to_pylist()] == [page.text]


def test_a_missing_extra_names_the_command(built, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[parquet\]"):
        export_hf(built.dataset, tmp_path / "hf")
