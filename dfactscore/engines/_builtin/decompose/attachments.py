"""Tells which prepositional phrases complete the preceding words rather than open an adjunct."""

from __future__ import annotations

from dfactscore.engines._builtin.decompose.scans import WHEN, Scan
from dfactscore.engines._builtin.decompose.times import PHRASE_OPENERS, is_time, is_year_word
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.word_classes import (
    PARTICIPLES,
    SMALL,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_JOINED = SMALL | {"to", "than", "and", "or", "but", "well", "not"}
_SPENT = frozenset({"spent", "spend", "spends", "spending"})
_HELD_TO_BE = frozenset(
    {"known", "regarded", "considered", "described", "recognized", "recognised"}
)
# "in which", "in general": no noun phrase follows
_BARE_AFTER = frozenset({"which", "whom", "addition", "particular", "general", "all"})
_BODIES = word_list("bodies")
# Nouns completed by a prepositional phrase: "an advocate for reform", "a role in a film"
_COMPLETED = word_list("completed")
# Nouns for the whole of a place or thing: such a phrase belongs to the noun right before it
_OF_NOUNS = word_list("of_nouns")


def _repeats_preposition(scan: Scan) -> bool:
    """Whether a date is followed by "and" and the adjunct's preposition."""
    if scan.before.low != "and" or scan.low not in {scan.tokens[k].low for k in scan.opens}:
        return False
    year = scan.tokens[scan.at - 2 - (scan.ahead(-2) == ",")]
    return scan.timed or is_year_word(year.text)


def _completes_noun(scan: Scan) -> bool:
    """Whether the noun and the preposition go together and what follows is not just a time."""
    noun = scan.before.low
    if f"{noun}:{scan.low}" not in _COMPLETED:
        return False
    if noun == "career":
        rest = [t.low for t in scan.tokens[scan.at + 1 : scan.end] if t.low in PHRASE_OPENERS]
        return rest != ["in"] or not is_time(scan.tokens, scan.at, scan.end)
    return noun.removesuffix("s") != "championship" or not scan.timed


def _between_names(scan: Scan) -> bool:
    return scan.before.capital and scan.tokens[scan.at + 2].capital


# fmt: off
ATTACHMENT: Table[Scan, bool] = Table("phrases that complete a word", (
    Row("regarded as", '"As" completes "known", "regarded" and the like.',
        "Ann Lee described Tom Hill as empty.",
        lambda s: s.low == "as" and s.verb in _HELD_TO_BE and s.tokens[s.begin].low != "for", True),
    Row("same preposition", '"And" with the same preposition after a date opens an adjunct.',
        "Ann Lee sat for Leeds from 1867 to 1872 and from 1874 to 1878.",
        _repeats_preposition, False),
    Row("complement", "The first phrase completes a verb that nothing has completed yet.",
        "Ann Lee worked as clerk to the mayor in the 1820s.",
        lambda s: not s.complete, True),
    Row("after small word",
        "A preposition after another, an article or a conjunction continues the phrase.",
        "Ann Lee served in the guild and as a member of the court between 1927 and 1932.",
        lambda s: s.before.low in _JOINED, True),
    Row("infinitive", 'A phrase after "to" and a verb completes the verb.',
        "Ann Lee was able to study at Kent School before earning a degree.",
        lambda s: s.ahead(-2) == "to" and not s.before.capital and s.at - 2 > s.chunk, True),
    Row("adjective", 'A phrase other than a time completes an adjective after "is".',
        "Ann Lee was helpful in building the mill.",
        lambda s: s.after_adjective and not s.timed, True),
    Row("gerund", "A phrase completes a form in -ing.",
        "Ann Lee retired after sailing for York.",
        lambda s: past_of_any_gerund(s.before.low)
        and not (s.ahead(-2) == "from" and s.timed), True),
    Row("participle", "A phrase completes a participle in a complement.",
        "Ann Lee starred in a film released in 1990.",
        lambda s: s.at - 1 > s.begin
        and (s.before.low in PARTICIPLES or s.before.low.endswith("ed")), True),
    Row("noun and preposition", "A phrase completes a noun that takes its preposition.",
        "Ann Lee was given a role in a film.",
        _completes_noun, True),
    Row("award", '"For" completes the name of an award or prize.',
        "Ann Lee received a Hill Award for public service in 1990.",
        lambda s: s.low == "for" and s.before.capital and s.before.low in {"award", "prize"}, True),
    Row("spent", 'The first phrase completes "spent two years".',
        "Ann Lee spent two years in Leeds.",
        lambda s: not s.opens and s.low not in WHEN and s.verb in _SPENT, True),
    Row("repeated noun", "A phrase between two equal nouns completes the first.",
        "Ann Lee was the best fighter pound for pound in 1990.",
        lambda s: s.after.low == s.before.low, True),
    Row("active in",
        'A phrase completes "active", "based" or "jointly", also with an adverb between.',
        "Ann Lee ran a firm active mainly in Leeds.",
        lambda s: s.known in {"active", "based", "jointly", "known", "made"}, True),
    Row("description", '"For", "with" and "by" complete a description.',
        "Ann Lee was a pilot with the Royal Mail.",
        lambda s: s.nominal and s.low in {"for", "with", "by"} and s.before.text != ","
        and not s.timed, True),
    Row("qualified for games", '"In" completes the name of the games after "qualified for".',
        "Ann Lee qualified for the 1990 Games in Rome.",
        lambda s: s.low == "in" and s.verb == "qualified", True),
    Row("superlative", "A place completes a superlative.",
        "Ann Lee taught at one of the oldest schools in Kent.",
        lambda s: s.low == "in" and s.superlative and not s.timed, True),
    Row("in which", '"In which", "in particular" and the like open no adjunct.',
        "Ann Lee read books in general.",
        lambda s: s.after.low in _BARE_AFTER, True),
    Row("names", '"For", "on" and "upon" between two names are parts of one name.',
        "Ann Lee lived in Newcastle upon Tyne.",
        lambda s: s.low in {"for", "on", "upon"} and s.before.capital and s.after.capital, True),
    Row("body", '"For the" after "School", and in the last of several titles, is part of the name.',
        "Ann Lee attended the School for the Arts.",
        lambda s: s.low == "for" and _between_names(s)
        and (s.before.low in _BODIES or s.ahead(-2) in {"and", ","}), True),
    Row("second body", "A preposition in the second of two names is part of the name.",
        "Ann Lee joined the Board and the Women in Football Committee.",
        lambda s: s.after.capital and (s.ahead(-3), s.ahead(-2)) == ("and", "the"), True),
    Row("first adjunct", "A phrase that completes nothing opens the first adjunct.",
        "Ann Lee won the cup with Leeds.",
        lambda s: not s.opens, False),
    Row("for doing", 'A phrase after "for leading" belongs to what was led.',
        "Ann Lee was decorated in Rome for leading a raid in 1917.",
        lambda s: s.tokens[s.chunk].low == "for"
        and past_of_any_gerund(s.tokens[s.chunk + 1].low), True),
    Row("after time", "A phrase after a time opens an adjunct.",
        "Ann Lee won the cup at the end of the season with Leeds.",
        lambda s: is_time(s.tokens, s.chunk, s.at), False),
    Row("place of noun", "A phrase of place completes the noun before it in an adjunct.",
        "Ann Lee won the cup for her club in Leeds.",
        lambda s: s.low in _OF_NOUNS and not s.timed, True),
), otherwise=False)
# fmt: on
