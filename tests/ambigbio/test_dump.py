"""The dump reader gives the same pages for any partition, and reports damage."""

import bz2
import gzip
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dfactscore.ambigbio import AmbigBioError
from dfactscore.ambigbio._builder import build
from dfactscore.ambigbio._dump import (
    candidate_patterns,
    candidates_in,
    pages_in,
    read_site,
    redirects_in,
    regions,
    spans,
)
from dfactscore.ambigbio._languages import language, name_of_title
from dfactscore.ambigbio._multistream import find_index, streams_of, titled_in_part
from dfactscore.ambigbio._unpacking import Span, bz2_blocks, is_multistream
from dfactscore.work._executors import open_executor

EN = language("en")
NS = "{http://www.mediawiki.org/xml/export-0.11/}"


@pytest.fixture(scope="module")
def xml(fixture):
    return fixture.english().xml().encode()


def multistream(xml, pages=5, index=None):
    """A dump in Wikimedia's form: streams for the head, for groups of pages, and for the end."""
    begin = xml.index(b"  <page>")
    out = bz2.compress(xml[:begin])
    lines = []
    pieces = xml[begin:].split(b"</page>\n")
    for start in range(0, len(pieces) - 1, pages):
        group = b"".join(
            piece + b"</page>\n"
            for piece in pieces[start : start + pages][: len(pieces) - 1 - start]
        )
        for number, page in enumerate(group.split(b"</page>\n")[:-1]):
            title = page.split(b"<title>")[1].split(b"</title>")[0]
            lines.append(b"%d:%d:%s\n" % (len(out), start + number + 2, title))
        out += bz2.compress(group)
    out += bz2.compress(pieces[-1])
    if index is not None:
        index.write_bytes(bz2.compress(b"".join(lines)))
    return out


def unaligned(xml, size=700):
    """A dump from a parallel compressor: many streams, which begin within pages."""
    pieces = (xml[start : start + size] for start in range(0, len(xml), size))
    return b"".join(bz2.compress(piece) for piece in pieces)


