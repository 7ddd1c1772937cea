"""The prompt: instruction, demonstrations, numbered documents, name (paper section 2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from dfactscore._errors import InputError
from dfactscore._text.placeholders import check_template, fill_template
from dfactscore._util.files import read_text
from dfactscore._util.near import near_miss
from dfactscore.generation._demonstration import Demonstration
from dfactscore.retrieval import Passage

INSTRUCTIONS = ("vanilla", "careful")
"""Shipped instructions; *careful* warns that the results may be about different people."""

Message = tuple[Literal["user", "assistant"], str]
_VARIABLES = {
    "template": ("instruction", "documents", "name", "answer"),
    "document": ("number", "title", "text"),
}


@dataclass(frozen=True)
class Prompt:
    """The parts of a prompt, without the name and its passages.

    Attributes:
        instruction: The task given to the model.
        demonstrations: The worked examples, in order.
        template: The template of each demonstration and of the question. Its variables are
            ``{{instruction}}``, ``{{documents}}``, ``{{name}}`` and ``{{answer}}`` (empty in the
            question).
        document: The template of a document, with the variables ``{{number}}``, ``{{title}}``,
            ``{{text}}``.
        layout: ``"single"`` puts the whole prompt into one user message, as in the paper;
            ``"turns"`` uses one user message and one assistant message per demonstration.
        query: The words that precede the name in the question; demonstrations contain their own
            query.
        between: The separator between demonstrations within a message.
        gap: The separator between documents.
    """

    instruction: str
    demonstrations: tuple[Demonstration, ...]
    template: str
    document: str
    layout: Literal["single", "turns"] = "single"
    query: str = ""
    between: str = "\n\n"
    gap: str = "\n\n"

    def __post_init__(self) -> None:
        if self.layout not in ("single", "turns"):
            raise InputError(f"layout {self.layout!r}: choose single or turns")
        shows = self.layout == "single" and self.demonstrations
        for part, text, needed in (
            ("template", self.template, ("documents", "name")),
            ("document", self.document, ("number", "text")),
        ):
            check_template([text], part, known=_VARIABLES[part], needed=needed)
        if shows:
            check_template(
                [self.template],
                "template",
                known=_VARIABLES["template"],
                needed=("answer",),
                why="so demonstrations would show no answer",
            )

    def messages(self, name: str, passages: Sequence[Passage]) -> list[Message]:
        """Returns the chat messages that request one biography."""
        question = self._block(f"{self.query}{name}", passages, "")
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
        return [("user", self.between.join([*shown, question]))]

    def _block(self, name: str, passages: Sequence[Passage], answer: str) -> str:
        documents = self.gap.join(
            fill_template(
                self.document,
                {"number": str(number), "title": passage.title, "text": passage.text},
            ).strip()
            for number, passage in enumerate(passages, 1)
        )
        values = {"instruction": self.instruction, "documents": documents, "name": name}
        return fill_template(self.template, {**values, "answer": answer}).strip()


def load_prompt(
    *,
    instruction: str | Path = "vanilla",
    demonstrations: tuple[Demonstration, ...] = (),
    template: str | Path | None = None,
    layout: Literal["single", "turns"] = "single",
) -> Prompt:
    """Builds a prompt from shipped parts or files.

    Args:
        instruction: ``"vanilla"``, ``"careful"`` or a text file.
        demonstrations: The result of `load_demonstrations`.
        template: A text file, or None for the shipped one.
        layout: See `Prompt`.

    Raises:
        InputError: If a file cannot be read or a template has an unknown variable.
    """
    wording = instruction_text(instruction)
    block = _shipped("template.txt") if template is None else _read(Path(template), "template", ())
    try:
        return Prompt(wording.strip(), demonstrations, block, _shipped("document.txt"), layout)
    except InputError as error:
        raise InputError(str(error) if template is None else f"{template}: {error}") from None


def instruction_text(instruction: str | Path) -> str:
    """Returns the text of a shipped instruction or of a file."""
    if str(instruction) in INSTRUCTIONS:
        wording = _shipped(f"{instruction}.txt")
    else:
        wording = _read(Path(instruction), "instruction", INSTRUCTIONS)
    if not wording.strip():
        raise InputError(f"instruction {str(instruction)!r}: the file is empty")
    return wording.strip()


def _shipped(name: str) -> str:
    return files("dfactscore.generation").joinpath(f"prompts/{name}").read_text(encoding="utf-8")


def _read(path: Path, kind: str, shipped: Sequence[str]) -> str:
    if not path.is_file():
        near = near_miss(path, shipped, cutoff=0.5)
        choice = f"neither {' nor '.join(shipped)} and " if shipped else ""
        raise InputError(f"{kind} {str(path)!r}: {choice}not a file{near}")
    return read_text(path, error=InputError)
