"""The prompt: instruction, numbered documents, demonstrations, name (paper section 2.2)."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Literal

from dfactscore.errors import InputError
from dfactscore.generation.demonstration import Demonstration
from dfactscore.retrieval import Passage

__all__ = ["INSTRUCTIONS", "Message", "Prompt", "load_prompt"]

INSTRUCTIONS = ("vanilla", "careful")
"""Shipped instructions; *careful* warns that the results may be about different people."""

Message = tuple[Literal["user", "assistant"], str]
_VARIABLES = {
    "template": ("instruction", "documents", "name", "answer"),
    "document": ("number", "title", "text"),
}


@dataclass(frozen=True)
class Prompt:
    """Everything that a prompt is made of but the name and its passages.

    Attributes:
        instruction: What the model is told to do.
        demonstrations: Worked examples, in order.
        template: One block; shown once a demonstration and once for the question. Variables:
            ``${instruction}``, ``${documents}``, ``${name}``, ``${answer}`` (empty in the
            question). A ``$`` itself is written ``$$``.
        document: One document: ``${number}``, ``${title}``, ``${text}``.
        layout: ``"single"`` puts it all into one user message, as the paper does; ``"turns"``
            makes a user message and an assistant answer of each demonstration.
    """

    instruction: str
    demonstrations: tuple[Demonstration, ...]
    template: str
    document: str
    layout: Literal["single", "turns"] = "single"

    def __post_init__(self) -> None:
        if self.layout not in ("single", "turns"):
            raise InputError(f"layout {self.layout!r}: choose single or turns")
        shows = self.layout == "single" and self.demonstrations
        _check("template", self.template, ("documents", "name", *(("answer",) if shows else ())))
        _check("document", self.document, ("number", "text"))

    def messages(self, name: str, passages: Sequence[Passage]) -> list[Message]:
        """The chat messages that ask for one biography."""
        question = self._block(name, passages, "")
        blocks = [(self._block(d.name, d.documents, ""), d) for d in self.demonstrations]
        if self.layout == "turns":
            turns: list[Message] = [
                message
                for block, demonstration in blocks
                for message in (
                    ("user", block),
                    ("assistant", demonstration.answer),
                )
            ]
            return [*turns, ("user", question)]
        shown = [self._block(d.name, d.documents, d.answer) for _, d in blocks]
        return [("user", "\n\n".join([*shown, question]))]

    def _block(self, name: str, passages: Sequence[Passage], answer: str) -> str:
        documents = "\n\n".join(
            string.Template(self.document)
            .substitute(number=number, title=passage.title, text=passage.text)
            .strip()
            for number, passage in enumerate(passages, 1)
        )
        filled = string.Template(self.template).substitute(
            instruction=self.instruction, documents=documents, name=name, answer=answer
        )
        return filled.strip()


def load_prompt(
    *,
    instruction: str | Path = "vanilla",
    demonstrations: tuple[Demonstration, ...] = (),
    template: str | Path | None = None,
    layout: Literal["single", "turns"] = "single",
) -> Prompt:
    """Puts a prompt together from shipped parts or files.

    Args:
        instruction: ``"vanilla"``, ``"careful"`` or a text file.
        demonstrations: What `load_demonstrations` returned.
        template: A text file, or None for the shipped one.
        layout: See `Prompt`.

    Raises:
        InputError: If a file cannot be read or a template has an unknown variable.
    """
    if str(instruction) in INSTRUCTIONS:
        told = _shipped(f"{instruction}.txt")
    else:
        told = _read(Path(instruction), "instruction", INSTRUCTIONS)
    if not told.strip():
        raise InputError(f"instruction {str(instruction)!r}: the file is empty")
    block = _shipped("template.txt") if template is None else _read(Path(template), "template", ())
    try:
        return Prompt(told.strip(), demonstrations, block, _shipped("document.txt"), layout)
    except InputError as error:
        raise InputError(str(error) if template is None else f"{template}: {error}") from None


def _shipped(name: str) -> str:
    return files("dfactscore.generation").joinpath(f"prompts/{name}").read_text(encoding="utf-8")


def _read(path: Path, what: str, shipped: Sequence[str]) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        near = get_close_matches(str(path), shipped, 1, 0.5)
        hint = f"; did you mean {near[0]}?" if near else ""
        choice = f"neither {' nor '.join(shipped)} and " if shipped else ""
        raise InputError(f"{what} {str(path)!r}: {choice}not a readable file{hint}") from error


def _check(what: str, text: str, needed: Sequence[str]) -> None:
    allowed = _VARIABLES[what]
    found = set()
    for match in string.Template.pattern.finditer(text):
        name = match["named"] or match["braced"]
        if match["invalid"] is not None:
            raise InputError(f"{what}: a single $ in {text[match.start() :][:20]!r}; write $$")
        if name and name not in allowed:
            near = get_close_matches(name, allowed, 1, 0.5)
            hint = f"; did you mean ${{{near[0]}}}?" if near else ""
            raise InputError(
                f"{what}: unknown variable ${{{name}}}; known are "
                + ", ".join(f"${{{v}}}" for v in allowed)
                + hint
            )
        found.add(name)
    for name in needed:
        if name not in found:
            why = "; demonstrations show no answer without it" if name == "answer" else ""
            raise InputError(f"{what}: the variable ${{{name}}} is missing{why}")
