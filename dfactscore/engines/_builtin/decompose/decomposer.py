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
from dfactscore.engines._builtin.decompose.fragments import lacks_predicate
from dfactscore.engines._builtin.decompose.readings import ClauseCase, clause_statements
from dfactscore.engines._builtin.decompose.references import (
    Referents,
    clauses_about_others,
    pronoun_subject,
    with_name,
)
from dfactscore.engines._builtin.decompose.scripts import latin_share
from dfactscore.engines._builtin.decompose.torn import is_torn
from dfactscore.engines._builtin.group.clause_cues import remark_in
from dfactscore.engines._builtin.group.cues import View
from dfactscore.engines._builtin.group.paragraph import Paragraph, read_paragraph
from dfactscore.engines._builtin.language.clauses import Range
from dfactscore.engines._builtin.language.rows import Decision, recorded
from dfactscore.engines._builtin.language.word_classes import AUXILIARIES
from dfactscore.engines._roles import Decomposer

_LEAST_LATIN = 0.7
_ENDED = re.compile(r"[.!?…\"”)\]][\"'”’)\]]*$")
_CALLED = re.compile(r" (?:is|was) (?:also |likewise )?(?:called|named|known as) ")


class ScriptWarning(UserWarning):
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
        warnings.warn(
            f"biography {biography.id!r}: {1 - share:.0%} of the letters are not Latin; the "
            "built-in decomposer is made for English",
            ScriptWarning,
            stacklevel=4,
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
