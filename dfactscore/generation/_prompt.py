"""The prompt: instruction, demonstrations, numbered documents, name; and ALCE's prompt files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._readers.shown_text import strip_citations
from dfactscore._text.block_headings import with_sections
from dfactscore._text.placeholders import check_template, fill_template
from dfactscore._text.questions import name_of_question
from dfactscore._util.files import read_text
from dfactscore._util.jsonl import read_json
from dfactscore._util.message_text import near_miss, short_repr
from dfactscore._util.settings import parse_yaml
from dfactscore.retrieval import Passage

DEMONSTRATION_SETS = ("ambiguous", "unambiguous", "disambiguating")
"""Shipped sets. ``ambiguous`` and ``unambiguous`` are the paper's two kinds (section 5.3)."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A name, its numbered documents and an answer that cites them."""

    name: str
    documents: tuple[Passage, ...]
    answer: str


def load_demonstrations(source: str | Path, *, shots: int = 2) -> tuple[Demonstration, ...]:
    """Loads a shipped set of demonstrations or your own YAML file.

    ``ambiguous``: the documents are about several people who share a name, and the answer is about
    one of them. ``unambiguous``: only one person bears the name. ``disambiguating``: the documents
    of ``ambiguous``, with answers that distinguish the people. ``none``: no demonstrations.

    Args:
        source: The name of a set, or a file with a list of ``{name, documents: [{title, text}],
            answer}``.
        shots: The number of demonstrations to show, starting with the first.

    Raises:
        InputError: If there is no such set or file, a field is missing, or there are fewer
            demonstrations than `shots`.
    """
    if shots < 0:
        raise InputError(f"shots={shots}: cannot be negative")
    if str(source) == "none" or shots == 0:
        return ()
    if str(source) in DEMONSTRATION_SETS:
        text = (
            files("dfactscore.generation")
            .joinpath(f"demonstrations/{source}.yaml")
            .read_text(encoding="utf-8")
        )
    else:
        text = _text_of(Path(source))
    demonstrations = _parse(text, str(source))
    if len(demonstrations) < shots:
        raise InputError(
            f"{source}: {len(demonstrations)} demonstrations in it, but {shots} shots asked for; "
            f"use --shots {len(demonstrations)}"
        )
    return demonstrations[:shots]


def _text_of(path: Path) -> str:
    if not path.is_file():
        sets = [*DEMONSTRATION_SETS, "none"]
        raise InputError(
            f"demonstrations {str(path)!r}: neither a set ({', '.join(sets)}) nor a file"
            f"{near_miss(path, sets, cutoff=0.5)}"
        )
    return read_text(path, error=InputError)


def _parse(text: str, where: str) -> tuple[Demonstration, ...]:
    items = parse_yaml(text, where, error=InputError)
    if not isinstance(items, list):
        raise InputError(f"{where}: expected a list of demonstrations")
    return tuple(
        _demonstration(item, f"{where}, demonstration {i}") for i, item in enumerate(items, 1)
    )


def _demonstration(item: Any, where: str) -> Demonstration:
    fields = _strings(item, ("name", "answer"), where, others=("documents",))
    documents = item.get("documents")
    if not isinstance(documents, Sequence) or isinstance(documents, str) or not documents:
        raise InputError(f'{where}, field "documents": expected a list of {{title, text}}')
    passages = []
    for number, document in enumerate(documents, 1):
        texts = _strings(document, ("title", "text"), f"{where}, document {number}")
        passages.append(Passage(texts["title"], texts["text"]))
    cited = [n for c in strip_citations(fields["answer"])[1] for n in c.numbers]
    for number in cited:
        if not 1 <= number <= len(passages):
            raise InputError(
                f'{where}, field "answer": cites [{number}], but has {len(passages)} documents'
            )
    return Demonstration(fields["name"], tuple(passages), fields["answer"])


