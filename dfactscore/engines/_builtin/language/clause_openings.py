"""Where another clause of a sentence begins: "Ann Lee was a nun, | and she sang"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dfactscore.engines._builtin.language.adverbs import skip_adverbs
from dfactscore.engines._builtin.language.announcements import is_listing
from dfactscore.engines._builtin.language.clauses import (
    LONGEST_SUBJECT,
    Clause,
    Range,
    find_subject,
    parse_clause,
)
from dfactscore.engines._builtin.language.rows import Row, Table
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.verbs import NOMINATIVE, finite_at
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    PARTICIPLES,
    PASSIVE,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVE_PRONOUNS,
    is_role,
)

_CONTRASTS = frozenset({"and", "but", "while", "whereas"})
_JOINING = _CONTRASTS | {"although", "though", "yet"}
_ORDINALS = frozenset({"first", "second", "third", "other", "latter", "former"})
_BEGINNINGS = frozenset({"went", "became", "won", "began", "remains", "remained", "were", "was"})
_EPITHETS = frozenset({"elder", "younger"})
_BE = frozenset({"is", "was", "are", "were"})
_COUNTED = DETERMINERS - PRONOUNS - {"that"} | {"most", "many", "some", "all", "both", "none"}
_COUNTED |= {"several", "little", "neither"}


@dataclass(frozen=True)
class Opening:
    """A word that may begin a clause.

    Attributes:
        tokens: The tokens of the sentence.
        at: The word.
        end: After the last token.
    """

    tokens: Sequence[Token]
    at: int
    end: int

    @property
    def low(self) -> str:
        """The word in lower case."""
        return self.tokens[self.at].low

    @property
    def after(self) -> str:
        """The word after it in lower case."""
        return self.tokens[self.at + 1].low


def _is_deed(opening: Opening) -> bool:
    """Whether a short subject, its verb and the object begin: "the fires killed 28".

    The object tells the verb from a participle ("and the man killed in the fire").
    """
    tokens, at = opening.tokens, opening.at
    found = find_subject(tokens, at, opening.end)
    if found is None or found[0][1] - at > 3 or found[3] + 1 >= opening.end:
        return False
    verb, after = tokens[found[3]].low, tokens[found[3] + 1]
    if at > 1 and tokens[at - 2].text == ",":  # ", and the group became"
        irregular = not verb.endswith(("ed", "s")) and verb not in PARTICIPLES | PASSIVE
        if irregular or verb in _BEGINNINGS:
            return True
    return verb.endswith("ed") and (after.text.isdigit() or after.low in DETERMINERS)


def _is_possession(opening: Opening) -> bool:
    """Whether "her son sang" begins."""
    if opening.low not in {"his", "her", "their", "its"}:
        return False
    found = find_subject(opening.tokens, opening.at, opening.end)
    if found is None or any(t.low in NOMINATIVE for t in opening.tokens[opening.at : found[3]]):
        return False  # "her ability to fill the roles she sang"
    return found[0][1] - opening.at <= LONGEST_SUBJECT


def _is_another(opening: Opening) -> bool:
    """Whether "another judge was" or "another Ann Lee who" begins."""
    tokens, at = opening.tokens, opening.at
    if opening.low != "another" or opening.after == "of":
        return False
    named = tokens[at + 1].capital and any(t.low == "who" for t in tokens[at + 2 : at + 6])
    return named or find_subject(tokens, at, opening.end) is not None


OPENING = Table[Opening, bool](
    "openings of a clause",
    (
        Row(
            "there",
            '"There is" begins a clause.',
            "Ann Lee was a nun, and there is a school in Leeds.",
            lambda o: o.low == "there" and o.after in _BE,
            True,
        ),
        Row(
            "ordinal",
            'A verb after "the first", "the other" and the like begins a clause.',
            "One Ann Lee was a nurse, and the other attended Kent School.",
            lambda o: (
                o.low == "the"
                and o.after in _ORDINALS
                and o.at + 2 < o.end
                and finite_at(o.tokens, o.at + 2, o.end)
            ),
            True,
        ),
        Row(
            "possession",
            "A possessive and its verb begin a clause.",
            "Ann Lee sang and her father led a choir.",
            _is_possession,
            True,
        ),
        Row(
            "deed",
            "A short subject with an article, its verb and the object begin a clause.",
            "Ann Lee led the group, and the group became a club.",
            lambda o: o.low in {"a", "an", "the"} and _is_deed(o),
            True,
        ),
        Row(
            "another",
            '"Another" begins a clause about someone else.',
            "Ann Lee sang, and another Ann Lee won a cup.",
            _is_another,
            True,
        ),
    ),
    otherwise=False,
)


@dataclass(frozen=True)
class Joint(Opening):
    """A mark or a conjunction after which a clause may begin.

    Attributes:
        mark: The mark or the conjunction.
        clause: The clause before it.
        name: Words of the person's name in lower case, if it is known.
    """

    mark: int
    clause: Clause
    name: Sequence[str]

    @property
    def begin(self) -> int:
        """The first word in which a relative clause of the clause before can begin."""
        return self.clause.verb + 1 if self.clause.verb >= 0 else self.clause.start + 1

    @property
    def comma(self) -> bool:
        """Whether a comma joins."""
        return self.tokens[self.mark].text == ","

    @property
    def before(self) -> str:
        """The word before the mark in lower case."""
        return self.tokens[self.mark - 1 - (self.tokens[self.mark - 1].text == ",")].low

    @property
    def named(self) -> bool:
        """Whether a pronoun or a name follows."""
        first = self.tokens[self.at]
        return first.low in {"he", "she", "they"} or (first.capital and first.text != "I")

    @cached_property
    def name_end(self) -> int:
        """The end of the name."""
        k = self.at
        while k < self.end and (self.tokens[k].capital or self.tokens[k].low in PRONOUNS):
            k += 1
        epithet = self.tokens[k].low == "the" and self.tokens[k + 1].low in _EPITHETS
        return k + 2 * epithet  # "while Ann Lee the younger was"

    @cached_property
    def verb(self) -> int:
        """The word after the name and adverbs."""
        return skip_adverbs(self.tokens, self.name_end, self.end)


def _does(joint: Joint) -> bool:
    """Whether a person and a verb follow: ", and she sang"; not "and Tom Hill named"."""
    tokens, verb = joint.tokens, joint.verb
    if not joint.named or verb >= joint.end or not finite_at(tokens, verb, joint.end):
        return False
    if joint.low in PRONOUNS:
        return True
    full = joint.name_end - joint.at > 1 and tokens[verb].low in {"is", "was"}
    past = tokens[verb].low.endswith("ed")
    return (joint.comma or full) and (not past or tokens[verb + 1].low in DETERMINERS)


def _is_counted(joint: Joint) -> bool:
    """Whether "and most of her letters are" begins after a verb."""
    if joint.clause.verb < 0 or joint.low not in _COUNTED:
        return False
    found = find_subject(joint.tokens, joint.at, joint.end)
    if found is None or any(t.low in {"and", "what"} for t in joint.tokens[joint.at : found[3]]):
        return False
    return joint.tokens[joint.at - 1].text != "," and joint.tokens[found[3]].low in _BE


def _is_bearer(joint: Joint) -> bool:
    """Whether ", and the Welsh footballer Ann Lee played" begins, with the known full name."""
    tokens, name = joint.tokens, list(joint.name)
    if not joint.comma or joint.low != "the" or len(name) < 2:
        return False
    for k in range(joint.at + 2, min(joint.end - len(name), joint.at + 5)):
        if is_role(tokens[k - 1].low) and [t.low for t in tokens[k : k + len(name)]] == name:
            verb = skip_adverbs(tokens, k + len(name), joint.end)
            return verb < joint.end and finite_at(tokens, verb, joint.end)
    return False


JOINT = Table[Joint, bool](
    "joined clauses",
    (
        Row(
            "after-relative",
            "A clause does not begin right after a relative pronoun or a conjunction.",
            "Ann Lee led a school that, although she was a nun, sold books.",
            lambda j: j.before in RELATIVE_PRONOUNS | {"and", "because"},
            False,
        ),
        Row(
            "open-relative",
            "A clause does not begin in a relative clause that has no verb yet.",
            "Ann Lee moved to Leeds where, with Tom Hill, she led a school.",
            lambda j: _open_relative(j.tokens, j.begin, j.mark, j.end),
            False,
        ),
        Row(
            "inserted",
            "A person and a verb between commas are an insertion.",
            "Ann Lee was a nun, she says, of the old school.",
            lambda j: j.named and j.at == j.mark + 1 and j.tokens[j.verb + 1].text == ",",
            False,
        ),
        Row(
            "person",
            "A person and a verb begin a clause.",
            "Ann Lee was a nun, and she sang.",
            _does,
            True,
        ),
        Row(
            "opening",
            "Another subject and its verb begin a clause.",
            "Ann Lee led the group, and the group became a club.",
            lambda j: not j.named and OPENING.answer(j),
            True,
        ),
        Row(
            "circumstance",
            "A circumstance before a subject and its verb begins a clause.",
            "Ann Lee was a nun, and in 1901 she moved to Leeds.",
            lambda j: not j.named and _circumstance_opens(j.tokens, j.at, j.end),
            True,
        ),
        Row(
            "bearer",
            "A role, the known name and its verb begin a clause.",
            "Ann Lee was a judge from York, and the Welsh footballer Ann Lee played for Leeds.",
            _is_bearer,
            True,
        ),
        Row(
            "counted",
            'A number of things and "is" or "was" begin a clause.',
            "Ann Lee wrote letters and most of her letters are in Leeds.",
            lambda j: not j.named and _is_counted(j),
            True,
        ),
    ),
    otherwise=False,
)


def _open_relative(tokens: Sequence[Token], i: int, k: int, end: int) -> bool:
    """Whether "where, with Tom Hill" still waits for its verb: what follows begins no clause."""
    if tokens[k].text != ",":
        return False
    opening = RELATIVE_PRONOUNS | {"when"}
    opens = next((r for r in range(k - 1, i, -1) if tokens[r].low in opening), end)
    waits = opens < end and tokens[opens].low != "that"
    return waits and not any(finite_at(tokens, v, end) for v in range(opens + 1, k))


def _circumstance_opens(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether "in 1901 she moved" begins: a clause with something before its subject."""
    if tokens[start].low not in PREPOSITIONS:
        return False
    for k in range(start + 2, min(end - 1, start + 8)):
        if tokens[k].text == "," and tokens[k + 1].low in {"he", "she", "it", "they"}:
            verb = skip_adverbs(tokens, k + 2, end)
            return verb < end and finite_at(tokens, verb, end)  # "after tests, it was"
        if tokens[k].depth or tokens[k].text == "," or finite_at(tokens, k, end):
            return False
        if tokens[k].low in {"he", "she", "they"}:
            if tokens[k - 1].low in {"when", "while", "where", "that", "if", "because"}:
                return False  # "and for Tom Hill when she was a judge"
            verb = skip_adverbs(tokens, k + 1, end)
            return verb < end and finite_at(tokens, verb, end)
        if tokens[k - 1].text.isdigit() and tokens[k].low in {"a", "an", "the"}:
            # "in 1969 a rocket exploded": a date ends the circumstance.
            found = find_subject(tokens, k, end)
            return found is not None and not found[2] and found[0][1] - k <= 5
    return False


