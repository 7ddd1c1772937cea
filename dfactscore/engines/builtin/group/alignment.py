"""Places facts that were made elsewhere in the paragraph, by their words and in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dfactscore.engines.builtin.language.word_lists import word_list
from dfactscore.records import Fact

__all__ = ["place_facts"]

_SUBJECT = re.compile(r"(?:[A-Z][\w.'’-]*\s+)+")
_WORD = re.compile(r"\w+")
_EMPTY = word_list("empty")
_BACK = 0.05  # what a sentence behind the last fact must be better by, per sentence skipped


def place_facts(
    text: str, sentences: Sequence[tuple[int, int]], facts: Sequence[Fact]
) -> list[tuple[int, int]]:
    """Gives every fact a place in the text.

    A fact with a span keeps it, one with a sentence gets that sentence, another one the sentence
    that covers most of its words, preferring to continue where the last fact stood.

    Args:
        text: The paragraph.
        sentences: Start and end of each sentence.
        facts: In reading order.

    Returns:
        Start and end per fact; for a fact without its own span the stretch of the sentence from
        the first to the last of its words.
    """
    bags: list[set[str]] | None = None
    index: dict[str, list[int]] = {}
    places: list[tuple[int, int]] = []
    here = 0
    for fact in facts:
        if fact.span is not None and 0 <= fact.span[0] <= fact.span[1] <= len(text):
            places.append(fact.span)
            continue
        if not sentences:
            places.append((0, len(text)))
            continue
        if fact.sentence is not None and 0 <= fact.sentence < len(sentences):
            here = fact.sentence
        else:
            if bags is None:
                bags = [_bag(text[a:b]) for a, b in sentences]
                for i, bag in enumerate(bags):
                    for word in bag:
                        index.setdefault(word, []).append(i)
            subject = _SUBJECT.match(fact.text)
            named = _bag(subject.group()) if subject else set()
            here = _best_sentence(_bag(fact.text), named, bags, index, here)
        places.append(_stretch(text, sentences[here], fact.text))
    return places


def _bag(text: str) -> set[str]:
    words = [w.lower() for w in _WORD.findall(text)]
    return {_stem(w) for w in words if w not in _EMPTY}


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word


def _best_sentence(
    words: set[str],
    named: set[str],
    bags: Sequence[set[str]],
    index: dict[str, list[int]],
    here: int,
) -> int:
    """The sentence that covers most of the fact's words; near `here` where several do."""
    if not words:
        return here
    weights: dict[int, float] = {}
    for word in words:
        places = index.get(word, ())
        if len(places) > 200:  # a word this common tells nothing; keeps the search linear
            places = [p for p in (here, here + 1) if p < len(bags) and word in bags[p]]
        rarity = 1.0 / (1.0 + 0.5 * (len(places) - 1)) if places else 0.0
        weight = rarity + 0.25
        if word in named:
            weight *= 0.3  # facts name the subject where the sentence says "he"
        for p in places:
            weights[p] = weights.get(p, 0.0) + weight
    if not weights:
        return here
    total = max(weights.values())
    best, chosen = -1.0, here
    for p in sorted(weights):
        away = p - here
        cost = _BACK * total * (away if away >= 0 else 1.5 - 0.5 * away)
        score = weights[p] - min(cost, 0.6 * total)
        if score > best + 1e-9:
            best, chosen = score, p
    return chosen


def _stretch(text: str, sentence: tuple[int, int], fact: str) -> tuple[int, int]:
    """The part of a sentence from the first to the last word that the fact repeats."""
    words = _bag(fact)
    found = [
        (m.start(), m.end())
        for m in _WORD.finditer(text, sentence[0], sentence[1])
        if _stem(m.group().lower()) in words
    ]
    if not found:
        return sentence
    return found[0][0], found[-1][1]
