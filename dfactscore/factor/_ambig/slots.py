"""Uses rules to assign facts to slots: dates, places, occupation, education and so on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from dfactscore.engines._builtin.language.word_classes import is_role
from dfactscore.factor._ambig.certain import rank_of
from dfactscore.factor._ambig.occupations import ANYONE
from dfactscore.factor._ambig.values import date_in, with_article
from dfactscore.factor._settings import Slot
from dfactscore.factor._words import words

SLOTS: tuple[Slot, ...] = get_args(Slot)
#: Slots that have a single value per person.
SINGLE = frozenset(SLOTS[:4])

_PROPER = r"[A-Z][\w.'’-]*"
_LINK = r"(?:of|de|la|le|del|the|upon|on|und|and|na)"
_PLACE = rf"{_PROPER}(?: (?:{_LINK} )*{_PROPER})*"
_BORN_AT = re.compile(rf"was born (?P<v>(?:in|at) {_PLACE}(?:, {_PLACE})*)\.$")
_DIED_AT = re.compile(
    rf"(?:died|was killed|was shot dead) (?P<v>(?:in|at) {_PLACE}(?:, {_PLACE})*)\.$"
)
_BORN_ON = re.compile(r"\Awas born\b(?=[^;]*$)[^;]*\bon (?P<v>[^;]+)$")
_DIED_ON = re.compile(
    r"\A(?:died|was killed|was shot dead|was murdered)\b(?=[^;]*$)[^;]*\bon (?P<v>[^;]+)$"
)
_ROLE = re.compile(r"(?P<f>is|was) an? (?P<v>[^.;:()]+?)(?:,.*|\.)?$")
_INSIDE = re.compile(
    r"\s(?:of|in|for|from|under|with|at|by|as|to|on|who|that|which|whose|when|where|while|among|and|"
    r"until|during|known|born|based|whom)\s"
)
# Words, in addition to `ANYONE`, that stand where an occupation would but are not occupations.
_NO_OCCUPATION = words("no_occupation") | ANYONE
_FORMER = re.compile(r"\b(?:former|retired) (?=\S)")
_INSTITUTION = (
    r"(?:University|College|School|Academy|Institute|Polytechnic|Conservatory|Seminary|Gymnasium|"
    r"Hospital)"
)
_STUDIED = re.compile(
    rf"(?P<f>graduated from|attended|was educated at|studied at|went to|enrolled at|"
    rf"studied [a-z ]+ at|received (?:his|her) doctorate from|took (?:his|her) degree at)"
    rf" (?P<v>(?:the )?(?:{_PROPER} )*(?:(?:{_LINK} )+(?:{_PROPER} )*)?{_INSTITUTION}"
    rf"(?: (?:of|for|at) (?:the )?{_PLACE})?(?:, {_PROPER}(?: {_PROPER})?)?"
    rf"|(?:the )?{_INSTITUTION} of (?:the )?{_PLACE})(?:\.|, an? .*)$"
)
_JOINED = re.compile(
    r"(?:(?:then|later|soon|afterwards|first|briefly|also) )?"
    r"(?:joined|left|played for|plays for|raced for|signed with|signed for|moved to|was traded to|"
    r"was elected to|sat in|sat on|served in|served on|was hired by|was apprenticed to|"
    r"worked for|worked at|taught at|leads the|led the|coached|captained|managed|entered the|"
    r"became (?:the )?director of|was (?:the )?director of|was (?:the )?guitarist of|"
    r"was (?:the )?Minister|became (?:the )?(?:chairman|president|head) of|began at|"
    r"was (?:the )?(?:president|chairman|head|captain|editor) of|spent [^.]*? with)\b"
)
# People move to clubs and to countries.
_MOVED = re.compile(rf"(?:[a-z]+ )?(?:moved to|left(?: for)?) (?:the )?(?P<place>{_PLACE})")
_PRIZE = (
    r"(?:medals?|prizes?|awards?|championships?|titles?|crown|trophy|cup|record|Hall of Fame|"
    r"Fellow|Prize|Award|Medal|Cup|Grammy|Oscar|Emmy|Purple Heart|Order|"
    r"knighthood|honou?r|most valuable)"
)
_WON = re.compile(
    rf"(?:(?:twice|also|then|later|once|again) )?"
    rf"(?:(?:won|shared|took|received|earned|held|set|was given|was awarded|was inducted into|"
    rf"was named|was elected|was made|was presented with)\b[^.]*\b{_PRIZE}\b|was knighted\b)"
)
_LEAD = re.compile(
    r"(?:In|At|From|As|With|By|On|After|During|For|To|That|The|Later|Then|Meanwhile|Since|Before|"
    r"Afterwards|Back|Two|Three|Once|Under|Against|Until|Between|Through|Over|Within|Also|Soon)\b"
)
_CLAUSE = re.compile(
    r"\b(?:was|were|is|are|had|has|who|which|where|when|while|whose|his|her|he|she|they|it|came)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\b(?:he|she|it|its|they|them|their|his|her|there|this|that|these|those|same|also|again|him|"
    r"himself|where|which|whose|who|following|the (?:city|club|team|company|firm|party|group|film|"
    r"town|country|church|band|series|seat|council|league|movement))\b"
)
# Signs that a fact is incomplete.
_BROKEN = re.compile(
    r"[;:]|\b(?:and|or|of|in|at|for|the|a|an|to|with|by|as|from)[.,]|\band in [^,]*,"
)


@dataclass(frozen=True, slots=True)
class Filler:
    """A fact in a slot."""

    slot: Slot
    sentence: str  # whole fact, with `{}` in place of the name
    frame: str  # fact with `{v}` in place of its value; just `{v}` if the value is the whole fact
    value: str


def filler(text: str, variants: Sequence[str]) -> Filler | None:
    """Assigns a fact to a slot if the person is its subject.

    Example:
        >>> found = filler("Hanley died on December 16, 1970.", ["Dick Hanley", "Hanley"])
        >>> found.slot, found.value, found.frame
        ('death_date', 'December 16, 1970', '{} died on {v}.')
    """
    parts = _subject(text, variants)
    if parts is None:
        return None
    lead, predicate = parts
    if not lead:
        for slot, pattern, verb in (
            ("birth_date", _BORN_ON, "was born"),
            ("death_date", _DIED_ON, "died"),
        ):
            match = pattern.match(predicate)
            date = date_in(match["v"]) if match else None
            if date is not None:
                value = date.written(day_first=date.day_first)
                return _made(slot, f"{{}} {verb} on {{v}}.", value)
        for slot, pattern, verb in (
            ("birth_place", _BORN_AT, "was born"),
            ("death_place", _DIED_AT, "died"),
        ):
            match = pattern.match(predicate)
            if match:
                return _made(slot, f"{{}} {verb} {{v}}.", match["v"])
        if (role := _role(predicate)) is not None:
            return role
        if match := _STUDIED.match(predicate):
            return _made("education", f"{{}} {match['f']} {{v}}.", match["v"].rstrip(","))
    if _VAGUE.search(predicate) or _BROKEN.search(predicate) or not predicate.endswith("."):
        return None
    if not re.search(r" [A-Z]", predicate) and "knighted" not in predicate:
        return None
    sentence = f"{lead}{{}} {predicate}"
    if _WON.match(predicate):
        return Filler("award", sentence, "{v}", sentence)
    moved = _MOVED.match(predicate)
    if _JOINED.match(predicate) and not (moved and rank_of(moved["place"].rstrip("."))):
        return Filler("affiliation", sentence, "{v}", sentence)
    return None


def _made(slot: str, frame: str, value: str) -> Filler:
    assert slot in SLOTS
    return Filler(slot, frame.replace("{v}", value), frame, value)


def _subject(text: str, variants: Sequence[str]) -> tuple[str, str] | None:
    """The words before the subject's name (at most one adverbial) and those after it."""
    for variant in variants:
        place = text.find(variant)
        if place < 0:
            continue
        lead, rest = text[:place], text[place + len(variant) :]
        if not rest.startswith(" "):
            return None  # a possessive or an apposition
        if lead and not (
            _LEAD.match(lead)
            and len(lead.split()) <= 12
            and not _CLAUSE.search(lead)
            and lead.count(",") <= 1
        ):
            return None
        return lead, rest[1:]
    return None


