"""Reads a paragraph layer by layer: lines, sentences, clauses, cues, individuals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import median

from dfactscore._text.block_titles import sections_of
from dfactscore._text.role_words import is_demonym
from dfactscore._text.sentences import Sentence, split_sentences
from dfactscore.engines._builtin.group.cast import Cast, Individual, relations
from dfactscore.engines._builtin.group.clause_cues import clause_cues, people_in_passing
from dfactscore.engines._builtin.group.cues import Cues, View, cues_of
from dfactscore.engines._builtin.group.mentions import Mention, person_words
from dfactscore.engines._builtin.group.rules import RULES, SECTION, Rule, decide
from dfactscore.engines._builtin.language.announcements import MARKER, is_listing, skip_connectives
from dfactscore.engines._builtin.language.clause_openings import parse_clauses
from dfactscore.engines._builtin.language.clauses import Clause
from dfactscore.engines._builtin.language.markup import Line, line_at, read_lines
from dfactscore.engines._builtin.language.tokenizer import tokenize
from dfactscore.engines._builtin.language.word_classes import POSSESSIVES, PRONOUNS, RELATIVES

_LABEL = re.compile(r"\s*(?:[A-Z][\w’'/& -]{0,40}?\s*:|\d{1,3}\s*[:,])\s+(?=[A-Z])")
_TIES = RELATIVES | {"married", "wed", "divorced", "played", "plays", "portrayed", "voiced"}
_NOWHERE = Clause(0, 0, (0, 0), (0, 0), (), (), -1)
_BRACKET = re.compile(r"(?<!\s)\s*+\([^()]*\)\s*+$")  # "Ann Lee (painter)" is a title, not a name
_OWN_PRONOUNS = frozenset({"he", "she", "his", "her"})
_FEWEST_FACTS = 7
_FACT_WORDS = 9


@dataclass(frozen=True, slots=True)
class ClauseReading:
    """A clause and how it was read."""

    view: View
    individual: int
    cues: frozenset[str]
    rule: str
    # For each person mentioned in passing, in order, the first token and the person's index.
    passing: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph together with its clauses and individuals."""

    sentences: tuple[tuple[int, int], ...]
    clauses: tuple[ClauseReading, ...]
    individuals: tuple[Individual, ...]  # individuals, in order of appearance
    # Tuples (start, end, individual), in order and without overlap; several for a clause that
    # mentions someone in passing.
    spans: tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=4)  # the decomposer and the grouper read the same text in turn
def read_paragraph(text: str, name: str = "", rules: tuple[Rule, ...] = RULES) -> Paragraph:
    """Reads a paragraph, which may be any string, in time linear in its length.

    Example:
        >>> found = read_paragraph("Ann Lee (born 1736) was a preacher. Another Ann Lee is a poet.")
        >>> [(p.label, p.life.born, sorted(p.roles)) for p in found.individuals]
        [('Ann Lee', 1736, ['preacher']), ('Ann Lee', None, ['poet'])]
    """
    cast = Cast(name)
    announcing = [rule for rule in rules if rule.outcome == "announce"]
    sentences = split_sentences(text)
    clean, lines = read_lines(text)
    cast.facts = _lists_facts(text, sentences, lines)
    clauses: list[ClauseReading] = []
    spans: list[tuple[int, int, int]] = []
    line_before = None
    sections = list(sections_of(text))
    within = False
    for index, sentence in enumerate(sentences):
        while sections and sections[0][0] <= sentence.start:
            _, label = sections.pop(0)
            cast.current, within = len(cast.people), True
            cast.people.append(Individual(label, [person_words(label)]))
        line = line_at(lines, sentence.start)
        written = clean[sentence.start : sentence.end]
        opens = line is not line_before
        for view in _views(index, sentence.start, written, line, opens=opens, name=name):
            if within:
                reading = ClauseReading(view, cast.current, frozenset(), SECTION.id)
            else:
                reading = _read_clause(cast, view, rules, announcing)
            clauses.append(reading)
            cuts = [(view.start, reading.individual)]
            for token, individual in reading.passing:
                cuts.append(
                    (max(view.offset + view.tokens[token].start, cuts[-1][0] + 1), individual)
                )
            ends = [*(start for start, _ in cuts[1:]), view.end]
            spans += [
                (start, end, individual)
                for (start, individual), end in zip(cuts, ends, strict=True)
            ]
        line_before = line
    if name and cast.people and not cast.people[0].label and _opens_with_pronoun(clauses):
        cast.people[0].label = _BRACKET.sub("", name)
    return Paragraph(
        tuple((s.start, s.end) for s in sentences),
        tuple(clauses),
        tuple(cast.people),
        tuple(spans),
    )