def parse_clauses(tokens: Sequence[Token], name: Sequence[str] = ()) -> list[Clause]:
    """Cuts a sentence into clauses; every token lies in one of them, joining words aside.

    Args:
        tokens: Of one sentence, list markers and connectives at its beginning left out.
        name: Words of the person's name in lower case, if it is known.
    """
    end = len(tokens)
    while end and not tokens[end - 1].word and tokens[end - 1].text in ".!?;:,":
        end -= 1
    if end > 4 and [t.low for t in tokens[end - 2 : end]] == ["among", "others"]:
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
    """The comma of "While A is a judge, B is a poet", both of them named; else None."""
    if end < 6 or tokens[0].low not in {"while", "whereas"} or not tokens[1].capital:
        return None
    clause = parse_clause(tokens, 0, end)
    comma = clause.lead[1]
    if clause.lead[0] != 0 or comma < 4 or not tokens[clause.subject[0]].capital:
        return None
    return comma if tokens[comma].text == "," else None


def _next_clause(
    tokens: Sequence[Token], clause: Clause, end: int, name: Sequence[str]
) -> Range | None:
    """Finds where another clause with its own subject begins: (end of this one, start of that)."""
    if tokens[clause.start].low == "not" and tokens[clause.start + 1].low == "only":
        return None  # "but she also" belongs to it
    for k in range(max(clause.verb, clause.start) + 1, end - 1):
        token = tokens[k]
        if token.depth:
            continue
        if token.text == ";":
            if clause.verb < 0 or _has_verb(tokens, k + 1, end):
                return k, k + 1 + (tokens[k + 1].low == "and" and k + 2 < end)
            continue  # "at York (BA); at Leeds (MA); and at Hull": more of the same
        if k + 2 >= end:
            return None
        if token.text == ":" and _colon_opens(tokens, k, end):
            return k, k + 1
        if token.low == "that" and tokens[k + 1].low == "another":
            return k, k + 1
        start = _joined_start(tokens, k, end)
        if start > k and JOINT.answer(Joint(tokens, start, end, k, clause, name)):
            return k, start
    return None


