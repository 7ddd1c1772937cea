import json
from dataclasses import replace

import pytest

from dfactscore.ambigbio import AmbigBio, AmbigBioError, AmbiguousName, Header, Person, load, save
from dfactscore.ambigbio._checks import problems, problems_of_pages
from dfactscore.ambigbio._files import write_records
from dfactscore.ambigbio._records import Popularity
from dfactscore.ambigbio._summary import compare, histogram, summarize
from dfactscore.retrieval import Page

WIKI = "https://en.wikipedia.org/wiki/"


def person(number, title, **changes):
    url = WIKI + title.replace(" ", "_")
    made = Person(title, number, number, "2026-01-02T03:04:05Z", url, label=title, born=1900)
    return replace(made, **changes)


def name(number, title, *people, **changes):
    url = WIKI + title.replace(" ", "_")
    made = AmbiguousName(title, title, number, number, "2026-01-02T03:04:05Z", url, people)
    return replace(made, **changes)


def dataset(*names, **changes):
    count = sum(len(entry.people) for entry in names)
    header = Header(f"{WIKI}Main_Page", "en", "2026-01-05", 1, len(names), 10, len(names),
                    len(names), count)  # fmt: skip
    return AmbigBio(replace(header, **changes), names)


@pytest.fixture
def small():
    return dataset(
        name(1, "Ann Lee", person(11, "Ann Lee (judge)", died=1950), person(12, "Ann Lee (poet)")),
        name(2, "Joe Dee", person(21, "Joe Dee (a)", aliases=("J. Dee", "Joe D.")),
             person(22, "Joe Dee (b)", primary=True), person(12, "Ann Lee (poet)")),
    )  # fmt: skip


def test_it_is_a_collection(small):
    assert len(small) == 2
    assert [entry.name for entry in small] == ["Ann Lee", "Joe Dee"]
    assert "Ann Lee" in small
    assert small["Joe Dee"].page_id == 2
    with pytest.raises(KeyError, match="'Ann Leo' is not in this dataset; did you mean 'Ann Lee'"):
        small["Ann Leo"]


def test_what_is_saved_loads_equal(small, tmp_path):
    counted = replace(small.header, popularity=Popularity("2025-01", "2025-12", "en.wikipedia"))
    for data in (small, AmbigBio(counted, small.names)):
        save(data, tmp_path / "a.jsonl")
        assert load(tmp_path / "a.jsonl") == data
    first = json.loads((tmp_path / "a.jsonl").read_text("utf-8").splitlines()[0])
    assert (first["format"], first["schema_version"], first["seed"]) == ("ambigbio", 4, 1)


@pytest.mark.parametrize("breaker", "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e")
def test_a_line_separator_in_a_description_is_content(small, tmp_path, breaker):
    person = replace(small.names[0].people[0], description=f"a painter{breaker}of ships")
    name = replace(small.names[0], people=(person, *small.names[0].people[1:]))
    data = AmbigBio(small.header, (name, *small.names[1:]))
    save(data, tmp_path / "a.jsonl")
    assert load(tmp_path / "a.jsonl") == data


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        (2, '{"name": "x"}', r"a\.jsonl:2, title: field required"),
        (2, "{", r"a\.jsonl:2: not valid JSON"),
        (3, None, r"a\.jsonl:3, people\.0\.born: .*not '1900'"),
        (1, '{"format": "ambigbio", "schema_version": 99}', "99 is newer than 4"),
        (1, '{"format": "ambigbio", "schema_version": 1}', r"a\.jsonl:1, wiki: field required"),
        (1, '{"names": []}', "is not an AmbigBio file"),
        (1, "[]", "is not an AmbigBio file"),
    ],
)
def test_what_is_wrong_is_named(small, tmp_path, line, change, message):
    path = tmp_path / "a.jsonl"
    save(small, path)
    lines = path.read_text("utf-8").splitlines()
    lines[line - 1] = change or lines[line - 1].replace("1900", '"1900"')
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(AmbigBioError, match=message) as caught:
        load(path)
    assert "\n" not in str(caught.value)


