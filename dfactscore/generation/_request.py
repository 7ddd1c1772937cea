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
        id: Unique within an input.
        name: The target name, without "(disambiguation)".
        passages: The passages to use, best first.
        extra: Other fields of the input record, carried along.
    """

    id: str
    name: str
    passages: tuple[Passage, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trim:
    """How a passage is shortened to fit the model's context.

    Attributes:
        passage: Its number, 1-based.
        sentences: The number of its last sentences that are left out.
        dropped: Whether nothing of it was kept.
    """

    passage: int
    sentences: int
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """The source of a generated sentence.

    Attributes:
        start: First character of the sentence in the output.
        end: The character after its last.
        passage: Number of the passage, 1-based.
        title: Its title, which names the entity.
    """

    start: int
    end: int
    passage: int
    title: str


@dataclass(frozen=True, slots=True)
class Generation:
    """One biography as it was written.

    Attributes:
        output: The text, citations as written.
        finish_reason: ``"stop"`` where it ended by itself; ``"length"`` at the token limit;
            ``"repetition"`` and ``"run_on"`` where endless repetition, or a next prompt that the
            model invented, was cut; ``"empty"``, ``"refused"``, ``"no_passages"`` and ``"error"``
            if there is no text; another word is the server's, and not known.
        trims: Passages shortened to fit the context.
        provenance: Per sentence, from generators that know it.
        usage: Tokens, if the model reports them.
        note: One line for the user where something went wrong.
        uncut: The text before anything was cut from it, where something was.
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
        """Model that wrote it: the model's name as the user gave it, or the generator's."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an output (JSON values); part of the journal key."""

    async def generate(self, request: Request) -> Generation:
        """Writes one biography; a failure is a `Generation` that says so."""
