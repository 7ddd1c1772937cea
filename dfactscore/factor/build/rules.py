"""All variants that the rules make of a sentence."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from dfactscore.factor.build.chronology import Chronology
from dfactscore.factor.build.circumstances import circumstance_candidates
from dfactscore.factor.build.corpus_names import Names
from dfactscore.factor.build.other_names import entity_candidates, role_candidates
from dfactscore.factor.build.references import coreference_candidates, link_candidates
from dfactscore.factor.build.selection import Selected
from dfactscore.factor.build.variants import Candidate
from dfactscore.factor.build.verbs import predicate_candidates

if TYPE_CHECKING:
    from dfactscore.factor.build.building import BuildOptions

__all__ = ["rule_candidates"]

_OF_VALUES = ("entity", "circumstance")


def rule_candidates(
    selected: Selected,
    names: Names,
    people: frozenset[str],
    roles: Mapping[str, frozenset[str]],
    document: str,
    draw: random.Random,
    options: BuildOptions,
) -> list[Candidate]:
    """The variants of the wanted types, each only where it can apply.

    Args:
        selected: The sentence.
        names: The corpus's names.
        people: Words that are first names.
        roles: The corpus's occupations.
        document: The whole text of its document.
        draw: Decides by how much and which names.
        options: Which types.
    """
    sentence = selected.sentence
    known = Chronology.of(selected.prefix, names.latest)
    found = [
        *entity_candidates(sentence, names, people, selected.title, document, draw),
        *role_candidates(sentence, roles, names, selected.title, document, draw),
        *predicate_candidates(sentence, negation=options.negation),
        *circumstance_candidates(sentence, draw, document, known),
        *coreference_candidates(sentence, selected.prefix, selected.title, people),
        *link_candidates(sentence),
    ]
    return [
        one
        for one in found
        if one.type in options.types
        and one.text != sentence
        and not (one.type in _OF_VALUES and _is_told(sentence, one, selected.prefix))
    ]


def _is_told(sentence: str, one: Candidate, prefix: str) -> bool:
    """Whether the prefix says the true value already (of a number, with the word behind it)."""
    (edit,) = one.edits
    value = re.sub(r"^[Aa]n? |, [A-Z].*", "", edit.old)
    if one.type == "circumstance" and (len(value) <= 2 or value.isalpha()):
        value += "".join(re.findall(r"^\W\w+", sentence[edit.span[1] :]))
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", prefix) is not None
