"""Whether two names can be one person's: parts, initials, spellings, short forms."""

from __future__ import annotations

from collections.abc import Iterable

from dfactscore._text.person_names import SUFFIXES
from dfactscore._text.same_person import SHORT_FORMS, same_given
from dfactscore.engines._builtin.group.mentions import near_words

Form = tuple[str, ...]


def same_word(one: str, other: str, *, slips: int = 7) -> bool:
    """Whether two words of names can match; one slip in long words is allowed.

    Example:
        >>> same_word("bob", "robert"), same_word("tkachov", "tkachyov"), same_word("a", "ann")
        (True, True, True)
    """
    slip = one[0] == other[0] and len(one) >= slips and near_words(one, other)
    return slip or same_given(one, other)


def contains(long: Form, short: Form) -> bool:
    """Whether each word of a name, in any form, is in a longer one."""
    slips = 5 if len(short) == 1 else 7  # "Marín Ruiz" is not "Martín"
    for word in short:
        if word not in long:
            # what a name is short for may begin with another letter; other words tell at once
            near = long if word in SHORT_FORMS else [o for o in long if o[0] == word[0]]
            if not any(same_word(word, other, slips=slips) for other in near):
                return False
    return True


def same(one: Form, other: Form) -> bool:
    """Whether two names have the same words, spellings and short forms allowed."""
    if len(one) != len(other):
        return False
    if all(same_word(a, b, slips=5) for a, b in zip(one, other, strict=True)):
        return True
    return contains(one, other) and contains(other, one)


def numbered_otherwise(name: Form, known: Iterable[Form]) -> bool:
    """Whether a number or "Jr." tells a name from those known ("Cyril V", "Cyril VI")."""
    numbered = any(len(word) > 1 and word in SUFFIXES for word in name)
    if not (numbered or name[-1] in SUFFIXES):  # elsewhere an initial
        return False
    forms = [set(form) for form in known]
    alike = any({w for w in form if w not in SUFFIXES} <= set(name) for form in forms)
    return alike and not any(form >= set(name) for form in forms)