def _opens_with_pronoun(clauses: Sequence[ClauseReading]) -> bool:
    """Whether the first statement is about a "he" or "she" who is the subject of the text."""
    stated = (c.view for c in clauses if "talk" not in c.cues and c.view.clause.verb >= 0)
    first = next(stated, None)
    if first is None:
        return False
    start, end = first.clause.start, max(first.clause.subject[1], first.clause.start + 1)
    return not _OWN_PRONOUNS.isdisjoint(first.lows((start, end)))


def _lists_facts(text: str, sentences: Sequence[Sentence], lines: Sequence[Line]) -> bool:
    """Whether a text is a list of short facts that repeat the name: "X was Dutch. X sang."."""
    sizes = [text.count(" ", s.start, s.end) + 1 for s in sentences]
    plain = len(sizes) >= _FEWEST_FACTS and all(line.kind == "prose" for line in lines)
    return plain and median(sizes) <= _FACT_WORDS


def _views(
    index: int, offset: int, text: str, line: Line, *, opens: bool, name: str
) -> Iterator[View]:
    """Yields the clauses of a sentence, skipping list markers and connectives at its beginning."""
    marker = MARKER.match(text)
    opened = marker.end() if marker else 0
    skipped = skip_connectives(text, opened)
    if opens and line.kind != "heading":
        skipped = _after_label(text, skipped, marked=line.labeled)
    body, shift = text[skipped:], offset + skipped
    end = offset + len(text)
    if name and person_words(text[opened:skipped].strip(" :")) == person_words(name):
        label = tokenize(text[opened:skipped])
        heading = replace(_NOWHERE, end=len(label) - 1)  # "Ann Lee: She was", without its colon
        yield View(
            index,
            offset + opened,
            text[opened:skipped],
            label,
            heading,
            offset,
            shift,
            "",
            line,
            opens,
        )
        offset, opens = shift, False
    tokens = tokenize(body)
    if not tokens:
        yield View(index, shift, body, (), _NOWHERE, offset, end, "", line, opens)
        return
    parsed = parse_clauses(tokens, name.lower().split())
    for number, clause in enumerate(parsed):
        start = shift + tokens[clause.start].start if number else offset
        stop = end
        if number + 1 < len(parsed):
            stop = shift + tokens[parsed[number + 1].start].start
        connectives = text[opened:skipped]
        if number:
            connectives = text[: tokens[clause.start].start + skipped][-12:]
        yield View(
            index, shift, body, tokens, clause, start, stop, connectives, line, opens and not number
        )


def _after_label(text: str, start: int, *, marked: bool) -> int:
    """Returns the start of the text after a label such as "Career: " if it is a whole sentence."""
    label = _LABEL.match(text, start)
    tokens = tokenize(text[label.end() :]) if label else tokenize("")
    if label is None or len(tokens) < 3 or not tokens[0].word:
        return start
    clause = parse_clauses(tokens)[0]
    has_clause = clause.verb > clause.subject[0] >= 0 and clause.subject[1] > clause.subject[0]
    is_label = marked or tokens[0].low not in {"a", "an", "the", "one"}
    return label.end() if is_label and (has_clause or is_listing(text[label.end() :])) else start


def _read_clause(
    cast: Cast, view: View, rules: Sequence[Rule], announcing: Sequence[Rule]
) -> ClauseReading:
    """Decides who a clause is about and adds the clause's information to the cast."""
    cues = clause_cues(view) if view.tokens else cues_of("other")
    passing = people_in_passing(view, cues) if view.tokens else []
    warns = any("turns back" in of for _, of in passing)
    roles_alone = bool(passing) and all(of.mention is None and of.roles for _, of in passing)
    if (
        passing
        and not cast.people
        and not roles_alone
        and any(warns or of.mention is None for _, of in passing)
    ):
        if not warns or cues.mention is None:
            passing = []
        else:
            cast.people.append(Individual("", described=False))
            cast.learn(cast.begin(cues), cues)
    announces = decide(cues.names, announcing)
    if announces.outcome == "announce" or (roles_alone and not cast.people):
        named = next((m for m in view.names(view.whole) if len(m.words) > 1), cues.mention)
        cast.announce(named)
    if announces.outcome == "announce" or passing:
        about_all = bool(passing) and view.low(view.clause.subject[0]) in {"they", "both"}
        individual = cast.current = 0 if about_all else cast.current
        people = tuple((token, cast.add_in_passing(of)) for token, of in passing)
        if people and warns:
            cast.aside = people[-1][1]  # "not to be confused with X, a poet. That X ..."
        elif people:
            cast.current = people[-1][1]  # "others include X, a poet. He ..."
        rule_id = announces.id if announces.outcome == "announce" else "in passing"
        return ClauseReading(view, individual, cues.names, rule_id, people)
    if not cast.people:
        cast.people.append(Individual("", described=False))
    return _decide(cast, view, cues, rules)


