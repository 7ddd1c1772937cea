"""Finds those names in a text whose type is clear from the context."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dfactscore._text.same_person import SHORT_FORMS
from dfactscore.engines._builtin.language.word_classes import MONTHS, is_demonym
from dfactscore.engines._builtin.verify.name_types import PERSON, UNKNOWN, type_hint
from dfactscore.factor._ambig.certain import rank_of
from dfactscore.factor._build.origins import gender_of_name
from dfactscore.factor._words import groups, words

_CAP = r"(?:[A-Z][\w’'&.-]*[\w&]|[A-Z]\.(?= [A-Z])|[A-Z])"
_JOIN = r"(?: (?:of|for|de|la|du|van|von|del)(?: the)? | )"
_PROPER = re.compile(rf"(?<![\w’'-]){_CAP}(?:{_JOIN}{_CAP})*")
#: The type of a name, by its last word or by the word before "of".
HEADS = {head: kind for kind, heads in groups("heads").items() for head in heads}
_TITLES = words("titles_of_people")
_SKIP = words("no_names")
_FACULTIES = words("faculties")
_THINGS = words("things")
_KIN = re.compile(
    r"\b(?:father|mother|parents|brothers?|sisters?|sons?|daughters?|uncles?|aunts?|cousins?|nephew|"
    r"niece|grand\w+)(?: of|,)? $"
)
_REGION = re.compile(r", ([A-Z][\w’']+(?: [A-Z][\w’']+)?)")
_LISTED = re.compile(r",? and [A-Z]|, [A-Z]")
# Words before the name of a place.
_BEFORE_PLACE = re.compile(r"(?<![A-Z])\b[\w’,)]{1,60} (?:in|from|near) $|^(?:In|From|Near) $")
# matches "at Far Eastern University in Vladivostok", "Bishop of Segni in Italy"
_INSIDE = re.compile(
    r"(?:\bof [A-Z][\w’']+|\b(?:University|College|School|Academy|Institute|Hospital|Church)) in $"
)
_AFTER_PLACE = re.compile(
    r"(?:[.,;]|$| (?:in|on|and|to|from|until|with|where|as|for|when|by|at)\b)"
)
# Words for events that happen in a town, not in a film.
_LIVED = re.compile(
    r"\b(?:born|baptized|raised|brought up|grew up|lived?|living|resided|died|buried|settled|"
    r"school|church|hospital|educated|practi[sc]ed|home|house|farm|docked|built|yard)\b[^.;]{0,24} "
    r"(?:in|near) $"
)
_BEFORE_WORK = re.compile(
    r"\b(?:in|musical|film|book|series|comedy|drama|thriller|play|song|single|album|novel|mystery|"
    r"ship|called) (?:the )?$"
)
_NOT_PLACES = words("no_places")


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A name in a text."""

    text: str
    # `"she"` or `"he"` for people, `"kin"` for relatives, `"place"` followed by the rank of the
    # place or of its region (such as "place town" or "place, land"), or `"university"` and the
    # like.
    kind: str
    start: int  # start and end (exclusive) in the text, in characters
    end: int


def mentions(text: str) -> list[NamedThing]:
    """Returns the names in a text whose type is clear."""
    names = []
    for match in _PROPER.finditer(text):
        name, start = match.group(), match.start()
        words = name.split()
        # The first word of a sentence is always capitalized.
        opens = start == 0 or text[max(0, start - 2) : start].strip() in (".", "!", "?", "")
        if opens and words[0].lower() in _SKIP:
            start += len(words[0]) + 1
            name, words = name[len(words[0]) + 1 :], words[1:]
        if not words or not name[0].isupper():
            continue
        before, after = text[max(0, start - 40) : start], text[start + len(name) :]
        region = _REGION.match(after)
        if region is not None and (kind := _place_kind(name, region[1], before, after)):
            end = start + len(name) + region.end(1)
            names.append(NamedThing(text[start:end], kind, start, end))
        elif kind := _kind(name, words, before, after):
            names.append(NamedThing(name, kind, start, start + len(name)))
    return names


def _place_kind(name: str, region: str, before: str, after: str) -> str:
    """The type of place and its region; empty if the type is unclear."""
    rank = rank_of(region)
    if not rank or not _BEFORE_PLACE.search(before) or _INSIDE.search(before):
        return ""
    if rank_of(name) == rank:
        return ""
    end = _REGION.match(after)
    if end is None or not _AFTER_PLACE.match(after[end.end(1) :]):
        return ""
    return "" if _LISTED.match(after[end.end(1) :]) else f"place, {rank}"


def _kind(name: str, words: list[str], before: str, after: str) -> str:
    """The type of a name, judging by its words and context; empty if unclear."""
    if any(word.lower() in MONTHS or is_demonym(word) for word in words):
        return ""
    if re.search(r"[A-Z]\w{0,60},? and (?:the )?$", before) or re.match(r" and [A-Z]", after):
        return ""  # part of a longer name, or of a list whose other names reveal its type
    if name in _NOT_PLACES or words[0].lower() in _SKIP or re.match(r"[’'\w-]", after):
        return ""
    if {"Award", "Prize", "Medal"} & set(words):
        return "prize" if len(words) > 1 and before.endswith("the ") else ""
    if any(word in HEADS for word in words):
        return _kind_of_body(words, before)
    if words[0] in _TITLES:
        return ""
    if words[0].lower() in SHORT_FORMS and _may_be_person(words, before):
        return "kin" if _KIN.search(before) else gender_of_name(name)
    if _may_be_town(words, before, after) and not re.match(", [A-Z]", after):
        return f"place {rank_of(name) or ('town' if _LIVED.search(before) else 'perhaps')}"
    return ""


def _kind_of_body(words: list[str], before: str) -> str:
    """The type of organization; empty if unclear."""
    # The type is the first word of "University of Oslo" but the last of "Magdalen College".
    head = words[0] if "of" in words[1:2] else words[-1]
    if head == "School" and (words[0] == head or _FACULTIES & set(words)):
        return "faculty"
    article = "the " if before.endswith("the ") else ""
    return f"{article}{HEADS[head]}" if head in HEADS and len(words) > 1 else ""


def _may_be_person(words: list[str], before: str) -> bool:
    """Whether a name that starts with a first name can be a person's, given the other words."""
    return (
        2 <= len(words) <= 3
        and not {"of", "for", "the"} & set(words)
        and not any(_is_of_things(word) for word in words[1:])
        and not _BEFORE_WORK.search(before)
        and not before.endswith("the ")
        and not words[1].endswith(("ing", "ed"))
        and not re.fullmatch("[IVX]+", words[-1])
    )


def _may_be_town(words: list[str], before: str, after: str) -> bool:
    """Whether a name occurs where a place name would, and has no word that rules out a place."""
    return (
        _BEFORE_PLACE.search(before) is not None
        and not _INSIDE.search(before)
        and _AFTER_PLACE.match(after) is not None
        and len(words) <= 3
        and "of" not in words
        and not set(words) & _NOT_PLACES
        and any(word.upper() != word for word in words)
    )


def _is_of_things(word: str) -> bool:
    """Whether a word in a name shows that the name is not a person's."""
    low = word.casefold()
    return low in _THINGS or type_hint(low) not in (UNKNOWN, PERSON)
