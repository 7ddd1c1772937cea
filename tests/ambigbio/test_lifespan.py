# ruff: noqa: E501
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._lifespan import Lifespan, cut_lifespan, from_categories, from_page
from dfactscore.ambigbio._people import lead_of

EN, DE = language("en"), language("de")


@pytest.mark.parametrize(
    ("text", "born", "died", "rest"),
    [
        ("(1871–1936), cricketer", 1871, 1936, ", cricketer"),
        ("(1871 - 1936) cricketer", 1871, 1936, " cricketer"),
        ("(1871—1936)", 1871, 1936, ""),
        ("(born 1950), politician", 1950, None, ", politician"),
        ("(born 15 March 1950)", 1950, None, ""),
        ("(born March 15, 1950)", 1950, None, ""),
        ("(born c. 1950)", 1950, None, ""),
        ("(b. 1950)", 1950, None, ""),
        ("(died 1688), bishop", None, 1688, ", bishop"),
        ("(d. 1688)", None, 1688, ""),
        ("(c. 1650 – 1700)", 1650, 1700, ""),
        ("(1650 – after 1700)", 1650, 1700, ""),
        ("(15 March 1650 – 2 May 1700)", 1650, 1700, ""),
        ("(1650/51–1700)", 1650, 1700, ""),
        ("(384–322 BC)", -384, -322, ""),
        ("(50 BC – 12)", -50, 12, ""),
        ("(1950–present)", 1950, None, ""),
        ("(1950–)", 1950, None, ""),
        ("(?–1700)", None, 1700, ""),
        ("(fl. 1500–1520), painter", None, None, "(fl. 1500–1520), painter"),
        ("(politician) (1871–1936)", 1871, 1936, "(politician)"),
        (", born 1950, politician", 1950, None, ", born 1950, politician"),
        (", politician", None, None, ", politician"),
        ("(actor)", None, None, "(actor)"),
        ("(MP 1701–1690)", None, None, "(MP 1701–1690)"),
        ("in Newborn 1950", None, None, "in Newborn 1950"),
    ],
)
def test_english_lines(text, born, died, rest):
    assert cut_lifespan(text, EN) == (Lifespan(born, died), rest)


@pytest.mark.parametrize(
    ("text", "born", "died"),
    [
        ("(* 1950), Maler", 1950, None),
        ("(* 3. März 1941)", 1941, None),
        ("(† um 1510), Bildhauer", None, 1510),
        ("(1899–1971)", 1899, 1971),
        ("(* 1899; † 1971)", 1899, 1971),
        ("(384–322 v. Chr.)", -384, -322),
    ],
)
def test_german_lines(text, born, died):
    assert cut_lifespan(text, DE)[0] == (born, died)


def test_categories():
    assert from_categories(["Living people", "1950 births"], EN) == (1950, None)
    assert from_categories(["384 BC births", "322 BC deaths"], EN) == (-384, -322)
    assert from_categories(["1950s births", "1990 racehorse births"], EN) == (None, None)
    assert from_categories(["Geboren 1950", "Gestorben 1999"], DE) == (1950, 1999)


@given(st.text(alphabet=st.sampled_from(list("()–-/ 0123456789?bornd.c,AB")), max_size=60))
def test_a_span_never_ends_before_it_begins(text):
    (born, died), _ = cut_lifespan(text, EN)
    assert born is None or died is None or "born" in text or "b." in text or born <= died


