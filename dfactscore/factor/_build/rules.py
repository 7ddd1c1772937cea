"""Generates variants of a sentence using rules."""

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
    """Generates candidates using rules."""

    def __init__(self, pages: Mapping[str, Page], settings: BuildSettings) -> None:
        self.settings = {"engine": "builtin"}
        self._corpus, self._options = Corpus.of(pages), settings

    async def make(self, selected: Selected) -> tuple[list[Candidate], Mapping[str, int]]:
        """Returns the candidates for a sentence without making any requests."""
        sentence, prefix, corpus = selected.sentence, selected.prefix, self._corpus
        draw = Random(f"{self._options.draws}|{selected.key}")
        document = corpus.pages[selected.title].text
        candidates = [
            *entity_candidates(selected, corpus, draw),
            *role_candidates(selected, corpus, draw),
            *predicate_candidates(sentence, negation=self._options.negation),
            *circumstance_candidates(
                sentence, draw, document, Chronology.of(prefix, corpus.latest)
            ),
            *coreference_candidates(sentence, prefix, selected.title),
            *link_candidates(sentence),
        ]
        kept = [
            one
            for one in candidates
            if one.type in self._options.kinds
            and one.text != sentence
            and not (one.type in _OF_VALUES and _is_in_prefix(sentence, one, prefix))
        ]
        return kept, {}


def _is_in_prefix(sentence: str, candidate: Candidate, prefix: str) -> bool:
    """Whether the prefix contains the true value (a short number with the word after it)."""
    (edit,) = candidate.edits
    value = re.sub(r"^[Aa]n? |, [A-Z].*", "", edit.old)
    if candidate.type == "circumstance" and (len(value) <= 2 or value.isalpha()):
        value += "".join(re.findall(r"^\W\w+", sentence[edit.span[1] :]))
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", prefix) is not None
