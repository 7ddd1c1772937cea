"""Cuts endless repetition from generated texts."""

from __future__ import annotations

import re

_CITATION = re.compile(r"\[[\d,\s–-]*\]")
# Simpler than `split_sentences`: a loop may end within a sentence, and a wrong split at "Dr." does
# not matter for finding repetitions.
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)[\"”')\]]*")
_REPEATS = 3
_ENDLESS = 5  # a sentence with this many copies is an endless repetition
_LONGEST_UNIT = 40  # words; longer units are found as repeated sentences


def cut_repetition(text: str) -> tuple[str, bool]:
    """Cuts a text where it starts to repeat itself.

    If a sentence occurs five times in all, or three times with no new sentence between the last two
    copies, the text is cut before its second copy. If words are repeated until the end, the text is
    cut after their first copy. Citations, case and spaces are ignored. Headings and lines without a
    period may recur as long as new text follows: an answer about three people may have the heading
    "Early life" three times.

    Example:
        >>> cut_repetition("He swam [1]. He won. He won. He won. He won. He")
        ('He swam [1]. He won.', True)
    """
    first: dict[str, int] = {}
    places: dict[str, list[int]] = {}
    keys: list[str] = []
    starts: list[int] = []
    for match in _SENTENCE.finditer(text):
        key = " ".join(re.findall(r"\w+", _CITATION.sub(" ", match[0]).casefold()))
        if not key:
            continue
        first.setdefault(key, len(keys))
        seen = places.setdefault(key, [])
        seen.append(len(keys))
        keys.append(key)
        starts.append(match.start())
        if len(seen) < _REPEATS or " " not in key:
            continue
        second, last = seen[1], seen[-2]
        nothing_new = all(first[k] < second for k in keys[last:])
        if nothing_new or (len(seen) >= _ENDLESS and set(match[0]) & set(".!?")):
            return text[: starts[second]].rstrip(), True
    words = list(re.finditer(r"\S+", text))
    folded = [w[0].casefold() for w in words]
    for unit in range(1, min(_LONGEST_UNIT, len(folded) // _REPEATS) + 1):
        length = unit
        while length < len(folded) and folded[-length - 1] == folded[-length - 1 + unit]:
            length += 1
        if length >= unit * (_REPEATS if unit > 2 else 5):
            return text[: words[len(words) - length + unit - 1].end()].rstrip(), True
    return text, False
