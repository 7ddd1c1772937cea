import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.ambigbio._titles import Site, normal_title, page_url

SITE = Site("https://en.wikipedia.org/wiki/Main_Page", frozenset({"category", "user talk", "file"}))


@pytest.mark.parametrize(
    ("link", "title"),
    [
        ("john harrow", "John harrow"),
        (" John__Harrow \u00a0(x) ", "John Harrow (x)"),
        ("Jose\u0301", "José"),
        ("O&#39;Dea &amp; Lee", "O'Dea & Lee"),
        ("O%27Dea", "O'Dea"),
        ("100%", "100%"),
        ("ßeta", "ßeta"),
        ("Terminator 2: Judgment Day", "Terminator 2: Judgment Day"),
        ("John\u200e", "John"),
        ("", None),
        ("#Section", None),
        ("John#Section", None),
        ("Category:People", None),
        ("USER_TALK:Ann", None),
        (":John (x)", "John (x)"),
        (":de:John", None),
        (": zh-min-nan:John", None),
        (":Category:John", None),
        ("::John", None),
        ("/Sub", None),
        ("a<b", None),
        ("a{b}", None),
        ("x" * 256, None),
        ("é" * 128, None),
    ],
)
def test_titles(link, title):
    assert normal_title(link, SITE) == title


def test_a_wiki_that_tells_cases_apart():
    site = Site("https://x/wiki/Main", frozenset(), first_letter=False)
    assert normal_title("john", site) == "john"


@given(st.text(max_size=40))
def test_a_normal_title_is_normal(link):
    title = normal_title(link, SITE)
    if title is not None and "%" not in title and "&" not in title:
        assert normal_title(title, SITE) == title
        assert page_url(title, SITE).isascii()
