"""Births and deaths in brackets and in predicates."""

# ruff: noqa: E501 (one case a line)

import pytest

from dfactscore.engines._builtin.group.mentions import life_years
from dfactscore.engines._builtin.language.life_dates import life_statements


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("(1744–1826)", ["was born in 1744", "died in 1826"]),
        ("(born 1954)", ["was born in 1954"]),
        ("(b. 1950)", ["was born in 1950"]),
        ("(1957- )", ["was born in 1957"]),
        ("(died 1820)", ["died in 1820"]),
        ("(born 5 May 1970 in Leeds)", ["was born on 5 May 1970", "was born in Leeds"]),
        ("(October 1887 – 18 February 1968)", ["was born in October 1887", "died on 18 February 1968"]),
        ("(June 10, 1925 – February 15, 1995)", ["was born on June 10, 1925", "died on February 15, 1995"]),
        ("(c. 1508–1549)", ["was born around 1508", "died in 1549"]),
        ("(1785 – 31 March 1863)", ["was born in 1785", "died on 31 March 1863"]),
        ("(† 1820)", ["died in 1820"]),
        ("(born 1750; † 5 May 1820)", ["was born in 1750", "died on 5 May 1820"]),
        ("(Leeds, 1750 – York, 1820)", ["was born in 1750", "was born in Leeds", "died in 1820", "died in York"]),
        ("(fl. 1790–1810)", []),  # years of work
        ("(NBA)", []),
        ("was born in Leeds in 1970", ["was born in Leeds", "was born in 1970"]),
        (
            "was born on May 5, 1970, in Leeds, England, to poor parents",
            ["was born on May 5, 1970", "was born in Leeds, England", "was born to poor parents"],
        ),
        ("passed away in 1979 due to a fever", ["passed away in 1979", "passed away due to a fever"]),
        ("was born in the village of Ash in Kent", ["was born in the village of Ash in Kent"]),
        ("was elected in 1970", ["was elected in 1970"]),
    ],
)  # fmt: skip
def test_life_statements(words, expected):
    assert life_statements(words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("1744–1826", (1744, 1826)),
        ("born 1954", (1954, None)),
        ("c 1615- c 1689", (1615, 1689)),
        ("1957-", (1957, None)),
        ("died 1820", (None, 1820)),
        ("born in 1950 in Leeds", (1950, None)),
        ("1978", (None, None)),
        ("NBA", (None, None)),
    ],
)
def test_life_years(words, expected):
    assert life_years(words)[:2] == expected


@pytest.mark.parametrize(
    ("words", "birthday"),
    [
        ("born May 17, 1979", "17 may"),
        ("born 4 June 1979 in Leeds", "4 jun"),
        ("12th of April 1820 – 3 May 1888", "12 apr"),
        ("1979", ""),
        ("born in 1979 on Elm Street 4", ""),
    ],
)
def test_birthdays(words, birthday):
    assert life_years(words).birthday == birthday
