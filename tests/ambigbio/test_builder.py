"""Builds from the real wiki and from its dump: all traps, and equal bytes from both."""

import pytest

from dfactscore.ambigbio import AmbigBioError, load, save
from dfactscore.ambigbio._builder import Builder, build, seeded_order
from dfactscore.ambigbio._files import write_records
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._sources import Listed

EN = language("en")


def people(built):
    return {name.name: tuple(person.title for person in name.people) for name in built.dataset}


def reasons(built):
    return {line.title: line.reason for line in built.decisions if not line.kept}


def written(built, folder):
    save(built.dataset, folder / "names.jsonl")
    write_records(folder / "pages.jsonl", built.pages)
    return (
        (folder / "names.jsonl").read_bytes(),
        (folder / "pages.jsonl").read_bytes(),
        repr(built.decisions),
    )


@pytest.mark.slow
def test_every_trap_on_the_real_wiki(wiki, api_source, fixture):
    built = build(api_source(wiki.api), language=EN, names=len(fixture.EXPECTED), pages="none")
    assert people(built) == fixture.EXPECTED
    for title, reason in reasons(built).items():
        assert reason
        assert fixture.REFUSED[title] in reason
    header = built.dataset.header
    assert header.wiki == "http://wiki.test/wiki/Main_Page"
    assert header.listed == len(fixture.EXPECTED) + len(fixture.REFUSED)
    by_name = built.dataset["David Tarn"].people
    assert [person.primary for person in by_name] == [True, False, False, False]
    assert by_name[0].aliases == ("David Tarn (novelist)",)
    assert built.dataset["Tom Bell"].people[1].evidence == "infobox"
    lines = built.dataset["Иван Орлов"].people
    assert [(person.born, person.died) for person in lines] == [
        (1845, 1900), (1950, None), (-300, -250),
    ]  # fmt: skip


def test_every_refused_name_is_reported(wiki, api_source, fixture):
    with pytest.raises(AmbigBioError, match=rf"{len(fixture.EXPECTED)} of the .* 400 were asked"):
        build(api_source(wiki.api), language=EN, names=400, pages="none")


@pytest.mark.parametrize("extent", ["none", "lead", "full"])
def test_the_dump_gives_the_same_bytes(
    wiki, api_source, dump_source, export, fixture, tmp_path, monkeypatch, extent
):
    def same(source):
        monkeypatch.setattr(source, "snapshot", lambda: "2026-01-15")
        return build(source, language=EN, names=len(fixture.EXPECTED), seed=5, pages=extent)

    live, offline = same(api_source(wiki.api)), same(dump_source(export))
    assert written(live, tmp_path) == written(offline, tmp_path)
    assert (len(live.pages) > 0) == (extent != "none")


def test_urls_are_the_wikis_own(wiki, api_source, fixture):
    source = api_source(wiki.api)
    built = build(source, language=EN, names=len(fixture.EXPECTED), pages="none")
    urls = {person.page_id: person.url for name in built.dataset for person in name.people}
    ids = list(urls)
    for start in range(0, len(ids), 50):
        chosen = "|".join(map(str, ids[start : start + 50]))
        for part in source.client.query({"pageids": chosen, "prop": "info", "inprop": "url"}):
            for page in part["pages"]:
                assert urls[page["pageid"]] == page["fullurl"]


