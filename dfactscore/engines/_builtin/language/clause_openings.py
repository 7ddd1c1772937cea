"""Finds where another clause of a sentence begins: "Ann Lee was a nun, | and she sang"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from dfactscore.engines._builtin.language.announcements import is_listing
from dfactscore.engines._builtin.language.clauses import (
    LONGEST_SUBJECT,
    Clause,
    Parts,
    Range,
    find_subject,
    parse_clause,
)
from dfactscore.engines._builtin.language.rows import Row, Table, WordCase
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import NOMINATIVE, finite_at, skip_adverbs
from dfactscore.engines._builtin.language.word_classes import (
    BE,
    DETERMINERS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE_PRONOUNS,
)

_CONTRASTS = frozenset({"and", "but", "while", "whereas"})
_JOINING = _CONTRASTS | {"although", "though", "yet"}
_ORDINALS = frozenset({"first", "second", "third", "other", "latter", "former"})
_LASTING = frozenset({"was", "remains", "remained"})
_SUBORDINATING = frozenset({"when", "while", "where", "that", "if", "because"})
_RELATIVE_OPENERS = RELATIVE_PRONOUNS - {"that"} | {"when"}
_CONFUSED = frozenset({"confused", "mistaken", "mixed", "conflated"})
_EPITHETS = frozenset({"elder", "younger"})
_LONGEST_DESCRIPTION = 5
_LONGEST_CIRCUMSTANCE = 6
_LISTING = frozenset({"and", "what"})
_COUNTED = DETERMINERS - PRONOUNS - {"that"} | {"most", "many", "some", "all", "both", "none"}
_COUNTED |= {"several", "little", "neither"}


class Opening(WordCase):
    """A word that may begin a clause."""

    @cached_property
    def _parts(self) -> Parts:
        nothing = (self.at, self.at), (), (), self.at
        return find_subject(self.tokens, self.at, self.end) or nothing

    @property
    def subject(self) -> list[str]:
        """The words of a subject that begins here and has a verb, in lowercase; may be empty."""
        (start, end), *_ = self._parts
        return [t.low for t in self.tokens[start:end]]

    @property
    def predicate(self) -> int:
        """Index of the first word of the predicate, or of this word if there is none."""
        return self._parts[-1]

    @property
    def before_predicate(self) -> list[str]:
        """The subject and its additions, in lowercase."""
        return [t.low for t in self.tokens[self.at : self.predicate]]


def _is_deed(opening: Opening) -> bool:
    """Whether a short subject, its verb and its object begin here: "the fires killed 28".

    The object tells the verb from a participle ("and the man killed in the fire").
    """
    if not 0 < len(opening.subject) <= 3:
        return False
    verb, after = opening.tokens[opening.predicate].low, opening.tokens[opening.predicate + 1]
    listed = opening.tokens[opening.at - 2].text == ","  # ", and the group became"
    if listed and (not verb.endswith(("ed", "s")) or verb in _LASTING):
        return True
    return verb.endswith("ed") and (after.text.isdigit() or after.low in DETERMINERS)


def _is_possession(opening: Opening) -> bool:
    """Whether a clause such as "her son sang" begins here, unlike "her roles that she sang"."""
    if opening.low not in POSSESSIVES or not 0 < len(opening.subject) <= LONGEST_SUBJECT:
        return False
    return NOMINATIVE.isdisjoint(opening.before_predicate)


def _is_another(opening: Opening) -> bool:
    """Whether a clause such as "another judge was" or "another Ann Lee who" begins here."""
    if opening.low != "another" or opening.after.low == "of":
        return False
    return opening.after.capital or bool(opening.subject)


# fmt: off
OPENING: Table[Opening, bool] = Table("openings of a clause", (
    Row("there", '"There is" begins a clause.',
        "Ann Lee was a nun, and there is a school in Leeds.",
        lambda o: o.low == "there" and o.after.low in BE, True),
    Row("ordinal", 'A verb after "the first", "the other" and the like begins a clause.',
        "One Ann Lee was a nurse, and the other attended Kent School.",
        lambda o: o.low == "the" and o.after.low in _ORDINALS
        and finite_at(o.tokens, o.at + 2, o.end), True),
    Row("possession", "A possessive and its verb begin a clause.",
        "Ann Lee sang and her father led a choir.",
        _is_possession, True),
    Row("deed", "A short subject with an article, its verb and the object begin a clause.",
        "Ann Lee led the group, and the group became a club.",
        lambda o: o.low in {"a", "an", "the"} and _is_deed(o), True),
    Row("another", '"Another" begins a clause about someone else.',
        "Ann Lee sang, and another Ann Lee won a cup.",
        _is_another, True),
), otherwise=False)
# fmt: on


@dataclass(frozen=True)
class Junction(Opening):
    """A punctuation mark or conjunction after which a clause may begin."""

    mark: int
    clause: Clause
    name: Sequence[str]  # words of the person's name in lower case, if it is known

    @property
    def comma(self) -> bool:
        """Whether the junction is a comma."""
        return self.tokens[self.mark].text == ","

    @property
    def before_mark(self) -> str:
        """The word before the junction, in lowercase."""
        return self.tokens[self.mark - 1 - (self.tokens[self.mark - 1].text == ",")].low

    @property
    def named(self) -> bool:
        """Whether a pronoun or a name follows the junction."""
        first = self.token
        return first.low in {"he", "she", "they"} or (first.capital and first.text != "I")

    @property
    def name_end(self) -> int:
        """Index after the name that follows the junction."""
        k = self.at
        while self.tokens[k].capital or self.tokens[k].low in PRONOUNS:
            k += 1
        return k + 2 * (self.tokens[k + 1].low in _EPITHETS)  # "while Ann Lee the younger was"

    @cached_property
    def verb(self) -> int:
        """Index of the first word after the name and any adverbs."""
        return skip_adverbs(self.tokens, self.name_end, self.end)


def _does(junction: Junction) -> bool:
    """Whether a person and a verb follow: ", and she sang", but not "and Tom Hill named"."""
    tokens, verb = junction.tokens, junction.verb
    if not junction.named or not finite_at(tokens, verb, junction.end):
        return False
    if junction.low in PRONOUNS:
        return True
    full = junction.name_end - junction.at > 1 and tokens[verb].low in {"is", "was"}
    past = tokens[verb].low.endswith("ed")
    return (junction.comma or full) and (not past or tokens[verb + 1].low in DETERMINERS)


def _in_open_relative(junction: Junction) -> bool:
    """Whether a relative clause before a comma ("where, with Tom Hill") has no verb yet."""
    if not junction.comma:
        return False
    tokens, mark = junction.tokens, junction.mark
    before = range(mark - 1, junction.clause.verb + 1, -1)
    opener = next((k for k in before if tokens[k].low in _RELATIVE_OPENERS), mark)
    verb = any(finite_at(tokens, k, junction.end) for k in range(opener + 1, mark))
    return opener < mark and not verb


def _is_counted(junction: Junction) -> bool:
    """Whether a clause such as "and most of her letters are" begins after a verb."""
    if junction.clause.verb < 0 or junction.low not in _COUNTED:
        return False
    listed = not _LISTING.isdisjoint(junction.before_predicate)
    return not listed and junction.tokens[junction.predicate].low in BE


def _is_bearer(junction: Junction) -> bool:
    """Whether a clause with the full name begins: ", and the Welsh footballer Ann Lee played"."""
    name = list(junction.name)
    if junction.low != "the" or len(name) < 2:
        return False
    described = len(name) < len(junction.subject) < len(name) + _LONGEST_DESCRIPTION
    return described and junction.subject[-len(name) :] == name


# fmt: off
JUNCTION: Table[Junction, bool] = Table("joined clauses", (
    Row("after-relative",
        "A clause does not begin right after a relative pronoun or a conjunction.",
        "Ann Lee led a school that, although she was a nun, sold books.",
        lambda j: j.before_mark in RELATIVE_PRONOUNS | {"and", "because"}, False),
    Row("open-relative", "A clause does not begin in a relative clause that has no verb yet.",
        "Ann Lee moved to Leeds where, with Tom Hill, she led a school.",
        _in_open_relative, False),
    Row("inserted", "A person and a verb between commas are an insertion.",
        "Ann Lee was a nun, she says, of the old school.",
        lambda j: j.named and j.tokens[j.verb + 1].text == ",", False),
    Row("person", "A person and a verb begin a clause.",
        "Ann Lee was a nun, and she sang.",
        _does, True),
    Row("opening", "Another subject and its verb begin a clause.",
        "Ann Lee led the group, and the group became a club.",
        lambda j: not j.named and OPENING.answer(j), True),
    Row("circumstance", "A circumstance before a subject and its verb begins a clause.",
        "Ann Lee was a nun, and in 1901 she moved to Leeds.",
        lambda j: _circumstance_opens(j.tokens, j.at, j.end), True),
    Row("bearer", "A role, the known name and its verb begin a clause.",
        "Ann Lee was a judge from York, and the Welsh footballer Ann Lee played for Leeds.",
        _is_bearer, True),
    Row("counted", 'A number of things and "is" or "was" begin a clause.',
        "Ann Lee wrote letters and most of her letters are in Leeds.",
        _is_counted, True),
), otherwise=False)
# fmt: on


def _circumstance_opens(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether a clause with a phrase before its subject begins here: "in 1901 she moved"."""
    if tokens[start].low not in PREPOSITIONS:
        return False
    near = (k for k in range(start + 2, end - 1) if not tokens[k].depth)
    for k in islice(near, _LONGEST_CIRCUMSTANCE):
        before, low = tokens[k - 1], tokens[k].low
        if low in NOMINATIVE or (low == "it" and before.text == ","):  # "after tests, it was"
            verb = skip_adverbs(tokens, k + 1, end)
            return before.low not in _SUBORDINATING and finite_at(tokens, verb, end)
        if before.text == "," or finite_at(tokens, k, end):
            return False
        if before.text.isdigit() and low in {"a", "an", "the"}:  # "in 1969 a rocket exploded"
            return find_subject(tokens, k, end) is not None
    return False


