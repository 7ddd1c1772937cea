"""Places facts from another decomposer in the paragraph, based on their words and order."""

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
_COMMON = 200  # a word in more sentences only counts near the last fact: keeps the search linear


def place_facts(
    text: str, sentences: Sequence[tuple[int, int]], facts: Sequence[Fact]
) -> list[tuple[int, int]]:
    """Gives every fact a place in the text.

    A fact that has a span keeps it; a fact that only has a sentence gets a place within that
    sentence. Any other fact gets a place in the sentence that covers most of its words, preferably
    near the previous fact.
    """
    sentences_of: Mapping[str, Collection[int]] | None = None
    places: list[tuple[int, int]] = []
    sentence = 0
    for fact in facts:
        if fact.span is not None and 0 <= fact.span[0] <= fact.span[1] <= len(text):
            places.append(fact.span)
        elif not sentences:
            places.append((0, len(text)))
        else:
            if fact.sentence is not None and 0 <= fact.sentence < len(sentences):
                sentence = fact.sentence
            else:
                sentences_of = sentences_of or _sentences_by_word(text, sentences)
                sentence = _best_sentence(fact.text, sentences_of, sentence)
            places.append(_word_span(text, sentences[sentence], fact.text))
    # Start and end of each fact; for a fact without a span, the start of the first and the end of
    # the last of its words that occur in the sentence.
    return places


def _stem(word: str) -> str:
    return _ENDING.sub("", word.lower())


def _stems(text: str) -> set[str]:
    return {_stem(w) for w in _WORD.findall(text) if w.lower() not in _EMPTY}


def _sentences_by_word(
    text: str, sentences: Sequence[tuple[int, int]]
) -> Mapping[str, Collection[int]]:
    """Maps each word to the sentences that contain it."""
    sentences_of: dict[str, dict[int, None]] = defaultdict(dict)
    for number, (start, end) in enumerate(sentences):
        for word in _stems(text[start:end]):
            sentences_of[word][number] = None
    return sentences_of


def _best_sentence(fact: str, sentences_of: Mapping[str, Collection[int]], last: int) -> int:
    """Returns the sentence that covers most of the fact's words, preferring one near `last`."""
    subject = _SUBJECT.match(fact)
    named = _stems(subject.group()) if subject else set()
    weights: dict[int, float] = defaultdict(float)
    for word in _stems(fact):
        candidates: Collection[int] = sentences_of.get(word, ())
        if len(candidates) > _COMMON:
            candidates = [p for p in (last, last + 1) if p in candidates]
        weight = 0.25 + 1 / (1 + 0.5 * max(len(candidates) - 1, 0))
        for p in candidates:  # facts repeat the subject's name, sentences write "he"
            weights[p] += weight * (0.3 if word in named else 1)
    if not weights:
        return last
    best = max(weights.values())

    def score(p: int) -> float:
        distance = p - last if p >= last else 1.5 + 0.5 * (last - p)
        return weights[p] - best * min(_BACK * distance, 0.6)

    return max(sorted(weights), key=lambda p: round(score(p), 9))


def _word_span(text: str, sentence: tuple[int, int], fact: str) -> tuple[int, int]:
    """Returns the part of a sentence from the first to the last word it shares with the fact."""
    words = _stems(fact)
    matches = [m.span() for m in _WORD.finditer(text, *sentence) if _stem(m.group()) in words]
    return (matches[0][0], matches[-1][1]) if matches else sentence
