"""The built-in decomposer: extracts a paragraph's atomic facts by rules, without a model."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from dfactscore._errors import DFactScoreWarning
from dfactscore._records import Biography, Fact, Label
from dfactscore._text.names import name_words
from dfactscore._text.remarks import remark_of
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore._util.message_text import warn_caller
from dfactscore.engines._builtin import rules
from dfactscore.engines._builtin.decompose.clause_words import Statement, as_sentence, is_torn
from dfactscore.engines._builtin.decompose.fragments import lacks_predicate
from dfactscore.engines._builtin.decompose.readings import (
    ClauseCase,
    clause_statements,
    latin_share,
)
from dfactscore.engines._builtin.group.clause_cues import remark_in
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.paragraph import Paragraph, read_paragraph
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Decision, recorded
from dfactscore.engines._builtin.language.word_classes import AUXILIARIES, PREPOSITIONS, RELATIVES
from dfactscore.engines._roles import Decomposer

_PRONOUN = re.compile(r"\b(?:he|she)\b(?!['’])", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:who|whom|whose|father|mother|parents?|brother|sister|wife|husband|son"
    r"|daughter|uncle|aunt|cousin|friend)\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\b(?:his|her|their)\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z]")
_OBJECT = re.compile(
    r"\b(?:him|her(?=\s+(?:a|an|the|to|in|for|as|with|from|at|on|by)\b|\s*[.,;]|$))(?![\w'’])"
)
# "there" as a place; in "there is" it only says that something exists
_AT = re.compile(r" there(?=[ .,;]|$)(?:(?<!, there)|(?! (?:is|are|was|were|has|have)\b))")
_PLACED = re.compile(
    r"\b(in|at|to|from|for)( (?:the )?[A-Z][\w'’.-]*(?: (?:(?:of|de|the) )?[A-Z][\w'’.-]*)*)"
)
_MOVES = re.compile(r"\b(?:moved|returned|went|relocated|emigrated|travel\w+) there\b")
_EMPTY_IT = re.compile(
    r"It (?:is|was|has been) (?:\w+ ){0,3}(?:that|(?:for (?:\w+ ){1,3})?to|believed|unclear)\b|"
    r"It (?:is|was|ha[sd]) (?:\w+ ){1,3}(?:year|month|week|day)s? (?:since|before|after|until)\b"
)
_SPOUSE = re.compile(
    r"\b(?:marri\w+|wife|husband)\b(?:,? [\w'’-]+){0,6}?,? "
    r"([A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+)+)"
)
_LEAST_LATIN = 0.7
_ENDED = re.compile(r"[.!?…\"”)\]][\"'”’)\]]*$")
_CALLED = re.compile(r" (?:is|was) (?:also |likewise )?(?:called|named|known as) ")


def pronoun_subject(view: View) -> str:
    """Returns the subject of a clause if it is "he" or "she"; otherwise an empty string."""
    subject = view.words(view.clause.subject).lower()
    return subject if subject in {"he", "she"} else ""


def clauses_about_others(paragraph: Paragraph) -> set[int]:
    """Finds the clauses whose "he" or "she" is unlikely to mean the clause's individual."""
    pronouns = [pronoun_subject(reading.view) for reading in paragraph.clauses]
    used: defaultdict[int | None, Counter[str]] = defaultdict(Counter)
    for reading, pronoun in zip(paragraph.clauses, pronouns, strict=True):
        if pronoun:
            used[reading.individual][pronoun] += 1
    usual = {individual: counts.most_common(1)[0][0] for individual, counts in used.items()}
    return {
        number
        for number, (reading, pronoun) in enumerate(zip(paragraph.clauses, pronouns, strict=True))
        if pronoun
        and (
            pronoun != usual[reading.individual]
            or (used[reading.individual].total() == 1 and _may_be_spouse(reading.view))
        )
    }


def _may_be_spouse(view: View) -> bool:
    """Whether the only "she" may be someone else: "Lee married Ann Hill, but she died"."""
    start = view.tokens[view.clause.start].start
    return _SPOUSE.search(view.body, 0, start) is not None


def with_name(text: str, label: str) -> str:
    """Replaces "he" or "she" with the name in a fact that begins with a phrase.

    After a name, a relative or "who", the pronoun is kept: it is clear or may mean another person.
    """
    pronoun = _PRONOUN.search(text) or _OBJECT.search(text)
    if pronoun is None or not label:
        return text
    before = text[: pronoun.start()]
    if _POSSESSIVE.search(before) and _NAME.search(before, 1):
        return text
    if _OTHERS.search(before) or any(word in before for word in label.split()):
        return text
    return before + label + text[pronoun.end() :]


