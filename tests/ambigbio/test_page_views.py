import pytest

from dfactscore.ambigbio import AmbigBioError, save
from dfactscore.ambigbio._builder import build
from dfactscore.ambigbio._languages import language
from dfactscore.ambigbio._page_views import add_views, months_until
from dfactscore.ambigbio._wikidata import HumanPages, WikidataCheck

EN = language("en")


@pytest.mark.parametrize(
    ("end", "months", "span"),
    [
        ("2026-11-20", 12, ("2025-11", "2026-10")),
        ("2026-01-01", 12, ("2025-01", "2025-12")),
        ("2026-01", 1, ("2026-01", "2026-01")),
        ("2026-03", 15, ("2025-01", "2026-03")),
    ],
)
def test_months(end, months, span):
    assert months_until(end, months) == span


@pytest.mark.parametrize(("end", "months"), [("2026", 12), ("2026-13", 1), ("2026-01", 0)])
def test_no_months(end, months):
    with pytest.raises(AmbigBioError, match="month"):
        months_until(end, months)


@pytest.fixture
def counted(wiki, api_source, fixture):
    source = api_source(wiki.api)
    built = build(source, language=EN, names=len(fixture.EXPECTED), pages="none")
    wiki.pageviews({"David_Tarn": 7, "Pat_O'Dea/Lee": 5, "Pat_O'Dea?": 3, "伊万·奥尔洛夫": 2})
    wiki.clear()
    return built.dataset, source.client, f"{wiki.root}/api/rest_v1"


def test_views_are_summed_over_twelve_months(wiki, counted):
    dataset, client, address = counted
    result = add_views(dataset, client, end="2026-02", address=address, project="en.wikipedia")
    views = {one.title: one.views for name in result for one in name.people}
    assert views["David Tarn"] == 12 * 7
    assert views["Pat O'Dea/Lee"] == 12 * 5
    assert views["Pat O'Dea?"] == 12 * 3
    assert views["伊万·奥尔洛夫"] == 12 * 2
    assert views["Dave Tarn"] == 0
    span = result.header.popularity
    assert (span.start, span.end, span.project) == ("2025-03", "2026-02", "en.wikipedia")
    requests = wiki.requests()
    assert len(requests) == len(views)
    assert "/all-access/user/" in requests[0]["path"]
    assert requests[0]["path"].endswith("/monthly/2025030100/2026022800")
    assert sum(request["status"] == 404 for request in requests) == len(views) - 4


def test_the_page_views_are_what_the_analysis_reads(wiki, counted, tmp_path):
    from dfactscore.mixing._popularity import read_views

    dataset, client, address = counted
    result = add_views(dataset, client, end="2026-02", address=address)
    save(result, tmp_path / "counted.jsonl")
    views = read_views(tmp_path / "counted.jsonl")
    assert views["David Tarn"] == views["David Tarn (novelist)"] == 12 * 7


def test_views_are_asked_for_once_and_waited_for(wiki, counted):
    dataset, client, address = counted
    wiki.faults({"status": 429, "headers": {"Retry-After": "1"}, "after": 3})
    first = add_views(dataset, client, end="2026-02", address=address)
    asked = len(wiki.requests())
    assert add_views(dataset, client, end="2026-02", address=address) == first
    assert len(wiki.requests()) == asked
    assert client.waits == (("status 429", 1.0),)


def test_a_wrong_service_is_said(wiki, counted):
    dataset, client, address = counted
    wiki.faults(*[{"status": 200, "body": '{"pages": []}'}] * 9)
    with pytest.raises(AmbigBioError, match=r"without page views.*--pageviews-url"):
        add_views(dataset, client, end="2026-02", address=address)


def test_wikidata_says_who_is_human(wiki, api_source):
    client = api_source(wiki.api).client
    wiki.wikidata({"Q1": "Q5", "Q2": "Q4167410"})
    check = WikidataCheck(client, f"{wiki.root}/wikidata/api.php")
    assert check(["Q1", "Q2", "Q3", "Q1"]) == {"Q1"}
    assert check([]) == frozenset()
    # A damaged response of a service that responded before is requested again.
    wiki.faults({"status": 200, "body": '{"hello": 1}'})
    assert check(["Q9"]) == frozenset()
    wiki.faults(*[{"status": 200, "body": '{"hello": 1}'}] * 9)
    with pytest.raises(AmbigBioError, match="without 'entities'"):
        WikidataCheck(api_source(wiki.api).client, f"{wiki.root}/wikidata/api.php")(["Q8"])


def test_wikidata_decides_what_nothing_else_does(own_wiki, mediawiki, api_source):
    def edit(title, text):
        mediawiki.maintenance(own_wiki.folder, "edit", title, stdin=text)

    edit("Una Ford (smith)", "A smith.\n{{#wikibase_item:Q11}}")
    edit("Una Ford (cook)", "A cook.\n[[Category:1820 births]]{{#wikibase_item:Q12}}")
    edit("Una Ford (band)", "A band.\n{{#wikibase_item:Q13}}")
    edit("Una Ford", "* [[Una Ford (smith)]]\n* [[Una Ford (cook)]]\n* [[Una Ford (band)]]\n"
         "{{hndis}}")  # fmt: skip
    mediawiki.maintenance(own_wiki.folder, "runJobs")
    own_wiki.wikidata({"Q11": "Q5", "Q12": "Q5", "Q13": "Q215380"})
    from dfactscore.ambigbio._builder import build

    source = api_source(own_wiki.api)
    own_wiki.clear()
    check = WikidataCheck(source.client, f"{own_wiki.root}/wikidata/api.php")
    built = build(source, names=["Una Ford"], language=EN, people=check)
    people = built.dataset["Una Ford"].people
    assert [(one.evidence, one.wikidata) for one in people] == [
        ("wikidata", "Q11"), ("category", "Q12"),
    ]  # fmt: skip
    [asked] = [r["parameters"]["ids"] for r in own_wiki.requests() if "wikidata" in r["path"]]
    assert asked == "Q11|Q13"


def test_a_list_of_humans_decides_without_a_network(dump_source, export, fixture, tmp_path):
    from dfactscore.ambigbio._builder import build

    whole = build(dump_source(export), language=EN, names="all", pages="none")
    undated = whole.dataset["Tom Bell"].people[1]  # recognized only by an infobox
    assert undated.evidence == "infobox"
    listed = tmp_path / "humans.txt"
    listed.write_text("Tom_Bell_(duo)\n999999\n")
    built = build(
        dump_source(export), language=EN, names="all", pages="none", people=HumanPages(listed)
    )
    people = {person.title: person.evidence for person in built.dataset["Tom Bell"].people}
    assert people["Tom Bell (duo)"] == "wikidata"
    assert undated.title not in people
    listed.write_text(f"{undated.page_id}\n")
    built = build(
        dump_source(export), language=EN, names="all", pages="none", people=HumanPages(listed)
    )
    assert undated.title in [person.title for person in built.dataset["Tom Bell"].people]
    listed.write_text("\n")
    with pytest.raises(AmbigBioError, match="contains no titles"):
        HumanPages(listed)
