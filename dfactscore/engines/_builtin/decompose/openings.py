"""Finds where the adjuncts of a predicate begin: "won the cup | in 1996 | with Leeds"."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.nouns import (
    PHRASE_OPENERS,
    TIMES,
    is_time,
    is_year_word,
    opens_time,
)
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import is_adverb, later_on, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PARTICIPLES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE_PRONOUNS,
    SMALL,
    is_finite_form,
    past_of_any_gerund,
    word_list,
)

ENDS = frozenset({"death", "retirement", "resignation", "marriage", "return", "arrival"})
ENDS |= {"formation", "inception", "foundation", "founding", "creation", "establishment"}
WHEN = frozenset({"before", "after", "until", "since"})
_BE = frozenset({"is", "was", "are", "were", "been", "be"})
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
OBJECTS = frozenset("him her it them that this his its their himself herself".split())  # noqa: SIM905
CLAUSES = RELATIVE_PRONOUNS - {"where"} | {"what", "how", "why", "whether", "if", "than"}
CLAUSE_OPENERS = frozenset({"because", "while", "when", "where"})
ALL_CLAUSES = CLAUSES | CLAUSE_OPENERS
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


class Scan:
    """The state of a scan at one word of a predicate."""

    def __init__(self, tokens: Sequence[Token], begin: int, end: int, *, nominal: bool) -> None:
        self.tokens, self.begin, self.end, self.nominal = tokens, begin, end, nominal
        self.opens: list[int] = []  # indices of the beginnings of adjuncts found so far
        self.chunk = begin  # index at which the current adjunct or the complement begins
        self.complete = self.timed_first = False
        self.move(begin)

    def move(self, at: int) -> None:
        """Moves to a token."""
        self.at, self.token, self.low = at, self.tokens[at], self.tokens[at].low
        self.before, self.after = self.tokens[at - 1], self.tokens[at + 1]

    def attach(self) -> None:
        """Attaches a preposition to the words before it."""
        self.complete = True
        if self.at == self.begin:
            self.timed_first = self.timed

    def open(self) -> None:
        """Opens an adjunct; a time right after the verb and before a place becomes one, too."""
        if self.timed_first and not self.opens and not self.timed:
            self.opens.append(self.begin)
        self.opens.append(self.at)
        self.chunk = self.at

    def ahead(self, distance: int) -> str:
        """Returns the word that many tokens ahead (or, if negative, behind) in lowercase."""
        return self.tokens[self.at + distance].low

    @property
    def verb(self) -> str:
        """The last word of the verb."""
        return self.tokens[self.begin - 1].low

    @property
    def timed(self) -> bool:
        """Whether the phrase opened by the preposition expresses a time."""
        return opens_time(self.tokens, self.at, self.end)

    @property
    def known(self) -> str:
        """The word before the preposition, or before an adverb: "active mainly | in"."""
        return self.ahead(-1 - is_adverb(self.before))

    @property
    def after_adjective(self) -> bool:
        """Whether only an adjective separates "is" from the word: "is most notable | for"."""
        at = self.begin
        while is_adverb(self.tokens[at - 1]):
            at -= 1
        words = self.tokens[self.begin : self.at]
        plain = 0 < len(words) <= 3 and all(map(_is_adjective, words))
        return plain and self.tokens[at - 1].low in _BE

    @property
    def superlative(self) -> bool:
        """Whether the current adjunct contains a superlative such as "the oldest"."""
        return any(
            t.low.endswith("est") and self.tokens[i - 1].low == "the"
            for i, t in enumerate(self.tokens[self.chunk : self.at - 1], self.chunk)
        )

    @property
    def opens_clause(self) -> bool:
        """Whether an independent clause follows: "after he had left Leeds", "as the town grew"."""
        if self.after.low in PRONOUNS:
            return True
        for i in range(self.at + 1, min(self.end, self.at + 8)):
            token = self.tokens[i]
            if token.text == "," or token.low in PREPOSITIONS:
                return False
            if i > self.at + 1 and not token.depth and is_finite_form(token.text):
                return not (token.low.endswith("ed") and self.tokens[i - 1].low in DETERMINERS)
        return False


def can_be_verb(token: Token) -> bool:
    """Whether a word after "to" can be a verb."""
    return not token.capital and token.low not in SMALL and token.text.isalpha()


def _is_adjective(token: Token) -> bool:
    plain = token.text.replace("-", "").isalpha() and not token.low.endswith(("ing", "s"))
    return plain and not is_role(token.low) and token.low not in SMALL


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
