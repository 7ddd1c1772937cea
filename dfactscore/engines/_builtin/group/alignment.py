"""Places facts that were made elsewhere in the paragraph, by their words and in order."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from dfactscore._records import Fact
from dfactscore.engines._builtin.language.word_lists import word_list

_SUBJECT = re.compile(r"(?:[A-Z][\w.'’-]*\s+)+")
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|es|s)$")
_EMPTY = word_list("empty")
_BACK = 0.05  # the lead that a sentence after the last fact needs, per sentence skipped
_COMMON = 200  # a word in more sentences tells nothing; keeps the search linear


def place_facts(
    text: str, sentences: Sequence[tuple[int, int]], facts: Sequence[Fact]
) -> list[tuple[int, int]]:
    """Gives every fact a place in the text.

    A fact with a span keeps it, one with a sentence gets that sentence, another one the sentence
    that covers most of its words, preferring to continue at the last fact's place.

    Args:
        text: The paragraph.
        sentences: Start and end of each sentence.
        facts: In reading order.

    Returns:
        Start and end per fact; for a fact without its own span the stretch of the sentence from
        the first to the last of its words.
    """
    places: Mapping[str, Collection[int]] | None = None
    found: list[tuple[int, int]] = []
    here = 0
    for fact in facts:
        if fact.span is not None and 0 <= fact.span[0] <= fact.span[1] <= len(text):
            found.append(fact.span)
        elif not sentences:
            found.append((0, len(text)))
        else:
            if fact.sentence is not None and 0 <= fact.sentence < len(sentences):
                here = fact.sentence
            else:
                places = places or _places(text, sentences)
                here = _best_sentence(fact.text, places, here)
            found.append(_stretch(text, sentences[here], fact.text))
    return found


def _stem(word: str) -> str:
    return _ENDING.sub("", word.lower())


def _bag(text: str) -> set[str]:
    return {_stem(w) for w in _WORD.findall(text) if w.lower() not in _EMPTY}


def _places(text: str, sentences: Sequence[tuple[int, int]]) -> Mapping[str, Collection[int]]:
    """The sentences that contain each word."""
    found: dict[str, dict[int, None]] = defaultdict(dict)
    for number, (start, end) in enumerate(sentences):
        for word in _bag(text[start:end]):
            found[word][number] = None
    return found


def _best_sentence(fact: str, places: Mapping[str, Collection[int]], here: int) -> int:
    """The sentence that covers most of the fact's words; near `here` if several do."""
    subject = _SUBJECT.match(fact)
    named = _bag(subject.group()) if subject else set()
    weights: dict[int, float] = defaultdict(float)
    for word in _bag(fact):
        within: Collection[int] = places.get(word, ())
        if len(within) > _COMMON:
            within = [p for p in (here, here + 1) if p in within]
        weight = 0.25 + 1 / (1 + 0.5 * max(len(within) - 1, 0))
        for p in within:  # facts name the subject where the sentence says "he"
            weights[p] += weight * (0.3 if word in named else 1)
    if not weights:
        return here
    most = max(weights.values())

    def score(p: int) -> float:
        away = p - here if p >= here else 1.5 + 0.5 * (here - p)
        return weights[p] - most * min(_BACK * away, 0.6)

    return max(sorted(weights), key=lambda p: round(score(p), 9))


def _stretch(text: str, sentence: tuple[int, int], fact: str) -> tuple[int, int]:
    """The part of a sentence from the first to the last word that the fact repeats."""
    words = _bag(fact)
    found = [m.span() for m in _WORD.finditer(text, *sentence) if _stem(m.group()) in words]
    return (found[0][0], found[-1][1]) if found else sentence
