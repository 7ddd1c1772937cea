"""The built-in decomposer: extracts a paragraph's atomic facts by rules, without a model."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from dfactscore._records import Biography, Fact, Label
from dfactscore._text.names import name_words
from dfactscore._text.remarks import remark_of
from dfactscore.engines._builtin import rules
from dfactscore.engines._builtin.decompose.clause_words import Statement, as_sentence
from dfactscore.engines._builtin.decompose.fragments import (
    lacks_predicate,
)
from dfactscore.engines._builtin.decompose.readings import ClauseCase, clause_statements
from dfactscore.engines._builtin.decompose.scripts import latin_share
from dfactscore.engines._builtin.decompose.torn import is_torn
from dfactscore.engines._builtin.group.clause_cues import remark_in
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.paragraph import Paragraph, read_paragraph
from dfactscore.engines._builtin.language.announcements import (
    PEOPLE,
)
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Decision, recorded
from dfactscore.engines._builtin.language.word_classes import (
    AUXILIARIES,
    PREPOSITIONS,
    RELATIVES,
    is_demonym,
    is_role,
)
from dfactscore.engines._roles import Decomposer

_PRONOUN = re.compile(r"\b(?:he|she)\b(?!['’])", re.IGNORECASE)
_OTHERS = re.compile(
    r"\b(?:who|whom|whose|father|mother|parents?|brother|sister|wife|husband|son"
    r"|daughter|uncle|aunt|cousin|friend)\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\b(?:his|her|their)\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z]")
_LEAST_LATIN = 0.7
_OBJECT = re.compile(
    r"\b(?:him|her(?=\s+(?:a|an|the|to|in|for|as|with|from|at|on|by)\b|\s*[.,;]|$))(?![\w'’])"
)
# "there" as a place; in "there is" it only says that something exists
_AT = re.compile(
    r"(?<!,) there(?=[ .,;]|$)|(?<=,) there(?=[ .,;]|$)(?! (?:is|are|was|were|has|have)\b)"
)
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
_ENDED = re.compile(r"[.!?…\"”)\]][\"'”’)\]]*$")
_CALLED = re.compile(r" (?:is|was) (?:also |likewise )?(?:called|named|known as) ")


class ScriptWarning(UserWarning):
    """A text is not written in the Latin script; the rules are made for English."""


@dataclass(frozen=True, slots=True)
class ClauseFacts:
    """The statements of one clause.

    Attributes:
        facts: Its facts.
        left_out: Omitted statements, each with the reason: it is cut off at the end of the text, is
            about the sources, only repeats a name, or states nothing about anyone.
        decisions: The rows that determined how the clause was split, in order.
    """

    facts: tuple[Fact, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    decisions: tuple[Decision, ...] = ()


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
        found: list[ClauseFacts] = []
        before = thing = ""
        ending = _Ending.of(paragraph, biography.text.rstrip())
        strangers = _strangers(paragraph)
        for number, reading in enumerate(paragraph.clauses):
            label = paragraph.individuals[reading.individual].label
            with recorded() if why else nullcontext(()) as decisions:
                made = (
                    _with_clause_before(reading.view)
                    if number in strangers
                    else clause_statements(ClauseCase(paragraph, reading, target, biography.name))
                )
            facts: list[Fact] = []
            left_out = [] if made else [(reading.view.text, _why_nothing(reading.view))]
            for statement in made:
                offset = reading.view.offset
                span = (offset + statement.start, offset + statement.end)
                text = statement.text
                if number not in strangers or not text.startswith(_pronoun(reading.view).title()):
                    text = _named(text, label)
                text = _resolved(text, reading.view, statement, label, before, thing)
                reason = "says a name again" if _says_own_name(text, label) else ""
                if _is_bare(text, label):
                    reason = reason or "no predicate"
                if "search results" in text or text.endswith((" note.", " noting.")):
                    reason = reason or remark_of(text) or ""
                if ending.cuts(text, label, span, reading.view.clause.verb):
                    later = facts or any(clause.facts for clause in found)
                    reason = reason or ("cut off" if later else "")  # "She died. She lived in New"
                if reason:
                    left_out.append((text, reason))
                    continue
                kind: Label | None = "context" if statement.context else None
                facts.append(Fact(text, reading.view.sentence, span, kind))
            rows = tuple(dict.fromkeys(decisions))
            found.append(ClauseFacts(tuple(facts), tuple(left_out), rows))
            view = reading.view
            again = view.words(view.clause.subject) in {"It", "it"}
            before, thing = (
                view.text if view.tokens else "",
                _thing(view) or _thing_told(view, label) or (thing if again else ""),
            )
        return tuple(found)


def _warn_of_script(biography: Biography) -> None:
    share = latin_share(biography.text)
    if share < _LEAST_LATIN:
        warnings.warn(
            f"biography {biography.id!r}: {1 - share:.0%} of the letters are not Latin; the "
            "built-in decomposer is made for English",
            ScriptWarning,
            stacklevel=4,
        )


@dataclass(frozen=True, slots=True)
class _Ending:
    """The end of a text, and the start of its last sentence and whether that is incomplete."""

    at: int
    lacking: bool
    last: int

    @classmethod
    def of(cls, paragraph: Paragraph, text: str) -> _Ending:
        at = len(text) + bool(_ENDED.search(text))  # a text that has an end is not cut off
        last = paragraph.sentences[-1][0] if paragraph.sentences else 0
        return cls(at, _lacks_end(paragraph, text), last)

    def cuts(self, text: str, label: str, span: Range, verb: int) -> bool:
        """Whether a statement is cut off by the end of the text."""
        bare = text.startswith(label) and len(text.split()) == len(label.split()) + 1
        if span[1] >= self.at and (self.lacking or bare or is_torn(text)):
            return True
        return self.lacking and verb < 0 and span[0] >= self.last


def _why_nothing(view: View) -> str:
    """Returns the reason why a clause has no statements."""
    phrase = view.tokens and view.clause.verb < 0 and lacks_predicate(view)
    return remark_in(view) or ("no predicate" if phrase else "states nothing of anyone")


def _is_bare(text: str, label: str) -> bool:
    """Whether only an auxiliary follows the name: "Ann Lee was."."""
    subject, _, verb = text.rstrip(".").rpartition(" ")
    return verb in AUXILIARIES and (subject == label or subject.lower() in {"he", "she"})


def _pronoun(view: View) -> str:
    """Returns the subject of a clause if it is "he" or "she"; otherwise an empty string."""
    said = view.words(view.clause.subject).lower() if view.tokens else ""
    return said if said in {"he", "she"} else ""


def _strangers(paragraph: Paragraph) -> set[int]:
    """Finds the clauses whose "he" or "she" is unlikely to mean the clause's individual."""
    said: dict[int, list[str]] = {}
    for reading in paragraph.clauses:
        said.setdefault(reading.individual, []).append(_pronoun(reading.view))
    usual = {
        who: max(filter(None, found), key=found.count, default="") for who, found in said.items()
    }
    return {
        number
        for number, reading in enumerate(paragraph.clauses)
        if _pronoun(reading.view) not in {"", usual[reading.individual]}
        or _may_be_spouse(reading.view, said[reading.individual])
    }


