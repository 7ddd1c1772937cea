"""Extracts the text from constructed answers, and leaves prose unchanged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._readers import biography_from_record
from dfactscore._readers.shown_text import Cuts, no_text, shown_text

BORN = "Tom Hale (born 4 May 1951) is an English painter."
SLADE = "He studied at the Slade School."
TEXT = f"{BORN} {SLADE}"
NAME = "Tom Hale"
TITLES = ["Tom Hale (painter)", "Tom Hale (rower)"]

# The expected texts and citations were written before the reader was run on these answers.
CASES: dict[str, tuple[str, str, list[tuple[int, ...]]]] = {
    # thoughts
    "thought with a link": (f"<think>See [a](http://b.org)</think>\n{TEXT}", TEXT, []),
    "thought, then JSON": (f'<think>As JSON.</think>\n{{"bio": "{TEXT}"}}', TEXT, []),
    "thought, then an end token": (f"◁think▷Hm◁/think▷{TEXT}<|im_end|>", TEXT, []),
    "thought, then a heading": (
        f"<reasoning>Hm</reasoning>\n\n## Biography of Tom Hale\n\n{TEXT}",
        TEXT,
        [],
    ),
    # next turns
    "Llama": (f"{TEXT}<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAda?", TEXT, []),
    "Gemma": (f"{TEXT}<end_of_turn>\n<start_of_turn>user\nAda Quill?", TEXT, []),
    "Mistral": (f"{TEXT}</s>[INST] And Ada? [/INST] Ada Quill sang.", TEXT, []),
    "DeepSeek": (f"{TEXT}<｜end▁of▁sentence｜><｜User｜>Ada?", TEXT, []),
    "plain turns": (f"{TEXT}\n\nHuman: And Ada Quill?\n\nAssistant: She sang.", TEXT, []),
    "new question": (
        f"{TEXT}\n\nQuestion: Tell me a bio of Ada Quill.\n\nAnswer: Ada sang.",
        TEXT,
        [],
    ),
    "new document": (f"{TEXT}\n\nDocument [1](Title: Ada Quill) Ada Quill sang.", TEXT, []),
    "new instruction": (f"{TEXT}\n\n### Instruction:\nWrite about Ada Quill.", TEXT, []),
    "repeated prompt": (f"Question: Tell me a bio of Tom Hale.\nAnswer: {TEXT}", TEXT, []),
    "own turn": (f"<|im_start|>assistant\n{TEXT}<|im_end|>", TEXT, []),
    # citations
    "two in a mark": (f"{BORN[:-1]} [cite: 1, 2]. {SLADE}", TEXT, [(1, 2)]),
    "source with a hash": (f"{BORN[:-1]} [Source #2]. {SLADE}", TEXT, [(2,)]),
    "passages with and": (f"{BORN[:-1]} (Passages 1 and 2). {SLADE}", TEXT, [(1, 2)]),
    "search result": (f"{BORN} [Search Result 1] {SLADE}", TEXT, [(1,)]),
    "superscript": (f"{BORN}¹ {SLADE}²", TEXT, [(1,), (2,)]),
    "superscripts with their sources": (
        f"{BORN}¹ {SLADE}²\n\n¹ Tate Gallery, Artists A–Z.\n² Slade Archive, 1970.",
        TEXT,
        [(1,), (2,)],
    ),
    "LaTeX emphasis and notes": (
        r"$\textbf{Tom Hale}$ (born 4~May 1951) is an \emph{English \textit{painter}}"
        r"~\citep[p.~4]{t}."
        rf" {SLADE}\footnote{{Mercury, 1980.}}",
        TEXT,
        [],
    ),
    "superscript tag with a link": (
        f'{BORN}<sup><a href="#cite-1">[1]</a></sup> {SLADE}',
        TEXT,
        [(1,)],
    ),
    "lines of a source": (f"{BORN[:-1]} 【2†L10-L14】. {SLADE}", TEXT, [(2,)]),
    "page of a source": (f"{BORN[:-1]} [1, p. 5]. {SLADE}", TEXT, [(1,)]),
    "footnote with carets": (f"{BORN[:-1]}[^1^]. {SLADE}", TEXT, [(1,)]),
    "escaped brackets": (rf"{BORN[:-1]} \[2\]. {SLADE}", TEXT, [(2,)]),
    "number in a link": (f"{BORN[:-1]} ([1](https://a.org/x_(y))). {SLADE}", TEXT, [(1,)]),
    "tag with a number": (f'{BORN} <source id="2"/> {SLADE}', TEXT, [(2,)]),
    "Cohere": (f"<co: 1>{BORN}</co: 1> {SLADE}", TEXT, [(2,)]),
    "several documents of a tag": (f'<cite index="0-1,1-2">{BORN}</cite> {SLADE}', TEXT, [(1, 2)]),
    "title as mark": (f"{BORN[:-1]} [Tom Hale (painter)]. {SLADE}", TEXT, [(1,)]),
    "private use": (f"{BORN} \ue200cite\ue202turn0search3\ue201{SLADE}", TEXT, []),
    "content reference": (f"{BORN} :contentReference[oaicite:0]{{index=0}} {SLADE}", TEXT, []),
    "wiki reference": (f'{BORN}<ref name="a">Hale, T. (1990). My life.</ref> {SLADE}', TEXT, []),
    "citation needed": (f"{BORN[:-1]}.[citation needed] {SLADE}", TEXT, []),
    "source in words": (f"{BORN} (Source: Encyclopedia of Art, 2020) {SLADE}", TEXT, []),
    "LaTeX": (rf"{BORN[:-1]} \cite{{hale2020}}. {SLADE}", TEXT, []),
    # links
    "words of a link": (f"{BORN} He studied at the [Slade School](/wiki/Slade).", TEXT, []),
    "link with a title": (
        f'[Tom Hale](https://t.org "Home") {BORN[9:]} {SLADE}',
        TEXT,
        [],
    ),
    "image": (f"![Portrait](hale.png)\n{TEXT}", TEXT, []),
    "autolink": (f"{BORN} <https://t.org/hale> {SLADE}", TEXT, []),
    "link after the text": (
        f"{TEXT} [Wikipedia](https://en.wikipedia.org/wiki/Tom_Hale)",
        TEXT,
        [],
    ),
    "pointer": (f"{TEXT} For more information, visit https://t.org/hale.", TEXT, []),
    "line with a link": (f"{TEXT}\nWebsite: https://tomhale.org", TEXT, []),
    "wiki link": (
        f"'''Tom Hale''' {BORN[9:]} He studied at the [[Slade School of Art|Slade School]].",
        TEXT,
        [],
    ),
    # lists of sources
    "headed by Markdown": (
        f"{TEXT}\n\n## Sources\n\n1. Tom Hale (painter)\n2. Britannica",
        TEXT,
        [],
    ),
    "bold and bulleted": (
        f"{TEXT}\n\n**References**\n- [Wiki](https://w.org)\n- *Art Now*, 1990",
        TEXT,
        [],
    ),
    "footnotes": (f"{BORN[:-1]}[^1]. {SLADE}\n\n[^1]: Art Now, 1990.", TEXT, [(1,)]),
    "numbered, no heading": (
        f"{BORN[:-1]} [1]. {SLADE}\n\n[1] Tom Hale (painter)\n[2] Tom Hale (rower)",
        TEXT,
        [(1,)],
    ),
    "rule before it": (f"{TEXT}\n\n---\n*Sources: Wikipedia, Britannica*", TEXT, []),
    "within the last line": (f"{TEXT} References: [1] Art Now; [2] Britannica.", TEXT, []),
    "further reading": (f"{TEXT}\n\nFurther reading:\n* Smith, J. (1990). Tom Hale.", TEXT, []),
    "see also": (f"{TEXT}\n\nSee also: Ada Quill, Slade School", TEXT, []),
    # wrapping
    "two answers": ("Answer: He won.\n\nAnswer: He swam.", "He won.\n\nHe swam.", []),
    "another answer in the line": ("He won. Answer: He swam.", "He won. He swam.", []),
    "final answer": ("He won.\n**Final answer:** He swam.", "He won.\nHe swam.", []),
    "an answer in prose": ("His answer: no.", "His answer: no.", []),
    "an answer in a title": ("The Answer: A Novel won.", "The Answer: A Novel won.", []),
    "fence of JSON": (f'```json\n{{"name": "Tom Hale", "biography": "{TEXT}"}}\n```', TEXT, []),
    "JSON that was cut off": (f'{{"biography": "{TEXT}', TEXT, []),
    "JSON with a thought": (
        f'{{"reasoning": "He may well be the rower from Leeds.", "answer": "{TEXT}"}}',
        TEXT,
        [],
    ),
    "polite line": (f"Sure! Here's a short biography of Tom Hale:\n\n{TEXT}", TEXT, []),
    "heading": (f"# Biography: Tom Hale\n\n{TEXT}", TEXT, []),
    "label in the line": (f"**Answer:** {TEXT}", TEXT, []),
    "XML": (f"<biography>\n<p>{TEXT}</p>\n</biography>", TEXT, []),
    "entities": (f"Tom&nbsp;Hale {BORN[9:]} {SLADE[:-1]}&#46;", TEXT, []),
    "emphasis in HTML": (
        f"<b>Tom Hale</b> {BORN[9:]} He studied at the <i>Slade School</i>.",
        TEXT,
        [],
    ),
    "soft hyphens": (TEXT.replace("painter", "pain\u00adter"), TEXT, []),
    "words as footnote": (f"{BORN}[^hale] {SLADE}\n\n[^hale]: Art Now, 1990.", TEXT, []),
    "link defined below": (
        f"{BORN} He studied at the [Slade School][1].\n\n[1]: https://slade.org",
        TEXT,
        [],
    ),
    "JSON after a line": (f'Here is the JSON:\n```json\n{{"bio": "{TEXT}"}}\n```', TEXT, []),
    "turns in capitals": (f"{TEXT}\nUSER: And Ada?\nASSISTANT: She sang.", TEXT, []),
    "table": (
        "| Attribute | Details |\n| :-- | :-- |\n| **Name** | Tom Hale |\n| Born | 1951 |",
        "- Born: 1951",
        [],
    ),
    "table in HTML": (
        "<table><tr><th>Born</th><td>1951</td></tr><tr><th>School</th><td>Slade</td></tr></table>",
        "- Born: 1951\n- School: Slade",
        [],
    ),
}


@pytest.mark.parametrize(("raw", "text", "numbers"), CASES.values(), ids=list(CASES))
def test_constructed_answer_gives_its_text(raw, text, numbers):
    shown = shown_text(raw, NAME, TITLES)
    assert (shown.text.strip(), [c.numbers for c in shown.citations]) == (text, numbers)


PROSE = [
    "References to his work appear in many books. He died in 1990.",
    "He kept notes.\n\nNotes on his life were found. He painted.",
    'She asked: "Question: who is Tom Hale?" He did not answer.',
    "Tom Note was a painter. Note was born in Leeds. Ann Source married him.",
    "He said [sic] that it was (a) good and (b) [his] own.",
    "He was born in [1936] or 1937 [May 4].",
    "Biography of a Painter: A Life is a book by Tom Hale.",
    "Answer Me! is a magazine. The answer: he left.",
    "Sources say that he lives in Leeds. Links with Ada Quill are denied.",
    "He wrote <3 on walls, and x < y and z > w.",
    "He recorded Think (1968) and The Thinking Man. [Thinking] was his word.",
    "His film User: Human was shown in 1990.",
    "## Early life\n\n**Tom Hale** was born.\n\n- He painted.\n- He swam.\n\n## Bibliography\n\n"
    "He wrote Walls (1980), which was a success.",
    "He painted 10 m² of walls at 5 km/h.",
    "He won the US Open (1) and was a coach (of 2 teams).",
    "Hale & Sons sold AT&T; he left.",
    "Notes:\n- He also painted murals.\n- He died in 1990.",
    'He said "I am Tom" and "I paint".',
    '"Tom Hale is a painter," she said. "He swam."',
    "Name: Tom Hale\nBorn: 1951\n\nName: Tom Hale\nBorn: 1970",
    "He sang a | b.",
    "Further reading of the will showed that he was rich.",
    "See also his first novel.",
    "{Tom} [Hale] was a painter.",
    'He came to "oscillate[d] between [which] and [when] they came".',
    "The sum $\\frac {1}{2} = 2^2^1$ was his.",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_that_only_looks_like_it_stays_byte_for_byte(text):
    shown = shown_text(text, NAME, TITLES)
    assert (shown.text, shown.cuts, shown.unknown) == (text, (), ())


@given(st.text(alphabet="Tom Hale sang.,;'\"!?-–()\n:0123456789é", max_size=300))
def test_plain_characters_stay_byte_for_byte(text):
    assert shown_text(text).text == shown_text(text, choice="raw").text


PIECES = st.sampled_from(
    [
        *(
            "Tom Hale sang.",
            " He swam",
            " [1]",
            "[[1]](http://a.org)",
            " [cite: 2]",
            "[x](http://b.org)",
        ),
        *(
            "<b>",
            "</b>",
            "<br>",
            "&amp;",
            "&lt;",
            "<think>",
            "</think>",
            "<|im_end|>",
            "\n",
            "\n\n",
        ),
        *(
            "References:",
            "Sources: [1]",
            "[1] Tom",
            "- ",
            "| a | b |",
            "|---|---|",
            '{"bio": "',
            '"}',
        ),
        *(
            "Biography of Tom Hale:",
            "Question:",
            "```",
            "(",
            ")",
            "[",
            "]",
            "https://c.org",
            "¹",
            ".",
        ),
    ]
)


@given(st.lists(PIECES, max_size=10).map("".join))
def test_text_of_a_text_is_the_text(raw):
    text = shown_text(raw, NAME, TITLES).text
    assert shown_text(text, NAME, TITLES).text == text


def test_record_keeps_the_original_and_places_refer_to_the_text():
    raw = f"<think>A rower?</think>\n{BORN[:-1]} [cite: 1]. {SLADE}"
    biography = biography_from_record({"name": NAME, "text": raw})
    (citation,) = biography.citations
    assert (biography.text, biography.raw) == (TEXT, raw)
    assert biography.text[citation.position :] == f". {SLADE}"


def test_raw_leaves_all_but_plain_marks():
    raw = f"<think>A rower?</think>{TEXT} [1]\n\nSources: [1]"
    record = {"name": NAME, "text": raw}
    assert (
        biography_from_record(record, text="raw").text
        == f"<think>A rower?</think>{TEXT}\n\nSources:"
    )


def test_what_was_cut_and_what_is_not_known_is_one_line_each():
    cuts = Cuts()
    for raw in (f"<think>Hm</think>{TEXT}", f"{TEXT} https://a.org", TEXT, f"{TEXT} [zref_12]"):
        cuts.add(shown_text(raw))
    cut, unknown = cuts
    assert cut.startswith("cut from 2 of 4 texts: thoughts (1), links and markup (1)")
    assert unknown == "unknown marks in 1 text were not removed: '[zref_12]'"


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("<think>A rower? Or", "did not end"),
        ("<think>A rower?</think>\n", "has no answer after it"),
        ("", ""),
        ("I am sorry, but I do not know.", ""),
        (TEXT, ""),
    ],
)
def test_thought_alone_is_no_answer_and_no_abstention(raw, why):
    ending = no_text(biography_from_record({"name": NAME, "text": raw}))
    found = ending.reason if ending and ending.status == "no_answer" else ""
    assert (found.endswith(why), bool(found)) == (True, bool(why))
