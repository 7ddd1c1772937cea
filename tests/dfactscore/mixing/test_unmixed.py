from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dfactscore import Scorer, read_biographies
from dfactscore._errors import InputError
from dfactscore._records import Document, Entity
from dfactscore.examples import example
from dfactscore.mixing import unmix
from dfactscore.mixing._retelling import _Teller, retell
from dfactscore.mixing._unmix_work import _is_better
from dfactscore.mixing._unmixed import assigned, bare_title, described, opener

PAGES = {
    "Ann Lee (painter)": "Ann Lee is an English painter of landscapes. She was born in York.",
    "Ann Lee (rower)": "Ann Lee is a rower. She rowed for Canada. She won a medal in Rome in 1960.",
}
TEXT = (
    "Ann Lee is an English painter of landscapes who rowed for Canada. She was born in York. "
    "She won a medal in Rome in 1960. She keeps eleven parrots."
)


@cache
def scored(text=TEXT):
    return Scorer(pages=PAGES).score(text, name="Ann Lee")


def test_each_supported_fact_is_given_to_one_entity_that_supports_it():
    for result in examples():
        record = result.record
        credit = assigned(record)
        for fact, entity in enumerate(credit):
            able = record.decided.support[fact]
            assert bool(able.any()) == (entity is not None)
            assert entity is None or able[entity]
        told = Counter(f for person in unmix(result).people for f in person.facts)
        assert told == Counter(
            record.facts[f].text for f, entity in enumerate(credit) if entity is not None
        )


@cache
def examples():
    biographies = read_biographies(example().biographies).biographies
    return [r for r in Scorer(pages=str(example().pages)).score_many(biographies) if r.scores]


def test_texts_that_mix_people_are_told_apart_and_others_stay():
    changed = 0
    for result in examples():
        found = unmix(result)
        assert found.changed == bool(result.scores.mixed_groups)
        if not found.changed:
            assert found.text == result.record.biography.text
            continue
        changed += 1
        pages = {e.id: [d.text for d in e.documents] for e in result.record.entities}
        after = Scorer().score(found.text, name=result.name, pages=pages)
        assert after.scores.mixed_groups == 0
        assert after.dfs > result.dfs + 0.1
        assert after.dfs > 0.9
    assert changed > 5


def test_clauses_are_told_in_the_words_of_the_text():
    found = unmix(scored())
    painter, rower = found.text.split("\n\n")
    assert painter.startswith("Ann Lee (painter):\nAnn Lee is an English painter of landscapes")
    assert "She was born in York." in painter
    assert "rowed for Canada" in rower
    assert "She won a medal in Rome in 1960." in rower
    assert "parrots" not in found.text
    assert found.unsupported == ("Ann Lee keeps eleven parrots.",)
    assert [(p.name, p.description) for p in found.people] == [
        ("Ann Lee", "painter"), ("Ann Lee", "rower"),
    ]  # fmt: skip
    assert found.people[0].passages == (PAGES["Ann Lee (painter)"],)


def test_unsupported_facts():
    assert "She keeps eleven parrots." in unmix(scored(), unsupported="keep").text.split("\n\n")[1]
    last = unmix(scored(), unsupported="mark").text.split("\n\n")[2]
    assert last == "Not found:\nAnn Lee keeps eleven parrots."


@pytest.mark.parametrize("mark", ["- ", "* ", "1. ", "• ", "**"])
def test_marks_of_lists_are_left_out(mark):
    close = "**" if mark == "**" else ""
    lines = ("Ann Lee is a painter", "She was born in York", "She rowed for Canada")
    found = unmix(scored("\n".join(f"{mark}{line}{close}." for line in lines)))
    assert found.text == (
        "Ann Lee (painter):\nAnn Lee is a painter. She was born in York.\n\n"
        "Ann Lee (rower):\nAnn Lee rowed for Canada."
    )


def test_a_text_without_a_dfs_is_neither_better_nor_worse():
    known = scored().record
    unknown = replace(known, scores=replace(known.scores, dfs=None, dfs_bounds=(0.0, 1.0)))
    higher = replace(known, scores=replace(known.scores, dfs=1.0))
    assert _is_better(higher, known)
    assert not _is_better(higher, unknown)
    assert not _is_better(unknown, known)


