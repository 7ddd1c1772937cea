"""The built-in decomposer: a paragraph's atomic facts by rules, without any model."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dfactscore._util.names import name_words
from dfactscore.engines.builtin.decompose.statements import Statement, block_statements, statements
from dfactscore.engines.builtin.group.cues import View
from dfactscore.engines.builtin.group.mentions import runs_of_names
from dfactscore.engines.builtin.group.paragraph import ClauseReading, Paragraph, read_paragraph
from dfactscore.engines.builtin.language.announcements import (
    ORDINALS,
    PEOPLE,
    is_announcement,
    is_listing,
)
from dfactscore.engines.builtin.language.clauses import Clause, Range, is_adverb
from dfactscore.engines.builtin.language.life_dates import life_statements
from dfactscore.engines.builtin.language.tokenizer import Token, tokenize
from dfactscore.engines.builtin.language.word_classes import (
    PASSIVE,
    PREPOSITIONS,
    RELATIVES,
    is_demonym,
    is_finite_form,
    is_role,
)
from dfactscore.engines.builtin.language.word_lists import word_list
from dfactscore.records import Biography, Fact

__all__ = ["BuiltinDecomposer", "ScriptWarning", "latin_share"]

_VERSION = 1
_SUBJECT_PRONOUNS = frozenset({"he", "she"})
_PRONOUN = re.compile(r"\b(?:he|she)\b(?!['’])", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:who|whom|whose|father|mother|parents?|brother|sister|wife|husband|son"
    r"|daughter|uncle|aunt|cousin|friend)\b",
    re.IGNORECASE,
)
_POSSESSIVES = frozenset({"his", "her"})
_POSSESSIVE = re.compile(r"\b(?:his|her|their)\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z]")
_LEAST_LATIN = 0.7
# What is said to the reader rather than of a person.
_META = re.compile(
    r"^(?:I|I['’]m|I['’]ve|We)\b(?=.{0,40}\b(?:not sure|sorry|could|couldn|can|don|found|have|"
    r"unable|"
    r"apologi|do not|assume|hope))|^(?:here (?:are|is)|below (?:are|is))\b.{0,80}$|"
    r"^the (?:search results|documents|passages|sources) (?:are|is) (?:all |only |mainly )?about\b"
    r"[^,:;]*$|"
    r"^(?:the )?(?:documents?|passages?|sources?|search results?|results?)(?: \[?\d+\]?)?\s+"
    r"(?:discuss\w*|mentions?|describes?|talks? about|refers? to|contains?|provides?|is about)\b"
    r"(?![^.]*(?:,| who | born ))|"
    r"^[^,.;]{0,70}\b(?:could|may|might|can) (?:also )?refer to (?:several|"
    r"multiple|two|three|many|different|various|a number|any)\b|"
    r"^(?:the|this) name refers to\b|"
    r"^(?:there (?:is|was) )?(?:very little|little|no|limited)\b[^.]{0,30}\binformation\b[^.]*"
    r"\b(?:found|available|provided|search results|documents?)\b|"
    r"\b(?:you (?:mean|are (?:referring|looking|asking))|please (?:provide|specify|let me|"
    r"clarify))\b",
    re.IGNORECASE,
)
_SOURCE_TALK = re.compile(r"\b(?:appears?|mentioned|found) in (?:\w+ )?search results\b")
_LABEL = re.compile(r"(?P<label>[A-Z][\w’'/& -]{1,40}?)\s*[:–—]\s+(?P<value>\S.*)", re.DOTALL)
_BIRTHS = frozenset(
    {"born", "birth", "date of birth", "birth date", "birthplace", "place of birth"}
)
_DEATHS = frozenset({"died", "death", "date of death", "place of death"})
_ENDED = re.compile(r"\d{3,4}\s?[–—-]\s?\D{0,12}\d{3,4}|\bdied\b|[–—-]\s?\d{1,2} \w+ \d{4}")
_THERE = re.compile(r"(?:although |while |though )?there (?:are|were|is|was)\b", re.IGNORECASE)
_OBJECT = re.compile(
    r"\b(?:him|her(?=\s+(?:a|an|the|to|in|for|as|with|from|at|on|by)\b|\s*[.,;]|$))(?![\w'’])"
)
_AT = re.compile(r" there(?=[ .,;]|$)")
_PLACED = re.compile(
    r"\b(in|at|to|from|for)( (?:the )?[A-Z][\w'’.-]*(?: (?:(?:of|de|the) )?[A-Z][\w'’.-]*)*)"
)
_MOVES = re.compile(r"\b(?:moved|returned|went|relocated|emigrated|travel\w+) there\b")
_EMPTY_IT = re.compile(
    r"It (?:is|was|has been) (?:\w+ )?(?:\w+ ){0,2}(?:that|to|believed|unclear)\b"
)
_SPOUSE = re.compile(
    r"\b(?:marri\w+|wife|husband)\b(?:,? [\w'’-]+){0,6}?,? "
    r"([A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+)+)"
)
_CUT = re.compile(r"\b(?:is|was|are|were|has|had|and|of|the|an?|to|behind|by|with|from|as|in)\.$")
_OF_OWN = re.compile(r"^(Some|One|Many|Most|All|Several|Two|Three) of (?:his|her) ")
_NOT_ONLY = re.compile(
    r"^[Nn]ot only (does|did|is|was|has|had) (s?he|[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*)*)\b"
)
_PROSE = re.compile(r"\w")


class ScriptWarning(UserWarning):
    """A text is not written in the Latin script; the rules are made for English."""


class BuiltinDecomposer:
    """Splits a paragraph into facts by the structure of its English clauses.

    Dates in brackets, appositions, relative clauses, verbs that share a subject and lists become
    facts of their own; a pronoun as the subject becomes the name as the paragraph writes it. What
    the rules cannot read stays one fact per sentence, so that no text ever fails.

    Example:
        >>> from dfactscore.records import Biography
        >>> text = "Ann Lee (1736–1784) was a preacher and poet. She moved to York and died there."
        >>> for fact in BuiltinDecomposer().decompose(Biography("1", "Ann Lee", text)):
        ...     print(fact.text)
        Ann Lee was born in 1736.
        Ann Lee died in 1784.
        Ann Lee was a preacher.
        Ann Lee was a poet.
        Ann Lee moved to York.
        Ann Lee died in York.
    """

    @property
    def settings(self) -> Mapping[str, Any]:
        """What can change an answer."""
        return {"name": "builtin", "version": _VERSION}

    @property
    def english_only(self) -> bool:
        """The rules are made for English."""
        return True

    def decompose(self, biography: Biography) -> Sequence[Fact]:
        """Returns the facts in reading order, each with its sentence and characters.

        Args:
            biography: The paragraph and the target name.

        Warns:
            ScriptWarning: If most letters are not Latin; sentences are then facts.
        """
        share = latin_share(biography.text)
        if share < _LEAST_LATIN:
            warnings.warn(
                f"biography {biography.id!r}: {1 - share:.0%} of the letters are not Latin; the "
                "built-in decomposer is made for English",
                ScriptWarning,
                stacklevel=2,
            )
        paragraph = read_paragraph(biography.text, biography.name)
        target = frozenset(name_words(biography.name))
        facts: list[Fact] = []
        before = thing = ""
        for reading in paragraph.clauses:
            label = paragraph.individuals[reading.individual].label
            for statement in _clause_statements(paragraph, reading, target):
                offset = reading.view.offset
                span = (offset + statement.start, offset + statement.end)
                text = _named(statement.text, label)
                text = _resolved(text, reading.view, statement, label, before, thing)
                if _SOURCE_TALK.search(text):
                    continue
                if span[1] >= len(biography.text.rstrip()) and facts and _CUT.search(text):
                    continue  # "Ann Lee was": the text was cut off
                facts.append(Fact(text, reading.view.sentence, span))
            before, thing = reading.view.text if reading.view.tokens else "", _thing(reading.view)
        return tuple(facts)


def _named(text: str, label: str) -> str:
    """Names the individual where a fact opens with a phrase and then says "he" or "she".

    Behind a name, a relative or "who" the pronoun is clear, or may be another person's.
    """
    pronoun = _PRONOUN.search(text) or _OBJECT.search(text)
    if not label or pronoun is None:
        return text
    before = text[: pronoun.start()]
    if _POSSESSIVE.search(before) and _NAME.search(before, 1):
        return text
    if _OTHERS.search(before) or any(word in before for word in label.split()):
        return text
    return before + label + text[pronoun.end() :]


def _resolved(
    text: str, view: View, statement: Statement, label: str, before: str, thing: str
) -> str:
    """Puts a place for "there", a couple for "They", what the clause before was about for "It"."""
    if _AT.search(text):
        said = f"{before} | {view.body[: statement.end]}"
        place = next(reversed(list(_PLACED.finditer(said[: said.rfind("there")]))), None)
        if place is not None:
            to = "to" if _MOVES.search(text) else "at" if place[1] == "at" else "in"
            text = _AT.sub(f" {to}{place[2]}", text, count=1)
    if text.startswith("They ") and label:
        spouse = _SPOUSE.search(before)
        if spouse is not None and spouse[1] not in label:
            name = spouse[1].split(" ", 1)[is_demonym(spouse[1].split(" ")[0]) :]
            text = f"{label} and {' '.join(name)}{text[4:]}"
    if thing and text.startswith("It ") and not _EMPTY_IT.match(text):
        text = thing + text[2:]
    return text


def _thing(view: View) -> str:
    """The one name that a clause says something has or makes: "She founded Elm School"."""
    if view.clause.verb < 0:
        return ""
    found = [m for m in view.names((view.clause.verb, view.clause.end)) if not m.possessive]
    if len(found) != 1 or len(found[0].words) < 2:
        return ""
    before = view.low(found[0].first - 1)
    the = before == "the"
    before = view.low(found[0].first - 2) if the else before
    return "" if before in PREPOSITIONS else f"{'The ' if the else ''}{found[0].text}"


def latin_share(text: str) -> float:
    """The share of Latin letters among the letters of a text; 1 where there are none."""
    letters = [c for c in text[:20_000] if c.isalpha()]
    if not letters:
        return 1.0
    latin = sum(c.isascii() or unicodedata.name(c, "").startswith("LATIN") for c in letters)
    return latin / len(letters)


def _clause_statements(
    paragraph: Paragraph, reading: ClauseReading, target: frozenset[str]
) -> list[Statement]:
    """The statements of one clause, or the clause itself where it has no verb."""
    label = paragraph.individuals[reading.individual].label
    view = reading.view
    tokens, clause = view.tokens, view.clause
    if not tokens:
        return []
    start, end = tokens[clause.start].start, tokens[clause.end - 1].end
    whole = view.body[start:end]
    if not _PROSE.search(whole):
        return []
    if _META.search(whole) or (is_announcement(whole) and target <= {*name_words(whole)}):
        return []
    if (
        reading.rule in {"topic", "heading", "announcement"}
        and clause.verb < 0
        and (reading.rule == "topic" or "heading" not in reading.cues)
    ):
        return []
    if "talk" in reading.cues:
        return []
    named = view.names(view.whole)
    if view.line.kind == "heading" and named and (named[0].first, named[0].last) == view.whole:
        return []  # "# Ann Lee"
    if reading.rule == "announcement" and _THERE.match(whole) and not reading.passing:
        return []
    if reading.passing:
        return _passing(paragraph, reading)
    labelled = _labeled(view)
    if labelled:
        return labelled
    if clause.verb < 0 or clause.subject[1] <= clause.subject[0]:
        if label and _is_predicate(view):
            return _without_subject(view, label)
        if label and view.opens and (view.line.labeled or view.line.kind == "item"):
            valued = _value(view, label)
            if valued:
                return valued
        if len(whole.split()) < 3 and latin_share(whole) > 0.5:
            return []  # "Early life": a heading
        return [Statement(_sentence(whole), start, end)]
    if tokens[clause.start].low == "not" and view.low(clause.start + 1) == "only":
        plain = _NOT_ONLY.sub(r"\2 \1", whole)  # "Not only does she sing": she does
        return [Statement(_named(_sentence(plain), label), start, end)]
    if tokens[clause.subject[0]].low == "there":
        return _presented(view, label) or [Statement(_sentence(whole), start, end)]
    if _stands_for_thing(view, len(paragraph.individuals)):
        return statements(view.body, tokens, clause, _words(view, clause.subject), label)
    subject, description = _subject(view, label)
    if tokens[clause.lead[0]].low in _POSSESSIVES and clause.lead[1] > clause.lead[0] and label:
        clause = replace(clause, lead=clause.subject[:1] * 2)  # it is part of the subject now
    if description[1] > clause.subject[0] and clause.subject == description:
        clause = replace(clause, blocks=clause.blocks[1:])  # the name was an addition
    made = statements(view.body, tokens, clause, subject, label or subject, description)
    return made or [Statement(_sentence(whole), start, end)]


def _is_predicate(view: View) -> bool:
    """Whether a fragment is a predicate without its subject: "Died in Buxton in 1950"."""
    first = view.clause.start
    low = view.low(first)
    verb = low in {"born", "died"} or (
        view.tokens[first].capital and is_finite_form(low) and low not in PASSIVE | {"this"}
    )
    return verb and first + 1 < view.clause.end and view.low(first + 1) != ":"


def _without_subject(view: View, label: str) -> list[Statement]:
    start, end = view.whole
    place = view.tokens[start].start
    if view.low(start) == "born":
        clause = Clause(start, end, (0, 0), (0, 0), (), ((start, end),), end)
        return block_statements(view.body, view.tokens, clause, label, "was")
    body = view.body[:place] + view.body[place].lower() + view.body[place + 1 :]
    tokens = tokenize(body)
    clause = Clause(start, end, (start, start), (start, start), (), (), start)
    return statements(body, tokens, clause, label, label)


def _value(view: View, label: str) -> list[Statement]:
    """Statements of a labelled value: "Born: 5 May 1900, Leeds", "| Occupation | poet |"."""
    found = _LABEL.match(view.text)
    if found is None:
        return []
    start, end = view.tokens[view.clause.start].start, view.tokens[view.clause.end - 1].end
    what, value = found["label"].strip().lower(), found["value"].strip()
    if what in {"name", "full name"}:
        said = f"{label} is named {value}"
    elif what in _BIRTHS or what in _DEATHS:
        verb = "was born" if what in _BIRTHS else "died"
        life = life_statements(f"({verb.split()[-1]} {value})")
        life = life or [f"{verb} {_joining(value)}{value}"]
        return [Statement(_sentence(f"{label} {x}"), start, end) for x in life]
    else:
        said = f"{label}’s {what} is {value}"
    return [Statement(_sentence(said), start, end)]


def _joining(value: str) -> str:
    return "in " if (value[:1].isdigit() and value.isdigit()) or value[:1].isupper() else "on "


def _labeled(view: View) -> list[Statement]:
    """Statements of "John Smith (1744–1826): a Scottish historian" and of a heading with a role."""
    tokens, clause = view.tokens, view.clause
    names = runs_of_names(tokens, clause.start, min(clause.end, clause.start + 8), view.body)
    if not names or names[0].first != clause.start or len(names[0].words) < 2:
        return []
    k = names[0].last
    brackets: list[Range] = []
    if k < clause.end and tokens[k].text == "(":
        close = k + 1
        while close < clause.end and tokens[close].depth:
            close += 1
        if close - 1 > k + 1:  # a bracket at the very end holds nothing
            brackets.append((k + 1, close - 1))
        k = close
    be = "was" if brackets and _ENDED.search(_words(view, brackets[0])) else "is"
    rest: tuple[Range, ...] = ()
    if k < clause.end:
        opens = tokens[k].text in ":–—-" or (tokens[k].text == "," and clause.verb < 0)
        if not opens or k + 1 >= clause.end:
            return []
        first = tokens[k + 1].low
        if not (first in {"a", "an", "the", "one"} or is_role(first) or is_demonym(first)):
            return []
        rest = ((k + 1, clause.end),)
    elif clause.verb >= 0 or not brackets:
        return []
    clause = Clause(clause.start, clause.end, (0, 0), (0, 0), tuple(brackets), rest, clause.end)
    return block_statements(view.body, tokens, clause, names[0].text, be)


def _passing(paragraph: Paragraph, reading: ClauseReading) -> list[Statement]:
    """Statements of "he should not be confused with X, a poet": the second is about X."""
    view = reading.view
    tokens, clause = view.tokens, view.clause
    out: list[Statement] = []
    first = reading.passing[0][0]
    names = view.names((first, clause.end))
    if clause.verb >= 0 and clause.verb < first and not is_listing(view.text):
        label = paragraph.individuals[reading.individual].label
        subject = _subject(view, label)[0]
        stop = names[0].last if names else first
        start, end = tokens[clause.start].start, tokens[stop - 1].end
        said = f"{subject} {view.body[tokens[clause.subject[1]].start : end]}"
        out.append(Statement(_sentence(said), start, end))
    starts = [token for token, _ in reading.passing]
    for (token, who), stop in zip(reading.passing, [*starts[1:], clause.end], strict=True):
        out += _presented_in_passing(view, paragraph.individuals[who].label, token, stop)
    return out


def _presented_in_passing(view: View, name: str, a: int, b: int) -> list[Statement]:
    """Statements of "X, a poet" or "a poet" where another clause holds it."""
    tokens = view.tokens
    while b > a and (tokens[b - 1].text in ",;:" or tokens[b - 1].low in {"and", "as", "well"}):
        b -= 1
    mention = next(iter(view.names((a, b))), None)
    brackets: tuple[Range, ...] = ()
    blocks: list[Range] = []
    k = a
    if mention is not None and mention.text == name:
        if mention.first > a + (tokens[a].low in {"another", "a", "an", "the"}):
            stop = mention.first
            while stop > a and tokens[stop - 1].low in _NAMING:
                stop -= 1
            blocks.append((a, stop))
        k = mention.last
        if k < b and tokens[k].text == "(":
            close = k + 1
            while close < b and tokens[close].depth:
                close += 1
            brackets = ((k + 1, close - 1),)
            k = close
        if k < b and tokens[k].text == ",":
            k += 1
    if k < b:
        blocks.append((k, b))
    made = Clause(a, b, (0, 0), (0, 0), brackets, tuple(blocks), b)
    return block_statements(view.body, tokens, made, name, "is")


def _words(view: View, reach: Range) -> str:
    return view.body[view.tokens[reach[0]].start : view.tokens[reach[1] - 1].end]


def _presented(view: View, label: str) -> list[Statement] | None:
    """Statements of "there is also X, a poet" and "there is a poet named X"."""
    tokens, clause = view.tokens, view.clause
    if not label:
        return None
    names = runs_of_names(tokens, clause.verb + 1, clause.end, view.body)
    mention = next((m for m in names if m.text == label), None)
    if mention is None:
        return None
    verb = clause.verb
    first = verb + 1
    while first < clause.end and (is_adverb(tokens[first]) or tokens[first].text == ","):
        first += 1
    after = mention.last
    if after < clause.end and tokens[after].text == "," and after + 1 < clause.end:
        rest = (after + 1, clause.end)
    elif first < mention.first - 1 and _names(tokens, mention.first):
        stop = mention.first
        while stop > first and tokens[stop - 1].low in _NAMING:
            stop -= 1
        rest = (first, stop)
        if tokens[after : after + 1] and after < clause.end:
            return None
    else:
        return None
    if not any(is_role(t.low) or t.low in PASSIVE for t in tokens[rest[0] : rest[1]]):
        return None
    clause = Clause(clause.start, clause.end, (0, 0), (mention.first, after), (), (rest,), rest[1])
    return block_statements(view.body, tokens, clause, label, tokens[verb].low)


_PLAIN = word_list("plain")
_NAMING = word_list("naming")


def _names(tokens: Sequence[Token], i: int) -> bool:
    """Whether the words before a name say that it is one."""
    return tokens[i - 1].low in {"named", "called", "of", "name", "as"}


def _subject(view: View, label: str) -> tuple[str, Range]:
    """The clause's subject as facts write it, and what describes it before the name.

    A pronoun becomes the individual's name, "another X" and "this X" become X.
    """
    tokens, clause = view.tokens, view.clause
    a, b = clause.subject
    nothing = (a, a)
    written = view.body[tokens[a].start : tokens[b - 1].end]
    first = tokens[a]
    if label and first.low in _SUBJECT_PRONOUNS and b - a == 1:
        return label, nothing
    if label and first.low in _POSSESSIVES:
        return f"{label}’s{view.body[first.end : tokens[b - 1].end]}", nothing
    lead = clause.lead
    if label and lead[1] > lead[0] and tokens[lead[0]].low in _POSSESSIVES:
        kin = view.body[tokens[lead[0]].end : tokens[lead[1] - 1].end]
        return f"{label}’s{kin}, {written},", nothing
    if label and _stands_for_name(view):
        return label, nothing
    if label:
        written = _OF_OWN.sub(rf"\1 of {label}’s ", written)
    plain = not any(t.low in PREPOSITIONS or t.capital for t in tokens[a + 1 : b])
    if label and first.low == "this" and plain and any(is_role(t.low) for t in tokens[a:b]):
        return label, nothing  # "This powerful landowner"
    names = runs_of_names(tokens, a, b, view.body)
    if not names and clause.blocks and any(is_role(t.low) for t in tokens[a:b]):
        first_block = clause.blocks[0]
        inside = runs_of_names(tokens, *first_block, view.body)
        if inside and inside[0].first == first_block[0] and inside[0].last == first_block[1]:
            return inside[0].text, (a, b)
    named = next((m for m in names if tokens[m.first - 1].low in {"named", "called"}), None)
    if named is not None and named.last < b and tokens[named.last].low in {"with", "from", "of"}:
        return named.text, nothing  # "A person named Ann Lee with a degree in law"
    if not names or names[-1].last != b or names[-1].possessive or names[-1].first == a:
        return written, nothing
    mention = names[-1]
    stop = mention.first
    while stop > a and tokens[stop - 1].low in _NAMING:
        stop -= 1
    described = any(is_role(t.low) and not t.capital for t in tokens[a:stop])
    relation = {t.low for t in tokens[a:stop]} & RELATIVES
    if len(names) > 1 or any(t.low in PREPOSITIONS for t in tokens[a:stop]):
        return written, nothing
    if relation or any(t.text.endswith(("'s", "’s")) for t in tokens[a:stop]):
        return written, nothing
    marked = first.low in {"another", "this", "that", "the", "a", "an", "one", "yet"} and all(
        t.low in _PLAIN or t.low in ORDINALS or t.low in PEOPLE for t in tokens[a:stop]
    )
    if marked and label:
        return mention.text, nothing
    if described and first.low not in {"another", "this", "that", "yet"}:
        return mention.text, (a, stop)
    return written, nothing


def _stands_for_name(view: View) -> bool:
    """Whether the subject only says which one is meant: "the second", "another", "one of them"."""
    tokens, clause = view.tokens, view.clause
    a, b = clause.subject
    lows = [t.low for t in tokens[a:b]]
    if lows[0] in {"one", "another"}:
        return len(lows) == 1 or lows[1:] in (["of", "them"], ["of", "these"])
    ordinal = lows[0] == "the" and len(lows) >= 2 and lows[1] in ORDINALS
    return ordinal and (len(lows) == 2 or lows[2:] in (["person"], ["individual"], ["one"]))


def _stands_for_thing(view: View, individuals: int) -> bool:
    """Whether "the first" means a thing: one individual only, "the first came in 1990"."""
    tokens, (a, b) = view.tokens, view.clause.subject
    ordinal = b - a == 2 and tokens[a].low == "the" and tokens[a + 1].low in ORDINALS
    return ordinal and individuals < 2


def _sentence(words: str) -> str:
    words = re.sub(r"\s+", " ", re.sub(r"[*#]+", "", words)).strip(" ,;:-–—")
    if not words:
        return words
    return words[0].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")
