"""The built-in grouper: groups facts by the person a reader would think they are about."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dfactscore._records import Biography, Fact, FactGroup
from dfactscore._text.names import bears_name, name_words
from dfactscore.engines._builtin import rules
from dfactscore.engines._builtin.group.paragraph import Paragraph, read_paragraph
from dfactscore.engines._builtin.group.rules import ELSE, RULES, SECTION
from dfactscore.engines._builtin.language.word_classes import word_list
from dfactscore.engines._roles import Grouper

_SUBJECT = re.compile(r"(?:[A-Z][\w.'’-]*\s+)+")
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|es|s)$")
_EMPTY = word_list("empty")
_BACK = 0.05  # the lead that a sentence after the last fact needs, per sentence skipped
_COMMON = 200  # a word in more sentences only counts near the last fact: keeps the search linear
_SAYS = {rule.id: rule.says for rule in (*RULES, SECTION, ELSE)} | {
    "in passing": "The clause presents others in passing",
}


def place_facts(
    text: str, sentences: Sequence[tuple[int, int]], facts: Sequence[Fact]
) -> list[tuple[int, int]]:
    """Gives every fact a place in the text.

    A fact that has a span keeps it; a fact that only has a sentence gets a place within that
    sentence. Any other fact gets a place in the sentence that covers most of its words, preferably
    near the previous fact.
    """
    sentences_of: Mapping[str, Collection[int]] | None = None
    places: list[tuple[int, int]] = []
    sentence = 0
    for fact in facts:
        if fact.span is not None and 0 <= fact.span[0] <= fact.span[1] <= len(text):
            places.append(fact.span)
        elif not sentences:
            places.append((0, len(text)))
        else:
            if fact.sentence is not None and 0 <= fact.sentence < len(sentences):
                sentence = fact.sentence
            else:
                sentences_of = sentences_of or _sentences_by_word(text, sentences)
                sentence = _best_sentence(fact.text, sentences_of, sentence)
            places.append(_word_span(text, sentences[sentence], fact.text))
    # Start and end of each fact; for a fact without a span, the start of the first and the end of
    # the last of its words that occur in the sentence.
    return places


def _stem(word: str) -> str:
    return _ENDING.sub("", word.lower())


def _stems(text: str) -> set[str]:
    return {_stem(w) for w in _WORD.findall(text) if w.lower() not in _EMPTY}


def _sentences_by_word(
    text: str, sentences: Sequence[tuple[int, int]]
) -> Mapping[str, Collection[int]]:
    """Maps each word to the sentences that contain it."""
    sentences_of: dict[str, dict[int, None]] = defaultdict(dict)
    for number, (start, end) in enumerate(sentences):
        for word in _stems(text[start:end]):
            sentences_of[word][number] = None
    return sentences_of


def _best_sentence(fact: str, sentences_of: Mapping[str, Collection[int]], last: int) -> int:
    """Returns the sentence that covers most of the fact's words, preferring one near `last`."""
    subject = _SUBJECT.match(fact)
    named = _stems(subject.group()) if subject else set()
    weights: dict[int, float] = defaultdict(float)
    for word in _stems(fact):
        candidates: Collection[int] = sentences_of.get(word, ())
        if len(candidates) > _COMMON:
            candidates = [p for p in (last, last + 1) if p in candidates]
        weight = 0.25 + 1 / (1 + 0.5 * max(len(candidates) - 1, 0))
        for p in candidates:  # facts repeat the subject's name, sentences write "he"
            weights[p] += weight * (0.3 if word in named else 1)
    if not weights:
        return last
    best = max(weights.values())

    def score(p: int) -> float:
        distance = p - last if p >= last else 1.5 + 0.5 * (last - p)
        return weights[p] - best * min(_BACK * distance, 0.6)

    return max(sorted(weights), key=lambda p: round(score(p), 9))