def _role(predicate: str) -> Filler | None:
    match = _ROLE.match(predicate)
    if match is None:
        return None
    value = _INSIDE.split(f"{match['v']} ")[0].strip()
    words = value.split()
    last = words[-1].lower() if words else ""
    if not 1 <= len(words) <= 6 or last in _NO_OCCUPATION or not is_role(last):
        return None
    if value[:1].isdigit() or "’" in value:
        return None
    return Filler(
        "occupation",
        f"{{}} {match['f']} {with_article(value)}.",
        f"{{}} {match['f']} {{v}}.",
        value,
    )


def fill(target: Filler, other: Filler) -> str:
    """Fills the target's frame with the value of another fact, in the target's style.

    Example:
        >>> one = filler("Ann Lee was born on 1 May 1900.", ["Ann Lee"])
        >>> two = filler("Ann Lee was born on June 2, 1950.", ["Ann Lee"])
        >>> fill(one, two)
        '{} was born on 2 June 1950.'
    """
    value = other.value
    if target.slot in ("birth_date", "death_date"):
        target_date, other_date = date_in(target.value), date_in(other.value)
        if target_date is not None and other_date is not None:
            value = other_date.written(day_first=target_date.day_first)
    elif target.slot == "occupation":
        if target.frame.startswith("{} was"):
            # "was a former player" is not a usual phrase.
            value = _FORMER.sub("", value)
        value = with_article(value)
    return target.frame.replace("{v}", value)
