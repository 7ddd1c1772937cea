"""Detects text that is not English.

In each of the known languages, function words make up a quarter to a half of all words in running
text. Their shares are enough to identify a language without a model. A text is in another language
only if that language's function words clearly outnumber the English ones: names, lists and
quotations do not affect the result.
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
_PARTICLES = "(within names)"  # of all languages: "Juan de la Cruz", "Ludwig van Beethoven"
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]{1,120}[\"”“»]")  # titles stay in their own language
# A title inside a sentence begins with a capital article of another language: "Il Gattopardo".
_TITLE = re.compile(
    r"(?<=[a-z\u00df-\u00ff] )(?:Il|Lo|La|Le|Les|El|Los|Las|Die|Der|Das|Une?|Una|Det|Den|Os|As|De)"
    r"(?: [^\W\d_][\w'’-]*){1,8}"
)
_LEAST_SHARE = 0.12  # minimum share of a language's function words among the words outside names
_CLEARLY = 2.0  # minimum ratio of a language's function words to English ones
_FEW_LETTERS = 10
_SENTENCE = 12  # maximum number of words outside names in a short sentence
_SUBJECT = "the text "
_UNLIKE = "unlike English"
_NAMED = 3  # maximum number of languages named in a message


def other_language(text: str) -> str | None:
    """Returns the language of a text that is clearly not English.

    Example:
        >>> other_language("Ann Lee war eine englische Malerin und lebte bis 1900 in Berlin.")
        'German'
        >>> other_language("Ludwig van Beethoven wrote Für Elise and Die Weihe des Hauses.")
        >>> other_language("Лев Толстой — русский писатель.")
        'Cyrillic script'
    """
    # Returns the name of a language (`"German"`) or, if the letters are not Latin, of a script
    # (`"Cyrillic script"`); None for English.
    script = _script(text)
    if script is not None:
        return script
    words = Counter(_plain_words(_QUOTED.sub(" ", text)))
    best, best_count = None, 1
    for language, words_of_language, english in _contrasts():
        matches = words.keys() & words_of_language
        count = sum(map(words.__getitem__, matches))
        if count <= best_count or len(matches) < 2:
            continue
        english_count = sum(map(words.__getitem__, words.keys() & english))
        if count >= max(
            _CLEARLY * english_count, 3 if english_count else 2, _LEAST_SHARE * words.total()
        ):
            best, best_count = language, count
    return best or _of_a_sentence(words, text) or _foreign_letters(words)


def _of_a_sentence(words: Counter[str], text: str) -> str | None:
    """Returns the language of a sentence too short for two function words, if it has no English."""
    if not 2 <= words.total() <= _SENTENCE:
        return None
    small = {word for word in _WORD.findall(text) if len(word) > 1 and word.islower()}
    for language, words_of_language, english in _contrasts():
        found = small & words.keys() & words_of_language
        if found and 4 * len(found) >= words.total() and not words.keys() & english:
            return language
    return None


def _foreign_letters(words: Counter[str]) -> str | None:
    """Returns a description of a text without English function words and with foreign letters.

    It serves texts too short for the function words of their language.
    """
    if words.keys() & _little_words()[_ENGLISH]:
        return None
    foreign = sum(count for word, count in words.items() if not word.isascii())
    return _UNLIKE if foreign >= 2 and 2 * foreign >= words.total() else None


def language_reason(language: str) -> str:
    """Returns the reason a text is not scored.

    Example:
        >>> language_reason("German"), language_reason("Cyrillic script")
        ('the text looks German', 'the text is in Cyrillic script')
    """
    return f"{_SUBJECT}{'is in' if language.endswith('script') else 'looks'} {language}"


def unscored_languages(reasons: Mapping[str, int], total: int) -> str:
    """Returns a message about the texts that were not scored because of their language.

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
    phrases = [(_agreeing(kind, count), count) for kind, count in kinds.most_common(_NAMED)]
    unscored = kinds.total()
    languages = ", ".join(f"{count} {kind}" for kind, count in phrases)
    if len(kinds) == 1:
        languages = f"{'it' if unscored == 1 else 'they'} {phrases[0][0]}"
    elif len(kinds) > _NAMED:
        languages += " …"
    verb = "was" if unscored == 1 else "were"
    return f"{unscored} of {counted(total, 'text')} {verb} not scored: {languages}"


def _agreeing(kind: str, count: int) -> str:
    """Makes the verb agree with the number of texts: "looks German" or "look German"."""
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
    """Returns the function words of each other language and of English, excluding shared words."""
    english = _little_words()[_ENGLISH]
    return tuple(
        (language, little - english, english - little)
        for language, little in _little_words().items()
        if language != _PARTICLES
    )


def _script(text: str) -> str | None:
    """Returns the script of most of the letters, or None if it is Latin."""
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
    """Returns the words outside names: those that are lower-case, English or sentence-initial."""
    if not any(c.islower() for c in text):
        text = text.lower()
    text = _TITLE.sub(" ", text)
    english = _little_words()[_ENGLISH]
    tokens = [(m.group(), m.start()) for m in _WORD.finditer(text)]
    particles = _within_names(text, tokens)
    plain = []
    for i, (word, start) in enumerate(tokens):
        lower = word.lower()
        if word[:1].isupper():
            if lower in english or (len(lower) > 1 and _begins(text, start)):
                plain.append(lower)
            continue
        if i not in particles:
            plain.append(lower)
    return plain


def _begins(text: str, start: int) -> bool:
    while start and text[start - 1] in " \t\"'“„«([*#-":
        start -= 1
    return not start or text[start - 1] in ".!?\n:"


def _within_names(text: str, tokens: list[tuple[str, int]]) -> set[int]:
    """Returns the indexes of particles that stand between parts of a name."""
    particles = _little_words()[_PARTICLES]
    indexes: set[int] = set()
    last = -1  # the last word that is not a particle
    for i, (word, start) in enumerate(tokens):
        if word.lower() in particles and not word[:1].isupper():
            continue
        if 0 <= last < i - 1:
            last_word, last_start = tokens[last]
            between = text[last_start + len(last_word) : start]
            capitals = last_word[:1].isupper() and word[:1].isupper()
            if capitals and not re.search(r"[.,;:!?()\n]", between):
                indexes.update(range(last + 1, i))
        last = i
    return indexes