def _word_span(text: str, sentence: tuple[int, int], fact: str) -> tuple[int, int]:
    """Returns the part of a sentence from the first to the last word it shares with the fact."""
    words = _stems(fact)
    matches = [m.span() for m in _WORD.finditer(text, *sentence) if _stem(m.group()) in words]
    return (matches[0][0], matches[-1][1]) if matches else sentence


@dataclass(frozen=True, slots=True)
class Explanation:
    """The person a clause is about, and the reason."""

    text: str
    individual: int  # index of the individual, in order of appearance
    label: str  # individual's name as written in the text, or empty
    rule: str
    says: str
    # Sorted names of the clause's cues and of its relations to the people introduced so far.
    cues: tuple[str, ...]
    passing: tuple[int, ...]


def explain(text: str, name: str = "") -> Sequence[Explanation]:
    """Explains, for each clause in a paragraph, who it is about and which rule decided.

    Example:
        >>> for found in explain("Ann Lee was a nun. Another Ann Lee is a poet.", "Ann Lee"):
        ...     print(found.individual, found.text, "|", found.rule)
        0 Ann Lee was a nun | first person
        1 Another Ann Lee is a poet | another
    """
    paragraph = read_paragraph(text, name)
    return tuple(
        Explanation(
            reading.view.text if reading.view.tokens else "",
            reading.individual,
            paragraph.individuals[reading.individual].label,
            reading.rule,
            _SAYS[reading.rule],
            tuple(sorted(reading.cues)),
            tuple(individual for _, individual in reading.passing),
        )
        for reading in paragraph.clauses
    )


class BuiltinGrouper(Grouper):
    """Groups facts by the individuals that the paragraph introduces (section 4.1 of the paper).

    Reads only the paragraph. Facts stay together, even if they contradict each other, unless the
    text makes clear that it turns to another person. Facts without a place in the text (from
    another decomposer) get one based on their words and order.

    Example:
        >>> from dfactscore._records import Biography, Fact
        >>> text = "Ann Lee (1736–1784) was a nun. She died young. Ann Lee (born 1970) is a poet."
        >>> facts = [Fact("Ann Lee was a nun."), Fact("She died young."), Fact("She is a poet.")]
        >>> for group in BuiltinGrouper().group(Biography("1", "Ann Lee", text), facts):
        ...     print(group.facts, group.label, group.bears_name)
        (0, 1) Ann Lee True
        (2,) Ann Lee True
    """

    english_only = True

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change the result."""
        return {"name": "builtin", "rules": rules.GROUPER}

    def group(self, biography: Biography, facts: Sequence[Fact]) -> Sequence[FactGroup]:
        """Partitions the facts into groups, ordered by their first facts.

        Args:
            biography: The paragraph and the target name.
            facts: The facts, which may or may not have a place in the text.
        """
        if not facts:
            return ()
        paragraph = read_paragraph(biography.text, biography.name)
        places = place_facts(biography.text, paragraph.sentences, facts)
        members: dict[int, list[int]] = {}
        for index, (start, _) in enumerate(places):
            members.setdefault(_individual_at(paragraph, start), []).append(index)
        groups = sorted(members.items(), key=lambda item: item[1][0])
        return tuple(_as_group(paragraph, who, tuple(ids), biography.name) for who, ids in groups)


def _individual_at(paragraph: Paragraph, start: int) -> int:
    """Returns the individual at the start of a fact, even if the fact covers several."""
    spans = paragraph.spans
    if not spans:
        return 0
    index = max(bisect_right(spans, (start, float("inf"), 0)) - 1, 0)
    return spans[index][2]


def _as_group(
    paragraph: Paragraph, individual: int, facts: tuple[int, ...], name: str
) -> FactGroup:
    label = (
        paragraph.individuals[individual].label if individual < len(paragraph.individuals) else ""
    )
    if not label:
        return FactGroup(facts, "", None)
    words = set(name_words(label))
    bears = bears_name(label, name) or (bool(words) and words <= set(name_words(name)))
    return FactGroup(facts, label, bears)