def test_what_is_not_judged_is_refused(make_scored):
    with pytest.raises(InputError, match="is not judged"):
        unmix(make_scored(status="abstained"))


@pytest.mark.parametrize(
    ("title", "text", "words"),
    [
        ("Ann Lee (rower)", "", "rower"),
        ("Ann Lee (rower, born 1960)", "", "rower, born 1960"),
        ("Ann Lee", "Ann Lee (1901–1960) was an English rower and poet.", "English rower and poet"),
        ("Ann Lee", "and so on. Ann Lee Ann B. Lee is a judge who sat in York.", "judge"),
        ("Ann Lee (born 1960)", "Ann Lee (born 1960) is a chess player from Rome.", "chess player"),
        ("Ann Lee (born 1960)", "No one.", "born 1960"),
        ("Ann Lee", "Ann Lee was born in Rome. She is the daughter of Bo Lee.", ""),
        ("Ann Lee", "Ann Lee is the daughter of Bo Lee.", ""),
        ("Ann Lee", "Lee was one of the best-known judges of Rome.", "best-known judges"),
        ("USS Lee", "USS Lee is a destroyer of the navy.", "destroyer"),
    ],
)
def test_what_a_page_calls_its_person(title, text, words):
    entity = Entity(title, title, (Document(title, text),) if text else ())
    assert described(entity) == words
    assert opener(entity).startswith(bare_title(entity))


PEOPLE = {
    "Rex Dunn (glazier)": "Rex Dunn is an English glazier from Truro. He made the windows of Elm "
    "Chapel. He was the chief engineer of Arlo Glass from 1981. He wrote a book on lead.",
    "Rex Dunn (fencer)": "Rex Dunn was an Irish fencer. He won the foil title at the 1936 "
    "Championships. He coached the army team. He kept bees in Cork after he retired from fencing.",
}
GLAZIER = (
    "He is an English glazier from Truro.",
    "He made the windows of Elm Chapel.",
    "Dunn wrote a book on lead.",
)
FENCER = (
    "He was an Irish fencer.",
    "Dunn won the foil title at the 1936 Championships.",
    "He also coached the army team.",
)
BOTH = ("He made the windows of Elm Chapel and coached the army team.",)
UNKNOWN = ("He speaks nine languages.",)


def told(text, **options):
    return unmix(Scorer(pages=PEOPLE).score(text, name="Rex Dunn"), mixed=True, **options)


def paragraphs(found):
    return {person.description: person.text for person in found.people}


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.permutations(GLAZIER + FENCER + BOTH + UNKNOWN), st.integers(3, 8))
def test_facts_are_kept_added_to_no_one_and_told_apart_once(sentences, count):
    text = " ".join(sentences[:count]).replace("He ", "Rex Dunn ", 1)
    result = Scorer(pages=PEOPLE).score(text, name="Rex Dunn")
    found, teller = unmix(result, mixed=True), _Teller(result.record, ())
    key = teller._key
    given_facts = {key(fact.text) for fact in result.record.facts}
    written = {person: teller._keys(person.text) for person in found.people}
    assert frozenset().union(*written.values()) <= given_facts
    if found.changed:
        kept = [teller._keys(sentence) for sentence in found.needs_editor]
        for person, facts in written.items():
            missing = {key(fact) for fact in person.facts} - facts
            assert missing <= frozenset().union(*kept)
    again = unmix(Scorer(pages=PEOPLE).score(found.text, name="Rex Dunn"), mixed=True)
    assert not found.changed or not again.changed


