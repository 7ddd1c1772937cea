"""ALCE prompt files: instruction, templates and demonstrations in one JSON object."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._text.questions import name_of_question
from dfactscore._util.jsonl import read_json
from dfactscore._util.printable import short_repr
from dfactscore.generation._demonstration import Demonstration
from dfactscore.generation._prompt import Prompt
from dfactscore.retrieval import Passage

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
