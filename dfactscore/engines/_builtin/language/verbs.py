"""Finite verbs and the adverbs before them ("his works" and "the retired" have none), and years."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.language.rows import Row, Table, WordCase
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    ADVERBS,
    AUXILIARIES,
    DETERMINERS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    SMALL,
    is_adjective_ed,
    is_base_form,
    is_finite_form,
)

_LY_NOUNS = frozenset(
    {"family", "assembly", "supply", "monopoly", "anomaly", "weekly", "butterfly"}
)
NOMINATIVE = frozenset({"he", "she", "they"})
_CALLED = frozenset({"called", "named"})
_OBJECTS = frozenset("it him her them me us himself herself themselves".split())  # noqa: SIM905
_BEFORE_PAST = frozenset({"this", "that", "all", "both"})
_SUBJECTS = PRONOUNS | {"who", "and", "which", "that"}
_LONGEST_PAIR = 14  # words of two subjects
_REPORTS = frozenset({"mentions", "describes", "discusses"})


def is_adverb(token: Token) -> bool:
    """Whether a word is an adverb, either a known one or judging by its ending."""
    low = token.low
    if low in ADVERBS:
        return True
    return len(low) > 5 and low.endswith("ly") and not token.capital and low not in _LY_NOUNS


def is_year(text: str) -> bool:
    """Whether a word is a four-digit year."""
    return len(text) == 4 and text.isdigit()


def skip_adverbs(tokens: Sequence[Token], i: int, end: int) -> int:
    """Returns the index of the first word at or after `i` that is not an adverb."""
    while i < end and (is_adverb(tokens[i]) or (tokens[i].low == "on" and later_on(tokens, i))):
        i += 1
    return i


def later_on(tokens: Sequence[Token], i: int) -> bool:
    """Whether "on" merely reinforces the preceding word: "later on switched", "early on in"."""
    after = tokens[i + 1].low
    reinforces = after in PREPOSITIONS or is_finite_form(after)
    return reinforces and tokens[i - 1].low in {"later", "early"}


class VerbCase(WordCase):
    """A lowercase word that can be a verb."""

    @property
    def past(self) -> bool:
        """Whether the word ends in -ed."""
        return self.low.endswith("ed")


def _is_unknown_present(form: VerbCase) -> bool:
    """Whether an unknown word ending in -s is a verb: "he cherishes the", "who relies on"."""
    if len(form.low) < 4:
        return False
    subject = form.before
    if is_adverb(subject):
        subject = form.tokens[form.at - 2]
        if subject.low == "and":  # "and regularly talks about"
            return _phrase_follows(form)
    return subject.low in {"he", "she", "who"} and _phrase_follows(form)


def _phrase_follows(form: VerbCase) -> bool:
    return form.after.low in SMALL or form.after.capital or is_adverb(form.after)


def _is_other(form: VerbCase) -> bool:
    """Whether "the other" is the subject of a past-tense verb: "the other attended a school"."""
    if form.before.low != "other" or form.tokens[form.at - 2].low != "the":
        return False
    return form.past and (form.after.low in SMALL or form.after.capital)


def _later_verb(form: VerbCase) -> bool:
    """Whether another word before the next comma can be a verb."""
    for token in form.tokens[form.at + 1 : min(form.end, form.at + 13)]:
        if token.text in ",;":
            return False
        if token.depth == 0 and not token.capital and is_finite_form(token.low):
            return True
    return False


def _has_two_subjects(form: VerbCase) -> bool:
    """Whether only "the mayor and his clerk" or the like precedes a base form and its object."""
    tokens, at = form.tokens, form.at
    openers = DETERMINERS | POSSESSIVES
    noun = form.before.low.isalpha() and form.before.low not in SMALL
    if form.low.endswith("s") or tokens[0].low not in openers or not noun:
        return False
    before = tokens[1:at]
    ands = (k for k in range(2, at - 2) if tokens[k].low == "and")
    joined = any(tokens[k + 1].low in openers for k in ands)
    return joined and not any(t.comma or t.depth or is_finite_form(t.low) for t in before)


# fmt: off
RARE: Table[VerbCase, bool] = Table("rare finite verbs", (
    Row("called-it", '"Called" and "named" are verbs before a pronoun that is their object.',
        "Ann Lee sang, and Tom Hill called her a star.",
        lambda f: f.low in _CALLED and f.after.low in _OBJECTS, True),
    Row("unknown-present",
        'An unknown word in -s is a verb after "he", "she" or "who" and before a phrase.',
        "Ann Lee is a poet and she cherishes the town of Leeds.",
        _is_unknown_present, True),
    Row("two-subjects", "A base form is a verb after two subjects and before its object.",
        "Ann Lee sang. The mayor and his clerk run the fair.",
        _has_two_subjects, True),
), otherwise=False)
# fmt: on

# fmt: off
FINITE: Table[VerbCase, bool] = Table("finite verbs", (
    Row("the-will", '"Will" after a determiner is a noun.',
        "Her will named Tom Hill.",
        lambda f: f.low == "will" and f.before.low in DETERMINERS, False),
    Row("auxiliary", "An auxiliary is a verb wherever it stands.",
        "The other is Ann Lee, a nun.",
        lambda f: f.low in AUXILIARIES, True),
    Row("the-other", 'A past after "the other" is a verb before a phrase or a name.',
        "One Ann Lee was a nurse, and the other attended Kent School.",
        _is_other, True),
    Row("that-past", 'A form in -ed after "that", "this", "all" or "both" is a verb.',
        "Ann Lee sang in Leeds; this helped the school.",
        lambda f: f.past and f.before.low in _BEFORE_PAST, True),
    Row("noun-after-determiner",
        "A form after a determiner or a possessive describes or names a thing.",
        "The works of Ann Lee were read in Leeds.",
        lambda f: f.before.low in DETERMINERS or f.before.low.endswith(("'s", "’s")), False),
    Row("noun-after-preposition",
        'A form after a preposition other than the one in "later on" is not a verb.',
        "Ann Lee studied under famed historian Tom Hill.",
        lambda f: f.before.low in PREPOSITIONS and not later_on(f.tokens, f.at - 1), False),
    Row("adjective", "An adjective in -ed is a verb only after a pronoun or before a phrase.",
        "Very talented singer Ann Lee sang in Leeds.",
        lambda f: is_adjective_ed(f.low) and f.before.low not in NOMINATIVE
        and f.after.low not in SMALL | _OBJECTS, False),
    Row("present-of-subject", "A form in -s is a verb after a pronoun, a conjunction or an adverb.",
        "Ann Lee is a judge and plays golf that was invented in Leeds.",
        lambda f: f.before.low in _SUBJECTS or is_adverb(f.before), True),
    Row("present-of-person", "A form in -s is a verb after a role.",
        "The actress plays a nurse who met Tom Hill.",
        lambda f: is_role(f.before.text), True),
    Row("report", "A verb of reporting is a verb after a document.",
        "Ann Lee is a judge. Another document mentions an Ann Lee who was a nun in Kent.",
        lambda f: f.low in _REPORTS, True),
    Row("noun-in-s", "A form in -s after a lower-case word is a noun if a verb follows.",
        "Her stage plays were read in Leeds.",
        lambda f: f.low.endswith("s") and f.before.word and not f.before.capital and not f.past
        and _later_verb(f), False),
), otherwise=True)
# fmt: on


def finite_at(tokens: Sequence[Token], i: int, end: int) -> bool:
    """Whether the token is a finite verb in its context."""
    token = tokens[i]
    if token.capital:
        return False
    form = VerbCase(tokens, i, end)
    if is_finite_form(token.low):
        return FINITE.answer(form)
    if token.low.endswith("s") or token.low in _CALLED:
        return RARE.answer(form)
    object_after = i < _LONGEST_PAIR and form.after.low in _OBJECTS | DETERMINERS
    known = is_base_form(token.low) and (_phrase_follows(form) or object_after)
    plain = object_after and token.low.isalpha() and token.low not in SMALL | ADVERBS
    return (known or plain) and RARE.answer(form)
