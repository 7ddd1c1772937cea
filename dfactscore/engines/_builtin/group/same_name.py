"""Compares the names of people: parts, initials, spellings, short forms."""

from __future__ import annotations

from collections.abc import Iterable

from dfactscore._text.person_names import SUFFIXES
from dfactscore._text.same_person import SHORT_FORMS, same_given
from dfactscore.engines._builtin.group.mentions import near_words

Form = tuple[str, ...]


def same_word(first: str, second: str, *, slips: int = 7) -> bool:
    """Whether two words in names match; long words may differ by one letter.

    Example:
        >>> same_word("bob", "robert"), same_word("tkachov", "tkachyov"), same_word("a", "ann")
        (True, True, True)
    """
    slip = first[0] == second[0] and len(first) >= slips and near_words(first, second)
    return slip or same_given(first, second)


def contains(long: Form, short: Form) -> bool:
    """Whether a name contains every word of a shorter name, in any form."""
    slips = 5 if len(short) == 1 else 7  # "Marín Ruiz" is not "Martín"
    for word in short:
        if word not in long:
            # only short forms may begin with a different letter ("Bob" for "Robert")
            near = long if word in SHORT_FORMS else [o for o in long if o[0] == word[0]]
            if not any(same_word(word, other, slips=slips) for other in near):
                return False
    return True


def same(first: Form, second: Form) -> bool:
    """Whether two names have the same words, allowing for spelling variants and short forms."""
    if len(first) != len(second):
        return False
    if all(same_word(a, b, slips=5) for a, b in zip(first, second, strict=True)):
        return True
    return contains(first, second) and contains(second, first)


def numbered_otherwise(name: Form, known_forms: Iterable[Form]) -> bool:
    """Whether a number or "Jr." distinguishes a name from all known names ("Cyril V")."""
    numbered = any(len(word) > 1 and word in SUFFIXES for word in name)
    if not (numbered or name[-1] in SUFFIXES):  # elsewhere an initial
        return False
    forms = [set(form) for form in known_forms]
    alike = any({w for w in form if w not in SUFFIXES} <= set(name) for form in forms)
    return alike and not any(form >= set(name) for form in forms)
