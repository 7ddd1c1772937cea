# ruff: noqa: E501
import pytest

from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._people import person_evidence, short_description_of

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
        (["Captains of ships"], "", "", True),
        (["Illustrators of children's books", "Owners of racehorses"], "", "", True),
        (["Deaths from cholera"], "", "{{Infobox person}}", True),
        (["Deaths from cholera"], "", "", False),
        (["Captains of ships", "1910 ships"], "", "", False),
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


@pytest.mark.parametrize(
    ("categories", "short", "text", "person"),
    [
(["1910 ships","Tugboats of the United States"],"American tugboat (1910–1950)","'''A''' (1910–1950)", False),
(["Bears killed by people","Individual bears"],"Grizzly bear (1995–2020)","{{DEFAULTSORT:Bear, A}}", False),
(["2010s podcasts"],"True crime podcast (2015–2019)","", False),
([],"American steam yacht (1899–1946)","{{Infobox ship}}", False),
([],"Defunct department store (1890–1987)","", False),
([],"Scottish football club (1873–1967)","", False),
([],"Thoroughbred racehorse (1947–1990)","{{DEFAULTSORT:Citation, Ann}}", False),
([],"Cornish tin mine (1800–1921)","", False),
([],"Border Collie (1990–2005)","{{DEFAULTSORT:Ann, Collie}}", False),
([],"Canadian television sitcom (1990–1992)","", False),
([],"Giant panda (born 1995)","", False),
(["American comic strips"],"Comic strip (1930–1950)","", False),
(["Fictional detectives"],"Fictional American detective (born 1930)","", False),
(["English rock music groups"],"English rock band (1990–2001)","", False),
(["Landmarks in Ohio"],"Courthouse in Ohio (1850–1930)","'''Hale''' (1850–1930) was a courthouse.", False),
(["Defunct newspapers"],"Weekly newspaper (1850–1930)","", False),
(["Male chimpanzees"],"Chimpanzee (1957–1983)","", False),
(["Sculptures of men"],"Statue in Leeds (1850–1930)","", False),
(["Songs about criminals"],"","", False),
(["Ship launches"],"Lifeboat (1905–1939)","", False),
([],"Murder case (1950–1960)","", False),
([],"Aircraft carrier (1942–1970)","", False),
([],"Irish noble house (1200–1600)","", False),
(["English politicians","People from Leeds"],"","", True),
(["13th-century English people"],"","", True),
(["High Sheriffs of Yorkshire","English MPs 1420"],"","", True),
([],"English cricketer and soldier (1850–1910)","", True),
([],"American professional wrestler (born 1975)","", True),
([],"18th-century Welsh hymnwriter","", True),
([],"Medieval Irish bard","'''A''' (died 1387) was an Irish bard.", True),
([],"Former Canadian ice hockey defenceman (born 1960)","", True),
([],"Australian rules footballer","{{Infobox AFL biography}}", True),
([],"Chief of the Cherokee (1738–1811)","", True),
([],"Bishop of Ely (d. 1688)","", True),
([],"Lord Mayor of London","'''Sir A''' (c. 1500 – 1560) was a merchant.", True),
(["Roman consuls"],"","", True),
(["Victims of the Titanic disaster"],"","", True),
(["Burials at St Paul's Cathedral"],"","", True),
(["Scottish Episcopalian bishops of Moray"],"","", True),
([],"English-born Australian pastoralist","'''A''' (1820–1890)", True),
([],"","{{Infobox royalty}}", True),([],"","{{Infobox NCAA athlete}}", True),([],"","{{Infobox MLB player}}", True),
(["Recipients of the Victoria Cross"],"","", True),
(["Fellows of the Royal Society"],"","", True),
([],"Governor of Ohio from 1870 to 1872","'''A''' (1820–1890) was an American politician.", True),
([],"","'''Ann''' (fl. 1640) was a Puritan preacher.\n{{DEFAULTSORT:Lee, Ann}}", True),
([],"","'''John''' (1785 – 3 March 1849) served in the navy.\n{{DEFAULTSORT:Lee, John}}", True),
    ],
)  # fmt: skip
def test_pages_without_a_birth_category(categories, short, text, person):
    assert (person_evidence(categories, short, EN, text) is not None) is person


@pytest.mark.parametrize(
    ("title", "categories", "short", "person"),
    [
        ("Kiteflyer", ["Kiteflyers", "Sports occupations"], "", False),
        ("Sea warden", ["Sea wardens", "English soldiers"], "", False),
        ("Barber (trade)", ["Barbers"], "", False),
        ("Runecraft", ["Runecraft", "Magic", "Folklore", "Soldiers"], "", False),
        ("Norland", ["Countries in Europe", "Norse people", "Kings"], "", False),
        ("Ivo Marl", ["Literary hoaxes", "English poets"], "", False),
        ("Ellis Dane", ["Collective pseudonyms", "American novelists"], "", False),
        ("Kiteflyer", ["English aviators"], "Person who flies kites", False),
        ("Ivo Marl", ["Hoaxes in Ohio", "1850 births"], "", True),
        ("Ivo Marl", ["English poets", "People from Leeds", "University of Leeds"], "", True),
        ("Barber", ["English painters", "1st Baron"], "Painter (1700–1750)", True),
    ],
)
def test_kinds_of_people_are_not_people(title, categories, short, person):
    assert (person_evidence(categories, short, EN, "", title) is not None) is person
