"""Statements from clauses without a verb: "Born: 1950", "British judge", "Ann Lee (judge)"."""

from __future__ import annotations

import re
from itertools import pairwise

from dfactscore._text.names import name_words
from dfactscore._text.role_words import is_role
from dfactscore.engines._builtin.decompose.clause_words import Statement, article, as_sentence
from dfactscore.engines._builtin.decompose.nouns import is_plural
from dfactscore.engines._builtin.decompose.predicate_joints import MAKING
from dfactscore.engines._builtin.decompose.statements import block_statements, statements
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.mentions import Mention
from dfactscore.engines._builtin.language.clauses import Clause, Range
from dfactscore.engines._builtin.language.life_dates import life_statements
from dfactscore.engines._builtin.language.tokenizer import tokenize
from dfactscore.engines._builtin.language.verbs import finite_at, is_adverb
from dfactscore.engines._builtin.language.word_classes import (
    DETERMINERS,
    PASSIVE,
    POSSESSIVES,
    PREPOSITIONS,
    is_base_form,
    is_finite_form,
    word_list,
)

_LABEL = re.compile(r"(?P<label>[A-Z][\w’'/& -]{1,40}?)\s*[:–—]\s+(?P<value>\S.*)", re.DOTALL)
_ENDED = re.compile(r"\d{3,4}\s?[–—-]\s?\D{0,12}\d{3,4}|\bdied\b|[–—-]\s?\d{1,2} \w+ \d{4}")
_SO_DESCRIBED = word_list("so_described")
_AFTER_NAME = frozenset({"(", ":", "–", "—", "-", ","})
_NAMED = frozenset({"appointed", "named", "elected", "awarded"})
_BEFORE_NOUN = POSSESSIVES | {"a", "an", "the", "another", "every", "no", "other"}
_RANKED = ("first", "second", "third", "only", "est")


def described_alone(view: View, label: str, *, opens: bool) -> list[Statement]:
    """Makes statements from "British journalist" or "Winner of the Nobel Prize" on their own."""
    start, end = view.whole
    low = view.low(start)
    held = low in _SO_DESCRIBED or _is_role_held(view)
    if not (opens or held) or _names_someone(view, label):
        return []
    verb = any(finite_at(view.tokens, k, end) for k in range(start + 1, end))
    if verb and "who" not in view.lows(view.whole):
        return []
    body, tokens = view.body, view.tokens
    if held or is_role(low):
        body = _with_small_letter(view, start)
        tokens = tokenize(body)
    clause = Clause(start, end, (0, 0), (0, 0), (), ((start, end),), end)
    ranked = low.endswith(_RANKED)
    made = [] if ranked else block_statements(body, tokens, clause, label, "is")
    if not made and held:
        place, stop = tokens[start].start, tokens[end - 1].end
        words = body[place:stop]
        the = "the" if ranked else article(words)
        made = [Statement(as_sentence(f"{label} is {the} {words}"), place, stop)]
    return made


def _is_role_held(view: View) -> bool:
    """Whether an item states someone's role: "First woman to fly to Rome", "Deputy head of it"."""
    start, end = view.whole
    after = next((k for k in range(start, end) if view.low(k) in PREPOSITIONS), start)
    return view.line.kind == "item" and is_role(view.low(after - 1))


def _names_someone(view: View, label: str) -> bool:
    """Whether a role precedes a person's name: "The historian Tom Hill"."""
    names = view.names(view.whole)
    words = {word for mention in names for word in mention.words}
    return bool(words & {*name_words(label)}) or any(
        is_role(view.low(mention.first - 1)) for mention in names[:1]
    )


def _with_small_letter(view: View, first: int) -> str:
    """Returns the text with a lowercase letter at the start of a token."""
    place = view.tokens[first].start
    return view.body[:place] + view.body[place].lower() + view.body[place + 1 :]


def lacks_predicate(view: View) -> bool:
    """Whether a line is just a phrase: "A truly remarkable career.", "From Leeds to Rome."."""
    start, end = view.whole
    first = view.low(start + (view.low(start) in {"and", "or", "but"}))
    opens = first in PREPOSITIONS | {"a", "an", "the", "his", "her"}
    if not opens or view.line.kind not in {"prose", "heading"}:
        return False
    several = first not in {"a", "an"} and _may_be_of_several(view)
    return not several and not any(_may_be_verb(view, k) for k in range(start, end))


def _may_be_of_several(view: View) -> bool:
    """Whether the words may contain a plural verb, which has no ending: "the boys sing"."""
    start, end = view.whole
    words = view.tokens[start:end]
    if view.low(start) in PREPOSITIONS:  # "In 1659 Ann Lee split", "In Rome, men sing"
        dated = any(year.text[0].isdigit() and name.capital for year, name in pairwise(words))
        return dated or end - start > 9 or "," in view.lows(view.whole)
    return any(not t.capital and is_plural(t) for t in words[:-1])


def _may_be_verb(view: View, k: int) -> bool:
    """Whether a word may be a finite verb, known or not: "his sister recalls him"."""
    low, before = view.low(k), view.low(k - 1)
    if view.tokens[k].capital:
        return False
    if before == "," and is_adverb(view.tokens[k - 2]):  # ", however, suggests"
        before = view.low(k - 2)
    determined = before in _BEFORE_NOUN
    base = is_base_form(low) and before not in PREPOSITIONS | {"and", "or"}  # "life and work"
    if is_finite_form(low) or low in PASSIVE or base:
        return not determined
    noun = determined or before in PREPOSITIONS | {"and", "or", ","} or k + 1 == view.clause.end
    placed = view.low(view.clause.start) in PREPOSITIONS and not view.tokens[k - 1].capital
    return low.endswith("s") and not (noun or placed)