@pytest.mark.parametrize(
    ("text", "glazier", "fencer"),
    [
        (  # a description that other words part from its article, and its tense
            "Rex Dunn, an Irish fencer and English glazier, coached the army team. "
            "He made the windows of Elm Chapel.",
            "Rex Dunn is an English glazier. He made the windows of Elm Chapel.",
            "Rex Dunn was an Irish fencer. He coached the army team.",
        ),
        (  # an apposition without a verb
            "Rex Dunn, the chief engineer of Arlo Glass, coached the army team. He wrote a book on "
            "lead. He won the foil title at the 1936 Championships.",
            "Rex Dunn is the chief engineer of Arlo Glass. He wrote a book on lead.",
            "Rex Dunn coached the army team. He won the foil title at the 1936 Championships.",
        ),
        (  # beginnings that tie a sentence to the other person
            "Rex Dunn made the windows of Elm Chapel. In addition to his glazing, he coached the "
            "army team. Additionally, Dunn won the foil title at the 1936 Championships.",
            "Rex Dunn made the windows of Elm Chapel.",
            "Rex Dunn coached the army team. Additionally, Dunn won the foil title at the 1936 "
            "Championships.",
        ),
        (
            "Rex Dunn won the foil title at the 1936 Championships. After his career as a fencer, "
            "Dunn made the windows of Elm Chapel. He wrote a book on lead.",
            "Dunn made the windows of Elm Chapel. He wrote a book on lead.",
            "Rex Dunn won the foil title at the 1936 Championships.",
        ),
        (  # a beginning about the same person stays
            "Rex Dunn made the windows of Elm Chapel. After he retired from fencing, he kept bees "
            "in Cork. He coached the army team.",
            "Rex Dunn made the windows of Elm Chapel.",
            "After Rex Dunn retired from fencing, he kept bees in Cork. He coached the army team.",
        ),
        (  # one unsupported fact of many
            "Rex Dunn made the windows of Elm Chapel and coached the army team. He is an English "
            "glazier from Truro who likes jazz. He won the foil title at the 1936 Championships.",
            "Rex Dunn made the windows of Elm Chapel. He is an English glazier from Truro who "
            "likes jazz.",
            "Rex Dunn coached the army team. He won the foil title at the 1936 Championships.",
        ),
    ],
)
def test_sentences_stay_grammatical(text, glazier, fencer):
    found = paragraphs(told(text))
    assert (found["glazier"], found["fencer"]) == (glazier, fencer)


def test_a_sentence_for_an_editor_keeps_its_beginning():
    pages = {
        "Ivo Bar (player)": "Ivo Bar is a chess player. He became national champion in 2003.",
        "Ivo Bar (sculptor)": "Ivo Bar was a sculptor. He studied in Munich. He made an ox.",
    }
    text = (
        "Ivo Bar made an ox. Having studied in Munich, Ivo Bar became national champion in 2003. "
        "He is a chess player."
    )
    found = unmix(Scorer(pages=pages).score(text, name="Ivo Bar"), mixed=True)
    assert "studied in Munich" in found.text
    assert "national champion in 2003" in found.text


def test_a_sentence_that_cannot_be_split_is_kept_for_an_editor():
    """No words of the text state that Dunn coached in Cork without saying what he coached."""
    text = "Rex Dunn coached a team in Cork. He wrote a book on lead. He was an Irish fencer."
    record = Scorer(pages=PEOPLE).score(text, name="Rex Dunn").record
    assert [fact.text for fact in record.facts[:2]] == [
        "Rex Dunn coached a team.",
        "Rex Dunn coached a team in Cork.",
    ]
    place = [0, 1, *(0 if "lead" in fact.text else 1 for fact in record.facts[2:])]
    found = retell(record, place, columns=(0, 1))
    assert found.unsplit == ("Rex Dunn coached a team in Cork.",)
    assert sum("team in Cork" in text for text in found.paragraphs.values()) == 1


@pytest.mark.parametrize(
    "person", ["Rex Dunn (fencer)", "rex dunn (FENCER)", "Which title did the fencer Rex Dunn win?"]
)
def test_one_person_is_kept(person):
    text = "Rex Dunn made the windows of Elm Chapel and coached the army team."
    assert told(text, person=person).text == "Rex Dunn coached the army team."


def test_a_person_of_no_fact_is_refused():
    with pytest.raises(InputError, match=r"'Rex Dunn .tailor.' is none of its people: 'Rex Dunn"):
        told("Rex Dunn coached the army team.", person="Rex Dunn (tailor)")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ann Lee was the chief of police of Leeds.", "chief of police"),
        ("Ann Lee was a boy who sang in Rome.", ""),
        ("Ann Lee is a Welsh lawyer, poet, singer, dancer, speaker, writer, advocate and judge "
         "from Rome.", "Welsh lawyer, poet, singer, dancer, speaker, writer, advocate"),
    ],
)  # fmt: skip
def test_headings_have_whole_roles(text, words):
    assert described(Entity("Ann Lee", "Ann Lee", (Document("Ann Lee", text),))) == words
