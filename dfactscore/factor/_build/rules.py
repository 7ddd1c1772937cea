"""All rule-based variants of a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

from dfactscore.factor._build.chronology import Chronology
from dfactscore.factor._build.circumstances import circumstance_candidates
from dfactscore.factor._build.other_names import entity_candidates, role_candidates
from dfactscore.factor._build.read_corpus import Corpus
from dfactscore.factor._build.references import coreference_candidates, link_candidates
from dfactscore.factor._build.selection import Selected
from dfactscore.factor._build.variants import Candidate
from dfactscore.factor._build.verbs import predicate_candidates
from dfactscore.factor._settings import BuildSettings
from dfactscore.retrieval import Page

_OF_VALUES = ("entity", "circumstance")


class Rules:
    """Makes candidates by rules, each only where it can apply.

    Args:
        pages: The corpus.
        how: The types, and the seed of the size of changes and of the names.
    """

    def __init__(self, pages: Mapping[str, Page], how: BuildSettings) -> None:
        self.settings = {"engine": "builtin"}
        self._corpus, self._how = Corpus.of(pages), how

    async def make(self, selected: Selected) -> tuple[list[Candidate], Mapping[str, int]]:
        """The candidates of a sentence; nothing is asked for them."""
        sentence, prefix, corpus = selected.sentence, selected.prefix, self._corpus
        draw = Random(f"{self._how.draws}|{selected.key}")
        document = corpus.pages[selected.title].text
        found = [
            *entity_candidates(selected, corpus, draw),
            *role_candidates(selected, corpus, draw),
            *predicate_candidates(sentence, negation=self._how.negation),
            *circumstance_candidates(
                sentence, draw, document, Chronology.of(prefix, corpus.latest)
            ),
            *coreference_candidates(sentence, prefix, selected.title),
            *link_candidates(sentence),
        ]
        kept = [
            one
            for one in found
            if one.type in self._how.kinds
            and one.text != sentence
            and not (one.type in _OF_VALUES and _is_told(sentence, one, prefix))
        ]
        return kept, {}


def _is_told(sentence: str, one: Candidate, prefix: str) -> bool:
    """Whether the prefix says the true value already (of a number, with the word after it)."""
    (edit,) = one.edits
    value = re.sub(r"^[Aa]n? |, [A-Z].*", "", edit.old)
    if one.type == "circumstance" and (len(value) <= 2 or value.isalpha()):
        value += "".join(re.findall(r"^\W\w+", sentence[edit.span[1] :]))
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", prefix) is not None