FORMS = {
    "(1904–54)": (1904, 1954),
    "(née Smith; 1918–1968)": (1918, 1968),
    "(王維; 699–759)": (699, 759),
    "(1 January 1900 in Leeds – 3 May 1960 in York)": (1900, 1960),
    "[1909–1959]": (1909, 1959),
    ", 1910–1960, judge": (1910, 1960),
    "(AD 40 – c. 104)": (40, 104),
    "(c. 40 – 104 AD)": (40, 104),
    "(106 BC – 43 BC)": (-106, -43),
    "(106–43 BCE)": (-106, -43),
    "(63 BC – AD 14)": (-63, 14),
    "(b. 1950)": (1950, None),
    "(born 3 May 1950 in Leeds)": (1950, None),
    "(born Ann Smith, 1950)": (1950, None),
    "(born Ann Smith; 4 May 1918 – 1968)": (1918, 1968),
    "(May 3, 1950 – June 4, 2001)": (1950, 2001),
    "(1950–2001), judge": (1950, 2001),
    "(fl. 1500)": (None, None),
    "(d. 1688)": (None, 1688),
    "(died c. 1688)": (None, 1688),
    "(died after 1688)": (None, 1688),
    "(before 1650 – 1700)": (1650, 1700),
    "(baptised 4 May 1650 – 1700)": (1650, 1700),
    "(bap. 1650, d. 1700)": (1650, 1700),
    "(bapt. 1650, died 1700)": (1650, 1700),
    "(1650s–1700)": (1650, 1700),
    "(1650/1651 – 1700)": (1650, 1700),
    "(c.1650–c.1700)": (1650, 1700),
    "(ca. 1650 – ca. 1700)": (1650, 1700),
    "(1650?–1700?)": (1650, 1700),
    "(?–1700)": (None, 1700),
    "(1950-)": (1950, None),
    "(1950 – )": (1950, None),
    "(1950–present)": (1950, None),
    "(born 1950), son of John Lee (1900–1960)": (1950, None),
    "(politician) (1900–1950)": (1900, 1950),
    "Jr. (1900–1950)": (1900, 1950),
    " III (1900–1950)": (1900, 1950),
    "(Walter Henry Lee, 1790–1850), engineer": (1790, 1850),
    "(also known as Nan; 1790–1850)": (1790, 1850),
    "(Nan, 1790–1850)": (None, None),
    "(1790–1850, Leeds)": (1790, 1850),
    "(1900 to 1950)": (1900, 1950),
    "(1900−1950)": (1900, 1950),
    "(1900--1950)": (1900, 1950),
    "(born 1900, died 1950)": (1900, 1950),
    "(b. 1900; d. 1950)": (1900, 1950),
    "(b. 1900 – d. 1950)": (1900, 1950),
    "(1900–1950; fl. 1920)": (1900, 1950),
    "(1900–1950, reigned 1920–1930)": (1900, 1950),
    "(3.4.1900 – 5.6.1950)": (1900, 1950),
    "(3/4/1900 – 5/6/1950)": (1900, 1950),
    "(1900-03-04 – 1950-06-05)": (1900, 1950),
    "(* 1900; † 1950)": (1900, 1950),
    "(*1900)": (1900, None),
    "(†1950)": (None, 1950),
    "(active 1500–1520)": (None, None),
    "(born circa 1650)": (1650, None),
    "(born between 1650 and 1660)": (None, None),
    "(circa 1650 – after 1700)": (1650, 1700),
    "(c. 1650 to 1700)": (1650, 1700),
    "(probably born 1650)": (1650, None),
    "(1650 or 1651 – 1700)": (1650, 1700),
    "(15th–16th century)": (None, None),
    ", born 1950, politician": (1950, None),
    ", politician, died 1700": (None, 1700),
    " – English footballer (born 1950)": (1950, None),
    "(March 1900 – 1950)": (1900, 1950),
    "(22 March 1900–3 April 1950)": (1900, 1950),
    "(1900 in Leeds; 1950 in York)": (None, None),
    "(born in Leeds, 1900)": (1900, None),
    "(born in Leeds in 1900; died 1950)": (1900, 1950),
    "(d. 3 May 1950, York)": (None, 1950),
    "(1900–50s)": (1900, 1950),
    "(b. spring 1911, d. 2 Feb 1990)": (1911, 1990),
    "(b. Spring 1911; d. 1990)": (1911, 1990),
    "(born early 1911, died late 1990)": (1911, 1990),
    "(born autumn 1650 – died 1700)": (1650, 1700),
    "(summer 1911 – winter 1990)": (1911, 1990),
    "(b. at Leeds 1911 – d. 1990)": (1911, 1990),
    "(born on 3 May 1911; died on 2 February 1990)": (1911, 1990),
    "(born 3rd May 1911, died 2nd February 1990)": (1911, 1990),
    "(born in the spring of 1911)": (1911, None),
    "(born in Kent around 1790)": (1790, None),
    "(d. by 1700)": (None, 1700),
    "(d. sometime after 1700)": (None, 1700),
    "(died in exile 1851)": (None, 1851),
    "(born Ann Roe; d. 1851)": (None, 1851),
    "(b. ca 1650)": (1650, None),
    "(b. c1650, d. c1700)": (1650, 1700),
    "(b.1911–d.1990)": (1911, 1990),
    "(1911 Leeds – 1990 York)": (1911, 1990),
    "(1911, Leeds – 1990, York)": (1911, 1990),
    "(Leeds, 1911 – York, 1990)": (1911, 1990),
    "(Leeds 1911 – York 1990)": (1911, 1990),
    "(Kent, 4 May 1790 – Leeds, 5 June 1851)": (1790, 1851),
    "(2.V.1911 – 3.VI.1990)": (1911, 1990),
    "(1911 – missing 1944)": (1911, 1944),
    "(1790 – executed 3 May 1815)": (1790, 1815),
    "(bap. 3 Mar. 1650 – bur. 4 May 1700)": (1650, 1700),
    "(born as Ann Smith in 1911; died in 1990)": (1911, 1990),
    "(born 1911, disappeared 1944)": (1911, None),
    "(born c. 1650, date of death unknown)": (1650, None),
    "(fl. 1650, d. 1700)": (None, 1700),
    "[1911-90]": (1911, 1990),
    "[b. 1911]": (1911, None),
    "(unknown – 1700)": (None, 1700),
    "(date of birth unknown – 3 May 1700)": (None, 1700),
    "(1650 – unknown)": (1650, None),
    "(1911–1990, aged 79)": (1911, 1990),
    "(1911–1990; aged 79 years)": (1911, 1990),
    "(d. aged 61 in 1851)": (None, 1851),
    "(died at the age of 61 in 1851)": (None, 1851),
    "(born 3 May 1950; age 70)": (1950, None),
    "(1650 – 1700 or later)": (1650, 1700),
    "(1911 – killed in action 1944)": (1911, 1944),
    "(c 1650- ca 1700 )": (1650, 1700),
    "(b 1911)": (1911, None),
    "(b 1911, d 1990)": (1911, 1990),
    "(1911–1944†)": (1911, 1944),
    "(1911*–1944†)": (1911, 1944),
    "( – 1410)": (None, 1410),
    "(– c. 1410)": (None, 1410),
    "(Born March 1911)": (1911, None),
    "(early summer 1911 – winter 1990)": (1911, 1990),
}
TRAPS = [
    "(abbess 1200–1220)",
    "(in office 1900–1904)",
    "fought in the Wars (1700–1709)",
    ", tutor of Clara Weber (1819–1896)",
    "(MP 1701–1710)",
    "(MP, 1701–1710)",
    "(mayor, 1900–1905)",
    "(played 1900–1910)",
    "(Leeds United, 1900–1910)",
    "(Leeds United 1900–1910)",
    "(1900–1910 MP for Ely)",
    "(served 1914–1918)",
    "(bishop of Ely 1200–1220)",
    "(r. 1200–1220)",
    "(ruled 1200–1220)",
    "(king 1200–1220)",
    ", mother of Bob (born 1950)",
    ", whose son was born 1950",
    ", mayor (1900–1905)",
    ", MP for Ely (1900–1910)",
    "(1900 Olympics)",
    "(1980s singer)",
    "(term 1900–1904)",
    "(governor: 1900–1904)",
    "(captain, 1st Foot, 1700–1709)",
    "(editor from 1900 to 1910)",
    "(president, 1900–1904)",
    "(season 1900–01)",
    "(1900–1910, goalkeeper)",
    "(married 1900, divorced 1910)",
    "(elected 1900)",
    "(drafted 1990)",
    "(Wars of 1700–1709)",
    "(active 1900–1910)",
    "(under Henry II, 1154–1189)",
    "(created 1711)",
    "(in Leeds 1900–1910)",
    "(at Leeds 1900–1910)",
    "(on staff 1900–1910)",
    "(reigned 1100–1135)",
    "(ruled Mercia 1100–1135)",
    "(knighted 1911, resigned 1990)",
    "(champion spring 1911)",
    "(premiered 1911)",
    "(ministry 1911–1940)",
    "(fl. 1911–1990)",
    "(term: 3 May 1911 – 2 Feb 1930)",
    "(3 May 1911 – 2 Feb 1915)",
    "(1990–2005 Leeds United)",
    "(with Bob Roe, 1911–1990)",
    "(Punch, 1790–1851)",
    "(pupil of Bob Roe, born 1790)",
    "(flag bearer, summer 1911)",
    "(head of the house 1790–1840)",
    ", MP 1911–1930, judge",
    ", son of John, who died 1911",
    "(Leeds 1911 – York 1930)",
    "(Leeds United 1911 – York City 1930)",
    "(1911 Leeds – 1930 York)",
    "(launched 1790 – wrecked 1851)",
    "(elected 1911 – resigned 1950)",
    "(first term 1911 – second term 1950)",
    "(aged 79)",
    "(Died Hard, 1990)",
    "(Born Free 1966)",
    "(Plan B 1990)",
    ", winner of group d 1990",
]


