"""Samples for a host framework: names with prompts and passages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._jobs.settings import Config
from dfactscore._readers import read_biographies
from dfactscore._util.near import near_file, near_miss
from dfactscore._util.printable import short_repr
from dfactscore._util.settings import from_mapping, settle
from dfactscore.generation import Request, read_names
from dfactscore.generation._config import NamesSettings, validated
from dfactscore.generation._request import QUESTION
from dfactscore.generation._request_files import load_requests

_PROMPT = frozenset({"instruction", "demos", "shots", "template", "layout"})
_OWN = ("names", "pages", "passages", "top", *sorted(_PROMPT))


@dataclass(frozen=True, slots=True)
class HostSample:
    """A name and its prompt."""

    id: str
    name: str
    messages: list[Any]  # prompt, as `{role, content}`
    passages: list[dict[str, str]]  # passages as `{title, text}`, best first; may be empty

    @property
    def prompt(self) -> str:
        """The prompt as a single text."""
        return "\n\n".join(message["content"] for message in self.messages)


def host_samples(
    where: str,
    *,
    names: str | None = None,
    pages: str | None = None,
    passages: str | None = None,
    top: int = 5,
    **settings: Any,
) -> tuple[list[HostSample], dict[str, Any]]:
    """Creates samples from a file of names or, by default, from the shipped example.

    With passages, the prompt is that of `dfactscore generate`; without passages, it is the paper's
    query (section 2.2).
    """
    for name, path in (("names", names), ("passages", passages)):
        if path is not None and not Path(path).exists():
            raise InputError(
                f"{where}: {name}: {path}: no such file or folder{near_file(Path(path))}"
            )
    known = (*_OWN, *Config.model_fields)
    for key in settings:
        near = "" if key in known else near_miss(key, known, most=2)
        if any(name in near for name in _OWN):  # the judge checks the other settings
            raise InputError(f"{where}: no setting {short_repr(key)}{near}")
    prompt = validated({k: v for k, v in settings.items() if k in _PROMPT}, where).prompt()
    samples = [
        HostSample(
            request.id,
            request.name,
            [
                {"role": role, "content": text}
                for role, text in (
                    prompt.messages(request.name, request.passages)
                    if request.passages
                    else [("user", QUESTION.format(name=request.name))]
                )
            ],
            [{"title": p.title, "text": p.text} for p in request.passages],
        )
        for request in _requests(where, names, passages, top)
    ]
    if pages is None and not any(sample.passages for sample in samples):
        raise InputError(f"{where}: nothing to judge against; give pages=FILE or passages=INDEX")
    return samples, {"pages": pages, **{k: v for k, v in settings.items() if k not in _PROMPT}}


def _requests(where: str, names: str | None, passages: str | None, top: int) -> list[Request]:
    if passages is not None:
        kind = "index" if Path(passages).is_dir() else "passages"
        given = {"names": names, kind: passages, "top": top}
        return load_requests(settle(NamesSettings, from_mapping(NamesSettings, given, where)))
    return _example() if names is None else read_names(names)


def _example() -> list[Request]:
    """Returns the people in the shipped example, with the passages of their first biography."""
    from dfactscore.examples import example

    found: dict[str, Request] = {}
    for biography in read_biographies(example("people").biographies).biographies:
        name = biography.name
        found.setdefault(name, Request(name, name, biography.passages))
    return list(found.values())
