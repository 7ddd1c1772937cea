"""Statements from clauses without a verb: "Born: 1950", "British judge", "Ann Lee (judge)"."""

from __future__ import annotations

import re

from dfactscore._text.names import name_words
from dfactscore.engines._builtin.decompose.clause_words import (
    MAKING,
    Statement,
    article,
    as_sentence,
)
from dfactscore.engines._builtin.decompose.statements import block_statements, statements
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.mentions import runs_of_names
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.tokenizer import tokenize
from dfactscore.engines._builtin.language.verbs import finite_at
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    DETERMINERS,
    PASSIVE,
    PAST_PARTICIPLES,
    PREPOSITIONS,
    is_base_form,
    is_demonym,
    is_finite_form,
    is_role,
)
from dfactscore.engines._builtin.language.word_lists import word_list

_LABEL = re.compile(r"(?P<label>[A-Z][\w’'/& -]{1,40}?)\s*[:–—]\s+(?P<value>\S.*)", re.DOTALL)
_BIRTHS = frozenset(
    {"born", "birth", "date of birth", "birth date", "birthplace", "place of birth"}
)
_DEATHS = frozenset({"died", "death", "date of death", "place of death"})
_ENDED = re.compile(r"\d{3,4}\s?[–—-]\s?\D{0,12}\d{3,4}|\bdied\b|[–—-]\s?\d{1,2} \w+ \d{4}")
_SO_DESCRIBED = word_list("so_described")
_NAMED = frozenset({"appointed", "named", "elected", "awarded"})
_RANKED = ("first", "second", "third", "only", "est")
_DONE_TO = frozenset({"deported", "exiled", "interned", "evacuated", "conscripted", "drafted"})


def described_alone(view: View, label: str, *, opens: bool) -> list[Statement]:
    """Makes statements from "British journalist" or "Winner of the Nobel Prize" on their own.

    Args:
        view: A clause without a verb.
        label: The individual's name.
        opens: Whether the clause begins by saying who someone is.
    """
    start, end = view.whole
    low = view.low(start)
    done = low in PASSIVE | _DONE_TO | {"known"} and view.low(start + 1) in PREPOSITIONS
    done = done or (low in _NAMED and view.tokens[start + 1].capital)  # "Appointed OBE in 1950"
    if view.line.kind == "item" and done and view.low(start + 2) != ":":
        be = "is" if low in {"known", "based"} else "was"
        body = view.body[: view.tokens[start].start] + low + view.body[view.tokens[start].end :]
        made = Clause(start, end, (start, start), (start, start), (), (), start)
        return [
            Statement(s.text.replace(f"{label} ", f"{label} {be} ", 1), s.start, s.end)
            for s in statements(body, tokenize(body), made, label, label)
        ]
    held = view.line.kind == "item" and not opens and _is_role_held(view)
    if not (opens or held) and low not in _SO_DESCRIBED:
        return []
    again = {*name_words(label)} & {w for m in view.names(view.whole) for w in m.words}
    verb = any(finite_at(view.tokens, k, end) for k in range(start + 1, end))
    if (
        view.line.kind not in {"item", "prose"}
        or again
        or _of_someone(view)
        or (verb and "who" not in view.lows(view.whole))
    ):
        return []
    place = view.tokens[start].start
    lower = held or low in _SO_DESCRIBED or is_role(low)
    body = view.body
    if lower:
        body = body[:place] + body[place].lower() + body[place + 1 :]
    made = Clause(start, end, (0, 0), (0, 0), (), ((start, end),), end)
    read = tokenize(body) if lower else view.tokens
    found = [] if held else block_statements(body, read, made, label, "is")
    if not found and (held or low in _SO_DESCRIBED):
        words = body[place : view.tokens[end - 1].end]
        the = "the" if low.endswith(_RANKED) else article(words)
        words = words if low in DETERMINERS else f"{the} {words}"
        found = [Statement(as_sentence(f"{label} is {words}"), place, view.tokens[end - 1].end)]
    return found


