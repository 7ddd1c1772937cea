"""A Markdown biography has the same facts in the same groups as its plain text."""

import pytest

from dfactscore._readers import read_biographies
from dfactscore._records import Biography
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.examples import example

TOPICS = ["Early Life", "Career", "Personal Life", "Death", "Legacy", "Awards", "Family"] * 3
FORMS = {
    "bullets": lambda name, said: "\n".join(f"- {s}" for s in said),
    "numbers": lambda name, said: "\n".join(f"{i}. {s}" for i, s in enumerate(said, 1)),
    "headings": lambda name, said: (
        f"# {name}\n\n" + "\n\n".join(f"## {t}\n{s}" for t, s in zip(TOPICS, said, strict=False))
    ),
    "bold name": lambda name, said: " ".join(said).replace(name, f"**{name}**"),
    "bold labels": lambda name, said: "\n".join(
        f"**{t}:** {s}" for t, s in zip(TOPICS, said, strict=False)
    ),
    "labels in a list": lambda name, said: "\n".join(
        f"- **{t}**: {s}" for t, s in zip(TOPICS, said, strict=False)
    ),
    "table": lambda name, said: (
        "| # | Fact |\n|---|---|\n" + "\n".join(f"| {i} | {s} |" for i, s in enumerate(said, 1))
    ),
}


def told(name, text):
    biography = Biography("b", name, text)
    facts = BuiltinDecomposer().decompose(biography)
    return [[facts[i].text for i in g.facts] for g in BuiltinGrouper().group(biography, facts)]


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_form_says_what_the_text_says(form):
    count = 0
    for biography in read_biographies(example("people").biographies).biographies:
        said = [s.text for s in split_sentences(biography.text)]
        plain = told(biography.name, " ".join(said))
        if not plain:
            continue  # only a refusal
        assert told(biography.name, FORMS[form](biography.name, said)) == plain, biography.id
        count += 1
    assert count >= 20


def test_labels_values_and_topics():
    text = (
        "# Ann Lee\n\n**Ann Lee** was a *British* poet.\n\n## Death\n\nDied in Buxton in 1950.\n\n"
        "- **Occupation:** Poet\n- **Born:** 5 May 1900, Leeds\n\n"
        "| Field | Value |\n|---|---|\n| Nationality | British |\n"
    )
    assert told("Ann Lee", text) == [
        [
            "Ann Lee was British.",
            "Ann Lee was a poet.",
            "Ann Lee died in Buxton.",
            "Ann Lee died in 1950.",
            "Ann Lee’s occupation is Poet.",
            "Ann Lee was born on 5 May 1900.",
            "Ann Lee was born in Leeds.",
            "Ann Lee’s nationality is British.",
        ]
    ]


def test_talk_to_the_reader_is_no_fact():
    text = "Sure! Here is a biography of Ann Lee. Ann Lee was a poet. I hope this helps."
    assert told("Ann Lee", text) == [["Ann Lee was a poet."]]
