"""Validates a dataset and its page file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

from dfactscore._util.jsonl import read_jsonl
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._languages import name_of_title
from dfactscore.ambigbio._records import AmbigBio, AmbiguousName, Person
from dfactscore.ambigbio._titles import Site, page_url

_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
_LATEST_YEAR = 2200


def _day(value: str) -> bool:
    try:
        return date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def _moment(value: str) -> bool:
    try:
        datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")  # noqa: DTZ007
    except ValueError:
        return False
    return True


def _of_header(dataset: AmbigBio) -> Iterator[str]:
    header = dataset.header
    people = sum(len(name.people) for name in dataset)
    if header.n_names != len(dataset):
        yield f"line 1, n_names: {header.n_names}, but the file holds {len(dataset)}"
    if header.n_people != people:
        yield f"line 1, n_people: {header.n_people}, but the file holds {people}"
    if not header.n_names <= header.considered <= header.listed:
        yield (
            f"line 1: n_names ({header.n_names}), considered ({header.considered}) and listed "
            f"({header.listed}) do not ascend"
        )
    if header.asked < header.n_names:
        yield f"line 1, asked: {header.asked} is less than n_names ({header.n_names})"
    if not _day(header.snapshot):
        yield f"line 1, snapshot: {header.snapshot!r} is not a day (YYYY-MM-DD)"
    if not header.wiki.startswith(("http://", "https://")):
        yield f"line 1, wiki: {header.wiki!r} is not an address"
    if not header.license:
        yield "line 1, license: empty"
    months = header.popularity
    if months and not (_MONTH.fullmatch(months.start) and _MONTH.fullmatch(months.end)):
        yield f"line 1, popularity: {months.start!r} to {months.end!r} are not months"


def _of_page(page: AmbiguousName | Person, site: Site) -> Iterator[str]:
    if not page.title:
        yield "title: empty"
    if page.page_id <= 0:
        yield f"page_id: {page.page_id} is not positive"
    if page.revision <= 0:
        yield f"revision: {page.revision} is not positive"
    if not _moment(page.timestamp):
        yield f"timestamp: {page.timestamp!r} is not like 2026-01-31T12:00:00Z"
    if page.url != page_url(page.title, site):
        yield f"url: {page.url!r} is not {page_url(page.title, site)!r}"


def _of_person(person: Person, name: AmbiguousName, dataset: AmbigBio, site: Site) -> Iterator[str]:
    yield from _of_page(person, site)
    if person.page_id == name.page_id:
        yield "page_id: it is the disambiguation page's"
    if not person.label:
        yield "label: empty"
    born, died = person.born, person.died
    if born is not None and died is not None and born > died:
        yield f"died: {died} is before born ({born})"
    if any(year is not None and (year == 0 or year > _LATEST_YEAR) for year in (born, died)):
        yield f"born, died: {born}, {died} are not years"
    if list(person.aliases) != sorted(set(person.aliases)):
        yield "aliases: not sorted, or one is there twice"
    if person.title in person.aliases:
        yield "aliases: the title itself is among them"
    if (person.views is None) != (dataset.header.popularity is None):
        yield f"views: {person.views}, but the header's popularity says otherwise"
    if person.views is not None and person.views < 0:
        yield f"views: {person.views} is negative"


def problems(dataset: AmbigBio) -> list[str]:
    """Lists the problems in a dataset, each with its line and field."""
    messages = list(_of_header(dataset))
    site = Site(dataset.header.wiki, frozenset())
    names: dict[str, int] = {}
    ids: dict[int, int] = {}
    for line, name in enumerate(dataset, 2):
        at = f"line {line} ({name.name!r})"
        messages += (f"{at}, {problem}" for problem in _of_page(name, site))
        if name.name in names:
            messages.append(f"{at}, name: line {names[name.name]} has it too")
        if name.page_id in ids:
            messages.append(f"{at}, page_id: line {ids[name.page_id]} has {name.page_id} too")
        names.setdefault(name.name, line)
        ids.setdefault(name.page_id, line)
        if name.name not in (name_of_title(name.title), name.title):
            messages.append(f"{at}, name: the title {name.title!r} gives another")
        if len(name.people) < 2:
            messages.append(f"{at}, people: {len(name.people)}, a name needs two")
        if sum(person.primary for person in name.people) > 1 and name.people[0].primary is False:
            messages.append(f"{at}, people: a primary topic that is not the first")
        seen: set[int] = set()
        for place, person in enumerate(name.people):
            where = f"{at}, people.{place} ({person.title!r})"
            mistakes = _of_person(person, name, dataset, site)
            messages += (f"{where}, {mistake}" for mistake in mistakes)
            if person.page_id in seen:
                messages.append(f"{where}, page_id: {person.page_id} is there twice")
            seen.add(person.page_id)
    return messages


def problems_of_pages(dataset: AmbigBio, path: Path) -> list[str]:
    """Lists the people whose page is missing from a file or differs there in revision."""
    revisions: dict[str, tuple[str, str, bool]] = {}
    messages: list[str] = []
    for where, page in read_jsonl(path, error=AmbigBioError):
        try:
            title, revision = str(page["title"]), str(page["revision"])
            license = page["license"]
            complete = bool(page["text"]) and bool(license) and bool(page["url"])
        except (KeyError, TypeError) as error:
            raise AmbigBioError(f"{where}: not a page ({error!r})") from None
        if title in revisions:
            messages.append(f"{where}: {title!r} is there twice")
        revisions[title] = where, revision, complete
    for name in dataset:
        for person in name.people:
            entry = revisions.get(person.title)
            if entry is None:
                messages.append(f"{path}: no page {person.title!r} ({name.name!r})")
            elif entry[1] != str(person.revision):
                messages.append(
                    f"{entry[0]}, revision: {entry[1]} of {person.title!r}, the "
                    f"dataset has {person.revision}"
                )
            elif not entry[2]:
                messages.append(f"{entry[0]}: {person.title!r} lacks text, url or license")
    return list(dict.fromkeys(messages))
