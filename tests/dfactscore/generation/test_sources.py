"""Names and passages from files."""

from __future__ import annotations

import json
import re

import pytest

from dfactscore._errors import InputError
from dfactscore.generation._request import same_name_entities
from dfactscore.generation._request_files import read_names, read_requests
from dfactscore.retrieval import Passage


def write(path, text):
    path.write_text(text if isinstance(text, str) else "\n".join(map(json.dumps, text)))
    return path


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("n.txt", "Al Shaw\n\nBo Ek (disambiguation)\nAl Shaw\n"),
        ("n.csv", "id,name\n1,Al Shaw\n2,Bo Ek (disambiguation)\n"),
        ("n.csv", "Al Shaw\nBo Ek\n"),
        ("n.csv", 'about,name\n"a\nb",Al Shaw\n"c",Bo Ek\n'),
        ("n.tsv", "topic\tx\nAl Shaw\t1\nBo Ek\t2\n"),
        (
            "n.jsonl",
            '{"schema_version": 1}\n{"name": "Al Shaw", "views": 3, "text": "x"}\n'
            '{"topic": "Bo Ek", "people": [], "url": "x"}\n',
        ),
    ],
)
def test_names(tmp_path, file, text):
    found = read_names(write(tmp_path / file, text))
    assert [r.name for r in found] == ["Al Shaw", "Bo Ek"]
    if file.endswith("jsonl"):
        assert [r.extra for r in found] == [{"views": 3}, {}]


def test_passages_by_line_or_by_name(tmp_path):
    lines = [
        {"name": "Al", "rank": 2, "title": "B", "text": "b"},
        {"name": "Bo", "rank": 1, "title": "C", "text": "c"},
        {"name": "Al", "rank": 1, "title": "A", "text": "a", "id": "7"},
    ]
    found = read_requests(write(tmp_path / "p.jsonl", lines))
    assert [(r.name, r.passages) for r in found] == [
        ("Al", (Passage("A", "a", "7"), Passage("B", "b"))),
        ("Bo", (Passage("C", "c"),)),
    ]
    lists = [{"id": "x", "name": "Al", "passages": [{"title": "A", "text": "a"}], "more": 1}]
    (one,) = read_requests(write(tmp_path / "l.jsonl", lists))
    assert (one.id, one.passages, one.extra) == ("x", (Passage("A", "a"),), {"more": 1})


@pytest.mark.data
def test_alce(data):
    found = read_requests(data / "dfactscore" / "alce_tulu.json")
    assert len(found) == 140
    assert found[0].name == "Bruce Johnston"
    assert len(found[0].passages) == 5
    assert "output" not in found[0].extra


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("p.jsonl", "{", "p.jsonl:1: not valid JSON"),
        ("p.jsonl", "[1]", "expected an object"),
        ("p.jsonl", '{"nam": "Al"}', 'no field "name"; found nam'),
        (
            "p.jsonl",
            '{"name": "Al", "title": "A"}',
            "found the keys name, title",
        ),
        ("p.jsonl", '{"name": "Al", "title": " ", "text": ""}', 'field "title"'),
        ("p.jsonl", '{"name": "A", "rank": "1", "title": "A", "text": ""}', "'1' is not a number"),
        ("p.jsonl", '{"name": "Al", "passages": 3}', "field 'passages': expected a list"),
        ("p.jsonl", '{"name": "Al", "passages": [3]}', "'passages[0]': expected a text or"),
        ("p.jsonl", '{"name": "Al", "docs": []}\n' * 2, "is repeated"),
        ("p.jsonl", "", "contains no passages"),
        ("p.json", "{", "p.json:1: not valid JSON"),
        ("p.json", "{}", "expected a list under the key 'data'"),
        ("p.txt", "", "unknown format '.txt'"),
    ],
)
def test_bad_passages(tmp_path, file, text, words):
    with pytest.raises(InputError) as error:
        read_requests(write(tmp_path / file, text))
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("n.jsonl", '{"nam": 1}', 'no field "name"'),
        ("n.jsonl", "3", "expected an object"),
        ("n.txt", "\n", "contains no names"),
        ("n.csv", "", "contains no names"),
        ("n.pdf", "", "unknown format '.pdf'"),
    ],
)
def test_bad_names(tmp_path, file, text, words):
    with pytest.raises(InputError) as error:
        read_names(write(tmp_path / file, text))
    assert words in str(error.value)
    with pytest.raises(InputError, match="no such file"):
        read_names(tmp_path / "gone.txt")
    (tmp_path / "latin.txt").write_bytes(b"Andr\xe9 \x81")
    with pytest.raises(InputError, match="not UTF-8"):
        read_names(tmp_path / "latin.txt")


def test_same_name_entities():
    titles = ["Adrián Pérez (footballer)", "Adrian Perez Lopez", "Perez", "Adrian Perez Lopez"]
    passages = [Passage(t, "") for t in titles]
    assert same_name_entities("Adrian Perez", passages) == tuple(titles[:2])


@pytest.mark.parametrize("ending", ["tsv", "txt", "csv"])
def test_the_released_table(tmp_path, ending):
    names = [f"{name} {n}" for n in range(100) for name in
             ("Ann Lee", "Lee, Ann", "Pat O'Dea", "José Ünal", "Ken Dee Jr.")]  # fmt: skip
    table = "".join(f"Tell me a bio of {name}\t{[name]!r}\n" for name in names)
    found = read_names(write(tmp_path / f"n.{ending}", table))
    assert [request.name for request in found] == names


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('"Who is Ann Lee?"', "expected an object with 'prompt', found 'Who is Ann Lee?'"),
        ('{"prompt": 3}', "no field 'prompt' with a text; found prompt"),
    ],
)
def test_lines_that_are_no_prompts_are_refused(tmp_path, line, said):
    from dfactscore.generation._llm import read_prompts

    path = tmp_path / "prompts.jsonl"
    path.write_text('{"prompt": "Who?"}\n' + line)
    with pytest.raises(InputError, match=rf"prompts\.jsonl:2: {re.escape(said)}"):
        read_prompts(path)
