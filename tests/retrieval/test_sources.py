from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._errors import RecordError, SourceError
from dfactscore.retrieval._knowledge import KnowledgeSource, MissingPage
from dfactscore.retrieval._knowledge_sources import (
    FolderSource,
    JsonlSource,
    MappingSource,
    open_source,
)
from dfactscore.retrieval._normalize import normalize_title
from dfactscore.retrieval._store import PageStore, build_store

PAGES = {
    "Dick Hanley": "Dick Hanley coached football.",
    "Dick Hanley (swimmer)": ["He swam in 1956.", "He was born in 1936."],
    "Élodie Bouchez": "An actress.",
    "AC/DC": "A band.",
    "iPod": "A player.",
}


def write(tmp_path, kind):
    if kind == "mapping":
        return PAGES
    if kind == "jsonl":
        path = tmp_path / "pages.jsonl"
        lines = [json.dumps({"title": t, "text": x}) for t, x in PAGES.items()]
        path.write_text("\n\n".join(lines) + "\n")
        return path
    if kind == "folder":
        for title, text in PAGES.items():
            name = title.replace(" ", "_").replace("/", "%2F")
            if isinstance(text, str):
                (tmp_path / f"{name}.txt").write_text(text)
            else:
                (tmp_path / name).mkdir()
                for n, part in enumerate(text):
                    (tmp_path / name / f"{n}.txt").write_text(part)
        return tmp_path
    path = tmp_path / "pages.sqlite"
    flat = [(t, x) for t, v in PAGES.items() for x in ([v] if isinstance(v, str) else v)]
    build_store([Page(title=t, text=x) for t, x in flat], path)
    return path


@pytest.mark.parametrize("kind", ["mapping", "jsonl", "folder", "store"])
def test_every_kind_answers_alike(tmp_path, kind):
    source = open_source(write(tmp_path, kind))
    assert isinstance(source, KnowledgeSource)
    assert source.lookup("Dick Hanley").text == "Dick Hanley coached football."
    assert [p.text for p in source.documents("Dick_Hanley_(swimmer)")] == PAGES[
        "Dick Hanley (swimmer)"
    ]
    both = source.lookup("dick Hanley  (swimmer)")
    assert both.text == "He swam in 1956.\n\nHe was born in 1936."
    assert source.lookup("E\u0301lodie Bouchez").title == "Élodie Bouchez"
    assert source.lookup("AC/DC").text == "A band."
    # Similar titles are suggested, never used.
    missing = source.lookup("Dick Hanly")
    assert isinstance(missing, MissingPage)
    assert missing.near[0] == "Dick Hanley"
    assert "Dick Hanley (swimmer)" in source.lookup("Dick Hanley (footballer)").near
    assert source.documents("Nobody") == ()
    assert [r.title for r in source.lookup_many(["AC/DC", "nobody"])] == ["AC/DC", "nobody"]
    assert source.describe()["kind"] == kind
    json.dumps(source.describe())


def test_redirects_lead_to_the_page():
    page = Page(title="Dick Hanley", text="A coach.", redirects=("Richard Hanley",))
    source = MappingSource({"Dick Hanley": page}, snapshot="2023-04-01")
    assert source.lookup("Richard Hanley") is page
    assert source.lookup("richard_Hanley") is page
    assert source.snapshot == "2023-04-01"


def test_two_titles_with_one_normal_form_are_not_guessed_between(tmp_path):
    pages = {"iPod": "a player", "I\u200ePod": "a copy", "Other": "x"}
    store = tmp_path / "s.sqlite"
    build_store([Page(title=t, text=x) for t, x in pages.items()], store)
    for source in (MappingSource(pages), PageStore(store)):
        assert isinstance(source.lookup("IPod"), MissingPage)
        assert source.lookup("iPod").text == "a player"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "x"}', "2: 'title' is missing (fields here: text); a page is {\"title\""),
        (
            '{"title": 3, "text": "x"}',
            "2: 'title' is 3, not a text (fields here: title, text)",
        ),
        ('{"title": "A"}', "'text' of 'A' is missing (fields here: title)"),
        ('{"title": "A", "text": "  "}', "'text' of 'A' is empty"),
        ('{"title": "A", "text": []}', "'text' of 'A' is empty"),
        ('{"title": "A", "text": 3}', "is of type int"),
        ('{"title": "A"', "2: not valid JSON"),
        ("[1]", "expected an object"),
        ('{"title": "A", "text": "x", "id": {}}', "'id' must be a string, not dict"),
        ('{"title": "A", "text": "x", "redirects": "B"}', "'redirects' of 'A' must be a list"),
        ('{"title": "A", "text": "\\ud800"}', "half a surrogate pair"),
        ('{"title": "Big", "text": "' + "x" * 5_000_000 + '"}', "5,000,000 bytes, more than"),
    ],
)
def test_a_bad_record_is_one_clear_line(tmp_path, line, message):
    path = tmp_path / "pages.jsonl"
    path.write_text('{"title": "Fine", "text": "y"}\n' + line + "\n")
    with pytest.raises(RecordError) as error:
        JsonlSource(path)
    assert message in str(error.value)
    assert str(path) + ":2" in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


