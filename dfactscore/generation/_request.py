"""Requests to a generator and its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

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