@pytest.mark.parametrize("text", FORMS)
def test_forms_of_years(text):
    assert cut_lifespan(text, EN, name="Ann Lee")[0] == FORMS[text]


@pytest.mark.parametrize("text", TRAPS)
def test_years_of_something_else_stay_where_they_are(text):
    assert cut_lifespan(text, EN, name="Ann Lee") == (Lifespan(), text)


@pytest.mark.parametrize(
    ("text", "categories", "years"),
    [
        ("{{Infobox x|birth_date=1850|death_date=1900}}'''A''' (1–2)", ["1851 births"], (1851, 1900)),
        ("{{Infobox x\n| birth_date = {{birth date|df=y|1950|3|4}}\n| death_date =\n| spouse = B (1940)\n}}", [], (1950, None)),
        ("{{Infobox x|birth_date=|death_date={{death date and age|2000|1|2|1950|3|4}}}}", [], (None, 2000)),
        ("{{Infobox x|birth_date=c. 384 BC}}", [], (-384, None)),
        ("{{Infobox x|birth_date={{birth based on age as of date|50|2000|1|1}}}}", [], (None, None)),
        ("'''Ann''' (née Roe; {{circa|1650}} – 4 May 1700) was a nun.", [], (1650, 1700)),
        ("'''Ann''' (Greek: Ἄννα, ''Anna''; 428–348 BC; reigned 400–390 BC) was", [], (-428, -348)),
        ("'''Ann''' (in office 1900–1904) was a mayor.", ["1870 births"], (1870, None)),
        ("'''Ann''' was abbess of Ely (1200–1220).", [], (None, None)),
        ("'''Ann''' (1800–1850)", ["1900 births"], (1900, None)),
    ],
)  # fmt: skip
def test_a_page_gives_its_years(text, categories, years):
    assert from_page(text, lead_of(text, EN), categories, EN) == years
