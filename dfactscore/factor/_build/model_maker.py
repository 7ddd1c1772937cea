"""Generates candidates with a language model, which writes a plan and then the sentence."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import resources
from itertools import pairwise
from typing import Any

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, CallError, Request
from dfactscore._asking.structured import object_schema, parse_object
from dfactscore.factor._build.variants import Candidate, Edit, Selected, apply_edits
from dfactscore.factor._settings import Type

_NEAR_WORDS = 64
_COUNT = 3
_ADVICE: Mapping[Type, str] = {
    "entity": "Replace a person, organization, work or thing that is the subject or an object by "
    "another of the same kind. Leave dates and quantities as they are.",
    "predicate": "Replace the verb, so that something else is said to have happened. Do not only "
    'add "not".',
    "circumstance": "Change a date, time, place or number that stands in the sentence. Add none "
    "that was not there.",
    "coreference": "Make a pronoun or short name point to another person or thing. Name the one "
    "that it pointed to first, in your plan.",
    "link": "Turn a word that joins two parts (before, after, because, although, while ...) into "
    "its opposite. If there is none, give no change.",
}
_TEXT = {"type": "string"}
_EDITS = {"type": "array", "items": object_schema({"from": _TEXT, "to": _TEXT})}
_CHANGED = object_schema({"edits": _EDITS, "sentence": _TEXT})
_SCHEMA = object_schema({"contradictions": {"type": "array", "items": _CHANGED}})


class ModelMaker:
    """Asks a chat model for candidates, one call per sentence and type."""

    def __init__(self, client: ChatClient, types: Sequence[Type]) -> None:
        self.client = client
        self.types = tuple(types)
        text = resources.files("dfactscore.factor._build").joinpath("prompt.txt").read_text("utf-8")
        head, _, rest = text.partition("[user]\n")
        self._system = head.removeprefix("[system]\n").strip()
        self._user = rest.strip()
        self.version = f"factor-1-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @property
    def settings(self) -> dict[str, Any]:
        """Settings that can change an answer."""
        return {"engine": "llm", "prompt": self.version, **self.client.settings}

    async def make(self, selected: Selected) -> tuple[list[Candidate], dict[str, int]]:
        """Returns the candidates for a sentence, and how often each outcome occurred."""
        found: list[Candidate] = []
        statuses: Counter[str] = Counter()
        for kind in self.types:
            try:
                several, more = await self.client.ask(
                    self.request(selected, kind), partial(self._read, selected, kind)
                )
            except AnswerError as error:
                statuses["refused" if error.kind == "refused" else "unparsed"] += 1
                continue
            except CallError:
                statuses["error"] += 1
                continue
            found += several
            statuses.update(more)
        return found, dict(statuses)

    def request(self, selected: Selected, kind: Type) -> Request:
        """The request for candidates with one type of change to a sentence."""
        before = " ".join(selected.prefix.split()[-_NEAR_WORDS:]) or "(nothing)"
        user = self._user.format(
            before=before,
            sentence=selected.sentence,
            kind=kind,
            advice=_ADVICE[kind],
            count=_COUNT,
        )
        return Request(
            stage="contradict",
            messages=(("system", self._system), ("user", user)),
            version=self.version,
            max_tokens=200 + 60 * _COUNT + 4 * len(selected.sentence.split()) * _COUNT,
            schema=_SCHEMA,
        )

    def _read(
        self, selected: Selected, kind: Type, answer: Answer
    ) -> tuple[list[Candidate], dict[str, int]]:
        return read_candidates(
            parse_object(answer), selected.sentence, kind, maker=self.client.model.model
        )


def read_candidates(
    found: Mapping[str, Any], sentence: str, kind: Type, *, maker: str
) -> tuple[list[Candidate], dict[str, int]]:
    """Reads the candidates in an answer, and counts unusable ones by reason.

    The reasons are: ``none`` if the model finds no candidate; ``no_plan`` or ``no_sentence`` if a
    part is missing; ``unchanged`` if the sentence is the original; ``plan_mismatch`` if the
    sentence does not match the plan; ``repeated`` if it equals an earlier candidate.
    """
    listed = found.get("contradictions")
    if not isinstance(listed, list):
        raise AnswerError("it has no list 'contradictions'")
    statuses: Counter[str] = Counter()
    candidates: list[Candidate] = []
    if not listed:
        statuses["none"] += 1
    for one in listed:
        status, made = _read_candidate(one, sentence, kind, maker)
        if made is not None and made.text in {c.text for c in candidates}:
            status, made = "repeated", None
        statuses[status] += 1
        if made is not None:
            candidates.append(made)
    return candidates, dict(statuses)


def _read_candidate(
    entry: Any, sentence: str, kind: Type, maker: str
) -> tuple[str, Candidate | None]:
    if not isinstance(entry, Mapping):
        return "unparsed", None
    text, plan = entry.get("sentence"), entry.get("edits")
    if not isinstance(text, str) or not text.strip():
        return "no_sentence", None
    if text.strip() == sentence.strip():
        return "unchanged", None
    if not isinstance(plan, list) or not plan:
        return "no_plan", None
    edits = []
    for step in plan:
        old, new = (step.get("from"), step.get("to")) if isinstance(step, Mapping) else (None, None)
        if not isinstance(old, str) or not isinstance(new, str) or not old or old == new:
            return "no_plan", None
        if sentence.count(old) != 1:
            return "plan_mismatch", None
        place = sentence.index(old)
        edits.append(Edit(old, new, (place, place + len(old))))
    spans = sorted(edit.span for edit in edits)
    if any(a[1] > b[0] for a, b in pairwise(spans)):
        return "plan_mismatch", None
    if apply_edits(sentence, edits).strip() != text.strip():
        return "plan_mismatch", None
    made = Candidate(kind, apply_edits(sentence, edits), tuple(edits), maker)
    return "kept", made