def _decide(cast: Cast, view: View, cues: Cues, rules: Sequence[Rule]) -> ClauseReading:
    """Applies the rules to decide who a clause is about."""
    cue_names = set(cues.names)
    if view.opens and view.line.kind == "heading":
        cue_names.add("title")
        if _heads_a_thing(cast, view):
            cue_names.add("thing")
        if _topic_of(cast, cues):
            cues = cues_of("other")
    by_pronoun = bool(view.tokens) and view.low(view.clause.start) in PRONOUNS | POSSESSIVES
    if (view.clause.verb >= 0 or by_pronoun) and "talk" not in cue_names:
        cues = cues._replace(names=cues.names | {"statement"})
    if cues.mention is not None and _refers(cast, view):
        cues = cues._replace(names=cues.names | {"refers"})
    elif cues.kin is not None and cast.has_name(cues.kin.mention) and not _refers(cast, view):
        cues = cues.kin._replace(names=cues.kin.names | {"statement"})
    related = relations(cast, cues)
    cue_names |= cues.names | related.names
    rule = decide(frozenset(cue_names), rules)
    if view.clause.verb >= 0:  # not a heading, nor the number of a row
        cast.aside = None
    if rule.outcome == "new":
        individual = cast.present(cues)
    elif rule.outcome == "begin":
        individual = cast.begin(cues)
    else:
        individual = related.pointers.get(rule.outcome, cast.current)
    if rule.id in {"topic", "relative"} or "talk" in cue_names:
        cues = cues_of("other")
    cast.learn(individual, cues)
    cast.people[individual].context |= _context(view)
    cast.listing |= "heading" in cues and view.body.rstrip(" *").endswith(":")
    cast.tied |= {m.words for m in view.names(view.whole) if _is_tied(view, m)}
    return ClauseReading(view, individual, frozenset(cue_names), rule.id)


def _context(view: View) -> set[str]:
    """Returns a clause's words about its person; words after "son of" describe someone else."""
    tokens = view.tokens[view.clause.start : view.clause.end]
    stop = next((k for k, t in enumerate(tokens) if t.low in RELATIVES), len(tokens))
    plain = (t for t in tokens[:stop] if t.word and (not t.capital or is_demonym(t.low)))
    return {t.low for t in plain if len(t.low) > 3}


def _heads_a_thing(cast: Cast, view: View) -> bool:
    """Whether a heading is the text's own name with a qualifier: "The Long Road (film)"."""
    named, bracket, _ = view.body.partition(" (")
    own = bool(cast.target) and frozenset(person_words(named)) == cast.target
    return bool(bracket) and view.body.rstrip().endswith(")") and own


def _topic_of(cast: Cast, cues: Cues) -> bool:
    """Whether a heading names a topic about a known person: "The Trial of Ann Lee"."""
    mention = cues.mention
    if mention is None or " of " not in mention.text:
        return False
    tail = person_words(mention.text.split(" of ", 1)[1])
    return bool(cast.bearers(tail)) and not cast.bearers(mention.words)


def _refers(cast: Cast, view: View) -> bool:
    """Whether the predicate mentions a person already introduced ("... praised him")."""
    if view.clause.verb < 0:
        return False
    reach = (view.clause.verb, view.clause.end)
    near = (view.clause.verb, min(view.clause.end, view.clause.verb + 4))
    if "him" in view.lows(reach) or view.lows(near) & {"his", "her"}:
        return True
    return any(cast.bearers(m.words) for m in view.names(reach)[:8])


def _is_tied(view: View, mention: Mention) -> bool:
    """Whether a full name belongs to a relative, spouse or character: "his brother, Tom Lee"."""
    if len(mention.words) < 2:
        return False
    tokens_before = view.tokens[max(view.clause.start, mention.first - 5) : mention.first]
    return not _TIES.isdisjoint(t.low.removesuffix("'s").removesuffix("’s") for t in tokens_before)
