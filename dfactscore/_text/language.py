"""Detects text that is not English.

Running text is full of little words: a quarter to a half of all words in each of these languages.
Their shares tell languages apart without a model. A text counts as another language only where its
little words clearly outnumber the English ones, so that names, lists and quotations do no harm.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib import resources

from dfactscore._util.numbers import counted

_ENGLISH = "English"
_PARTICLES = "(within names)"  # from any language: "Juan de la Cruz", "Ludwig van Beethoven"
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]{1,120}[\"”“»]")  # titles stay in their own language
_LEAST_SHARE = 0.12  # of the words outside names
_CLEARLY = 2.0  # times as many little words as English ones
_FEW_LETTERS = 10
_SUBJECT = "the text "
_NAMED = 3  # languages that a line names


def other_language(text: str) -> str | None:
    """Names the language of a text that is clearly not English.

    Args:
        text: Running text. A text that is too short, or consists of names, counts as English.

    Returns:
        A language (``"German"``), a script for what is not written in Latin letters
        (``"Cyrillic script"``); None for English.

    Example:
        >>> other_language("Ann Lee war eine englische Malerin und lebte bis 1900 in Berlin.")
        'German'
        >>> other_language("Ludwig van Beethoven wrote Für Elise and Die Weihe des Hauses.")
        >>> other_language("Лев Толстой — русский писатель.")
        'Cyrillic script'
    """
    script = _script(text)
    if script is not None:
        return script
    words = Counter(_plain_words(_QUOTED.sub(" ", text)))
    best, most = None, 1
    for language, its_own, english in _contrasts():
        different = words.keys() & its_own
        found = sum(map(words.__getitem__, different))
        if found <= most or len(different) < 2:
            continue
        against = sum(map(words.__getitem__, words.keys() & english))
        if found >= max(_CLEARLY * against, 3 if against else 2, _LEAST_SHARE * words.total()):
            best, most = language, found
    return best


def language_reason(language: str) -> str:
    """Says why a text is not scored.

    Args:
        language: Result of `other_language`.

    Example:
        >>> language_reason("German"), language_reason("Cyrillic script")
        ('the text looks German', 'the text is in Cyrillic script')
    """
    return f"{_SUBJECT}{'is in' if language.endswith('script') else 'looks'} {language}"


def unscored_languages(reasons: Mapping[str, int], total: int) -> str:
    """Says how many texts were not scored for their language, and which languages these are.

    Args:
        reasons: The count of each reason; a reason begins as `language_reason` writes it.
        total: Number of all texts.

    Example:
        >>> unscored_languages({"the text looks Spanish; English only": 1}, 30)
        '1 of 30 texts was not scored: it looks Spanish'
        >>> unscored_languages({"the text looks Spanish": 2}, 30)
        '2 of 30 texts were not scored: they look Spanish'
        >>> unscored_languages({"the text looks Spanish": 2, "the text is in Greek script": 1}, 30)
        '3 of 30 texts were not scored: 2 look Spanish, 1 is in Greek script'
    """
    kinds: Counter[str] = Counter()
    for reason, count in reasons.items():
        kinds[reason.partition(";")[0].removeprefix(_SUBJECT)] += count
    each = [(_agreeing(kind, count), count) for kind, count in kinds.most_common(_NAMED)]
    n = kinds.total()
    looks = ", ".join(f"{count} {kind}" for kind, count in each)
    if len(kinds) == 1:
        looks = f"{'it' if n == 1 else 'they'} {each[0][0]}"
    elif len(kinds) > _NAMED:
        looks += " …"
    was = "was" if n == 1 else "were"
    return f"{n} of {counted(total, 'text')} {was} not scored: {looks}"


def _agreeing(kind: str, count: int) -> str:
    """The verb for one text ("looks German") or several ("look German")."""
    if count == 1:
        return kind
    return kind.replace("looks ", "look ", 1).replace("is in ", "are in ", 1)


@cache
def _little_words() -> dict[str, frozenset[str]]:
    text = resources.files("dfactscore._text").joinpath("little_words.txt").read_text("utf-8")
    rows = (line.partition(": ") for line in text.splitlines())
    return {language: frozenset(words.split()) for language, _, words in rows}


@cache
def _contrasts() -> tuple[tuple[str, frozenset[str], frozenset[str]], ...]:
    """Each other language: its own little words, and the English ones; one of both says nothing."""
    english = _little_words()[_ENGLISH]
    return tuple(
        (language, little - english, english - little)
        for language, little in _little_words().items()
        if language != _PARTICLES
    )


def _script(text: str) -> str | None:
    """The script of most letters, if that is not Latin."""
    if text.isascii():
        return None
    letters = [c for c in text if c.isalpha()]
    if len(letters) < _FEW_LETTERS or sum(map(str.isascii, letters)) > len(letters) / 2:
        return None
    scripts = Counter(unicodedata.name(c, "UNKNOWN").split()[0].split("-")[0] for c in letters)
    script = scripts.most_common(1)[0][0]
    if script == "LATIN" or scripts["LATIN"] >= len(letters) / 2:
        return None
    return "Chinese or Japanese script" if script == "CJK" else f"{script.capitalize()} script"


def _plain_words(text: str) -> list[str]:
    """The words outside names: in lower case, or little ones that begin a sentence."""
    if not any(c.islower() for c in text):
        text = text.lower()
    english = _little_words()[_ENGLISH]
    found = [(m.group(), m.start()) for m in _WORD.finditer(text)]
    within = _within_names(text, found)
    plain = []
    for i, (word, start) in enumerate(found):
        low = word.lower()
        if word[:1].isupper():
            if low in english or (len(low) > 1 and _begins(text, start)):
                plain.append(low)
            continue
        if i not in within:
            plain.append(low)
    return plain


def _begins(text: str, start: int) -> bool:
    while start and text[start - 1] in " \t\"'“„«([*#-":
        start -= 1
    return not start or text[start - 1] in ".!?\n:"


def _within_names(text: str, found: list[tuple[str, int]]) -> set[int]:
    """The particles between parts of a name, by their place among the words."""
    particles = _little_words()[_PARTICLES]
    within: set[int] = set()
    last = -1  # the last word that is not a particle
    for i, (word, start) in enumerate(found):
        if word.lower() in particles and not word[:1].isupper():
            continue
        if 0 <= last < i - 1:
            before, begin = found[last]
            between = text[begin + len(before) : start]
            names = before[:1].isupper() and word[:1].isupper()
            if names and not re.search(r"[.,;:!?()\n]", between):
                within.update(range(last + 1, i))
        last = i
    return within