@dataclass(frozen=True, slots=True)
class Referents:
    """Possible referents of "there", "they" and "it" in a clause."""

    clause: str = ""
    thing: str = ""

    def after(self, view: View, label: str) -> Referents:
        """Returns the referents for the clause after `view`."""
        thing = _thing_named(view) or _subject_thing(view, label)
        if view.words(view.clause.subject) in {"It", "it"}:
            thing = thing or self.thing
        return Referents(view.text, thing)

    def inserted(self, text: str, before: str, label: str) -> str:
        """Returns a fact with the referents instead of "there", "They" and "It"."""
        if " there" in text and _AT.search(text):
            before = f"{self.clause} | {before}"
            places = _PLACED.findall(before[: before.rfind("there")])
            if places:
                at, place = places[-1]
                to = "to" if _MOVES.search(text) else "at" if at == "at" else "in"
                text = _AT.sub(f" {to}{place}", text, count=1)
        if text.startswith("They ") and label:
            spouse = _SPOUSE.search(self.clause)
            if spouse is not None and spouse[1] not in label:
                name = spouse[1].split(" ", 1)[is_demonym(spouse[1].split(" ")[0]) :]
                text = f"{label} and {' '.join(name)}{text[4:]}"
        if self.thing and text.startswith("It ") and not _EMPTY_IT.match(text):
            text = self.thing + text[2:]
        return text


def _thing_named(view: View) -> str:
    """Returns the only name in a clause after its verb: "She founded Elm School"."""
    names = [m for m in view.names((view.clause.verb, view.clause.end)) if not m.possessive]
    if view.clause.verb < 0 or len(names) != 1 or len(names[0].words) < 2:
        return ""
    first = names[0].first
    the = view.low(first - 1) == "the"
    if view.low(first - 1 - the) in PREPOSITIONS:
        return ""
    return f"{'The ' if the else ''}{names[0].text}"


def _subject_thing(view: View, label: str) -> str:
    """Returns the subject of a clause if it is a single thing: "His first car was made in 1936"."""
    (a, b), verb = view.clause.subject, view.low(view.clause.verb)
    if b - a < 2 or verb not in {"is", "was", "has", "had", "became"}:
        return ""
    first = view.low(a)
    owned = any(m.possessive for m in view.names((a, b)))
    last = view.low(b - 1)
    several = "and" in view.lows((a, b)) or last.endswith("s")
    person = is_role(last) or last in RELATIVES
    # "The purpose of the Treaty of Ghent": "it" may be the treaty
    of = next((k for k in range(a + 1, b) if view.low(k) == "of"), b)
    names_other = of < b and view.tokens[b - 1].capital and not view.tokens[of - 1].capital
    if several or person or names_other or not (owned or first in {"the", "his", "her"}):
        return ""
    if first in {"his", "her"}:
        return f"{label}’s {view.words((a + 1, b))}" if label else ""
    subject = view.words((a, b))
    return subject[0].upper() + subject[1:]


class ScriptWarning(DFactScoreWarning):
    """A text is not written in the Latin script; the rules are made for English."""


@dataclass(frozen=True, slots=True)
class ClauseFacts:
    """The statements of one clause."""

    facts: tuple[Fact, ...]
    # Omitted statements, each with the reason: it is cut off at the end of the text, is about the
    # sources, only repeats a name, or states nothing about anyone.
    left_out: tuple[tuple[str, str], ...] = ()
    decisions: tuple[Decision, ...] = ()  # rows that determined how the clause was split, in order


