"""The built-in grouper: groups facts by the person a reader would think they are about."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._records import Biography, Fact, FactGroup
from dfactscore._text.names import bears_name, name_words
from dfactscore.engines._builtin import rules
from dfactscore.engines._builtin.group.alignment import place_facts
from dfactscore.engines._builtin.group.paragraph import Paragraph, read_paragraph
from dfactscore.engines._roles import Grouper


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
