"""Compares names: missing parts do not count, differing parts do."""

from __future__ import annotations

import pytest

from dfactscore import Scorer
from dfactscore._text.names import compare
from dfactscore._text.person_names import read_name

FACTS = "{0} was born in 1951. {0} is a Danish botanist. {0} moved to Lisbon in 1990."
PAGE = "{0} (born 1951) is a Danish botanist. He moved to Lisbon in 1990."
ONE_PART_MORE = [
    ("Bo Hans Ray", "Bo Ray"), ("Bo H. Ray", "Bo Ray"), ("Ann Marsh Lee", "Ann Lee"),
    ("Juan Ray Morales", "Juan Ray"), ("Oleg Ivanovich Ray", "Oleg Ray"),
    ("Piet van der Ray", "Piet Ray"), ("Bo Ray Jr.", "Bo Ray"), ("Ann Lee-Marsh", "Ann Lee"),
    ("Sir Bo Ray", "Bo Ray"), ("Omar bin Ray", "Omar Ray"), ("Bo Hans Emil Ray", "Bo Ray"),
]  # fmt: skip
SPELLINGS = [
    ("Omar al-Ray", "Al-Ray"), ("Omar ash-Sham", "Ash-Sham"), ('Bo "Red" Ray', "Red Ray"),
    ("Min-seo Ray", "Minseo Ray"), ("Ann Lee\u2011Marsh", "Lee-Marsh"), ("Søren Ray", "Soren Ray"),
    ("Sergei Belsky", "Sergey Belskiy"), ("Oleg Petrov", "Petroff"),
    ("Mohamed Ray", "Muhammad Ray"), ("Robert Ray", "Bob Ray"),
    ("J. P. Ray", "J.P. Ray"), ("Ian MacRay", "Macray"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "other"), ONE_PART_MORE)
def test_a_missing_part_does_not_count(name, other):
    assert compare(read_name(name), read_name(other))[0] != "other"
    assert compare(read_name(other), read_name(name))[0] != "other"


@pytest.mark.parametrize(
    ("name", "other", "why"),
    [
        ("Bo Hans Ray", "Bo Emil Ray", "other given name"),
        ("Bo H. Ray", "Bo E. Ray", "other given name"),
        ("Oleg Ivanovich Ray", "Oleg Petrovich Ray", "other given name"),
        ("Bo Ray Jr.", "Bo Ray Sr.", "other suffix"),
        ("Bo Ray", "Bo Marsh", "other surname"),
        ("Marie Ray", "Maria Ray", "other given name"),
        ("Jane Marina", "Jane Moreno", "other surname"),
    ],
)
def test_a_differing_part_counts(name, other, why):
    assert compare(read_name(name), read_name(other)) == ("other", why)


def test_a_page_that_lacks_a_part_of_the_name_supports_its_facts():
    records = [
        {
            "name": name,
            "text": FACTS.format(name),
            "passages": [{"title": title, "text": PAGE.format(title)}],
        }
        for name, title in [*ONE_PART_MORE, ("Bo Hans Ray", "Bo Emil Ray")]
    ]
    *fitting, contradicting = Scorer(counts="verdicts").score_many(records)
    assert [result.fs for result in fitting] == [1.0] * len(ONE_PART_MORE)
    assert contradicting.fs == 0


def test_two_spellings_of_a_name_are_one_person():
    records = [
        {
            "name": name,
            "text": f"{name} was a botanist. {again} moved to Lisbon. He died in 1990.",
            "passages": [
                {
                    "title": name,
                    "text": f"{name} was a botanist. He moved to Lisbon. He died in 1990.",
                }
            ],
        }
        for name, again in SPELLINGS
    ]
    results = Scorer(counts="verdicts").score_many(records)
    several = [r.name for r in results if r.record.scores.n_bio != 1]
    assert not several