class BuiltinDecomposer(Decomposer):
    """Splits a paragraph into facts by the structure of its English clauses.

    Dates in brackets, appositions, relative clauses, verbs that share a subject, and list items
    become facts of their own. A pronoun subject is replaced by the name as the paragraph writes it.
    A sentence that the rules cannot parse becomes a single fact, so no text causes an error.

    Example:
        >>> from dfactscore._records import Biography
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

    english_only = True

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that can change a result."""
        return {"name": "builtin", "rules": rules.DECOMPOSER}

    def decompose(self, biography: Biography) -> Sequence[Fact]:
        """Returns the facts in reading order, each with its sentence and character range.

        Args:
            biography: The paragraph and the target name.

        Warns:
            ScriptWarning: If most letters are not Latin; sentences are then facts.
        """
        return tuple(fact for clause in self.by_clause(biography) for fact in clause.facts)

    def by_clause(self, biography: Biography, *, why: bool = False) -> Sequence[ClauseFacts]:
        """Returns the facts and omitted statements of each clause, in the order used by `explain`.

        Args:
            biography: The paragraph and the target name.
            why: Whether to record the decisions.

        Warns:
            ScriptWarning: As `decompose`.
        """
        _warn_of_script(biography)
        paragraph = read_paragraph(biography.text, biography.name)
        target = frozenset(name_words(biography.name))
        about_others = clauses_about_others(paragraph)
        broken_off = _broken_off(paragraph, biography.text.rstrip())
        referents = Referents()
        clauses: list[ClauseFacts] = []
        for number, reading in enumerate(paragraph.clauses):
            case = ClauseCase(paragraph, reading, target, biography.name)
            view, label = case.view, case.label
            with recorded() if why else nullcontext(()) as decisions:
                statements = _statements(case, referents, of_other=number in about_others)
            facts: list[Fact] = []
            left_out = [] if statements else [(view.text, _why_nothing(view))]
            for statement in statements:
                text = statement.text
                span = (view.offset + statement.start, view.offset + statement.end)
                reason = _why_no_fact(text, label)
                if not reason and _is_cut_off(text, span, view.clause.verb, broken_off):
                    later = facts or any(clause.facts for clause in clauses)
                    reason = "cut off" if later else ""  # "She died. She lived in New"
                if reason:
                    left_out.append((text, reason))
                else:
                    kind: Label | None = "context" if statement.context else None
                    facts.append(Fact(text, view.sentence, span, kind))
            rows = tuple(dict.fromkeys(decisions))
            clauses.append(ClauseFacts(tuple(facts), tuple(left_out), rows))
            referents = referents.after(view, label)
        return tuple(clauses)


def _statements(case: ClauseCase, referents: Referents, *, of_other: bool) -> list[Statement]:
    """Returns the statements of a clause with the name instead of pronouns.

    A clause about someone else is a single statement with everything before it in the sentence.
    """
    view, label = case.view, case.label
    if of_other:
        start, end = view.tokens[0].start, view.tokens[view.clause.end - 1].end
        statements = [Statement(as_sentence(view.body[start:end]), start, end)]
    else:
        statements = clause_statements(case)
    resolved = []
    for statement in statements:
        text = statement.text
        if not (of_other and text.startswith(pronoun_subject(view).title())):
            text = with_name(text, label)
        text = referents.inserted(text, view.body[: statement.end], label)
        resolved.append(statement._replace(text=text))
    return resolved


def _warn_of_script(biography: Biography) -> None:
    share = latin_share(biography.text)
    if share < _LEAST_LATIN:
        warn_caller(
            f"biography {biography.id!r}: {1 - share:.0%} of the letters are not Latin; the "
            "built-in decomposer is made for English",
            ScriptWarning,
        )


def _broken_off(paragraph: Paragraph, text: str) -> Range:
    """Returns the start of an incomplete last sentence, and the end of a text that breaks off.

    Each is beyond the text if there is none. A list item needs no final punctuation.
    """
    beyond = len(text) + 1
    if not paragraph.clauses or _ENDED.search(text):
        return beyond, beyond
    last = paragraph.clauses[-1].view
    punctuated = any(
        c.view.line.kind == last.line.kind
        and _ENDED.search(text[slice(*paragraph.sentences[c.view.sentence])].rstrip())
        for c in paragraph.clauses
    )
    incomplete = punctuated and not (last.opens and last.clause.verb < 0)
    return paragraph.sentences[-1][0] if incomplete else beyond, len(text)


def _is_cut_off(text: str, span: Range, verb: int, broken_off: Range) -> bool:
    """Whether a statement is cut off by the end of the text."""
    incomplete, reaches_end = span[0] >= broken_off[0], span[1] >= broken_off[1]
    return (incomplete and verb < 0) or (reaches_end and (incomplete or is_torn(text)))


def _why_nothing(view: View) -> str:
    """Returns the reason why a clause has no statements."""
    nothing = "no predicate" if lacks_predicate(view) else "states nothing of anyone"
    return remark_in(view) or nothing


def _why_no_fact(text: str, label: str) -> str:
    """Returns the reason why a statement is not a fact; empty if it is a fact."""
    if _CALLED.fullmatch(text.removeprefix(label).removesuffix(f"{label}.")):
        return "says a name again"  # "Ann Lee is also called Ann Lee."
    subject, _, verb = text.rstrip(".").rpartition(" ")
    if verb in AUXILIARIES and subject.lower() in {label.lower(), "he", "she"}:
        return "no predicate"  # "Ann Lee was."
    return (remark_of(text) or "") if "search results" in text else ""
