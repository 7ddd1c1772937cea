"""Section headings that run into the sentences after them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore import Biography
from dfactscore._evidence.entities import entities_of_passages
from dfactscore._text.block_headings import with_sections, without_sections
from dfactscore.generation import ExtractiveGenerator, Request
from dfactscore.retrieval import Passage

RUN_IN = "Mia Orr is a judge. Early life Orr was born in Cork. Legal career She sat in Leeds."
PLAIN = "Mia Orr is a judge. Orr was born in Cork. She sat in Leeds."


@pytest.mark.parametrize(
    "text",
    [
        RUN_IN,
        "Mia Orr is a judge. Education and training Born in Cork, she read law.",
        "Mia Orr is a judge. == Early years == She grew up in Cork.",
        "Mia Orr is a judge. ### Career In 1990 she sat in Leeds.",
        "Mia Orr is a judge. Later life as a painter Orr painted.",
        "Mia Orr is a judge. Career Orr sat in Leeds.",
    ],
)
def test_a_heading_has_a_line_of_its_own(text):
    lines = with_sections(text).split("\n")
    assert len(lines) > 2
    assert lines[0] == "Mia Orr is a judge."
    assert len("\n".join(lines)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "She is a judge. Death Valley was her home. Career Girl was her film.",
        "She is a judge. Life In Hell is her book. Early life was hard. Works by her are rare.",
    ],
)
def test_a_sentence_is_no_heading(text):
    assert with_sections(text) == text


@given(st.text("Early life Career= #\n.SheLeewasin1990", max_size=80))
def test_the_length_stays(text):
    assert len(with_sections(text)) == len(text)


def test_headings_are_in_no_copied_sentence():
    assert without_sections(RUN_IN) == PLAIN
    passages = (Passage("Mia Orr", RUN_IN),)
    written = ExtractiveGenerator("one-entity").write(Request("1", "Mia Orr", passages))
    assert "Early" not in written.output
    assert "Orr was born in Cork" in written.output


def test_headings_in_evidence_have_lines_of_their_own():
    (entity,) = entities_of_passages(
        Biography("1", "Mia Orr", "She sat.", passages=(Passage("Mia Orr", RUN_IN),))
    )
    assert "\nEarly life\nOrr" in entity.documents[0].text
