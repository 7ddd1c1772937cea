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
