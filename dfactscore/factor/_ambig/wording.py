"""Finds the wording with which a page states a fact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dfactscore.engines._builtin.language.word_classes import is_demonym
from dfactscore.factor._ambig.slots import Filler
from dfactscore.factor._ambig.values import with_article

_STATUS = frozenset({"former", "retired"})
_FIRST_OF_TWO = frozenset({"south", "north", "new", "puerto", "costa", "sri", "west", "east"})
_DETERMINER = re.compile(r"\ban? ")
_VERB = re.compile(
    r"\b(?:was|were|is|are|had|has|who|which|where|when|while|whose|that|of|in|for|from|at|to|by)\b"
)
_AGAIN = re.compile(
    r"\b(?:then|later|soon|afterwards|meanwhile|also|again|there|once|still|first)\b", re.I
)


def as_written(found: Filler, before: str, variants: Sequence[str]) -> Filler:
    """A fact with the words that its page gives it, and without those of another fact.

    An occupation gets the nationality that the page puts before it or before the list that it
    is in: the page says "an Irish painter", and so a completion does. An adverbial stays where
    it is right before the fact's own verb and names a time or a place: the decomposer also
    hands on what belongs to the first verb of a sentence, and "later" is later than something else.

    Args:
        found: The fact's statement in a slot.
        before: The page's sentence up to what is the fact's own, its article included.
        variants: The page's names of the person.

    Example:
        >>> from dfactscore.factor._ambig.slots import filler
        >>> one = filler("Ann Lee was a poet.", ["Ann Lee"])
        >>> as_written(one, "Ann Lee was an Irish singer and ", ["Ann Lee"]).sentence
        '{} was an Irish poet.'
        >>> one = filler("In 1901 Ann Lee won the Wood Prize.", ["Ann Lee"])
        >>> as_written(one, "In 1901 she moved to Rome and ", ["Ann Lee"]).sentence
        '{} won the Wood Prize.'
    """
    if found.slot == "occupation":
        return _with_origin(found, before)
    if found.slot in ("affiliation", "award"):
        return _without_lead(found, before, variants)
    return found


def has_origin(role: str) -> bool:
    """Whether an occupation says a nationality, as "Irish poet" does."""
    return any(_origins(role.split()))


def without_origin(role: str) -> str:
    """An occupation without the nationality before it.

    Example:
        >>> without_origin("American former swimmer"), without_origin("South African poet")
        ('former swimmer', 'poet')
    """
    words = role.split()
    kept = [word for word, own in zip(words, _origins(words), strict=True) if not own]
    return " ".join(kept) if kept else role


def _origins(words: Sequence[str]) -> list[bool]:
    """Whether each word is of a leading nationality; "former" and "retired" may be among them."""
    found = [False] * len(words)
    for i, word in enumerate(words):
        if word.casefold() in _STATUS:
            continue
        pair = i + 1 < len(words) and is_demonym(words[i + 1]) and word[:1].isupper()
        if word[:1].isupper() and (is_demonym(word) or (pair and word.casefold() in _FIRST_OF_TWO)):
            found[i] = True
        else:
            break
    return found


def _with_origin(found: Filler, before: str) -> Filler:
    place = max((match.end() for match in _DETERMINER.finditer(before)), default=-1)
    if place < 0 or _VERB.search(before[place:]):
        return found
    words = before[place:].replace(",", " ").split()
    origins = _origins(words)
    role = found.value.split()
    if not any(origins) or any(_origins(role)):
        return found
    if all(own or w.casefold() in _STATUS for w, own in zip(words, origins, strict=True)):
        # The page's own words: "retired American swimmer".
        role = [*words, *(w for w in role if not (w in words and w in _STATUS))]
    else:
        role = [*(w for w, own in zip(words, origins, strict=True) if own), *role]
    value = " ".join(role)
    return replace(found, value=value, sentence=found.frame.replace("{v}", with_article(value)))


def _without_lead(found: Filler, before: str, variants: Sequence[str]) -> Filler:
    lead, _, rest = found.sentence.partition("{} ")
    rest = re.sub(rf"^(?:{_AGAIN.pattern}) ", "", rest, flags=re.I)
    if lead and (
        not re.search(r"\d|(?<!^)\b[A-Z]", lead) or not _is_its_own(lead, before, variants)
    ):
        lead = ""
    sentence = f"{lead}{{}} {rest}"
    return replace(found, sentence=sentence, value=sentence)


def _is_its_own(lead: str, before: str, variants: Sequence[str]) -> bool:
    """Whether only the subject is between the adverbial and the fact's own words."""
    plain, own = (" ".join(text.replace(",", " ").split()) for text in (before, lead))
    if not plain:
        return True  # the adverbial is among the fact's own words
    if not plain.startswith(own):
        return False
    return plain[len(own) :].strip() in {"", "he", "she", "they", *variants}