def parse_clauses(tokens: Sequence[Token], name: Sequence[str] = ()) -> list[Clause]:
    """Splits a sentence into clauses; every token except joining words belongs to one of them."""
    end = len(tokens)
    while tokens[end - 1].text in ".!?;:,":
        end -= 1
    if [t.low for t in tokens[end - 2 : end]] == ["among", "others"]:
        end -= 2  # "such as A, B, among others"
        end -= tokens[end - 1].text == ","
    clauses: list[Clause] = []
    start = 0
    opposed = _opposed(tokens, end)
    if opposed is not None:
        clauses.append(parse_clause(tokens, 1, opposed, name))
        start = opposed + 1
    while start < end:
        clause = parse_clause(tokens, start, end, name)
        cut = _next_clause(tokens, clause, end, name)
        if cut is not None:
            clause = parse_clause(tokens, start, cut[0], name)
        clauses.append(clause)
        start = cut[1] if cut is not None else end
    return clauses


def _opposed(tokens: Sequence[Token], end: int) -> int | None:
    """Index of the comma in "While A is a judge, B is a poet" if both are named; otherwise None."""
    if tokens[0].low not in {"while", "whereas"} or not tokens[1].capital:
        return None
    clause = parse_clause(tokens, 0, end)
    comma = clause.lead[1]
    both = tokens[comma].text == "," and tokens[clause.subject[0]].capital
    return comma if both else None


