"""Decides whether an article is about a bearer of a name, based on its subject's names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dfactscore.ambigbio._bearers import bears, holds_name
from dfactscore.ambigbio._entry_lines import plain_line
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._markup import cut_hidden
from dfactscore.ambigbio._page_names import PageNames, scripts_in
from dfactscore.ambigbio._people import lead_of
from dfactscore.ambigbio._sources import RawPage

_LEAD = 20_000
_OPENING = 3_000  # number of characters searched for the subject's name in other scripts
_BOLD = re.compile(r"(?<!')'{3,5}(?!')([^\n]+?)'{3,5}")
_NAME_KEY = re.compile(
    r"\A\s*(?:[\w -]{0,40}(?:nam|nom|alias|pseud|apod)[\w -]{0,40}|p|hp|tp|w|rr|mr|romaji)\s*=(.*)",
    re.IGNORECASE | re.S,
)
_KEY = re.compile(r"\A\s*[\w -]{1,40}=")


def _of_infobox(lead: str) -> Iterator[str]:
    """Yields the values of template arguments with keys such as "birth_name"."""
    named = False
    for part in lead.split("|"):
        if _KEY.match(part):
            match = _NAME_KEY.match(part)
            named, part = match is not None, match[1] if match else part
        if named:
            yield from re.split(r"<br[^<>]*>|[\n,;{}]", part)


def article_bears_name(page: RawPage, names: PageNames, language: Language) -> bool:
    """Whether a page's titles, bold text, opening or infobox give its subject a certain name."""
    titles = (page.title, *page.aliases)
    if any(bears(title, form, language) for title in titles for form in names.forms):
        return True
    lead = cut_hidden(page.text[:_LEAD]).partition("\n=")[0]
    called = [*_BOLD.findall(lead), *_of_infobox(lead)]
    opening = re.match(
        r"[^()]{1,120}\([^()]*(?:\([^()]*\)[^()]*)*\)", lead_of(lead, language).replace("\n", " ")
    )
    if opening is not None:
        called.append(opening[0])
    if not names.scripts.isdisjoint(scripts_in(lead[:_OPENING])):
        return True
    shown = [plain_line(text) for text in called]
    return any(holds_name(text, form, language) for text in shown for form in names.forms)
