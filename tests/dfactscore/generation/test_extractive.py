"""Extractive biographies: cited, of known provenance, mixed only where that was asked."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._errors import InputError
from dfactscore._readers.shown_text import strip_citations
from dfactscore.generation._extractive import ExtractiveGenerator
from dfactscore.generation._request import Request
from dfactscore.generation._request_files import read_requests
from dfactscore.retrieval import Passage

ROWER = Passage(
    "Ann Lee (rower)",
    "Ann Lee (rower) Ann Lee (born 2 May 1961) is a Canadian rower. She won a silver medal in "
    "Seoul in 1988. Lee later coached the junior team. She has written a",
)
PAINTER = Passage(
    "Ann Lee (painter)",
    "Ann Lee (painter) Ann Lee (1870 – 1941) was an English painter of landscapes. Ann Lee was "
    "taught by her father in Leeds. Her works hang in the gallery of York.",
)
MORE = Passage("Ann Lee (painter)", "of York. In 1902 Ann Lee (painter) moved to Paris for good.")
TOWN = Passage("Leeds", "Leeds is a city in the north of England. It has two universities.")
REQUEST = Request("1", "Ann Lee", (TOWN, ROWER, PAINTER, MORE))


def test_one_entity():
    written = ExtractiveGenerator().write(REQUEST)
    assert written.output == (
        "Ann Lee (born 2 May 1961) is a Canadian rower [2]. She won a silver medal in Seoul in "
        "1988 [2]. Lee later coached the junior team [2]."
    )
    assert {p.title for p in written.provenance} == {"Ann Lee (rower)"}
    assert written.finish_reason == "stop"


def test_a_page_is_told_from_its_head():
    tail = Passage("Ann Lee (rower)", "Lee later coached the junior team. She lives in Perth.", "8")
    end = Passage("Ann Lee (rower)", "Lee retired in 2001. She wrote two books on rowing.", "9")
    written = ExtractiveGenerator().write(Request("1", "Ann Lee", (end, tail, ROWER)))
    assert [p.passage for p in written.provenance] == [3, 3, 3, 2, 1, 1]


def test_mixing_takes_turns_and_introduces_nobody_else():
    written = ExtractiveGenerator("mixing", sentences=4).write(REQUEST)
    assert written.output == (
        "Ann Lee (born 2 May 1961) is a Canadian rower [2]. Lee was taught by her father in Leeds "
        "[3]. She won a silver medal in Seoul in 1988 [2]. Her works hang in the gallery of York "
        "[3]."
    )
    assert [p.passage for p in written.provenance] == [2, 3, 2, 3]
    for source in written.provenance:
        assert written.output[source.start : source.end].endswith(f"[{source.passage}].")


def test_one_person_cannot_be_mixed():
    written = ExtractiveGenerator("mixing").write(Request("1", "Ann Lee", (TOWN, ROWER)))
    assert written.output == ExtractiveGenerator().write(REQUEST).output
    assert written.note == "only one entity named 'Ann Lee' has sentences to mix"


def test_nobody_of_that_name():
    written = ExtractiveGenerator().write(Request("1", "Bo Ek", (TOWN, ROWER)))
    assert written.output.startswith("Leeds is a city in the north of England [1].")
    assert written.note == "no passage has the name 'Bo Ek'; the best was used"


@pytest.mark.parametrize("passages", [(), (Passage("Ann Lee", " "),)])
def test_no_passages(passages):
    written = ExtractiveGenerator().write(Request("1", "Ann Lee", passages))
    assert (written.finish_reason, written.output) == ("no_passages", "")
    assert "Ann Lee" in written.note


def test_no_whole_sentence():
    written = ExtractiveGenerator().write(Request("1", "Ann Lee", (Passage("Ann Lee", "and so"),)))
    assert written.finish_reason == "empty"


def test_bad_options():
    with pytest.raises(InputError, match="choose one-entity or mixing"):
        ExtractiveGenerator("mixed")
    with pytest.raises(InputError, match="sentences=0"):
        ExtractiveGenerator(sentences=0)
    assert ExtractiveGenerator("mixing").settings["entities"] == 2
    assert ExtractiveGenerator().name == "extractive-one-entity"


@given(st.lists(st.text(alphabet="Aa b.(1)\n", max_size=40), max_size=4))
def test_any_text(texts):
    request = Request("1", "A b", tuple(Passage("A b", t) for t in texts))
    for mode in ("one-entity", "mixing"):
        written = ExtractiveGenerator(mode).write(request)
        assert written == asyncio.run(ExtractiveGenerator(mode).generate(request))
        assert len(strip_citations(written.output)[1]) <= len(written.provenance) <= 6


def squeezed(text):
    return re.sub(r"\s+(?=[.,;])", "", " ".join(text.split()))


@pytest.mark.data
def test_real_passages(data):
    requests = read_requests(data / "dfactscore" / "passages.jsonl")
    assert len(requests) == 304
    mixed = 0
    for request in requests:
        one = ExtractiveGenerator().write(request)
        both = ExtractiveGenerator("mixing").write(request)
        assert one.output
        assert len({p.title for p in one.provenance}) == 1
        mixed += len({p.title for p in both.provenance}) == 2
        for written in (one, both):
            for source in written.provenance:
                piece = squeezed(strip_citations(written.output[source.start : source.end])[0])
                words = squeezed(request.passages[source.passage - 1].text)
                assert piece in words or piece.split(" ", 1)[1] in words
    assert mixed > 120
