"""Reads the titles of passages, which are evidence of their subjects, not identities."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple

from dfactscore._evidence.asked_name import AskedName
from dfactscore._evidence.words import LINKS, SECTIONS, SITES
from dfactscore._text.names import bears_name, is_numbered_otherwise
from dfactscore._text.person_names import SUFFIXES, TITLES, mention_at, read_name
from dfactscore._text.role_words import is_role

_NUMBERED = re.compile(
    r"(?:chunk|passage|doc|document|page|section|part|text|context|source|snippet|result|node|"
    r"search result|paragraph|file|item|record|entry|article|excerpt|content|split|segment|id|p|n)"
    r"[\s_#:.-]*(?:[ivx]+|\d+)(?:\s*(?:of|/)\s*\d+)?",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"|untitled|unknown|none|null|nan|n/?a|(?:passage|chunk|document|context|snippet|text)s?|"
    r"(?:no|without) (?:title|name)|[\W_]+",
    re.IGNORECASE,
)
ADDRESS = re.compile(
    r"^(?:(?:https?:|www\.|file:|s3:|gs:|ftp:|doi:)\S.*|\.{0,2}[/\\]\S.*|[a-z]:\\.*|"
    r".*\.(?:pdf|txt|md|html?|json|jsonl|docx?|csv|tsv|xml|epub|rst|rtf|odt|pptx?|xlsx?|wiki)"
    r"(?:[#?: ].*)?)",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"\A(?:(?=.*\d)(?:[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*[a-z])[\w-]{16,}|"
    r"[a-z]{1,5}[-_]?\d{2,}(?:[-_.:]\d+)*)|(?!(?:1\d|20)\d\d\Z)[\d.,:_-]+)",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W_]+")
_CAPITALS = re.compile(
    r"(?:,? ?(?>[^\W\d_a-z][\w.'’-]*|of|the|and|del|d[aeiou]s?|von|van|la"
    r"|\d+(?:st|nd|rd|th)?))++"
)
_QUALIFIER = re.compile(r"\(([^()]{1,60})\)|,\s*([^,|:–—]{1,40}(?:,[^,|:–—]{1,40})?)")

Form = Literal["qualified", "bare", "dressed", "other", "none"]


class TitleForm(NamedTuple):
    """The form of a title in relation to the asked name."""

    # "qualified": the name and a description of its bearer ("Ann Lee (rower)"); "bare": the name
    # alone; "dressed": the name with words of a site ("About Ann Lee"); "other": another name;
    # "none": a title that names no one.
    form: Form
    qualifier: str = ""  # the description, in lower case


def names_no_one(title: str) -> bool:
    """Whether a title is empty, a number, a file, an address, a hash or the name of a section.

    Example:
        >>> [names_no_one(t) for t in ("chunk 0", "a/b.pdf", "", "About us", "https://x.org/y")]
        [True, True, True, True, True]
        >>> [names_no_one(t) for t in ("Ann Lee", "1996", "List of poets", "Page Hill", "U2")]
        [False, False, False, False, False]
    """
    plain = title.strip()
    if any(p.fullmatch(plain) for p in (_EMPTY, _NUMBERED, ADDRESS, _IDENTIFIER)):
        return True
    words = [word.casefold() for word in _WORDS.findall(plain)]
    return not SECTIONS.isdisjoint(words) and all(
        word in SECTIONS or word in LINKS or word.isdigit() for word in words
    )


def title_form(title: str, asked: AskedName) -> TitleForm:
    """Reads a title.

    Example:
        >>> from dfactscore._evidence.asked_name import asked_name
        >>> titles = ("Ann Lee (rower)", "Lee, Ann", "Ann Lee - Wikipedia", "York", "Our team")
        >>> [title_form(title, asked_name("Ann Lee")).form for title in titles]
        ['qualified', 'bare', 'dressed', 'other', 'none']
    """
    if names_no_one(title):
        return TitleForm("none")
    plain = unicodedata.normalize("NFC", title.replace("_", " ")).strip()
    match = next(asked.find(plain), None)
    if match is None:
        words = {word.casefold() for word in _WORDS.findall(plain)}
        bears = bears_name(plain, asked.text)
        return TitleForm("other" if not bears else "bare" if words.isdisjoint(SITES) else "dressed")
    if is_numbered_otherwise(read_name(plain), [asked.name]):
        return TitleForm("other")
    before, after = plain[: match.start()].strip(), plain[match.end() :].strip()
    titles = {word.casefold() for word in _WORDS.findall(before)}
    if not after and titles <= TITLES | {"the"}:
        return TitleForm("bare")
    around = {word.casefold() for word in _WORDS.findall(f"{before} {after}")}
    of_site = not around.isdisjoint(SITES)
    plain_before = not before or _CAPITALS.fullmatch(before)  # "HMS Elm (1905)"
    if plain_before and (bracket := _QUALIFIER.fullmatch(after)):
        qualifier = (bracket[1] or bracket[2]).strip().casefold()
        if not of_site or (bracket[1] and (len(around) > 1 or any(map(is_role, around)))):
            return TitleForm("qualified", qualifier)
    if of_site:
        return TitleForm("dressed")
    if not before and after.strip("., ").casefold() in SUFFIXES:
        return TitleForm("qualified", after.strip("., ").casefold())
    whole = mention_at(plain)
    if whole and whole.end == len(plain) and asked.fits(whole.name.text):
        added = " ".join(filter(None, (whole.name.suffix, *whole.name.peerage)))
        return TitleForm("qualified", added) if added else TitleForm("bare")
    if all(not part or _CAPITALS.fullmatch(part) for part in (before, after)):
        return TitleForm("qualified", f"{before} {after}".strip(" ,").casefold())
    return TitleForm("dressed")
