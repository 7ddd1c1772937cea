"""Finds where the adjuncts of a predicate begin: "won the cup | in 1996 | with Leeds"."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from dfactscore.engines._builtin.decompose.attachments import ATTACHMENT
from dfactscore.engines._builtin.decompose.scans import ENDS, WHEN, Scan, can_be_verb
from dfactscore.engines._builtin.decompose.times import (
    PHRASE_OPENERS,
    TIMES,
    is_time,
    is_year_word,
)
from dfactscore.engines._builtin.language.adverbs import is_adverb, later_on, skip_adverbs
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PRONOUNS,
    RELATIVE_PRONOUNS,
    SMALL,
    past_of_any_gerund,
)
from dfactscore.engines._builtin.language.word_lists import word_list

OBJECTS = frozenset("him her it them that this his its their himself herself".split())  # noqa: SIM905
CLAUSES = RELATIVE_PRONOUNS - {"where"} | {"what", "how", "why", "whether", "if", "than"}
CLAUSE_OPENERS = frozenset({"because", "while", "when", "where"})
_OPENERS = word_list("openers")
_SUBJECTS = PRONOUNS | DETERMINERS
_MOTION = word_list("motion")
_SOME = frozenset({"some", "others", "many", "most", "critics"})
_LASTING = frozenset({"until", "till", "before", "after", "following", "since", "upon"})
_EXCEPTING = frozenset({"except", "though", "although"})
_PARTICLES = frozenset({"up", "out", "off", "away", "down", "to"})
_PAIRED = {"from": {"to", "until", "till", "through"}, "between": {"and"}, "since": set[str]()}


# No other word but a form in -ing outside of quotations ends the adjuncts.
_ENDINGS = CLAUSES | _EXCEPTING | {",", "to"}


class Step(Enum):
    """The action that a scan takes at a word."""

    STOP = auto()  # no adjunct begins here or later
    LAST = auto()  # the last adjunct begins here
    LAST_AFTER = auto()  # the last adjunct begins after the comma
    COMPLEMENT = auto()  # the word completes the verb or continues a phrase
    ATTACH = auto()  # a preposition that completes the words before it
    OPEN = auto()  # an adjunct begins here


def _opens_clause(scan: Scan) -> bool:
    """Whether "who" or the like begins a clause: "found that she", but not "won that cup"."""
    if scan.low not in CLAUSES or scan.at > scan.begin:
        return scan.low in CLAUSES
    near = scan.tokens[scan.at + 1 : min(scan.end, scan.at + 6)]
    subject = scan.after.capital or scan.after.low in _SUBJECTS
    clause = subject or any(t.low in AUXILIARIES for t in near)
    return scan.low == "that" and clause


def is_held(tokens: Sequence[Token], k: int) -> bool:
    """Whether a phrase such as "a post that she held" begins at `k`."""
    held = any(t.low in {"he", "she"} for t in tokens[k + 2 : k + 4])
    return held and tokens[k].low in {"a", "an", "the"}


def is_absolute(tokens: Sequence[Token], k: int) -> bool:
    """Whether a phrase such as "with her best result being a win" begins at `k`."""
    if tokens[k].low != "with":
        return False
    near = range(k + 2, k + 9)
    stops = (i for i in near if tokens[i].text == "," or tokens[i].low in PHRASE_OPENERS)
    words = tokens[k + 2 : next(stops, near.stop)]
    return any(past_of_any_gerund(t.low) for t in words if not t.capital)


def _is_thing(scan: Scan) -> bool:
    """Whether words on the noun follow the comma: "a drama", "the first synod", "starring Tom"."""
    closes = scan.after.text in {'"', "”"}
    if scan.token.depth and not closes:
        return False  # "in Leeds (her home, the oldest town) in 1990"
    first = scan.at + 1 + closes
    low, second = scan.tokens[first].low, scan.tokens[first + 1]
    ranked = second.low in {"first", "only"} or second.low.endswith("est")
    starring = past_of_any_gerund(low) and second.capital
    return bool(low in {"a", "an"} or (low == "the" and ranked) or starring)


def _adds_action(scan: Scan) -> bool:
    """Whether an -ing form after a year or a noun adds to the preceding action."""
    if not (scan.opens and past_of_any_gerund(scan.low)) or scan.token.capital:
        return False
    noun = scan.before.word and scan.before.low not in SMALL | {"to", "and"}
    noun = noun and not is_adverb(scan.before)
    does = noun and scan.low != "being" and scan.after.low in {"a", "an", "the"}
    return does or is_year_word(scan.before.text)


def _is_purpose(scan: Scan) -> bool:
    """Whether "to" introduces a purpose: "moved to Leeds to study law"."""
    words = scan.tokens[max(0, scan.chunk - 4) : scan.at]
    moved = scan.low == "to" and scan.before.capital and any(t.low in _MOTION for t in words)
    return moved and can_be_verb(scan.after)


def _is_preposition(scan: Scan) -> bool:
    """Whether the word opens a phrase here, unlike in "a large following" or "over 200 wickets"."""
    low, before, after = scan.low, scan.before, scan.after
    if low not in _OPENERS or scan.token.capital or scan.at + 1 >= scan.end:
        return False
    if low == "on" and later_on(scan.tokens, scan.at):
        return False
    if low == "as" and "well" in {before.low, after.low}:
        return False  # "as well as" joins
    if low in {"following", "outside", "inside"}:
        return before.capital or before.text == ","
    if low in {"over", "around", "under", "between"} and after.text[0].isdigit():
        return len(after.text) > 3 and is_year_word(after.text)
    return low != "due" or after.low == "to"


def _closes_pair(scan: Scan) -> bool:
    """Whether the word is the second of a pair, such as "to" in "from 1945 to 1960"."""
    return scan.low in _PAIRED.get(scan.tokens[scan.chunk].low, ())


def _opens_event(scan: Scan) -> bool:
    """Whether an event such as "before moving", "until his death" or "with some saying" begins."""
    if not scan.complete:
        return False
    low, follow, second = scan.low, scan.after.low, scan.ahead(2)
    does = scan.tokens[skip_adverbs(scan.tokens, scan.at + 1, scan.end - 1)].low
    return (
        (low in {"before", "after"} and does.endswith("ing"))
        or (low in _LASTING and second in ENDS)
        or (low in WHEN and follow == "the" and second not in TIMES)
        or (low == "with" and follow in _SOME)
        or (scan.before.text == "," and is_absolute(scan.tokens, scan.at))
    )


def _opens_subclause(scan: Scan) -> bool:
    """Whether a subordinate clause begins at the word."""
    if scan.low in CLAUSE_OPENERS:
        return True
    return scan.low in {"after", "before", "as", "since", "until"} and scan.opens_clause


def _opens_free_clause(scan: Scan) -> bool:
    """Whether a subordinate clause that can be separated begins at the word."""
    if not (scan.complete and _opens_subclause(scan)):
        return False
    if not scan.opens or scan.low not in {"where", "when"}:
        return True
    timed = is_time(scan.tokens, scan.opens[-1], scan.at)
    if scan.low == "where":
        return timed  # "in York, where she lives" stays together
    lasts = scan.tokens[scan.opens[-1]].low in _LASTING  # "until 1960 when"
    return not (timed and (lasts or scan.before.text == ","))  # "in 2003, when"


# fmt: off
ENDING: Table[Scan, Step | None] = Table("words that end the adjuncts", (
    Row("thing", "A description after a comma in an adjunct is of the thing in the adjunct.",
        "Ann Lee led the feast in York, the oldest fair held in modern times.",
        lambda s: s.token.text == "," and s.opens and _is_thing(s), Step.STOP),
    Row("quotation", "Words in quotation marks or brackets open no adjunct.",
        'Ann Lee wrote "Rain in Leeds".',
        lambda s: s.token.depth, Step.COMPLEMENT),
    Row("clause", 'Adjuncts end before a relative clause, a question or a clause with "that".',
        "Ann Lee is known for a speech in 1990 that led to the council changing the law.",
        _opens_clause, Step.STOP),
    Row("held until", "A thing held after a comma is an adjunct.",
        "In 1834, Ann Lee was elected Head of Kent, a post she held until 1840.",
        lambda s: s.token.comma and is_held(s.tokens, s.at + 1), Step.LAST_AFTER),
    Row("effect", "An effect after a comma is the last adjunct.",
        "Ann Lee won the cup in 1990, making her a star.",
        lambda s: s.token.comma and s.after.low.endswith("ing") and not s.after.capital
        and s.ahead(2) in OBJECTS, Step.LAST_AFTER),
    Row("followed by", "Followed or named after a comma opens the last adjunct.",
        "Ann Lee won the cup, followed by a title in 1990.",
        lambda s: s.token.comma and s.after.low in {"followed", "named"}, Step.LAST_AFTER),
    Row("exception", "An exception limits the words before it.",
        "Ann Lee was dean from 1950 until 1960, except for a long break in 1955.",
        lambda s: s.low in _EXCEPTING, Step.STOP),
    Row("action", "A form in -ing after an adjunct adds to the action.",
        "Ann Lee made a film in 1990 showing the war in Spain.",
        _adds_action, Step.LAST),
    Row("purpose", "A purpose after a movement is the last adjunct.",
        "Ann Lee moved to Leeds to study law.",
        _is_purpose, Step.LAST),
), otherwise=None)
# fmt: on

# fmt: off
PHRASE: Table[Scan, Step] = Table("openings of a phrase", (
    Row("until death", "The year after the second end of a period is the year of that event.",
        "Ann Lee ran the firm from 1945 until her death in 1961.",
        lambda s: _closes_pair(s) and s.ahead(2) in ENDS, Step.STOP),
    Row("pair", "The second preposition of a pair continues the first phrase.",
        "Ann Lee was a trader in Kent from 1811 through 1820.",
        _closes_pair, Step.COMPLEMENT),
    Row("event", "An event that dates the action is the last adjunct.",
        "Ann Lee kept bees before selling her farm at York for two years.",
        _opens_event, Step.LAST),
    Row("subordinate", "A subordinate clause is the last adjunct.",
        "Ann Lee taught in a school in Leeds while becoming active in the trade of the town.",
        _opens_free_clause, Step.LAST),
    Row("clause of adjunct", "A clause about a place or a year stays with it.",
        "Ann Lee is a baker at the Mill of Kent where she tests flour in May.",
        _opens_subclause, Step.STOP),
    Row("attached", "A phrase that completes the words before it opens no adjunct.",
        "Ann Lee won the Academy Award for Best Picture.",
        ATTACHMENT.answer, Step.ATTACH),
), otherwise=Step.OPEN)
# fmt: on


def openings(tokens: Sequence[Token], begin: int, end: int, *, nominal: bool) -> list[int]:
    """Returns the indices at which adjuncts begin, excluding the phrase that completes the verb."""
    scan = Scan(tokens, begin, end, nominal=nominal)
    for at in range(begin, end):
        scan.move(at)
        may_end = scan.token.depth or scan.low in _ENDINGS or scan.low.endswith("ing")
        step = ENDING.answer(scan) if may_end else None
        if step is None and not _is_preposition(scan):
            scan.complete |= scan.token.word and scan.low not in _PARTICLES
            continue
        step = step or PHRASE.answer(scan)
        if step is Step.STOP:
            break
        if step is Step.LAST or step is Step.LAST_AFTER:
            scan.opens.append(at + (step is Step.LAST_AFTER))
            break
        if step is Step.COMPLEMENT:
            scan.complete = True
        elif step is Step.ATTACH:
            scan.attach()
        elif step is Step.OPEN:
            scan.open()
    return scan.opens
