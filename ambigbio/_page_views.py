"""Reads the page views of people's pages from Wikimedia's pageviews service."""

from __future__ import annotations

import calendar
import re
from dataclasses import replace
from urllib.parse import quote, urlsplit

from dfactscore._util.reporting import Log
from dfactscore.ambigbio._answers import Views
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._records import AmbigBio, Popularity
from dfactscore.ambigbio._wiki_client import WikiClient


def months_until(end: str, months: int = 12) -> tuple[str, str]:
    """Returns the first and last month of a period, as ``YYYY-MM``.

    Example:
        >>> months_until("2026-11-20")
        ('2025-11', '2026-10')
    """
    match = re.fullmatch(r"(\d{4})-(\d\d)(-\d\d)?", end)
    if match is None or not 1 <= int(match[2]) <= 12:
        raise AmbigBioError(f"{end!r} is not a month: write it like 2026-10")
    if months < 1:
        raise AmbigBioError(f"{months} months: at least one month is needed")
    last = int(match[1]) * 12 + int(match[2]) - 1 - bool(match[3])
    first = last - months + 1
    return f"{first // 12:04}-{first % 12 + 1:02}", f"{last // 12:04}-{last % 12 + 1:02}"


def _address(base: str, project: str, title: str, start: str, end: str) -> str:
    days = calendar.monthrange(int(end[:4]), int(end[5:]))[1]
    article = quote(title.replace(" ", "_"), safe="")
    return (
        f"{base.rstrip('/')}/metrics/pageviews/per-article/{project}/all-access/user/{article}"
        f"/monthly/{start.replace('-', '')}0100/{end.replace('-', '')}{days:02}00"
    )


def add_views(
    dataset: AmbigBio,
    client: WikiClient,
    *,
    end: str | None = None,
    months: int = 12,
    address: str = "https://wikimedia.org/api/rest_v1",
    project: str | None = None,
    report: Log | None = None,
) -> AmbigBio:
    """Adds each person's page views, using one request per page.

    Views of redirects are not counted. A page without recorded views (status 404) counts as 0.
    """
    report = report or (lambda _: None)
    start, last = months_until(end or dataset.header.snapshot, months)
    project = project or (urlsplit(dataset.header.wiki).hostname or "").removesuffix(".org")
    titles = list(dict.fromkeys(person.title for name in dataset for person in name.people))
    views: dict[str, int] = {}
    for number, title in enumerate(titles, 1):
        where = _address(address, project, title, start, last)
        answer = client.get(where, {}, Views)
        views[title] = sum(item["views"] for item in answer["items"])
        if number % 100 == 0 or number == len(titles):
            report(f"page views of {number} of {len(titles)} people")
    names = tuple(
        replace(
            name,
            people=tuple(replace(person, views=views[person.title]) for person in name.people),
        )
        for name in dataset
    )
    header = replace(dataset.header, popularity=Popularity(start, last, project))
    return AmbigBio(header, names)
