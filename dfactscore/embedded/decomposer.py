"""The embedded decomposer: a paragraph's atomic facts by rules, without any model."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore.embedded.paragraph import ClauseReading, Paragraph, read_paragraph
from dfactscore.embedded.statements import Statement, statements
from dfactscore.records import Biography, Fact

__all__ = ["EmbeddedDecomposer", "ScriptWarning", "latin_share"]

_VERSION = 1
_SUBJECT_PRONOUNS = frozenset({"he", "she"})
_POSSESSIVES = frozenset({"his", "her"})
_LEAST_LATIN = 0.7
_PROSE = re.compile(r"\w")


class ScriptWarning(UserWarning):
    """A text is not written in the Latin script; the rules are made for English."""


class EmbeddedDecomposer:
    """Splits a paragraph into facts by the structure of its English clauses.

    Dates in brackets, appositions, relative clauses, verbs that share a subject and lists become
    facts of their own; a pronoun as the subject becomes the name as the paragraph writes it. What
    the rules cannot read stays one fact per sentence, so that no text ever fails.

    Example:
        >>> from dfactscore.records import Biography
        >>> text = "Ann Lee (1736–1784) was a preacher and writer. She moved to Albany and died there."
        >>> for fact in EmbeddedDecomposer().decompose(Biography("1", "Ann Lee", text)):
        ...     print(fact.text)
        Ann Lee was born in 1736.
        Ann Lee died in 1784.
        Ann Lee was a preacher.
        Ann Lee was a writer.
        Ann Lee moved to Albany.
        Ann Lee died there.
    """

    @property
    def settings(self) -> Mapping[str, Any]:
        """What can change an answer."""
        return {"name": "embedded", "version": _VERSION}

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
                "embedded decomposer is made for English",
                ScriptWarning,
                stacklevel=2,
            )
        paragraph = read_paragraph(biography.text, biography.name)
        facts: list[Fact] = []
        for reading in paragraph.clauses:
            for statement in _clause_statements(paragraph, reading):
                span = (reading.offset + statement.start, reading.offset + statement.end)
                facts.append(Fact(statement.text, reading.sentence, span))
        return tuple(facts)


def latin_share(text: str) -> float:
    """The share of Latin letters among the letters of a text; 1 where there are none."""
    letters = [c for c in text[:20_000] if c.isalpha()]
    if not letters:
        return 1.0
    latin = sum(c.isascii() or unicodedata.name(c, "").startswith("LATIN") for c in letters)
    return latin / len(letters)


def _clause_statements(paragraph: Paragraph, reading: ClauseReading) -> list[Statement]:
    """The statements of one clause, or the clause itself where it has no verb."""
    label = paragraph.individuals[reading.individual].label
    tokens, clause = reading.tokens, reading.clause
    if not tokens:
        return []
    start, end = tokens[clause.start].start, tokens[clause.end - 1].end
    whole = reading.text[start:end]
    if not _PROSE.search(whole):
        return []
    if clause.verb < 0:
        if len(whole.split()) < 3:
            return []
        return [Statement(_sentence(whole), start, end)]
    subject = _subject(reading, label)
    made = statements(reading.text, tokens, clause, subject, label or subject)
    return made or [Statement(_sentence(whole), start, end)]


def _subject(reading: ClauseReading, label: str) -> str:
    """The clause's subject with a pronoun replaced by the individual's name."""
    tokens, clause = reading.tokens, reading.clause
    a, b = clause.subject
    written = reading.text[tokens[a].start : tokens[b - 1].end]
    first = tokens[a]
    if not label:
        return written
    if first.low in _SUBJECT_PRONOUNS and b - a == 1:
        return label
    if first.low in _POSSESSIVES:
        return f"{label}’s{reading.text[first.end : tokens[b - 1].end]}"
    return written


def _sentence(words: str) -> str:
    words = re.sub(r"\s+", " ", re.sub(r"[*#]+", "", words)).strip(" ,;:-–—")
    if not words:
        return words
    return words[0].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")
