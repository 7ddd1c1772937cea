"""Builds from dumps in Italian, Portuguese and Dutch."""

import re

import pytest

from dfactscore.ambigbio._builder import build
from dfactscore.ambigbio._dump_source import DumpSource
from dfactscore.ambigbio._languages import language

_LINK = re.compile(r"\[\[([^\[\]|#:]+)(?:\||\]\])")


@pytest.fixture(scope="module")
def abroad(fixture_module):
    return fixture_module("abroad")


def _dump(abroad, fixture, code):
    """Writes the pages of a language with the articles that they link to."""
    pages, wiki = abroad.PAGES[code], fixture.Export()
    texts = {page.title: f"{page.text}\n\n{abroad.MARKS[code]}" for page in pages}
    things = {title for page in pages for title in page.things}
    linked = dict.fromkeys(link for page in pages for link in _LINK.findall(page.text))
    for title in linked:
        if title not in texts:
            born = 1700 + sum(map(ord, title)) % 280
            known = abroad.ARTICLES.get(title) or abroad.person(code, title, born)
            texts[title] = abroad.thing(code, title) if title in things else known
    for title, text in texts.items():
        wiki.page(title, text)
    category = rf"\g<1>{abroad.NAMESPACES[code]}"
    return re.sub(r'(<namespace key="14"[^>]*>)[^<]*', category, wiki.xml())


@pytest.fixture(scope="module", params=["it", "pt", "nl"])
def foreign(request, abroad, fixture, tmp_path_factory):
    """A language's pages, and the build from them."""
    code, folder = request.param, tmp_path_factory.mktemp(request.param)
    path = folder / f"{code}wiki-20260115-pages-articles.xml"
    path.write_text(_dump(abroad, fixture, code), "utf-8")
    source = DumpSource(path, language(code), cache=folder / "store")
    yield abroad.PAGES[code], build(source, language=language(code), names="all")
    source.close()


def test_people_are_found(foreign):
    pages, built = foreign
    found = {name.title: tuple(person.title for person in name.people) for name in built.dataset}
    assert found == {page.title: page.people for page in pages if page.people}


def test_lines_about_people_without_a_page_are_kept(foreign):
    pages, built = foreign
    expected = {page.title: page.named for page in pages if page.people}
    for name in built.dataset:
        assert len(name.named) == len(expected[name.title]), (name.title, name.named)
        assert all(part in " ".join(name.named) for part in expected[name.title])


def test_years_of_leads_and_infoboxes(foreign, abroad):
    people = {person.title: person for name in foreign[1].dataset for person in name.people}
    read = {title: (one.born, one.died) for title, one in people.items() if title in abroad.YEARS}
    assert read == {title: abroad.YEARS[title] for title in read}
    assert read


def test_each_page_has_a_text(foreign):
    """Italian articles begin with a template that renders their first sentence."""
    texts = {page.title: page.text for page in foreign[1].pages}
    assert all(len(text) > 20 for text in texts.values())
