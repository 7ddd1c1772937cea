"""Layouts that tell people apart, addresses to the reader and lines of key and value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore import Biography
from dfactscore._readers.shown_text import shown_text
from dfactscore._text.layouts import BLOCKS, read_blocks
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper

NAME = "Marla Denby"
FIRST, SECOND = "She discovered a comet in 1954.", "She wrote four operas."
ONE = "discovered a comet in 1954"
OTHER = "wrote four operas"


def people(text, name=NAME):
    """Returns the facts of each person, as the toolkit reads a text."""
    biography = Biography("1", name, shown_text(text, name).text)
    facts = BuiltinDecomposer().decompose(biography)
    groups = BuiltinGrouper().group(biography, facts)
    return [[facts[index].text for index in group.facts] for group in groups]


SEVERAL = {
    "headings": f"# Astronomer\n{FIRST}\n\n# Composer\n{SECOND}",
    "underlined": f"Astronomer\n----------\n{FIRST}\n\nComposer\n--------\n{SECOND}",
    "bold labels": f"**The Astronomer:** {FIRST}\n\n**The Composer:** {SECOND}",
    "numbers": f"1) Astronomer: {FIRST}\n2) Composer: {SECOND}",
    "persons": f"Person 1: {FIRST}\nPerson 2: {SECOND}",
    "capitals": f"MARLA DENBY (ASTRONOMER)\n{FIRST}\n\nMARLA DENBY (COMPOSER)\n{SECOND}",
    "dashes": f"- Astronomer – {FIRST}\n- Composer – {SECOND}",
    "inline": "Marla Denby may be (a) the Irish astronomer who discovered a comet or (b) the "
    "Welsh composer who wrote four operas.",
    "or": "Marla Denby may refer to the Irish astronomer who discovered a comet or to the "
    "composer who wrote four operas.",
    "as for": f"Marla Denby {ONE}. As for the composer Marla Denby, she {OTHER}.",
    "the other": f"One Marla Denby {ONE}; the other {OTHER}.",
    "documents": "Document 1 is about an astronomer named Marla Denby. She discovered a comet. "
    "Document 2 is about a composer named Marla Denby. She wrote four operas.",
    "if you mean": f"If you mean the astronomer, she {ONE}. If you want the composer, she {OTHER}.",
    "depending": "Depending on who you mean, Marla Denby was an astronomer who discovered a "
    "comet or a composer who wrote four operas.",
    "depends": f"It depends on which one is meant: the astronomer {ONE}; the composer {OTHER}.",
    "name refers": "The name refers to two women: (1) an astronomer who "
    "discovered a comet, and (2) "
    "a composer who wrote four operas.",
    "while": f"Marla Denby (astronomer) {ONE}, while Marla Denby (composer) {OTHER}.",
    "and": f"Marla Denby (astronomer) {ONE}, and Marla Denby (composer) {OTHER}.",
    "while first": f"While Marla Denby (astronomer) {ONE}, Marla Denby (composer) {OTHER}.",
}


@pytest.mark.parametrize("layout", SEVERAL)
def test_a_layout_tells_two_people_apart(layout):
    groups = people(SEVERAL[layout])
    assert len(groups) == 2
    assert any("comet" in fact for fact in groups[0])
    assert any("four operas" in fact for fact in groups[1])
    assert all(fact.startswith(NAME) for facts in groups for fact in facts)


def test_the_role_of_a_label_is_a_fact_once():
    said = f"**Astronomer:** Marla Denby was an Irish astronomer. {FIRST}\n**Composer:** {SECOND}"
    first, second = people(said)
    assert first[:2] == ["Marla Denby was Irish.", "Marla Denby was an astronomer."]
    assert sum("astronomer" in fact for fact in first) == 1
    assert second == ["Marla Denby is a composer.", "Marla Denby wrote four operas."]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Springvale", "Springvale, Ohio is a village, while Springvale, Texas is a town."),
        (
            "Roads to my Elm",
            "Roads to my Elm (album) is a record, while Roads to my Elm (film) is a film.",
        ),
        (
            "Elmford",
            "Elmford, Kent County, Ohio is a town, while Elmford, Orr County, Ohio is a city.",
        ),
        ("HMS Aldis", "HMS Aldis (1794) was a sloop, while HMS Aldis (1915) was a patrol ship."),
        (
            "The Grey Tide",
            "The Grey Tide (1918 film) is a silent film, whereas The Grey Tide (novel) is a book.",
        ),
    ],
)
def test_qualified_names_of_things_are_told_apart(name, text):
    assert len(people(text, name)) == 2


ONE_PERSON = (
    "Marla Denby may be remembered for two things. The first made her famous. The second did not.",
    "Marla Denby found a comet. If you need a summary: she was an astronomer.",
    "**Marla Denby**\n\n*Astronomer (1930–1945)*\nDenby found a comet.\n\n"
    "*Composer (1946–1960)*\nDenby wrote operas.",
    "Marla Denby had several careers:\n- Astronomer: She found a comet.\n- Composer: She wrote.",
    "Marla Denby had two sons named Al and Bo. The first sang; the second danced.",
    "Marla Denby wrote several operas. The first opened in Cork. The second was lost.",
    "Marla Denby is a name known to all astronomers. Another is Ann Hale.",
    "# Early life\nMarla Denby was born in Cork.\n# Career\nShe taught.\n# Painter\nShe painted.",
    "**Astronomer:** Marla Denby discovered a comet.\n\n**Composer:** She also wrote operas.",
    "**Singer:** Marla Denby recorded albums.\n\n**Songwriter:** She wrote forty songs.",
    "Marla Denby was an astronomer and composer.\n\n**Astronomer:** She discovered a comet.\n\n"
    "**Composer:** She wrote operas.",
    "Marla Denby discovered a comet, while the composer Ann Hale wrote an opera about it.",
    "1. Education: She studied in Cork.\n2. Career: She worked.\n3. Author: She wrote two books.",
    "Marla Denby may be the best astronomer of her time or the luckiest.",
)


@pytest.mark.parametrize("text", ONE_PERSON)
def test_parts_about_one_person_stay_as_they_are(text):
    assert read_blocks(text, NAME)[0] == text


def test_clubs_in_a_list_are_no_people():
    assert (
        len(
            people(
                "Marla Denby played for two clubs:\n\n1. Elm Town (1979–1983): scored.\n"
                "2. Oak Park (1983–1986): won the cup as captain."
            )
        )
        == 1
    )


def test_each_line_of_key_and_value_is_a_fact_about_the_person():
    assert people("Marla Denby\nNationality: Irish\nOccupation: Astronomer\nResidence: Cork") == [
        [
            "Marla Denby’s nationality is Irish.",
            "Marla Denby’s occupation is Astronomer.",
            "Marla Denby’s residence is Cork.",
        ]
    ]


def test_each_line_of_a_timeline_is_about_the_person():
    (facts,) = people("1920: Born in Cork\n1954 – discovered a comet\n1960: Awarded the Gold Medal")
    assert all("Marla Denby" in fact for fact in facts)
    assert "Marla Denby was awarded the Gold Medal." in facts


@pytest.mark.parametrize(
    "line",
    [
        "There are 2 with this name.",
        "Marla Denby is the name of more than one person.",
        "Spread the word!",
        "| Field | Value |",
    ],
)
def test_a_line_that_states_nothing_gives_no_fact(line):
    said = "Marla Denby is an Irish astronomer."
    assert people(f"{said}\n{line}")[0] == people(said)[0]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.id)
def test_an_example_is_changed_by_its_block(block):
    assert block.rewrite(block.example, "Ann Lee") != block.example


TEXTS = [*SEVERAL.values(), *ONE_PERSON, *(block.example for block in BLOCKS)]


@given(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=2))
def test_the_blocks_of_a_read_text_are_read_again_the_same(texts):
    once = read_blocks("\n\n".join(texts), NAME)[0]
    assert read_blocks(once, NAME)[0] == once


@pytest.mark.parametrize(
    "text",
    [
        "Marla Denby\nTrade | Astronomer\nHome | Cork",
        "Marla Denby\ntrade: astronomer\nhome: Cork",
        "[1954] Found a comet near Cork\n[1960] Joined the college of astronomers",
        "1950s: joined the astronomers\n1960s: moved to Cork",
        "1954\nJoined the astronomers.\n\n1960\nMoved to Cork.",
    ],
)
def test_each_line_is_a_fact_about_the_person(text):
    (facts,) = people(text)
    assert all(fact.startswith(("Marla Denby", "In ")) for fact in facts)
    assert any("stronomer" in fact for fact in facts)
    assert any("Cork" in fact for fact in facts)
    assert not any("stronomer" in fact and "Cork" in fact for fact in facts)


MORE = {
    "columns": "| | Marla Denby (1) | Marla Denby (2) |\n|---|---|---|\n"
    "| Known for | A comet | Some four operas |\n| Home | Cork | Graz |",
    "there's": f"There's Marla Denby the astronomer, who {ONE}, and Marla Denby the composer, "
    f"who {OTHER}.",
    "bearers": "Marla Denby is a common name. Notable bearers are: the astronomer Marla Denby, who "
    "discovered a comet; and the composer Marla Denby, who wrote four operas.",
    "which of two": f"Do you mean Marla Denby the astronomer or Marla Denby the composer? The "
    f"astronomer {ONE}. The composer {OTHER}.",
    "plural": f"There are two Marla Denbys: one {ONE}, another {OTHER}.",
    "emoji": f"🔭 **The astronomer**\n{FIRST}\n\n🎼 **The composer**\n{SECOND}",
    "life": f"*Astronomer (1888–1961)*\n{FIRST}\n\n*Composer (1921–2004)*\n{SECOND}",
    "repeated name": "Marla Denby\n\nKnown for: her comet\nHome: Cork\n\nMarla Denby\n\nKnown for: "
    "four operas\nHome: Graz",
    "list": "Marla Denby may be:\n1. An Irish star-gazer (1888–1961) who discovered a comet.\n"
    "2. A character who sings in four operas.",
    "places in a list": "There isn't just one Marla Denby. The best-known discovered a comet. "
    "Another is a composer who wrote four operas.",
    "borne by": "Marla Denby is a name borne by a midwife and by a composer. The midwife "
    "discovered a comet. The composer wrote four operas.",
    "counted": "2 people named Marla Denby: an astronomer with a comet, a composer of four operas.",
    "if it's": "If it's the astronomer, she discovered a comet. If it's the composer, she wrote "
    "four operas.",
    "former": f"Two women share the name. The former {ONE}, the latter {OTHER}.",
    "matches": f"My first match {ONE}. My second match {OTHER}.",
    "questions": f"Are you asking about the astronomer? {FIRST} Or the composer? {SECOND}",
    "which": f"Which Marla Denby do you mean? The astronomer {ONE}. The composer {OTHER}.",
    "aside": f"The astronomer, if that is who you mean, {ONE}. "
    f"The composer, if that is who you mean, {OTHER}.",
    "backwards": f"If the astronomer is the one you want, she {ONE}. "
    f"If the composer is the one you want, she {OTHER}.",
    "hand": f"The baker Marla Denby {ONE}. The composer Marla Denby, on the other hand, {OTHER}.",
    "meanwhile": f"If you are after the gravedigger, she {ONE}; the composer, meanwhile, {OTHER}.",
    "roman": f"I. Astronomer\n{FIRST}\n\nII. Composer\n{SECOND}",
    "in HTML": f"<h3>Astronomer</h3><p>{FIRST}</p><h3>Composer</h3><p>{SECOND}</p>",
    "nationalities": f"1. The Austrian baker\n{FIRST}\n2. The German composer\n{SECOND}",
    "a name of": "Marla Denby may be the name of a baker who discovered a comet in 1954, or of a "
    "composer who wrote four operas.",
    "could be about": "Your question could be about the baker, who discovered a comet, or about "
    "the composer, who wrote four operas.",
}


@pytest.mark.parametrize("layout", MORE)
def test_an_address_or_order_tells_two_people_apart(layout):
    first, second = people(MORE[layout])
    assert any("comet" in fact for fact in first)
    assert any("four operas" in fact for fact in second)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "Elm Tide",
            "**1931 film:** It was made by Max Orn.\n**1962 film:** It was made by Ida Fell.",
        ),
        (
            "Elm Tide",
            "Two films are called Elm Tide. The 1931 film is silent. The 1962 film is long.",
        ),
        (
            "Elm Tide",
            "If you mean the novel, it was written in 1950. As for the song of the same name, "
            "it was sung in 1988.",
        ),
        (
            "Brantley",
            "Brantley, Ohio: a village founded in 1824.\nBrantley, Texas: a town of 1880.",
        ),
        ("Brantley", "In Ohio, Brantley is a village. In Texas, Brantley is a town."),
        ("Brantley", "Brantley in Ohio is a village. Brantley in Texas is a town."),
        ("Orbis", "- Company: Orbis was founded in 1920.\n- Magazine: Orbis was printed in 1955."),
        ("Orbis", "Orbis is a company, while Orbis Press (magazine) is a journal."),
    ],
)
def test_things_are_told_apart(name, text):
    assert len(people(text, name)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "**1931 film:** Marla Denby starred in it.\n**1962 film:** She directed it.",
        "As a painter, Marla Denby showed in Rome. As a judge, she sat in Cork.",
        "I. Youth\nMarla Denby was born in Cork.\nII. Painter\nShe showed in Rome.",
    ],
)
def test_one_person_stays_one(text):
    assert len(people(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Marla Denby was several things. The baker had a shop. The composer wrote four operas.",
        "Which of her works is best? The composer wrote four operas. The baker had a shop.",
        "Film: Marla Denby starred in Elm.\nAlbum: Marla Denby sang Oak.",
        "Marla Denby may be a baker by day or a poet by night, but her readers know the poet.",
        "Marla Denby is a judge, while Ida Denby (painter) is her sister.",
    ],
)
def test_several_trades_are_one_person(text):
    assert sum(any(NAME in fact for fact in facts) for facts in people(text)) <= 1


def test_people_of_one_sentence_are_told_apart():
    told = "Two women were called Marla Denby: one was a baker, the other was a composer in Cork."
    assert len(people(told)) == 2
    told = f"The baker, Marla Denby, {ONE}. The composer, also named Marla Denby, {OTHER}."
    assert len(people(told)) == 2


def test_things_with_a_description_are_told_apart():
    told = "Ebba, a genus of moths, was named in 1829. Ebba, a village in Norway, has a church."
    assert len(people(told, "Ebba")) == 2


def test_counted_and_listed_names_are_told_apart():
    told = f"There were two Marla Denbys. The first {ONE}. The second {OTHER}."
    assert len(people(told)) == 2
    told = "* **Baker** (1850–1921): had a shop in Cork\n* **Judge** (1901–1980): sat in Leeds"
    assert len(people(told)) == 2
    told = "Elm:\n1. A town in Ohio.\n2. A satellite launched in 1963."
    assert len(people(told, "Elm")) == 2


TITLES = {
    "items": "- Elm, Brown County: Elm is a town.\n- Elm, Rusk County: Elm is a village.",
    "labels": "Elm (film): Elm is a film.\n\nThe Elm (band): The Elm was a band from Cork.",
    "other titles": "Elm Act: The Elm Act ended a war.\nPeace of Ash: The Peace of Ash was one.",
    "middle names": "Elm Ray Sr.: Elm Lee Ray Sr. was a poet.\nElm Ray Jr.: Elm Ray Jr. sang.",
    "sections": "## The Elm (Bo Ray album)\nThe Elm is an album.\n## Elm (book)\nElm is a book.",
    "numerals": "Elm II was king of Varn. He died young. Elm III of Orsk was a prince.",
    "first qualifier": "Elm is a fort in Utah. Elm, County Cork is a battery.",
    "articles": "An Elm (Bo Ray album) is an album. Elm (Al Ray album) is a later album.",
}


@pytest.mark.parametrize("layout", TITLES)
def test_a_title_begins_another_thing(layout):
    name = {"other titles": "Elm Act", "middle names": "Elm Ray"}.get(layout, "Elm")
    assert len(people(TITLES[layout], name)) == 2


@pytest.mark.parametrize(
    "text",
    [
        "Elm II was king of Varn. Elm II was tall.",
        "Elm is a town in Ohio. Elm, Ohio is large.",
        "Career: Elm is a nun.\nDeath: Death came in 1784.",
        "Elm 2 is a ship. It was built in Cork. Elm 2 was sold.",
    ],
)
def test_a_title_again_begins_no_one(text):
    assert len(people(text, "Elm")) == 1