def lacks_predicate(view: View) -> bool:
    """Whether a line is just a phrase: "A truly remarkable career.", "From Leeds to Rome."."""
    start, end = view.whole
    first = view.low(start + (view.low(start) in {"and", "or", "but"}))
    opens = first in PREPOSITIONS | {"a", "an", "the", "his", "her", "to"}
    if not opens or view.line.kind not in {"prose", "heading"}:
        return False
    several = first not in {"a", "an"} and _may_be_of_several(view)
    return not several and not any(_may_be_verb(view, k) for k in range(start, end))


def _may_be_of_several(view: View) -> bool:
    """Whether the words may contain a plural verb, which has no ending: "the boys sing"."""
    start, end = view.whole
    if view.low(start) in PREPOSITIONS:  # "In 1659 Ann Lee split", "In Rome, men sing"
        parted = (view.tokens[k].text[0].isdigit() for k in range(start, end - 1))
        named = (view.tokens[k + 1].capital for k in range(start, end - 1))
        return (
            end - start > 9
            or "," in view.lows((start, end))
            or any(digit and name for digit, name in zip(parted, named, strict=True))
        )
    words = view.tokens[start:end]
    return any(
        not t.capital and (t.low.endswith("s") or t.low in {"people", "children", "men", "women"})
        for t in words[:-1]
    )


def _may_be_verb(view: View, k: int) -> bool:
    """Whether a word may be a finite verb, known or not: "his sister recalls him"."""
    token, before = view.tokens[k], view.low(k - 1)
    low = token.low
    if token.capital or not token.word:
        return False
    if low in AUXILIARIES or (is_finite_form(low) and not low.endswith(("s", "ed"))):
        return True
    if low.endswith(("n't", "n’t", "'s", "’s")) and not before:
        return True
    determined = before in DETERMINERS - {"this", "that", "these", "those", "all", "both"}
    noun = before in PREPOSITIONS | {"and", "or"}  # "the life and work of"
    if is_base_form(low) and not is_finite_form(low) and noun:
        return False
    if is_finite_form(low) or is_base_form(low) or low in PAST_PARTICIPLES:
        return not determined
    noun = (
        determined or before in PREPOSITIONS | {"and", "or", ",", "to"} or k + 1 == view.clause.end
    )
    placed = view.low(view.clause.start) in PREPOSITIONS and not view.tokens[k - 1].capital
    return low.endswith("s") and not low.endswith(("ss", "us")) and not (noun or placed)


def _is_role_held(view: View) -> bool:
    """Whether an item states someone's role: "First woman to fly to Rome", "Deputy head of it"."""
    start, end = view.whole
    stop = next((k for k in range(start, end) if view.low(k) in PREPOSITIONS), start)
    head = view.low(max(stop - 1, start))
    role = stop > start and (is_role(head) or head in _SO_DESCRIBED)
    return role and (view.low(start).endswith(_RANKED) or not view.tokens[stop - 1].capital)


def _of_someone(view: View) -> bool:
    """Whether a role precedes another person's name: "The historian Tom Hill"."""
    begin = view.clause.start
    return any(
        len(m.words) > 1 and begin < m.first <= begin + 4 and is_role(view.low(m.first - 1))
        for m in view.names(view.whole)[:1]
    )


def is_predicate(view: View, first: int = -1) -> bool:
    """Whether a fragment is a predicate without its subject: "Died in Buxton in 1950"."""
    first = view.clause.start if first < 0 else first
    low = view.low(first)
    if low in _DONE_TO:
        return False
    if view.tokens[first].capital and low in MAKING and view.low(first + 1) in DETERMINERS:
        return True  # "Founded the Leeds Hospital"
    verb = low in {"born", "died"} or (
        (view.tokens[first].capital or view.before.rstrip().endswith((";", "; and")))
        and is_finite_form(low)
        and low not in PASSIVE | {"this"}
    )
    return verb and first + 1 < view.clause.end and view.low(first + 1) != ":"


