"""Puts a verifier of your own beside the built-in one; the other two roles stay as they are."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore import Biography, Entity, Fact, Scorer, Verdict, Verifier, read_biographies
from dfactscore.examples import example


class WordVerifier(Verifier):
    """Supports a fact when enough of its words are in the entity's documents."""

    threshold = 0.8

    @property
    def settings(self) -> Mapping[str, Any]:
        """Returns the settings that can change an answer: they are kept with every verdict."""
        return {"verifier": "words", "version": 1}

    def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """One verdict per fact."""
        name = self._words(biography.name)
        known = self._words(" ".join(d.text for d in entity.documents))
        return [self._verdict(self._words(fact.text) - name, known) for fact in facts]

    def _verdict(self, fact: set[str], known: set[str]) -> Verdict:
        share = round(len(fact & known) / len(fact), 6) if fact else 0.0
        return Verdict("supported" if share >= self.threshold else "not_supported", share)

    def _words(self, text: str) -> set[str]:
        return set(re.findall(r"\w{2,}", text.lower()))


people = example("people")
biographies = read_biographies(people.biographies).biographies
for label, verifier in (("builtin", None), ("words", WordVerifier())):
    results = Scorer(verifier=verifier, pages=str(people.pages)).score_many(biographies)
    summary = results.summary
    print(f"{label:10} FS {summary.fs:.3f}   D-FS {summary.dfs:.3f}   of {summary.n_scored} texts")
