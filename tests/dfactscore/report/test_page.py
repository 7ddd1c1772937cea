from __future__ import annotations

import base64
import hashlib
import json
import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from dfactscore._records import Document, Evidence
from dfactscore._report import render_report
from dfactscore._report.page import embed_json, mark_of, pair_up
from dfactscore._report.report_data import ReportDocuments, Utf16

DATA = re.compile(r'<script type="application/json" id="([^"]+)">(.*?)</script>', re.DOTALL)


@given(st.text())
def test_embedded_json_reads_back_and_ends_nothing(text):
    builtin = embed_json({"t": text})
    assert not set("<>&\u2028\u2029") & set(builtin)
    assert json.loads(builtin) == {"t": text}


@given(st.text(), st.data())
def test_offsets_are_those_of_utf_16(text, data):
    at = data.draw(st.integers(0, len(text)))
    assert Utf16(text)(at) == len(text[:at].encode("utf-16-le", "surrogatepass")) // 2


def test_the_page_is_whole_and_the_same_every_time(make_scored):
    scored = [make_scored(), make_scored(id="2", name="Bo")]
    html = render_report(scored, title="t")
    assert html == render_report(scored, title="t")
    assert "{{" not in re.sub(DATA, "", html)
    assert not re.search(r'(?:src|href)="(?!data:,|#)', html)
    names = [name for name, _ in DATA.findall(html)]
    assert names[:3] == ["index", "body-0", "body-1"]
    for _, text in DATA.findall(html):
        json.loads(text)


def test_the_policy_lets_only_its_own_script_and_style_be(make_scored):
    html = render_report([make_scored()])
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)[1]
    assert policy.startswith("default-src 'none'; ")
    for tag in ("script", "style"):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)[-1]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy


def test_equal_documents_are_stored_once(make_scored):
    page = "About both. The deciding words. There."
    scored = [make_scored(id=str(i), pages=[page, page + " More."]) for i in range(5)]
    documents = [t for name, t in DATA.findall(render_report(scored)) if "document" in name]
    assert len(documents) == 2


def test_only_what_is_shown_of_a_document_is_kept():
    long = "start. " + "word " * 2000 + "Here it is. " + "word " * 2000
    documents = ReportDocuments(context=50)
    at = long.index("Here")
    number, start, end = documents.place([Document("T", long)], Evidence(0, at, at + 11))
    documents.close()
    (kept,) = documents.payload()
    ((first, text),) = kept["parts"]
    assert text[start - first : end - first] == "Here it is."
    assert len(text) < 200
    assert (number, kept["size"]) == (0, len(long))


def test_places_near_each_other_share_a_part_and_bad_ones_are_none():
    text = "a" * 30 + " one two " + "b" * 30
    documents = ReportDocuments(context=5)
    for start in (31, 35):
        assert documents.place([Document("T", text)], Evidence(0, start, start + 3))
    for bad in (None, Evidence(3, 0, 1), Evidence(0, 9, 9), Evidence(0, 99, 100)):
        assert documents.place([Document("T", text)], bad) is None
    documents.close()
    assert len(documents.payload()[0]["parts"]) == 1


def test_an_empty_run_is_a_page():
    assert "<!doctype html>" in render_report([])


def test_a_large_run_keeps_less_around_the_evidence(make_scored, monkeypatch):
    filler = "word " * 2000
    scored = [make_scored(pages=[f"{filler}{i}. The deciding words. There {filler}" for i in "ab"])]
    roomy = render_report(scored)
    monkeypatch.setattr("dfactscore._report.page._MAX_BYTES", 4_000)
    tight = render_report(scored)
    assert len(tight) < len(roomy) - 4_000
    assert tight.count("The deciding words") == 2


@given(st.data())
def test_a_report_of_passing_records_shows_what_whole_documents_would(data):
    """The windows are the same whether they are cut at once, in steps, or per biography."""
    words = st.lists(st.sampled_from(["one", "two", "😀", "words " * 30, "\u2028"]), max_size=60)
    text = " ".join(data.draw(words)) + "."
    at = st.integers(0, len(text) - 1)
    places = data.draw(st.lists(st.tuples(at, at), max_size=4))
    sizes = st.sampled_from([0, 40, 90, 200, 400])  # a cut moves at most 20 characters
    contexts = sorted(data.draw(st.sets(sizes, min_size=1)), reverse=True)
    whole = ReportDocuments(contexts[-1])
    steps = ReportDocuments(contexts[0])
    for start, end in places:
        evidence = Evidence(0, min(start, end), max(start, end) + 1)
        first = whole.place([Document("T", text)], evidence)
        assert steps.place([Document("T", text)], evidence) == first
        steps.close()
    whole.close()
    for context in contexts[1:]:
        steps.shrink(context)
    assert steps.payload() == whole.payload()
    assert (
        steps.size
        == whole.size
        == sum(len(part) for kept in whole.payload() for _, part in kept["parts"])
    )


def test_the_reading_of_each_clause_is_shown_on_demand(make_scored):
    record = make_scored(name="Bo")
    plain = dict(DATA.findall(render_report([record])))
    assert "clauses" not in json.loads(plain["body-0"])
    told = dict(DATA.findall(render_report([record], explained=True)))
    clauses = json.loads(told["body-0"])["clauses"]
    assert [c["rule"] for c in clauses][:1] == ["first person"]
    assert all(c["says"] and c["who"] for c in clauses)


def test_biographies_of_two_runs_are_paired_by_names_in_normal_form(make_scored):
    name = "José Ñúñez"
    first = [mark_of(make_scored(id=str(i), name=name), 0) for i in range(3)]
    second = [
        mark_of(make_scored(id=id, name=other), 1)
        for id, other in (
            ("0", unicodedata.normalize("NFD", name)), ("x", "José  Ñúñez"), ("y", "Jose Nunez"),
        )
    ]  # fmt: skip
    pairs = [pair[:2] for pair in pair_up([*first, *second])]
    assert pairs == [(0, 3), (1, 4), (2, None), (None, 5)]