def without_subject(view: View, label: str, first: int = -1) -> list[Statement]:
    """Makes statements from a predicate without a subject: "Died in Leeds in 1950"."""
    start, end = view.whole
    start = start if first < 0 else first
    place = view.tokens[start].start
    if view.low(start) == "born":
        clause = Clause(start, end, (0, 0), (0, 0), (), ((start, end),), end)
        return block_statements(view.body, view.tokens, clause, label, "was")
    body = view.body[:place] + view.body[place].lower() + view.body[place + 1 :]
    tokens = tokenize(body)
    clause = Clause(start, end, (start, start), (start, start), (), (), start)
    return statements(body, tokens, clause, label, label)


def labeled_value(view: View, label: str) -> list[Statement]:
    """Makes statements from a labeled value: "Born: 5 May 1900, Leeds", "| Occupation | poet |"."""
    found = _LABEL.match(view.text)
    if found is None:
        return []
    behind = next((k for k in range(*view.whole) if view.low(k - 1) == ":"), view.clause.end)
    if is_predicate(view, behind):  # "Awards: Won the cup in 1950"
        return without_subject(view, label, behind)
    start, end = view.tokens[view.clause.start].start, view.tokens[view.clause.end - 1].end
    what, value = found["label"].strip().lower(), found["value"].strip()
    if what in {"name", "full name"}:
        said = f"{label} is named {value}"
    elif what in _BIRTHS or what in _DEATHS:
        verb = "was born" if what in _BIRTHS else "died"
        life = [said.replace("was born", verb) for said in life_statements(f"(born {value})")]
        life = life or [f"{verb} {_joining(value)}{value}"]
        return [Statement(as_sentence(f"{label} {x}"), start, end) for x in life]
    elif what.rpartition(" ")[2] in PREPOSITIONS:  # "Known for: founding the school"
        doing = value.partition(" ")[0].endswith("ing")
        said = f"{label} is {what} {value[0].lower() if doing else value[0]}{value[1:]}"
    elif what in PASSIVE or (what.endswith("ed") and " " not in what):  # "Canonized: 1991"
        said = f"{label} was {what} {_joining(value)}{value}"
    else:
        said = f"{label}’s {what} is {value}"
    return [Statement(as_sentence(said), start, end)]


def _joining(value: str) -> str:
    return "in " if re.match(r"\d{3,4}\b", value) or value[:1].isupper() else "on "


def labeled(view: View) -> list[Statement]:
    """Makes statements from "John Smith (1744–1826): a historian" or a heading with a role."""
    tokens, clause = view.tokens, view.clause
    names = runs_of_names(tokens, clause.start, min(clause.end, clause.start + 8), view.body)
    if not names or names[0].first != clause.start or len(names[0].words) < 2:
        return []
    k = names[0].last
    brackets: list[Range] = []
    while k < clause.end and tokens[k].text == "(" and len(brackets) < 2:
        close = next((i for i in range(k, clause.end) if tokens[i].text == ")"), clause.end - 1)
        if close > k + 1:  # a bracket at the very end holds nothing
            brackets.append((k + 1, close))
        k = close + 1
    be = "was" if any(_ENDED.search(view.words(bracket)) for bracket in brackets) else "is"
    rest: tuple[Range, ...] = ()
    if k < clause.end:
        opens = tokens[k].text in ":–—-" or (tokens[k].text == "," and clause.verb < 0)
        if not opens or k + 1 >= clause.end:
            return []
        first = tokens[k + 1].low
        near = [t for t in tokens[k + 1 : k + 4] if t.word and not t.capital]
        known = is_role(first) or is_demonym(first) or any(is_role(t.low) for t in near)
        if not (first in {"a", "an", "the", "one", "who"} or known):
            return []
        rest = ((k + 1, clause.end),)
    elif clause.verb >= 0 or not brackets:
        return []
    clause = Clause(clause.start, clause.end, (0, 0), (0, 0), tuple(brackets), rest, clause.end)
    return block_statements(view.body, tokens, clause, names[0].text, be)
