"""Reads what public tools write: files of answers, logs, records, and pages."""

from __future__ import annotations

import pytest

from dfactscore import InputError
from dfactscore._readers import Columns, read_biographies, read_records
from dfactscore.generation._request_files import read_requests
from dfactscore.retrieval import open_source
from dfactscore.retrieval._readers import read_pages
from tests.dfactscore.readers import tool_shapes as tools


def check(reading, passages):
    (one,) = reading.biographies
    assert (one.name, one.text) == ("Ann Lee", tools.A)
    if isinstance(passages, int):
        assert len(one.passages) == passages
    else:
        assert [passage.text for passage in one.passages] == (passages or [])


@pytest.mark.parametrize("tool", tools.FILES)
def test_files(tool, tmp_path):
    name, content, options, passages = tools.FILES[tool]
    (path := tmp_path / name).write_text(content, "utf-8")
    if "join" in options:
        (tmp_path / "other.jsonl").write_text(options["join"], "utf-8")
        options = {**options, "join": tmp_path / "other.jsonl"}
    check(read_biographies(path, columns=Columns(**options)), passages)


@pytest.mark.parametrize("tool", [*tools.LOGS, *tools.RECORDS])
def test_records(tool, tmp_path):
    record, passages = {**tools.LOGS, **tools.RECORDS}[tool]
    records = record if isinstance(record, list) else [record]
    check(read_records(records), passages)
    (path := tmp_path / "x.jsonl").write_text(tools.lines(*records), "utf-8")
    check(read_biographies(path), passages)
    if len(records) == 1 and passages and tool != "OTLP":
        (request,) = read_requests(path)  # as `generate` does
        assert request.passages == read_biographies(path).biographies[0].passages


@pytest.mark.parametrize("tool", tools.PAGES)
def test_pages(tool, tmp_path):
    name, content = tools.PAGES[tool]
    (path := tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")
    place = tmp_path / name.split("/")[0]
    (page,) = read_pages(place)
    (found,) = open_source(place).documents(tools.TITLE)
    for text in (page.text, found.text):
        assert " ".join(text.removeprefix(tools.TITLE).split()) == tools.TEXT
    assert page.title == tools.TITLE


@pytest.mark.parametrize(
    "record",
    [
        {"summary": tools.A, "question": tools.Q},
        {"messages": tools.CHAT, "usage": {}},
        {"text": {"a": 1}, "question": tools.Q},
        {"answers": [tools.A, tools.A], "question": tools.Q},
        {"documents": tools.DOCS, "question": tools.Q},
    ],
    ids=repr,
)
def test_other_records_are_refused_with_their_keys(record):
    with pytest.raises(
        InputError, match=r"field '\w+': .*found (dict with the keys )?\w+"
    ) as error:
        read_records([record, record])
    assert "\n" not in str(error.value)