def is_predicate(view: View, first: int) -> bool:
    """Whether a fragment is a predicate without its subject: "Died in Buxton in 1950"."""
    low, after = view.low(first), view.low(first + 1)
    if after in {"", ":"} or view.low(first + 2) == ":":
        return False
    if low in {"born", "died"} or _is_passive(view, first):
        return True
    if not view.tokens[first].capital and not view.before.rstrip().endswith((";", "; and")):
        return False
    founded = low in MAKING and after in DETERMINERS  # "Founded the Leeds Hospital"
    return founded or (is_finite_form(low) and low not in PASSIVE | {"this"})


def _is_passive(view: View, first: int) -> bool:
    """Whether an item begins with a participle: "Known for her songs", "Appointed OBE in 1950"."""
    low = view.low(first)
    passive = low in PASSIVE and view.low(first + 1) in PREPOSITIONS
    return view.line.kind == "item" and (passive or low in _NAMED)


def without_subject(view: View, label: str, first: int) -> list[Statement]:
    """Makes statements from a predicate without a subject: "Died in Leeds in 1950"."""
    low, end = view.low(first), view.clause.end
    if low == "born" or _is_passive(view, first):
        be = "is" if low in {"known", "based"} else "was"
        clause = Clause(first, end, (0, 0), (0, 0), (), ((first, end),), end)
        return block_statements(view.body, view.tokens, clause, label, be)
    body = _with_small_letter(view, first)
    clause = Clause(first, end, (first, first), (first, first), (), (), first)
    return statements(body, tokenize(body), clause, label, label)


def labeled_value(view: View, label: str) -> list[Statement]:
    """Makes statements from a labeled value: "Born: 5 May 1900, Leeds", "| Occupation | poet |"."""
    labeling = _LABEL.match(view.text)
    if labeling is None:
        return []
    after = next((k for k in range(*view.whole) if view.low(k - 1) == ":"), view.clause.end)
    if is_predicate(view, after):  # "Awards: Won the cup in 1950"
        return without_subject(view, label, after)
    key, value = labeling["label"].strip().lower(), labeling["value"].strip()
    event = key.removeprefix("date of ").removeprefix("place of ")
    key = {"birth": "born", "death": "died"}.get(event, key)
    if key in PASSIVE | {"died"}:  # "Canonized: 1991"
        verb = key if key == "died" else f"was {key}"
        in_or_on = "in" if re.match(r"\d{3,4}\b|[A-Z]", value) else "on"
        dated = [life.replace("was born", verb) for life in life_statements(f"(born in {value})")]
        predicates = dated or [f"{verb} {in_or_on} {value}"]
    elif key.rpartition(" ")[2] in PREPOSITIONS:  # "Known for: Founding the school"
        doing = value.partition(" ")[0].endswith("ing")
        predicates = [f"is {key} {value[0].lower() if doing else value[0]}{value[1:]}"]
    else:
        predicates = []
    start, end = view.tokens[view.clause.start].start, view.tokens[view.clause.end - 1].end
    sentences = [f"{label} {predicate}" for predicate in predicates]
    sentences = sentences or [f"{label}’s {key} is {value}"]
    return [Statement(as_sentence(sentence), start, end) for sentence in sentences]


def labeled(view: View) -> list[Statement]:
    """Makes statements from "John Smith (1744–1826): a historian" or a heading with a role."""
    tokens, clause = view.tokens, view.clause
    name = _opening_name(view)
    if name is None:
        return []
    brackets = brackets_at(view, name.last)
    after = brackets[-1][1] + 1 if brackets else name.last
    marked = tokens[after].text in ":–—-" or (tokens[after].text == "," and clause.verb < 0)
    if after < clause.end and not (marked and _is_role_at(view, after + 1)):
        return []
    role: list[Range] = [(after + 1, clause.end)] if after < clause.end else []
    be = "was" if any(_ENDED.search(view.words(bracket)) for bracket in brackets) else "is"
    filled = tuple((a, b) for a, b in brackets if a < b)  # a bracket at the very end holds nothing
    clause = Clause(clause.start, clause.end, (0, 0), (0, 0), filled, tuple(role), clause.end)
    return block_statements(view.body, tokens, clause, name.text, be)


def _opening_name(view: View) -> Mention | None:
    """Returns the full name that a clause begins with, if a mark or a bracket follows nearby."""
    start, end = view.whole
    near = view.tokens[start + 1 : start + 9]
    if not view.tokens[start].capital or not any(t.text in _AFTER_NAME for t in near):
        return None
    names = view.names((start, min(end, start + 8)))[:1]
    return next((name for name in names if name.first == start and name.words[1:]), None)


def brackets_at(view: View, k: int) -> list[Range]:
    """Returns the insides of the brackets that begin at a token."""
    brackets: list[Range] = []
    end = view.clause.end
    while k < end and view.tokens[k].text == "(":
        close = next((i for i in range(k, end) if view.low(i) == ")"), end - 1)
        brackets.append((k + 1, close))
        k = close + 1
    return brackets


def _is_role_at(view: View, k: int) -> bool:
    """Whether the words from a token on say who someone is: "a nun", "King of", "Welsh poet"."""
    first = view.low(k)
    near = any(is_role(t.low) and not t.capital for t in view.tokens[k : k + 5])
    return near or is_role(first) or first in {"a", "an", "the", "one", "who"}