def _joined_start(tokens: Sequence[Token], k: int, end: int) -> int:
    """Returns the first word after a mark or a conjunction that can join clauses; else -1."""
    start = k + 1
    if tokens[k].text in ",—":
        if tokens[start].low in _JOINING:
            start += 1
            return start + (tokens[start].text == "," and start + 1 < end)  # "although, as a judge"
        return start if tokens[start].low in PRONOUNS else -1
    return start if tokens[k].low in _CONTRASTS and tokens[k - 1].low not in {"he", "she"} else -1


def _has_verb(tokens: Sequence[Token], i: int, end: int) -> bool:
    """Whether the words before the next semicolon have a verb."""
    for k in range(i, end):
        if tokens[k].text == ";":
            return False
        if tokens[k].low in {"he", "she", "they", "it"} or finite_at(tokens, k, end):
            return True
    return False


def _colon_opens(tokens: Sequence[Token], k: int, end: int) -> bool:
    """Whether a clause of its own follows a colon: "two people: the first was ..."."""
    after = tokens[k + 1]
    if after.low in {"he", "she", "one"} or OPENING.answer(Opening(tokens, k + 1, end)):
        return True
    if _circumstance_opens(tokens, k + 1, end):
        return True
    if not is_listing(" ".join(t.text for t in tokens[max(0, k - 25) : k])):
        return False
    return after.capital or (
        after.low in {"a", "an", "the"} and find_subject(tokens, k + 1, end) is not None
    )
