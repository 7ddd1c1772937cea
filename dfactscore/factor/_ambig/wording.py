"""Adapts the wording of facts to that of the page they come from."""

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


def as_written(fact: Filler, text_before: str, variants: Sequence[str]) -> Filler:
    """Adapts a fact to the wording of its page.

    An occupation is extended with the nationality that precedes it, as in "an Irish painter", or
    with the list of occupations it is in. An adverbial is kept only if it directly precedes the
    fact's verb and names a time or place, because the decomposer also copies adverbials that belong
    to a sentence's first verb, and because words such as "later" refer to another event.

    Example:
        >>> from dfactscore.factor._ambig.slots import filler
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
