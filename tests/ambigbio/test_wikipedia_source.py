"""A live wiki as pages of a run: read once, cached with revisions."""

from __future__ import annotations

import json

import pytest

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_pages

pytest.importorskip("wikipediaapi", reason="needs the extra [wikipedia]")

from dfactscore._scorer.scorer import Scorer
from dfactscore.ambigbio._wikipedia_source import WikipediaSource


@pytest.fixture
def live(wiki, tmp_path):
    def opened():
        return WikipediaSource(
            contact="tests@example.org", cache=tmp_path / "pages.sqlite", api_url=wiki.api
        )

    return opened


def people(fixture):
    """A name of the fixture with two articles."""
    from dfactscore._text.names import plain_name

    titles = [p[0] for p in fixture.english().pages if "(" in p[0] and p[1] == 0 and not p[3]]
    names = [plain_name(title) for title in titles]
    return next(name for name in names if names.count(name) > 1)


def test_pages_of_a_name(live, fixture):
    name = people(fixture)
    source = live()
    titles = source.titles_for(name)
    assert len(titles) > 1
    assert not [t for t in titles if "disambiguation" in t]
    (page,) = source.documents(titles[0])
    assert page.revision.isdecimal()
    assert "{{" not in page.text
    assert source.documents("No such page at all") == ()
    assert source.lookup("No such page at all").reason
    assert source.revisions()[titles[0]] == page.revision
    source.close()


def test_a_second_run_asks_nothing_and_reads_the_same(live, fixture, tmp_path):
    name = people(fixture)
    text = {"name": name, "text": f"{name} was born in 1950. He was a painter."}
    first, second = live(), live()
    runs = []
    for number, source in enumerate((first, second)):
        results = Scorer(pages=source).score_many([text])
        runs.append(results.save(tmp_path / f"run{number}"))
    assert first.requests > 0
    assert second.requests == 0
    manifests = [json.loads((run / "manifest.json").read_text()) for run in runs]
    assert manifests[0]["page_revisions"] == manifests[1]["page_revisions"] != {}
    assert manifests[0]["settings"]["pages"]["kind"] == "wikipedia"
    assert (runs[0] / "verdicts.jsonl").read_bytes() == (runs[1] / "verdicts.jsonl").read_bytes()
    first.close()
    second.close()


def test_the_name_wikipedia_opens_it(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("DFACTSCORE_CONTACT", raising=False)
    with pytest.raises(InputError, match=r"no contact is given.*DFACTSCORE_CONTACT"):
        open_pages("wikipedia")
    monkeypatch.setenv("DFACTSCORE_CONTACT", "tests@example.org")
    source = open_pages("wikipedia:de")
    assert isinstance(source, WikipediaSource)
    assert (tmp_path / "dfactscore" / "wikipedia-de.sqlite").exists()
    source.close()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wikipedia").mkdir()
    (tmp_path / "wikipedia" / "Ann Lee.txt").write_text("Ann Lee paints.")
    assert len(open_pages("wikipedia")) == 1  # a folder named "wikipedia" is read as a folder
