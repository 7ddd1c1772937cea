"""Requests to a generator, its results, and generated biographies as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from dfactscore._text.names import bears_name
from dfactscore.retrieval import Passage

FinishReason = Literal[
    "stop", "length", "repetition", "run_on", "empty", "refused", "no_passages", "error"
]


@dataclass(frozen=True, slots=True)
class Request:
    """One biography to write.

    Attributes:
        id: An id, unique within an input.
        name: The target name without "(disambiguation)".
        passages: The passages to use, best first.
        extra: Other fields of the input record, which are copied to the output.
    """

    id: str
    name: str
    passages: tuple[Passage, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trim:
    """A passage that was shortened to fit in the model's context.

    Attributes:
        passage: The number of the passage, from 1.
        sentences: Number of sentences removed from the end of the passage.
        dropped: Whether the whole text was removed.
    """

    passage: int
    sentences: int
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """The source of a generated sentence.

    Attributes:
        start, end: Start and end (exclusive) of the sentence, in characters of the output.
        passage: The number of the passage, from 1.
        title: The title of the passage, which names the entity.
    """

    start: int
    end: int
    passage: int
    title: str


@dataclass(frozen=True, slots=True)
class Generation:
    """One generated biography.

    Attributes:
        output: The text, including citations.
        finish_reason: ``"stop"`` if the text is complete; ``"length"`` at the token limit;
            ``"repetition"`` or ``"run_on"`` if endless repetition or an invented next prompt was
            cut; ``"empty"``, ``"refused"``, ``"no_passages"`` or ``"error"`` if there is no text.
            Any other word is an unrecognized reason reported by the server.
        trims: The passages that were shortened to fit in the context.
        provenance: The source of each sentence, if known to the generator.
        usage: Token counts, if the model reports them.
        note: A one-line message to the user about a problem.
        uncut: The complete text, if part of it was cut.
    """

    output: str
    finish_reason: FinishReason | str
    trims: tuple[Trim, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    uncut: str = ""


@runtime_checkable
class Generator(Protocol):
    """Writes biographies."""

    @property
    def name(self) -> str:
        """The name of the model, as given by the user, or of the generator."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can affect an output, as JSON values; part of the journal key."""

    async def generate(self, request: Request) -> Generation:
        """Writes one biography; on failure, returns a `Generation` that states the reason."""


def same_name_entities(name: str, passages: Sequence[Passage]) -> tuple[str, ...]:
    """Returns the titles of distinct entities with the name, best first (paper section 5.3).

    The paper reports a mean of 2.2 such entities among five passages.

    Example:
        >>> pages = ["Dick Hanley (swimmer)", "Dick Hanley", "Hanley, Texas", "Dick Hanley"]
        >>> same_name_entities("Dick Hanley", [Passage(title, "") for title in pages])
        ('Dick Hanley (swimmer)', 'Dick Hanley')
    """
    return tuple(dict.fromkeys(p.title for p in passages if bears_name(p.title, name)))


_ALWAYS = frozenset({"id", "name", "output"})
QUESTION = "Tell me a bio of {name}"
"""The paper's query (section 2.2)."""


def generation_key(request: Request, settings: Mapping[str, Any]) -> str:
    """Returns a hash of all inputs that can affect an output: name, passages, settings."""
    passages = [[p.title, p.text] for p in request.passages]
    content = [request.id, request.name, passages, settings]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def generation_record(
    request: Request, generation: Generation, generator: Generator
) -> dict[str, Any]:
    """Creates one line of a file of biographies, in a format that `dfactscore._readers` can read.

    The fields are ``id``, ``name``, ``output`` (with citations), ``passages``, ``model``,
    ``finish_reason``, ``retrieved_entities`` (titles that bear the name) and, if not empty,
    ``trims``, ``provenance``, ``usage``, ``note`` and ``uncut``.
    """
    record: dict[str, Any] = {
        "id": request.id,
        "name": request.name,
        "output": generation.output,
        "model": generator.name,
        "finish_reason": generation.finish_reason,
        "retrieved_entities": list(same_name_entities(request.name, request.passages)),
        "trims": [asdict(t) for t in generation.trims],
        "provenance": [asdict(p) for p in generation.provenance],
        "usage": dict(generation.usage),
        "note": generation.note,
        "uncut": generation.uncut,
    }
    record = {k: v for k, v in record.items() if v not in ([], {}, "") or k in _ALWAYS}
    passages = [{"title": p.title, "text": p.text, "id": p.id} for p in request.passages]
    record["passages"] = [{k: v for k, v in p.items() if v or k != "id"} for p in passages]
    return {**record, **{k: v for k, v in request.extra.items() if k not in record}}


def alce_json(
    records: Iterable[Mapping[str, Any]], *, settings: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Converts biographies to ALCE's format (Gao et al. 2023).

    The id and model are added to ALCE's fields so that scores computed from the file include them.
    """
    data = [
        {
            **{key: record[key] for key in ("id", "model") if record.get(key)},
            "question": QUESTION.format(name=record["name"]),
            "output": record["output"],
            "docs": [{"title": p["title"], "text": p["text"]} for p in record["passages"]],
        }
        for record in records
    ]
    return {"args": dict(settings or {}), "data": data}