def _next_clause(
    tokens: Sequence[Token], clause: Clause, end: int, name: Sequence[str]
) -> Range | None:
    """Returns the end of this clause and the start of the next one that has its own subject."""
    if tokens[clause.start].low == "not" and tokens[clause.start + 1].low == "only":
        return None  # "but she also" belongs to it
    for k in range(max(clause.verb, clause.start) + 1, end - 1):
        token = tokens[k]
        if _opens_warning(tokens, k):
            return k - 1, k
        if token.depth:
            continue
        if token.text == ";":
            if clause.verb < 0 or _has_verb(tokens, k + 1, end):
                return k, k + 1 + (tokens[k + 1].low == "and")
            continue  # "at York (BA); at Leeds (MA); and at Hull": more of the same
        if token.text == ":" and _colon_opens(tokens, k, end):
            return k, k + 1
        if token.low == "that" and tokens[k + 1].low == "another":
            return k, k + 1
        start = _joined_start(tokens, k, end)
        if start > k and JUNCTION.answer(Junction(tokens, start, end, k, clause, name)):
            return k, start
    return None


def _opens_warning(tokens: Sequence[Token], k: int) -> bool:
    """Whether "not to be confused with" begins after a comma, a bracket or "and"."""
    words = [t.low for t in tokens[k : k + 5]]
    warned = "not" in words and "be" in words and not _CONFUSED.isdisjoint(words)
    opens = words[0] == "not" if tokens[k - 1].text in ",(" else tokens[k - 1].low == "and"
    return warned and opens


def _joined_start(tokens: Sequence[Token], k: int, end: int) -> int:
    """Returns the index of the first word after something that can join clauses, or -1.

    Clauses can be joined by punctuation or a conjunction.
    """
    start = k + 1
    if tokens[k].text in ",—":
        if tokens[start].low in _JOINING:
            start += 1
            return start + (tokens[start].text == ",")  # "although, as a judge"
        return start if tokens[start].low in PRONOUNS else -1
    return start if tokens[k].low in _CONTRASTS and tokens[k - 1].low not in {"he", "she"} else -1


def _has_verb(tokens: Sequence[Token], i: int, end: int) -> bool:
    """Whether there is a verb before the next semicolon."""
    stop = next((k for k in range(i, end) if tokens[k].text == ";"), end)
    subjects = NOMINATIVE | {"it"}
    return any(tokens[k].low in subjects or finite_at(tokens, k, end) for k in range(i, stop))


def _colon_opens(tokens: Sequence[Token], k: int, end: int) -> bool:
    """Whether an independent clause follows a colon: "two people: the first was ..."."""
    after = tokens[k + 1]
    if after.low in {"he", "she", "one"} or OPENING.answer(Opening(tokens, k + 1, end)):
        return True
    if _circumstance_opens(tokens, k + 1, end):
        return True
    listed = is_listing(" ".join(t.text for t in tokens[max(0, k - 25) : k]))
    return listed and after.capital
