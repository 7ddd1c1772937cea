"""Wikis of name pages in many forms: the people found, equal from API and dump."""

import pytest

from dfactscore.ambigbio import save
from dfactscore.ambigbio._builder import build
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._markup import cut_hidden
from dfactscore.work._executors import open_executor

EN = language("en")


@pytest.fixture(scope="module")
def forms(fixture_module):
    return fixture_module("forms")


@pytest.fixture(scope="module")
def forms_export(forms, fixture, fixture_module, tmp_path_factory):
    path = tmp_path_factory.mktemp("forms") / "forms-20260115-pages-articles.xml"
    cases = [fixture_module(name) for name in ("cases", "unseen", "titled", "introduced")]
    path.write_text(forms.wiki_of(fixture, *cases).xml(), "utf-8")
    return path


def built_from(source, forms, **options):
    source.snapshot = lambda: "2026-01-15"
    return build(source, language=EN, names="all", **{"pages": "none", **options})


@pytest.fixture(scope="module")
def offline(forms, forms_export, tmp_path_factory):
    from dfactscore.ambigbio._dump_source import DumpSource

    source = DumpSource(forms_export, EN, cache=tmp_path_factory.mktemp("store") / "store")
    yield built_from(source, forms)
    source.close()


def test_every_form_gives_who_bears_the_name(forms, offline):
    found = {name.name: tuple(p.title for p in name.people) for name in offline.dataset}
    assert found == forms.expected()


def test_only_people_are_named(fixture_module, offline):
    """Ships, works, places and characters are not bearers without a page."""
    expected = fixture_module("introduced").NAMED
    found = {name.title: name.named for name in offline.dataset if name.title in expected}
    assert found.keys() == expected.keys()
    for title, parts in expected.items():
        lines = found[title]
        assert len(lines) == len(parts), (title, lines)
        assert all(any(part in line for line in lines) for part in parts), (title, lines)


@pytest.mark.slow
def test_the_wiki_itself_gives_the_same_bytes(
    mediawiki, forms, forms_export, offline, api_source, tmp_path
):
    server = mediawiki.Server(
        mediawiki.make_wiki(forms_export.read_text("utf-8")), tmp_path / "wiki"
    )
    try:
        live = built_from(api_source(server.api), forms)
    finally:
        server.stop()
    assert live.decisions == offline.decisions
    save(live.dataset, tmp_path / "live.jsonl")
    save(offline.dataset, tmp_path / "dump.jsonl")
    assert (tmp_path / "live.jsonl").read_bytes() == (tmp_path / "dump.jsonl").read_bytes()


def test_small_rounds_give_the_same_in_two_passes(
    forms, forms_export, offline, monkeypatch, tmp_path
):
    """One pass reads pages linked from name pages, the other pages linked from lists elsewhere."""
    from dfactscore.ambigbio._dump_source import DumpSource

    monkeypatch.setattr("dfactscore.ambigbio._builder._ROUND", 20)
    said = []
    source = DumpSource(forms_export, EN, cache=tmp_path / "store", report=said.append)
    try:
        assert built_from(source, forms) == offline
    finally:
        source.close()
    assert sum(line.startswith("reading ") for line in said) <= 2


def test_every_line_is_an_entry_or_has_a_reason(forms, offline):
    """Each link of a list is selected or has a reason in the log, so recall can be audited."""
    logs = {line.title: line for line in offline.decisions}
    for item in forms.FORMS:
        log = logs[item.title]
        taken = {target for target, _ in log.refused} | set(item.people)
        shown = " ".join(text for text, _ in log.dropped)
        for line in cut_hidden(item.text).split("\n"):
            links = [] if line.startswith(("=", "<!--")) else forms._LINK.findall(line)
            if links and not any(" ".join(link.split("_")).strip() in taken for link in links):
                label = line.rpartition("[[")[2].partition("]]")[0].rpartition("|")[2]
                assert label[:8] in shown, (item.title, line)
    assert all(reason for line in offline.decisions for _, reason in line.dropped)
    transcluded = logs["Ola Rem"].dropped
    assert ("{{List of Rems}}", "a template, which is not expanded") in transcluded


@pytest.mark.slow
def test_several_processes_give_the_same(forms, forms_export, tmp_path):
    from dfactscore.ambigbio._dump_source import DumpSource

    def whole(workers):
        with open_executor(workers) as executor:
            source = DumpSource(forms_export, EN, cache=tmp_path / f"{workers}", executor=executor,
                                part_size=40_000)  # fmt: skip
            try:
                return built_from(source, forms, pages="lead", executor=executor)
            finally:
                source.close()

    one, two = whole(1), whole(2)
    assert one == two
    assert len(one.pages) > 200


def test_primary_topics(offline):
    primary = {
        name.name: [person.title for person in name.people if person.primary]
        for name in offline.dataset
    }
    assert primary["Ruth Hale"] == ["Ruth Hale"]
    assert primary["John Tarrant"] == ["John Tarrant"]
    assert primary["Abel Tring"] == ["Abel Tring"]
    assert primary["Noah Brisk"] == []
    assert all(len(titles) <= 1 for titles in primary.values())
