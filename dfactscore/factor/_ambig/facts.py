"""Reads facts from people's pages, by slot, and adapts their wording to the target's page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import get_args

from dfactscore._records import Biography
from dfactscore._text.names import plain_name
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.language.word_classes import RELATIVES
from dfactscore.factor._ambig.values import (
    ANYONE,
    date_in,
    fields_of,
    fits_gender,
    gender_of,
    rank_of,
    with_article,
    words,
)
from dfactscore.factor._settings import Slot
from dfactscore.retrieval import Page

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


_STATUS = frozenset({"former", "retired"})
_FIRST_OF_TWO = frozenset({"south", "north", "new", "puerto", "costa", "sri", "west", "east"})
_DETERMINER = re.compile(r"\ban? ")
_VERB = re.compile(
    r"\b(?:was|were|is|are|had|has|who|which|where|when|while|whose|that|of|in|for|from|at|to|by)\b"
)
_AGAIN = re.compile(
    r"\b(?:then|later|soon|afterwards|meanwhile|also|again|there|once|still|first)\b", re.I
)


def as_written(fact: Filler, text_before: str, variants: Sequence[str]) -> Filler:
    """Adapts a fact to the wording of its page.

    An occupation is extended with the nationality that precedes it, as in "an Irish painter", or
    with the list of occupations it is in. An adverbial is kept only if it directly precedes the
    fact's verb and names a time or place, because the decomposer also copies adverbials that belong
    to a sentence's first verb, and because words such as "later" refer to another event.

    Example:
        >>> from dfactscore.factor._ambig.facts import filler
        >>> one = filler("Ann Lee was a poet.", ["Ann Lee"])
        >>> as_written(one, "Ann Lee was an Irish singer and ", ["Ann Lee"]).sentence
        '{} was an Irish poet.'
        >>> one = filler("In 1901 Ann Lee won the Wood Prize.", ["Ann Lee"])
        >>> as_written(one, "In 1901 she moved to Rome and ", ["Ann Lee"]).sentence
        '{} won the Wood Prize.'
    """
    if fact.slot == "occupation":
        return _with_origin(fact, text_before)
    if fact.slot in ("affiliation", "award"):
        return _without_lead(fact, text_before, variants)
    return fact


def has_origin(role: str) -> bool:
    """Whether an occupation contains a nationality, such as "Irish poet"."""
    return any(_origins(role.split()))


def without_origin(role: str) -> str:
    """An occupation without its nationality.

    Example:
        >>> without_origin("American former swimmer"), without_origin("South African poet")
        ('former swimmer', 'poet')
    """
    words = role.split()
    role_words = [
        word for word, is_origin in zip(words, _origins(words), strict=True) if not is_origin
    ]
    return " ".join(role_words) if role_words else role


def _origins(words: Sequence[str]) -> list[bool]:
    """Whether each word is part of a nationality at the start, skipping "former" and "retired"."""
    flags = [False] * len(words)
    for i, word in enumerate(words):
        if word.casefold() in _STATUS:
            continue
        pair = i + 1 < len(words) and is_demonym(words[i + 1]) and word[:1].isupper()
        if word[:1].isupper() and (is_demonym(word) or (pair and word.casefold() in _FIRST_OF_TWO)):
            flags[i] = True
        else:
            break
    return flags


def _with_origin(fact: Filler, text_before: str) -> Filler:
    place = max((match.end() for match in _DETERMINER.finditer(text_before)), default=-1)
    if place < 0 or _VERB.search(text_before[place:]):
        return fact
    words = text_before[place:].replace(",", " ").split()
    origins = _origins(words)
    role = fact.value.split()
    if not any(origins) or any(_origins(role)):
        return fact
    if all(
        is_origin or w.casefold() in _STATUS for w, is_origin in zip(words, origins, strict=True)
    ):
        # The words of the page: "retired American swimmer".
        role = [*words, *(w for w in role if not (w in words and w in _STATUS))]
    else:
        role = [*(w for w, is_origin in zip(words, origins, strict=True) if is_origin), *role]
    value = " ".join(role)
    return replace(fact, value=value, sentence=fact.frame.replace("{v}", with_article(value)))


def _without_lead(fact: Filler, text_before: str, variants: Sequence[str]) -> Filler:
    lead, _, predicate = fact.sentence.partition("{} ")
    predicate = re.sub(rf"^(?:{_AGAIN.pattern}) ", "", predicate, flags=re.I)
    if lead and (
        not re.search(r"\d|(?<!^)\b[A-Z]", lead) or not _is_its_own(lead, text_before, variants)
    ):
        lead = ""
    sentence = f"{lead}{{}} {predicate}"
    return replace(fact, sentence=sentence, value=sentence)


def _is_its_own(lead: str, text_before: str, variants: Sequence[str]) -> bool:
    """Whether nothing but the subject stands between the adverbial and the words of the fact."""
    plain, adverbial = (" ".join(text.replace(",", " ").split()) for text in (text_before, lead))
    if not plain:
        return True  # the adverbial is part of the words of the fact
    if not plain.startswith(adverbial):
        return False
    return plain[len(adverbial) :].strip() in {"", "he", "she", "they", *variants}


_ARTICLE = re.compile(r"an? ")
_WHOLE = re.compile(r"[.!?][\"'”’)\]]*\s*\Z")
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class SlotFact:
    """A fact that was read from a page and fills a slot."""

    filler: Filler
    sentence: str
    start: int

    @property
    def slot(self) -> Slot:
        """The slot."""
        return self.filler.slot


@dataclass(frozen=True, slots=True)
class Namesake:
    """A person who shares a name with others."""

    name: str
    title: str
    text: str
    statements: tuple[SlotFact, ...]
    doubts: Mapping[str, int]
    fields: frozenset[str]


def read_person(name: str, page: Page) -> Namesake:
    """Uses rules to read the facts on a page."""
    own_name = plain_name(page.title)
    variants = sorted({own_name, name, own_name.split()[-1]}, key=lambda v: (-len(v), v))
    starts = [sentence.start for sentence in split_sentences(page.text)]
    doubts: Counter[str] = Counter()
    twice: set[Slot] = set()
    facts: dict[tuple[int, Slot], SlotFact] = {}
    for statement in _statements(name, page, variants, starts, doubts):
        # A person has one birthday: the first sentence with it counts, in its longest form. Of
        # other facts that one sentence gives in several lengths, the shortest counts.
        slot, size = statement.slot, len(statement.sentence)
        place = -1 if slot in SINGLE else len(facts)
        if slot in ("affiliation", "award"):
            place = statement.start
        old = facts.setdefault((place, slot), statement)
        if slot not in SINGLE:
            better = size < len(old.sentence)
        else:
            better = old.start == statement.start and size > len(old.sentence)
            if not better and not _alike(old, statement):
                twice.add(slot)
        if better:
            facts[place, slot] = statement
    doubts["two dates on the page"] += len(twice)
    unique = [fact for fact in facts.values() if fact.slot not in twice]
    values = [_plain(fact) for fact in unique]
    statements = tuple(fact for i, fact in enumerate(unique) if values[i] not in values[:i])
    opening = page.text[: starts[1]] if len(starts) > 1 else page.text
    roles = [fact.filler.value for fact in statements if fact.slot == "occupation"]
    fields = fields_of(" . ".join([page.title, opening, *roles]))
    return Namesake(name, page.title, page.text, statements, doubts, frozenset(fields))


def _statements(
    name: str, page: Page, variants: Sequence[str], starts: Sequence[int], doubts: Counter[str]
) -> Iterator[SlotFact]:
    """Yields the facts on a page, but only counts those that may be about someone else."""
    text = page.text
    end, gender = _last_whole(text, starts), gender_of(text)
    for fact in BuiltinDecomposer().decompose(Biography("page", plain_name(page.title), text)):
        slot_filler = filler(fact.text, variants)
        if slot_filler is None or fact.span is None:
            continue
        if slot_filler.slot in ("birth_place", "death_place") and slot_filler.value not in text:
            continue  # the page does not contain this combination of "in" and a name
        start = max((s for s in starts if s <= fact.span[0]), default=0)
        article = _ARTICLE.match(text, fact.span[0])
        text_before = text[start : article.end() if article else fact.span[0]]
        slot_filler = as_written(slot_filler, text_before, variants)
        statement = SlotFact(slot_filler, slot_filler.sentence.replace("{}", name), start)
        if doubt := _doubt(statement, text, end, gender, variants):
            doubts[doubt] += 1
        else:
            yield statement


def _last_whole(text: str, starts: Sequence[int]) -> int:
    """The start of an incomplete last sentence, or the end of the text."""
    return len(text) if not starts or _WHOLE.search(text) else starts[-1]


def _doubt(statement: SlotFact, text: str, end: int, gender: str, variants: Sequence[str]) -> str:
    """Why a fact may be about someone else; empty if there is no reason to think so."""
    if statement.start >= end:
        return "a sentence that breaks off"
    value = statement.filler.value
    if statement.slot == "occupation" and not fits_gender(without_origin(value), gender):
        return "a role of the other gender"
    place = text.find(value.split()[-1].rstrip("."), statement.start)
    words_before = _WORD.findall(text[statement.start : max(place, statement.start)])
    relative = max(
        (i for i, word in enumerate(words_before) if word.lower() in RELATIVES), default=-1
    )
    # After a relative, a fact is about the person only if the person is named again: not in "his
    # mother, Ann Lee, is an actress", but in "the son of a miner, he was a poet".
    named = {"he", "she", *(word.lower() for variant in variants for word in variant.split()[:1])}
    behind = [word.lower() for word in words_before[relative + 1 :]]
    return "" if relative < 0 or named & set(behind) else "it may be a relative's"


def _alike(fact: SlotFact, other: SlotFact) -> bool:
    """Whether two facts for one slot can both be true, that is, do not name different days."""
    first, second = date_in(fact.filler.value), date_in(other.filler.value)
    return first is None or second is None or first.same(second)


def _plain(fact: SlotFact) -> str:
    """The value used to compare facts: "American diplomat" repeats "diplomat"."""
    value = fact.filler.value
    return (without_origin(value) if fact.slot == "occupation" else value).casefold()