def test_unknown_fields_are_refused(small, tmp_path):
    path = tmp_path / "a.jsonl"
    save(small, path)
    path.write_text(path.read_text("utf-8").replace('"label"', '"lable"'), "utf-8")
    with pytest.raises(AmbigBioError, match=r"a\.jsonl:2, people\.0\.la"):
        load(path)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(AmbigBioError, match="no such file"):
        load(tmp_path / "none.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(AmbigBioError, match="is not an AmbigBio file"):
        load(tmp_path / "empty.jsonl")
    with pytest.raises(AmbigBioError, match=r"no such file; did you mean empty\.jsonl"):
        load(tmp_path / "emptyy.jsonl")
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(AmbigBioError, match=r"bad\.jsonl:1: not UTF-8 \(byte 0\)"):
        load(tmp_path / "bad.jsonl")


def test_a_good_dataset_has_no_problem(small):
    fixed = replace(small.names[1], people=tuple(sorted(
        small.names[1].people, key=lambda one: not one.primary)))  # fmt: skip
    assert problems(AmbigBio(small.header, (small.names[0], fixed))) == []


A = person(11, "Ann Lee (judge)")
B = person(12, "Ann Lee (poet)")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (dataset(name(1, "Ann Lee", A, B), n_names=3), "line 1, n_names: 3, but the file holds 1"),
        (dataset(name(1, "Ann Lee", A, B), n_people=3), "line 1, n_people: 3"),
        (dataset(name(1, "Ann Lee", A, B), considered=0), "do not ascend"),
        (dataset(name(1, "Ann Lee", A, B), asked=0), "asked: 0 is less"),
        (dataset(name(1, "Ann Lee", A, B), snapshot="2026-13-01"), "is not a day"),
        (dataset(name(1, "Ann Lee", A, B), wiki="x"), "is not an address"),
        (dataset(name(1, "Ann Lee", A, B), license=""), "license: empty"),
        (dataset(name(1, "Ann Lee", A)), "line 2 ('Ann Lee'), people: 1, a name needs two"),
        (dataset(name(1, "Ann Lee", A, A)), "page_id: 11 is there twice"),
        (dataset(name(1, "Ann Lee", A, B), name(1, "Ann Lee", A, B)), "line 2 has it too"),
        (dataset(name(11, "Ann Lee", A, B)), "it is the disambiguation page's"),
        (dataset(name(1, "Ann Lee", A, B, name="Ann")), "gives another"),
        (dataset(name(1, "Ann Lee", A, replace(B, died=1800))), "died: 1800 is before born"),
        (dataset(name(1, "Ann Lee", A, replace(B, born=0))), "are not years"),
        (dataset(name(1, "Ann Lee", A, replace(B, url="http://x"))), "url: 'http://x'"),
        (dataset(name(1, "Ann Lee", A, replace(B, revision=0))), "revision: 0"),
        (dataset(name(1, "Ann Lee", A, replace(B, timestamp="now"))), "timestamp: 'now'"),
        (dataset(name(1, "Ann Lee", A, replace(B, label=""))), "label: empty"),
        (dataset(name(1, "Ann Lee", A, replace(B, aliases=("b", "a")))), "not sorted"),
        (dataset(name(1, "Ann Lee", A, replace(B, aliases=(B.title,)))), "title itself"),
        (dataset(name(1, "Ann Lee", A, replace(B, views=1))), "popularity says otherwise"),
        (dataset(name(1, "Ann Lee", A, B), popularity=Popularity("x", "y", "z")), "not months"),
    ],
)  # fmt: skip
def test_every_invariant_is_checked(data, message):
    assert any(message in problem for problem in problems(data))


def test_pages_are_checked(small, tmp_path):
    people = {one.title: one for entry in small for one in entry.people}
    pages = [
        Page(one.title, "Text.", str(one.page_id), one.url, str(one.revision), license="CC")
        for one in people.values()
    ]
    path = tmp_path / "pages.jsonl"
    write_records(path, pages)
    assert problems_of_pages(small, path) == []
    write_records(path, [replace(pages[0], revision="9"), replace(pages[1], text=""), pages[2]] * 2)
    found = "\n".join(problems_of_pages(small, path))
    for words in ("is there twice", "revision: 9 of", "lacks text", "no page 'Joe Dee (b)'"):
        assert words in found
    path.write_text('{"title": "x"}')
    with pytest.raises(AmbigBioError, match=r"pages\.jsonl:1: not a page"):
        problems_of_pages(small, path)
    with pytest.raises(AmbigBioError, match="none: no such file"):
        problems_of_pages(small, tmp_path / "none")


def test_statistics(small):
    summary = summarize(small)
    assert (summary.names, summary.people, summary.distinct_people) == (2, 5, 4)
    assert (summary.mean, summary.median, summary.most) == (2.5, 2.5, ("Joe Dee", 3))
    assert summary.per_name == {2: 1, 3: 1}
    assert (summary.with_primary, summary.with_years, summary.aliases) == (1, 5, 2)
    assert summary.views is None
    assert summarize(dataset()).mean == 0
    assert histogram({}) == ""


def test_changes(small):
    assert compare(small, small) == compare(small, small)
    assert not compare(small, small).changed
    moved = replace(small.names[0].people[0], title="Ann Lee (lawyer)", revision=99, born=1899)
    newer = dataset(
        replace(small.names[0], people=(moved, person(13, "Ann Lee (cook)"))),
        name(3, "Kim Noe", A, B),
        seed=2,
    )
    changes = compare(small, newer)
    assert (changes.added, changes.removed) == (("Kim Noe",), ("Joe Dee",))
    assert changes.settings == {"seed": (1, 2)}
    [change] = changes.changed
    assert change.moved == (("Ann Lee (judge)", "Ann Lee (lawyer)"),)
    assert change.added == ("Ann Lee (cook)",)
    assert change.removed == ("Ann Lee (poet)",)
    assert change.edited == change.described == ("Ann Lee (lawyer)",)
