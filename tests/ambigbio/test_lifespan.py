import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.ambigbio.languages import language
from dfactscore.ambigbio.lifespan import Lifespan, cut_lifespan, from_categories

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
        ("(fl. 1500–1520), painter", None, None, ", painter"),
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
