"""Demonstrations: the worked examples in a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._readers.citation_marks import strip_citations
from dfactscore._util.files import read_text
from dfactscore._util.near import near_miss
from dfactscore._util.printable import short_repr
from dfactscore._util.yaml_file import parse_yaml
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
        text = _read(Path(source))
    demonstrations = _parse(text, str(source))
    if len(demonstrations) < shots:
        raise InputError(
            f"{source}: {len(demonstrations)} demonstrations in it, but {shots} shots asked for; "
            f"use --shots {len(demonstrations)}"
        )
    return demonstrations[:shots]


def _read(path: Path) -> str:
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