@pytest.fixture(scope="module")
def files(xml, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dumps")
    contents = {
        "plain.xml": xml,
        "single.xml.bz2": bz2.compress(xml),
        "multistream.xml.bz2": multistream(xml),
        "unaligned.xml.bz2": unaligned(xml),
        "packed.xml.gz": gzip.compress(xml),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return {name: folder / name for name in contents}


def titles(path, size):
    return [page.title for part in spans(path, size) for r in regions(part) for page in pages_in(r)]


def truth(xml):
    """The pages that a complete XML parser finds."""
    found = []
    for page in ElementTree.fromstring(xml).iter(NS + "page"):
        if page.findtext(NS + "ns") == "0" and page.find(NS + "redirect") is None:
            text = page.find(NS + "revision").findtext(NS + "text")
            found.append((page.findtext(NS + "title"), int(page.findtext(NS + "id")), text))
    return found


@pytest.mark.parametrize("name", ["plain.xml", "single.xml.bz2", "multistream.xml.bz2",
                                  "unaligned.xml.bz2", "packed.xml.gz"])  # fmt: skip
def test_every_page_once_and_in_order(files, xml, name):
    parts = spans(files[name])
    found = [page for part in parts for region in regions(part) for page in pages_in(region)]
    assert [(page.title, page.page_id, page.text) for page in found] == truth(xml)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(size=st.integers(1, 9000), name=st.sampled_from(["plain.xml", "multistream.xml.bz2",
                                                        "unaligned.xml.bz2",
                                                        "single.xml.bz2"]))  # fmt: skip
def test_any_cut_gives_the_same_pages(files, xml, size, name):
    size = max(size, files[name].stat().st_size // 300)
    assert titles(files[name], size) == [title for title, _, _ in truth(xml)]


def test_candidates_are_all_name_pages_and_few_others(files, fixture):
    patterns = candidate_patterns(EN)
    [region] = regions(spans(files["plain.xml"])[0])
    found = {page.title for page in candidates_in(region, patterns)}
    listed = {name_of_title(title) for title in found}
    assert set(fixture.EXPECTED) <= listed
    assert set(fixture.REFUSED) <= found
    assert "Leeds" not in found
    assert len(found) < len(fixture.EXPECTED) + len(fixture.REFUSED) + 4


def test_redirects_and_their_sections(files):
    [region] = regions(spans(files["plain.xml"])[0])
    found = {entry.source: (entry.target, entry.section) for entry in redirects_in(region)}
    assert found["J. Harrow"] == ("John Harrow", False)
    assert found["Anna Voss (banker's wife)"] == ("Voss family", True)


def test_titles_with_escaped_letters_are_found(files):
    [region] = regions(spans(files["plain.xml"])[0])
    wanted = {"Pat O'Dea & Lee", 'Pat "Red" O\'Dea', "伊万·奥尔洛夫", "J. Harrow", "none"}
    assert {page.title for page in pages_in(region, wanted)} == wanted - {"J. Harrow", "none"}


@pytest.mark.parametrize("name", ["single.xml.bz2", "multistream.xml.bz2", "unaligned.xml.bz2"])
@pytest.mark.parametrize("workers", [1, 2])
def test_builds_are_the_same_from_every_form(
    files, export, dump_source, fixture, monkeypatch, name, workers
):
    count = len(fixture.EXPECTED)
    size = 9000 if workers == 2 else 2000
    with open_executor(workers) as executor:
        read = dump_source(files[name], executor=executor, part_size=size)
        sources = dump_source(export), read
        for source in sources:
            monkeypatch.setattr(source, "snapshot", lambda: "2026-01-15")
        first, second = (build(source, language=EN, names=count) for source in sources)
    assert first == second


def test_the_blocks_of_one_stream_are_unpacked_in_any_parts(tmp_path):
    """Each part yields its own blocks, which together are the file."""
    random = Random(5)
    text = b"".join(random.randbytes(50) * random.randrange(1, 9) for _ in range(3_000))
    path = tmp_path / "one.xml.bz2"
    path.write_bytes(bz2.compress(text, 1))
    size = path.stat().st_size
    assert not is_multistream(path)
    for step in (size // 3, size // 50, 100_003):
        parts = [
            Span(path, start, min(start + step, size), by_block=True)
            for start in range(0, size, step)
        ]
        own = [b"".join(out for out, mine in bz2_blocks(part) if mine) for part in parts]
        assert b"".join(own) == text
        assert any(len(out) > 0 for out in own[1:])


def test_a_damaged_block_is_reported_by_its_place(tmp_path):
    path = tmp_path / "one.xml.bz2"
    whole = bytearray(bz2.compress(Random(5).randbytes(500_000), 1))
    whole[len(whole) // 2] ^= 8
    path.write_bytes(whole)
    with pytest.raises(AmbigBioError, match=r"damaged near byte \d+"):
        list(bz2_blocks(Span(path, 0, len(whole), by_block=True)))
    path.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(AmbigBioError, match="the last stream has no end"):
        list(bz2_blocks(Span(path, 0, len(whole), by_block=True)))


@pytest.mark.parametrize(
    ("place", "day"),
    [
        ("20260115/enwiki-latest-pages-articles.xml", "2026-01-15"),
        ("20260115/enwiki-20260120-pages.xml", "2026-01-20"),
        ("20269999/x-20261331.xml", ""),
        ("plain/latest.xml", ""),
    ],
)
def test_the_snapshot_is_the_dumps_not_the_days_on_which_it_was_copied(
    xml, dump_source, tmp_path, fixture, place, day
):
    dump = tmp_path / place
    dump.parent.mkdir()
    dump.write_bytes(xml)
    source = dump_source(dump)
    found = build(source, language=EN, names=len(fixture.EXPECTED)).dataset
    dates = {page.timestamp[:10] for page in source._store.candidates()}
    assert found.header.snapshot == (day or max(dates))
    assert day or all(date < "2026-11" for date in dates)


def test_all_names_are_read_in_one_pass(export, dump_source, monkeypatch):
    """One pass reads all names, not one per round (the English wiki has thirty rounds)."""
    whole = build(dump_source(export), language=EN, names="all", pages="none")
    monkeypatch.setattr("dfactscore.ambigbio._builder._ROUND", 3)
    said = []
    rounds = build(dump_source(export, report=said.append), language=EN, names="all", pages="none")
    assert rounds == whole
    assert sum(line.startswith("reading ") for line in said) == 1


def test_an_index_leads_to_the_same(xml, files, dump_source, tmp_path, fixture, monkeypatch):
    dump = tmp_path / "testwiki-20260115-pages-articles-multistream.xml.bz2"
    index = tmp_path / "testwiki-20260115-pages-articles-multistream-index.txt.bz2"
    dump.write_bytes(multistream(xml, 5, index))
    assert find_index(dump) == index
    source = dump_source(dump)
    assert source.index == index
    assert source.snapshot() == "2026-01-15"
    other = dump_source(files["plain.xml"])
    monkeypatch.setattr(other, "snapshot", lambda: "2026-01-15")
    count = len(fixture.EXPECTED)
    assert build(source, language=EN, names=count) == build(other, language=EN, names=count)
    wanted = frozenset({"Leeds", "Pat O'Dea & Lee", "Pat O'Dea"})
    parts = streams_of(index, wanted, dump)
    assert 1 <= len(parts) <= 3 < dump.read_bytes().count(b"1AY&SY")
    pages = [page for part in parts for page in titled_in_part(part, titles=wanted)]
    assert {page.title for page in pages} == wanted


@pytest.mark.parametrize("content", [b"no:colon", b"x:1:Leeds\n", b"12"])
def test_a_damaged_index(files, tmp_path, content):
    index = tmp_path / "index.txt"
    index.write_bytes(content)
    with pytest.raises(AmbigBioError, match=r"index.*is damaged \(.*; last line '"):
        streams_of(index, {"Leeds"}, files["multistream.xml.bz2"])
    index.write_bytes(b"999999999:1:Leeds\n")
    with pytest.raises(AmbigBioError, match="their dates differ"):
        streams_of(index, {"Leeds"}, files["multistream.xml.bz2"])


@pytest.mark.parametrize("name", ["plain.xml", "single.xml.bz2", "multistream.xml.bz2",
                                  "packed.xml.gz"])  # fmt: skip
@pytest.mark.parametrize("share", [0.5, 0.9, 0.999])
def test_a_file_that_breaks_off_is_said(files, tmp_path, dump_source, name, share):
    whole = files[name].read_bytes()
    cut = tmp_path / name
    cut.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(AmbigBioError, match="breaks off or is damaged") as caught:
        dump_source(cut, part_size=5000).list_names()
    assert str(cut) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_damage_in_the_middle_is_said(files, tmp_path):
    content = bytearray(files["multistream.xml.bz2"].read_bytes())
    for place in range(len(content) // 2, len(content) // 2 + 40):
        content[place] ^= 0x5A
    bad = tmp_path / "bad.xml.bz2"
    bad.write_bytes(content)
    with pytest.raises(AmbigBioError, match=r"damaged near byte \d+"):
        titles(bad, 1 << 20)


def test_every_cut_of_a_page_list_is_said(xml, tmp_path):
    """A cut is reported even if the file ends exactly after a page."""
    cut = tmp_path / "cut.xml"
    cut.write_bytes(xml[: xml.rindex(b"</page>") + len(b"</page>\n")])
    for size in (1 << 20, 3000, 500):
        with pytest.raises(AmbigBioError, match=r"</mediawiki> is missing"):
            titles(cut, size)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"<html>no</html>", r"not a MediaWiki XML dump \(it begins with '<html>no"),
        (b"<mediawiki><page>", "not a MediaWiki XML dump"),
    ],
)
def test_what_is_no_dump(tmp_path, content, message):
    path = tmp_path / "x.xml"
    path.write_bytes(content)
    with pytest.raises(AmbigBioError, match=message):
        read_site(path)


def test_a_dump_that_is_not_there(tmp_path):
    with pytest.raises(AmbigBioError, match="cannot read the dump"):
        spans(tmp_path / "none.xml")


def test_a_page_that_is_no_page(tmp_path):
    with pytest.raises(AmbigBioError, match="not in the export format"):
        list(pages_in(b"<page><title>A</title><ns>0</ns><id>1</id></page>"))


def test_a_page_without_an_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("dfactscore.ambigbio._dump._LONGEST_PAGE", 1 << 20)
    path = tmp_path / "x.xml"
    path.write_bytes(b"<page>" + b"x" * (9 << 20))
    with pytest.raises(AmbigBioError, match="a page has no end"):
        list(regions(Span(path, 0, path.stat().st_size)))


def test_a_store_of_another_dump_is_refused(files, dump_source, tmp_path):
    cache = tmp_path / "store"
    dump_source(files["plain.xml"], cache=cache).list_names()
    with pytest.raises(AmbigBioError, match=r"another dump.*--refresh"):
        dump_source(files["single.xml.bz2"], cache=cache)


def test_a_dump_without_names(files, dump_source, xml, tmp_path):
    path = tmp_path / "x.xml"
    begin, end = xml.index(b"  <page>"), xml.index(b"</mediawiki>")
    path.write_bytes(xml[:begin] + xml[end:])
    with pytest.raises(AmbigBioError, match="contains no page of the category"):
        dump_source(path).list_names()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"</sitename>", b"</sitenam>"),
        (b'key="14"', b'key="x"'),
        (b"<base>", b"<ba\x00se>"),
    ],
)
def test_a_damaged_head_is_said(xml, tmp_path, old, new):
    path = tmp_path / "dump.xml"
    path.write_bytes(xml.replace(old, new, 1))
    with pytest.raises(AmbigBioError, match=r"damaged near byte \d+ \(its <siteinfo>"):
        read_site(path)


def test_a_damaged_gzip_head_is_said(xml, tmp_path):
    path = tmp_path / "dump.xml.gz"
    data = bytearray(gzip.compress(xml, mtime=0))
    data[40:60] = bytes(20)
    path.write_bytes(data)
    with pytest.raises(AmbigBioError, match="breaks off or is damaged"):
        read_site(path)


def test_a_cache_of_another_dump_is_let_go(files, dump_source, tmp_path):
    import sqlite3

    from dfactscore.ambigbio._dump_store import DumpStore

    DumpStore(tmp_path / "c", "one").close()
    with pytest.raises(AmbigBioError, match="another dump") as caught:
        DumpStore(tmp_path / "c", "two")
    with sqlite3.connect(tmp_path / "c", timeout=0) as db:
        db.execute("BEGIN EXCLUSIVE")
    assert caught
