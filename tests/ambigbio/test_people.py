import pytest

from dfactscore.ambigbio.languages import language
from dfactscore.ambigbio.people import person_evidence, short_description_of

EN, DE = language("en"), language("de")


@pytest.mark.parametrize(
    "category",
    ["Living people", "Possibly living people", "1950 births", "1950s births", "322 BC deaths",
     "3rd-century births", "1st-century BC deaths", "21st century births", "Year of birth missing",
     "Year of birth missing (living people)", "Year of death unknown", "Date of birth unknown"],
)  # fmt: skip
def test_categories_of_people(category):
    assert person_evidence([category], "", EN) == "category"


@pytest.mark.parametrize(
    "category",
    ["1990 racehorse births", "2005 animal deaths", "1950 births in Leeds", "Births", "1950 films",
     "Fictional people", "Musical groups established in 1990", "Deaths by firearm in Ohio",
     "Works about living people", "1990 establishments", "Year of birth"],
)  # fmt: skip
def test_categories_of_others(category):
    assert person_evidence([category], "", EN) is None


@pytest.mark.parametrize(
    ("short", "person"),
    [
        ("English politician (born 1950)", True),
        ("Canadian judge (1877–1950)", True),
        ("American singer (died 2001)", True),
        ("British television series (1972–1980)", False),
        ("Rock band (born 1990)", False),
        ("Racehorse (1990–2011)", False),
        ("1972 film", False),
        ("Village in England", False),
        ("", False),
    ],
)
def test_short_descriptions(short, person):
    assert person_evidence([], short, EN) == ("short_description" if person else None)


def test_german_categories():
    assert person_evidence(["Mann"], "", DE) == "category"
    assert person_evidence(["Geboren im 15. Jahrhundert"], "", DE) == "category"
    assert person_evidence(["Geboren 100 v. Chr."], "", DE) == "category"
    assert person_evidence(["Mannheim", "Werk"], "", DE) is None


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("{{Short description|A judge}}", "A judge"),
        ("{{short_description|1=A judge|noreplace}}", "A judge"),
        ("{{Infobox|a={{Short description|In a box}}}}", "In a box"),
        ("{{Short description|none}}", ""),
        ("{{Short description}}", ""),
        ("no template", ""),
    ],
)
def test_short_description_of_a_page(text, short):
    assert short_description_of(text, EN) == short


@pytest.mark.parametrize(
    ("categories", "short", "text", "person"),
    [
        (["English MPs 1529–1536"], "", "", True),
        (["High Sheriffs of Essex"], "", "", True),
        (["Knights Bachelor"], "", "", True),
        (["People executed by hanging"], "", "", True),
        (["14th-century Scottish people"], "", "", True),
        (["Ships built in Leeds"], "British liner (1910–1950)", "{{DEFAULTSORT:Hale, R.}}", False),
        (["Podcasts about murderers"], "", "", False),
        (["Films about English politicians"], "", "", False),
        (["Wikipedia articles on politicians"], "", "", False),
        (["Fictional English politicians"], "English politician", "", False),
        (["Lists of English politicians"], "", "", False),
        ([], "", "{{Infobox gridiron football person|name=x}}", True),
        ([], "", "{{Infobox ship}}{{Infobox person/Wikidata}}", True),
        ([], "", "{{Infobox musical artist}}", False),
        ([], "Reality television star (born 1980)", "", True),
        ([], "English football club manager (1900–1950)", "", True),
        ([], "Football club (1900–1950)", "", False),
        ([], "", "'''Hew''' (1520–1580), English [[politician]], of Leeds.", True),
        ([], "", "'''Hew''' (1910–1950) was an American tugboat.", False),
        ([], "", "'''Hew''' was an English politician.\n{{DEFAULTSORT:Dane, Hew}}", True),
        ([], "", "'''Hew''' was an English politician.", False),
        ([], "12th-century abbot", "", True),
        ([], "12th-century abbey", "", False),
    ],
)  # fmt: skip
def test_signs_of_a_person(categories, short, text, person):
    assert (person_evidence(categories, short, EN, text) is not None) is person