def test_what_is_no_source_is_refused_in_one_line(tmp_path):
    (tmp_path / "notes.md").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.jsonl").write_text("\n")
    for path, message in {
        tmp_path / "notes.md": "unknown kind of file '.md'; give .jsonl, .csv",
        tmp_path / "empt.jsonl": "no such file or folder; did you mean empty.jsonl?",
        tmp_path / "empty": "this folder contains neither .txt nor .parquet",
        tmp_path / "empty.jsonl": "contains no pages",
        tmp_path / "none.sqlite": "no such page store",
    }.items():
        with pytest.raises(Exception, match=r".") as error:
            open_source(path)
        assert message in str(error.value)
        assert "\n" not in str(error.value)
    with pytest.raises(SourceError, match="int 3 was given; expected a Know"):
        open_source(3)
    with pytest.raises(RecordError, match="'text' of 'A' is empty"):
        open_source({"A": ""})
    with pytest.raises(RecordError, match="is missing"):
        open_source({"A": None})


def test_a_jsonl_changed_underneath_is_noticed(tmp_path):
    path = write(tmp_path, "jsonl")
    source = JsonlSource(path)
    path.write_text('{"title": "A", "text": "much shorter"}\n')
    with pytest.raises(SourceError, match="changed since it was opened"):
        source.lookup("iPod")


def test_folder_texts_must_be_utf8(tmp_path):
    (tmp_path / "A.txt").write_bytes(b"caf\xe9")
    with pytest.raises(SourceError, match="not UTF-8"):
        FolderSource(tmp_path)


def test_an_open_source_passes_through():
    source = MappingSource({"A": "x"})
    assert open_source(source) is source
    assert list(source.titles()) == ["A"]
    assert len(source) == 1


@given(st.text())
def test_the_normal_form_is_stable(title):
    form = normalize_title(title)
    assert normalize_title(form) == form


class Two(KnowledgeSource):
    """A source with only the required members."""

    def documents(self, title):
        parts = {"Ann Lee (rower)": ["She rows.", "She won."]}.get(title, [])
        return tuple(Page(title=title, text=part) for part in parts)

    def titles_for(self, name):
        return ("Ann Lee (rower)",)


def test_a_subclass_inherits_the_rest():
    source = open_source(Two())
    assert source.lookup("Ann Lee (rower)").text == "She rows.\n\nShe won."
    assert source.lookup_many(["Ann Lee"]) == [MissingPage("Ann Lee")]
    assert source.snapshot == ""
    assert source.describe() == {"kind": "Two", "snapshot": ""}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Two, "Two is a class, not a KnowledgeSource: give an instance, Two(...)"),
        (lambda title: "", "<lambda> is a function; expected a KnowledgeSource: an object with"),
        (3, "int 3 was given; expected a KnowledgeSource"),
        (
            type("Bare", (), {"documents": Two.documents, "titles_for": Two.titles_for})(),
            "Bare has no snapshot, which every KnowledgeSource needs; a subclass of "
            "KnowledgeSource inherits it",
        ),
        (
            type("Typo", (Two,), {"lookup": lambda self: None})(),
            "Typo.lookup is called as lookup(title), but takes () (role KnowledgeSource)",
        ),
    ],
)
def test_what_is_no_source(given, message):
    with pytest.raises(SourceError) as caught:
        open_source(given)
    assert str(caught.value).startswith(
        "pages must be a mapping, a table, a path or a KnowledgeSource: "
    )
    assert message in str(caught.value)


TABLE = [
    {"title": "Ann Lee (painter)", "text": "Ann Lee paints; she was born in 1901, in Graz."},
    {"title": "Ann Lee (rower)", "text": "Ann Lee rows."},
    {"title": "Ann Lee (rower)", "text": "She rowed in 1996."},
]


def _table(kind, folder):
    import pandas as pd

    frame = pd.DataFrame(TABLE)
    if kind == "data frame":
        return frame
    if kind == "columns":
        return {"Title": [p["title"] for p in TABLE], "Text": [p["text"] for p in TABLE]}
    if kind == "list":
        return TABLE
    if kind == "Dataset":
        datasets = pytest.importorskip("datasets", reason="datasets is not installed")
        return datasets.Dataset.from_list(TABLE)
    path = folder / f"pages.{kind.split()[-1]}"
    if kind == "csv":
        frame.rename(columns={"title": "TITLE", "text": "Content"}).to_csv(path, index=False)
    elif kind == "semicolon csv":
        frame.to_csv(path, sep=";", index=False, encoding="utf-16")
    elif kind == "tsv":
        frame[["text", "title"]].to_csv(path, sep="\t", index=False)
    elif kind == "parquet":
        frame.to_parquet(path, index=False)
    else:
        frame.to_excel(path, index=False)
    return path


@pytest.mark.parametrize(
    "kind",
    ["data frame", "columns", "list", "Dataset", "csv", "semicolon csv", "tsv", "parquet", "xlsx"],
)
def test_pages_of_a_table(kind, tmp_path):
    source = open_source(_table(kind, tmp_path))
    assert list(source.titles()) == ["Ann Lee (painter)", "Ann Lee (rower)"]
    assert [p.text for p in source.documents("Ann_Lee (rower)")] == [p["text"] for p in TABLE[1:]]
    assert source.titles_for("Ann Lee") == ("Ann Lee (painter)", "Ann Lee (rower)")
    assert source.describe()["kind"] == "table"


def test_a_title_that_is_text_is_no_column():
    source = open_source({"title": "A title.", "text": "A text."})
    assert list(source.titles()) == ["title", "text"]


def test_mistakes_in_a_table_name_the_line(tmp_path):
    path = tmp_path / "pages.csv"
    path.write_text("title,words\nAnn Lee,paints\n")
    with pytest.raises(RecordError, match=r"pages\.csv:2: 'text' of 'Ann Lee' is missing"):
        open_source(path)
    with pytest.raises(RecordError, match=r"pages, record 2: 'title' is missing"):
        open_source([TABLE[0], {"text": "x"}])