def test_continuation_changes_nothing(wiki, api_source, fixture, monkeypatch, tmp_path):
    count = len(fixture.EXPECTED)
    whole = build(api_source(wiki.api), language=EN, names=count)
    monkeypatch.setattr("dfactscore.ambigbio._api_source._LIMIT", "3")
    cut = build(api_source(wiki.api, cache=tmp_path / "cut"), language=EN, names=count)
    assert cut == whole
    listing = [r for r in wiki.requests() if r["parameters"].get("cmlimit") == "3"]
    assert len(listing) == -(-whole.dataset.header.listed // 3)


def test_requests_are_few_and_gzipped(wiki, api_source, fixture):
    source = api_source(wiki.api)
    build(source, language=EN, names=len(fixture.EXPECTED), seed=3)
    requests = wiki.requests()
    assert source.enumeration_requests == 1
    assert len(requests) == source.client.requests
    asked = [str(request["parameters"]) for request in requests]
    assert len(set(asked)) == len(asked)
    # 1 for the list, then in each round 1 for names, 1 per 50 titles, 1 for doubtful people
    assert len(requests) <= 1 + (1 + 2 + 1) + (1 + 1 + 1)
    assert all("gzip" in request["encoding"] for request in requests)
    assert all("mailto:tests@example.org" in request["agent"] for request in requests)
    assert wiki.most_at_once() == 1


def test_seeds_draw_other_names_and_the_same_seed_the_same(wiki, api_source):
    source = api_source(wiki.api)
    drawn = {seed: build(source, language=EN, names=4, seed=seed).dataset for seed in (1, 2, 1)}
    again = build(source, language=EN, names=4, seed=1).dataset
    assert again == drawn[1]
    assert [name.name for name in drawn[1]] != [name.name for name in drawn[2]]


def test_the_order_does_not_move_when_pages_come_and_go():
    listed = [Listed(number, f"Name {number}") for number in range(300)]
    order = seeded_order(listed, 7)
    assert order == seeded_order(reversed(listed), 7)
    gone = [entry for entry in order if entry.page_id % 3]
    assert seeded_order([entry for entry in listed if entry.page_id % 3], 7) == gone


def test_pages_are_what_retrieval_reads(wiki, api_source, fixture, tmp_path):
    from dfactscore.retrieval import Page, read_pages

    built = build(api_source(wiki.api), language=EN, names=len(fixture.EXPECTED), pages="full")
    write_records(tmp_path / "pages.jsonl", built.pages)
    pages = {page.title: page for page in read_pages(tmp_path / "pages.jsonl")}
    assert set(pages) == {title for titles in fixture.EXPECTED.values() for title in titles}
    chemist = pages["John Harrow (chemist)"]
    assert isinstance(chemist, Page)
    assert chemist.redirects == ("John B. Harrow",)
    assert chemist.license.startswith("CC BY-SA 4.0")
    lines = chemist.text.split("\n")
    assert lines[0] == "John Bell Harrow (1902–1980) was a Scottish chemist."
    assert lines[2:4] == ["Life", "Harrow was born in the city of Leeds."]
    assert "References" not in lines
    assert "Later work" in lines


def test_names_of_a_list(wiki, api_source, dump_source, export):
    names = ["David Tarn", "Robin Vale", "john harrow", "Noone Atall", "Peter Oake", "[x]"]
    live = build(api_source(wiki.api), names=names, language=EN)
    assert [name.name for name in live.dataset] == ["David Tarn", "Robin Vale"]
    assert people(live)["Robin Vale"] == ("Robin Vale (actor)", "Robin Vale (botanist)")
    assert "no such page" in reasons(live)["Noone Atall"]
    assert "1 of the 2" in reasons(live)["Peter Oake"]
    offline = build(dump_source(export), names=names, language=EN)
    assert offline.dataset.names == live.dataset.names
    assert offline.decisions == live.decisions
    with pytest.raises(AmbigBioError, match=r"none of the 1 names.*'Leeds'.*not a disambiguation"):
        build(api_source(wiki.api), names=["Leeds"], language=EN)


@pytest.mark.slow
def test_pages_that_move_between_two_requests(own_wiki, mediawiki, api_source, fixture):
    count = len(fixture.EXPECTED)
    source = api_source(own_wiki.api)
    listed = source.list_names()  # the names are listed before the moves, and read after them
    seed = next(n for n in range(999) if seeded_order(listed, n)[0].title == "Ann Twice")
    moves = own_wiki.folder / "moves"
    moves.write_text(
        "John Harrow|John Harrow (names)\nJack Harrow|Jack Harrow (footballer, born 1888)\n"
        "David Tarn (disambiguation)|Tarn, David\nDavid Tarn|David Tarn (writer)\n"
    )
    mediawiki.maintenance(own_wiki.folder, "moveBatch", moves)
    gone = own_wiki.folder / "gone"
    gone.write_text("Ann Twice\n")
    mediawiki.maintenance(own_wiki.folder, "deleteBatch", gone)
    edit = "#REDIRECT [[Anna Voss]]"
    mediawiki.maintenance(own_wiki.folder, "edit", "Rosa Nil", stdin=edit)
    mediawiki.maintenance(own_wiki.folder, "runJobs")  # until then, the wiki reports a lag
    built = build(source, language=EN, names=count - 1, seed=seed)
    found = people(built)
    assert found["John Harrow"][-1] == "Jack Harrow (footballer, born 1888)"
    assert found["Tarn, David"][0] == "David Tarn (writer)"
    assert "Jack Harrow" in built.dataset["John Harrow"].people[-1].aliases
    assert reasons(built)["Ann Twice"] == "there is no such page"
    [merged] = [entry for entry in listed if entry.title == "Rosa Nil"]
    assert source.name_pages([merged])[merged.page_id].title == "Anna Voss"


@pytest.mark.slow
def test_a_category_that_only_a_template_adds(own_wiki, mediawiki, api_source):
    def edit(title, text):
        mediawiki.maintenance(own_wiki.folder, "edit", title, stdin=text)

    edit("Template:Lifetime", "[[Category:{{{1}}} births]][[Category:{{{2}}} deaths]]")
    edit("Una Ford (smith)", "A smith.\n{{Lifetime|1801|1870}}")
    edit("Una Ford (cook)", "A cook.\n{{Lifetime|1820|1880}}")
    edit("Una Ford", "* [[Una Ford (smith)]]\n* [[Una Ford (cook)]]\n* [[Leeds]]\n{{hndis}}")
    mediawiki.maintenance(own_wiki.folder, "runJobs")
    built = build(api_source(own_wiki.api), names="Una Ford", language=EN)
    assert [(p.born, p.died) for p in built.dataset["Una Ford"].people] == [
        (1801, 1870), (1820, 1880),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def german_export(fixture, tmp_path_factory):
    path = tmp_path_factory.mktemp("german") / "dewiki-20260115.xml"
    path.write_text(fixture.german().xml(), "utf-8")
    return path


def test_german_from_a_dump(dump_source, german_export, fixture):
    de = language("de")
    built = build(dump_source(german_export, code="de"), language=de, names=2)
    assert people(built) == fixture.GERMAN_EXPECTED
    assert "2 of its 5 entries" in reasons(built).get("Lenz", "2 of its 5 entries")
    years = [(person.born, person.died) for person in built.dataset["Hans Vogt"].people]
    assert years == [(1899, 1971), (1941, None), (None, 1510)]
    assert built.dataset.header.snapshot == "2026-01-15"
    with pytest.raises(AmbigBioError, match="2 of the 3 pages in 'Begriffsklärung'"):
        build(dump_source(german_export, code="de"), language=de, names=3)


@pytest.mark.slow
def test_german_from_a_real_wiki(mediawiki, api_source, german_export, fixture, tmp_path):
    made = mediawiki.make_wiki(german_export.read_text("utf-8"), "de")
    server = mediawiki.Server(made, tmp_path / "wiki")
    try:
        de = language("de")
        built = build(api_source(server.api, code="de"), language=de, names=2)
        assert people(built) == fixture.GERMAN_EXPECTED
    finally:
        server.stop()


def test_the_wrong_language_is_named(wiki, api_source):
    with pytest.raises(AmbigBioError, match=r"Begriffsklärung.*lists no page.*--lang"):
        build(api_source(wiki.api, code="de"), language=language("de"), names=2)


def test_a_saved_build_loads_equal(dump_source, export, fixture, tmp_path):
    built = build(dump_source(export), language=EN, names=len(fixture.EXPECTED))
    save(built.dataset, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == built.dataset


def test_no_names_is_no_build(dump_source, export):
    with pytest.raises(AmbigBioError, match="at least one"):
        build(dump_source(export), language=EN, names=0)


def test_without_debian_packages_the_wiki_is_skipped_with_a_reason(mediawiki, monkeypatch):
    monkeypatch.setattr(mediawiki.shutil, "which", lambda tool: None)
    with pytest.raises(mediawiki.Unavailable, match="no apt-get here"):
        mediawiki.tree()


@pytest.mark.slow
def test_forty_names_cost_six_requests(mediawiki, fixture, api_source, tmp_path):
    made = mediawiki.make_wiki(fixture.generated(40, 5).xml(), light=True)
    server = mediawiki.Server(made, tmp_path / "wiki")
    try:
        server.clear()
        built = build(api_source(server.api), language=EN, names=40)
        assert built.dataset.header.n_people == 200
        # the list, 40 names, 4 times 50 people
        assert len(server.requests()) == 1 + 1 + 4
    finally:
        server.stop()


def test_a_page_that_cannot_be_read_spoils_no_other(wiki, dump_source, export, monkeypatch):
    from dfactscore.ambigbio import _builder as builder

    whole = build(dump_source(export), language=EN, names="all", pages="none")
    read = builder.read_entries

    def stumbles(text, *, title, **more):
        return [][1] if title.startswith("David Tarn") else read(text, title=title, **more)

    monkeypatch.setattr(builder, "read_entries", stumbles)
    found = build(dump_source(export), language=EN, names="all", pages="none")
    ((title, reason),) = found.failed
    assert title.startswith("David Tarn")
    assert reason.startswith("IndexError: list index out of range (")
    assert reasons(found)[title] == reason
    assert people(found).keys() == people(whole).keys() - {"David Tarn"}


def test_what_was_decided_outlives_an_error(dump_source, export, monkeypatch):
    source, rounds = dump_source(export), []
    ask = source.name_pages
    monkeypatch.setattr(source, "draw_size", lambda needed: 2)

    def breaks(listed):
        rounds.append(listed)
        if len(rounds) == 2:
            raise AmbigBioError("gone")
        return ask(listed)

    monkeypatch.setattr(source, "name_pages", breaks)
    builder = Builder(source, EN)
    with pytest.raises(AmbigBioError, match="gone"):
        builder.draw()
    assert [line.title for line in builder.decisions] == [entry.title for entry in rounds[0]]


def test_pages_are_handed_on_as_they_are_made(dump_source, export, fixture):
    handed = []
    streamed = build(dump_source(export), language=EN, names=9, keep=handed.append)
    assert streamed.pages == ()
    assert tuple(handed) == build(dump_source(export), language=EN, names=9).pages


def test_a_page_known_by_its_id_is_known_by_its_title(wiki, api_source):
    source = api_source(wiki.api)
    built = build(source, language=EN, names=4, pages="none")
    before = len(wiki.requests())
    found = source.lookup([name.title for name in built.dataset])
    assert len(wiki.requests()) == before
    assert [found[name.title].page_id for name in built.dataset] == [
        name.page_id for name in built.dataset
    ]


def test_listing_says_how_far_it_is(wiki, api_source, monkeypatch):
    monkeypatch.setattr("dfactscore.ambigbio._api_source._LIMIT", "3")
    said = []
    source = api_source(wiki.api, report=said.append)
    listed = source.list_names()
    last = -(-len(listed) // 3)
    assert [line.partition(" requests")[0] for line in said] == [
        f"names: {number} of {last}" for number in range(1, last + 1)
    ]
