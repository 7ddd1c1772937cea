"""Contrast pairs: supported facts changed in one place so that the documents no longer say them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

from verifier_data import Pair

from dfactscore.engines.builtin.language.tokens import tokens

_SWAPS = (
    (re.compile(r"\bwas born\b"), "died"),
    (re.compile(r"\bdied\b"), "was born"),
    (re.compile(r"\bbirth\b"), "death"),
    (re.compile(r"\bdeath\b"), "birth"),
)
_YEAR = re.compile(r"\b1[5-9]\d\d\b|\b20[01]\d\b")
# "was a Scottish swimmer.": the last lower-case word of a short predicate
_NOUN = re.compile(r"\b(?:is|was) (?:an?|the) (?:[\w-]+ ){0,3}?([a-z]{4,})(?=\.?\Z)")
_BE = re.compile(r"\b(was|is|has|were)\b")


def contrast_pairs(pairs: list[Pair], seed: int, share: float = 0.3) -> Iterator[Pair]:
    """Yields pairs of kind 3, all unsupported, from the supported pairs.

    Of every pair that allows it: birth and death exchanged (where the page names the year once),
    or what somebody else is ("was a swimmer" for "was a painter"). Of a `share` of the others:
    another year, a negation, or the given name of somebody else.
    """
    chance = random.Random(seed)
    nouns = sorted(
        {m[1] for p in pairs if p.label and p.kind == 0 for m in [_NOUN.search(p.fact)] if m}
    )
    given = sorted({pair.name.split()[0] for pair in pairs if len(pair.name.split()) > 1})
    for pair in pairs:
        if not pair.label or len(pair.fact) > 200:
            continue
        telling = [*_lives(pair), *_nouns(pair, chance, nouns)]
        made = telling if telling else list(_changes(pair, chance, given))
        if made and (telling or chance.random() < share):
            yield replace(pair, fact=chance.choice(made), label=0, kind=3)


def _lives(pair: Pair) -> Iterator[str]:
    year = _YEAR.search(pair.fact)
    if year and " ".join(body for _, body in pair.documents).count(year[0]) == 1:
        for pattern, word in _SWAPS:
            if pattern.search(pair.fact):
                yield pattern.sub(word, pair.fact, count=1)
                return


def _nouns(pair: Pair, chance: random.Random, nouns: list[str]) -> Iterator[str]:
    noun = _NOUN.search(pair.fact)
    if noun:
        other = chance.choice(nouns)
        said = {item.loose for _, body in pair.documents for item in tokens(body)}
        if not {item.loose for item in tokens(other)} & said:
            yield pair.fact[: noun.start(1)] + other + pair.fact[noun.end(1) :]


def _changes(pair: Pair, chance: random.Random, given: list[str]) -> Iterator[str]:
    text = " ".join(body for _, body in pair.documents)
    fact = pair.fact
    year = _YEAR.search(fact)
    if year:
        other = str(int(year[0]) + chance.choice([-21, -12, -7, -3, 2, 4, 9, 15]))
        if other not in text:
            yield fact[: year.start()] + other + fact[year.end() :]
    verb = _BE.search(fact)
    if verb and chance.random() < 0.5:
        yield f"{fact[: verb.end()]} not{fact[verb.end() :]}"
    first = pair.name.split()[0]
    if (
        len(pair.name.split()) > 1
        and fact.startswith(first + " ")
        and fact.split()[1][:1].isupper()
    ):
        name = chance.choice(given)
        if name not in text and name != first:
            yield name + fact[len(first) :]