def _strings(
    item: Any, keys: Sequence[str], where: str, *, others: Sequence[str] = ()
) -> dict[str, str]:
    if not isinstance(item, Mapping):
        raise InputError(
            f"{where}: expected an object with {', '.join(keys)}, found {short_repr(item)}"
        )
    known = [*keys, *others]
    for key in item:
        if key not in known:
            near = near_miss(key, known, cutoff=0.5)
            raise InputError(
                f"{where}: unknown field {short_repr(key)}{near} (known: {', '.join(known)})"
            )
    for key in keys:
        if not isinstance(item.get(key), str) or not item[key].strip():
            raise InputError(
                f'{where}, field "{key}": expected text, found {short_repr(item.get(key))}'
            )
    return {key: str(item[key]).strip() for key in keys}


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
                {
                    "number": str(number),
                    "title": passage.title,
                    "text": with_sections(passage.text, name),
                },
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


_QUERY = "Tell me a bio of "
_BLOCK = {"INST": "instruction", "Q": "name", "D": "documents", "A": "answer"}
_DOCUMENT = {"ID": "number", "T": "title", "P": "text"}
_SLOT = re.compile(r"\{([A-Z]+)\}")


def load_alce_prompt(
    path: str | Path,
    *,
    instruction: str | None = None,
    shots: int = 2,
    layout: Literal["single", "turns"] = "single",
) -> Prompt:
    """Reads a prompt in ALCE's format (Gao et al., 2023).

    The file is an object with ``instruction``, ``demo_prompt`` (with ``{INST}``, ``{Q}``, ``{D}``,
    ``{A}``), ``doc_prompt`` (``{ID}``, ``{T}``, ``{P}``), ``demo_sep`` and ``demos``, each with
    ``question``, ``answer`` and ``docs``. The question asked about a name is the paper's query.
    """
    content = read_json(Path(path), error=InputError)
    if not isinstance(content, Mapping):
        raise InputError(f"{path}: expected an object with demo_prompt, doc_prompt and demos")
    block = _template(_text(content, "demo_prompt", str(path)), _BLOCK, f"{path}, demo_prompt")
    document = _template(_text(content, "doc_prompt", str(path)), _DOCUMENT, f"{path}, doc_prompt")
    demos = content.get("demos", [])
    if not isinstance(demos, list):
        raise InputError(f'{path}, field "demos": expected a list, found {short_repr(demos)}')
    if len(demos) < shots:
        raise InputError(
            f"{path}: {len(demos)} demonstrations in it, but {shots} shots asked for; "
            f"use --shots {len(demos)}"
        )
    parts = [_demo(demo, f"{path}, demos[{n}]") for n, demo in enumerate(demos[:shots])]
    if instruction is None:
        instruction = _text(content, "instruction", str(path))
    separator = content.get("demo_sep", "\n\n\n")
    if not isinstance(separator, str):
        raise InputError(f'{path}, field "demo_sep": expected text, found {short_repr(separator)}')
    try:
        return Prompt(
            instruction.strip(),
            tuple(parts),
            block,
            document,
            layout,
            query=_QUERY,
            between=separator,
            gap="\n",
        )
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _template(text: str, slots: Mapping[str, str], where: str) -> str:
    """Replaces ALCE's placeholders with ours; leaves other braces unchanged."""

    def replaced(match: re.Match[str]) -> str:
        name = slots.get(match[1])
        if name is None:
            known = ", ".join(f"{{{slot}}}" for slot in slots)
            raise InputError(f"{where}: unknown placeholder {match[0]} (known: {known})")
        return f"{{{{{name}}}}}"

    return _SLOT.sub(replaced, text)


def _text(item: Mapping[str, Any], key: str, where: str) -> str:
    value = item.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InputError(f'{where}, field "{key}": expected text, found {short_repr(value)}')
    return value


def _demo(item: Any, where: str) -> Demonstration:
    if not isinstance(item, Mapping) or not isinstance(item.get("docs"), list):
        raise InputError(f"{where}: expected an object with question, answer and a list docs")
    docs = []
    for number, doc in enumerate(item["docs"]):
        if not isinstance(doc, Mapping):
            raise InputError(f"{where}, docs[{number}]: expected {{title, text}}")
        at = f"{where}, docs[{number}]"
        docs.append(Passage(_text(doc, "title", at), _text(doc, "text", at)))
    question = _text(item, "question", where).strip()
    named = name_of_question(question)
    # A question that contains only a name gets our query; other questions are left unchanged.
    query = f"{_QUERY}{named}" if named != question else question
    return Demonstration(query, tuple(docs), _text(item, "answer", where).strip())