def _may_be_spouse(view: View, said: list[str]) -> bool:
    """Whether "she" may be someone else: "Lee married Ann Hill, but she died", the only "she"."""
    alone = _pronoun(view) != "" and len([*filter(None, said)]) == 1
    return alone and _SPOUSE.search(view.body, 0, view.tokens[view.clause.start].start) is not None


def _with_clause_before(view: View) -> list[Statement]:
    """Returns a clause about someone else, including everything before it in the sentence."""
    start, end = view.tokens[0].start, view.tokens[view.clause.end - 1].end
    return [Statement(as_sentence(view.body[start:end]), start, end)]


def _lacks_end(paragraph: Paragraph, text: str) -> bool:
    """Whether the last sentence lacks end punctuation that an earlier one in such a line has."""
    last = paragraph.clauses[-1].view if paragraph.clauses else None
    if last is None or (last.opens and last.clause.verb < 0) or _ENDED.search(text):
        return False
    sentences = paragraph.sentences
    return any(
        c.view.line.kind == last.line.kind
        and c.view.sentence < last.sentence
        and _ENDED.search(text[slice(*sentences[c.view.sentence])].rstrip())
        for c in paragraph.clauses
    )


def _named(text: str, label: str) -> str:
    """Replaces "he" or "she" with the name in a fact that begins with a phrase.

    After a name, a relative or "who", the pronoun is kept: it is clear or may mean another person.
    """
    if not label or not ("he" in text.lower() or "him" in text):
        return text
    pronoun = _PRONOUN.search(text) or _OBJECT.search(text)
    if pronoun is None:
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
    """Replaces "there" with a place, "They" with a couple, and "It" with `thing`."""
    if " there" in text and _AT.search(text):
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
    """Returns the only name in a clause after its verb: "She founded Elm School"."""
    if view.clause.verb < 0:
        return ""
    found = [m for m in view.names((view.clause.verb, view.clause.end)) if not m.possessive]
    if len(found) != 1 or len(found[0].words) < 2:
        return ""
    before = view.low(found[0].first - 1)
    the = before == "the"
    before = view.low(found[0].first - 2) if the else before
    return "" if before in PREPOSITIONS else f"{'The ' if the else ''}{found[0].text}"


def _thing_told(view: View, label: str) -> str:
    """Returns the subject of a clause if it is a single thing: "His first car was made in 1936"."""
    (a, b), verb = view.clause.subject, view.low(view.clause.verb)
    if b - a < 2 or verb not in {"is", "was", "has", "had", "became"} or view.tokens[b - 1].depth:
        return ""
    first, head = view.low(a), view.low(b - 1)
    owned = any(m.possessive and m.last < b for m in view.names((a, b)))
    person = is_role(head) or head in RELATIVES | PEOPLE or view.tokens[b - 1].capital
    many = "and" in view.lows((a, b)) or (head.endswith("s") and not head.endswith("ss"))
    if person or many or not (owned or first in {"the", "his", "her"}):
        return ""
    said = view.words((a, b))
    if first in {"his", "her"}:
        return f"{label}’s {view.words((a + 1, b))}" if label else ""
    return said[0].upper() + said[1:]


def _says_own_name(text: str, label: str) -> bool:
    """Whether a fact merely repeats a name: "Ann Lee is also called Ann Lee."."""
    head, _, tail = text.partition(label) if label else ("", "", "")
    return not head and _CALLED.fullmatch(tail.removesuffix(f"{label}.")) is not None
