"""Base class for roles that use a language model: client, prompt, passages, settings, failures."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

from dfactscore._asking.budget import prompt_tokens
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, CallError, Message, Request
from dfactscore._errors import InputError
from dfactscore._records import Entity, Verdict
from dfactscore._text.clean_text import clean
from dfactscore._text.placeholders import check_template, fill_template
from dfactscore._text.sentences import split_sentences
from dfactscore._util.files import read_text
from dfactscore._util.message_text import near_miss
from dfactscore.engines._roles import RoleError
from dfactscore.linking import Evidence
from dfactscore.retrieval._page_bm25 import PageBM25

PromptName = Literal[
    "decompose", "group", "verify", "verify_why", "strict", "no_context", "relevance", "read",
    "verify_all", "relevance_question", "revise", "search_query",
    "segments_vanilla", "segments_cot", "segments_link", "segments_doc",
]  # fmt: skip

PROMPTS: Mapping[PromptName, tuple[str, ...]] = {
    "decompose": ("name", "text", "wanted"),
    "group": ("name", "text", "facts", "fence"),
    "verify": ("name", "title", "page", "facts", "fence"),
    "verify_why": ("name", "title", "page", "facts", "fence"),
    "strict": ("name", "title", "page", "fact", "fence"),
    "no_context": ("name", "facts"),
    "relevance": ("name", "facts"),
    "read": ("name", "text"),
    "verify_all": ("documents", "answers", "facts", "fence", "shown", "first", "second"),
    "relevance_question": ("question", "text", "facts", "fence"),
    "revise": ("question", "text", "facts", "fence"),
    "search_query": ("fact", "queries", "results", "fence"),
    "segments_vanilla": ("question", "segments", "form", "fence"),
    "segments_cot": ("question", "segments", "form", "fence"),
    "segments_link": ("question", "segments", "references", "form", "fence"),
    "segments_doc": ("question", "segments", "references", "form", "fence"),
}
"""The variables of each template; all are required except those in ``_OPTIONAL``."""

_OPTIONAL = frozenset({"name", "title", "fence", "shown", "first", "second"})
_ROLE = re.compile(r"^\[(system|user|assistant)\][ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class RolePrompt:
    """A prompt template."""

    name: PromptName
    messages: tuple[Message, ...]
    version: str  # version stated in the file and a hash of its text; part of every cache key

    def render(self, **variables: str) -> tuple[Message, ...]:
        """Fills in the variables, leaving any placeholders in their values unchanged."""
        return tuple((role, fill_template(text, variables)) for role, text in self.messages)


def load_prompt(name: PromptName, folder: Path | str | None = None) -> RolePrompt:
    """Reads ``NAME.txt`` from the user's folder or, if it is not there, the shipped file."""
    if folder is None:
        return _shipped(name)
    path = Path(folder)
    if not path.is_dir():
        raise InputError(f"prompts: {path}: no such folder")
    for file in sorted(path.glob("*.txt")):
        if file.stem not in PROMPTS:
            files = [f"{n}.txt" for n in PROMPTS]
            raise InputError(
                f"{file}: no prompt has this name{near_miss(file.name, files)} "
                f"(there are {', '.join(files)})"
            )
    if not any((path / f"{known}.txt").is_file() for known in PROMPTS):
        raise InputError(
            f"prompts: {path}: contains no template (there are "
            f"{', '.join(f'{n}.txt' for n in PROMPTS)})"
        )
    file = path / f"{name}.txt"
    if not file.is_file():
        return _shipped(name)
    return parse_prompt(name, read_text(file, error=InputError), str(file))


@lru_cache
def _shipped(name: PromptName) -> RolePrompt:
    file = resources.files("dfactscore.engines._llm.roles") / "prompts" / f"{name}.txt"
    return parse_prompt(name, file.read_text("utf-8"), f"{name}.txt")


def parse_prompt(name: PromptName, text: str, where: str) -> RolePrompt:
    """Reads a template: a line ``# version N``, then messages, each after a line ``[role]``."""
    head, *parts = _ROLE.split(text)
    messages: list[Message] = []
    for role, content in zip(parts[::2], parts[1::2], strict=True):
        for known_role in get_args(Literal["system", "user", "assistant"]):
            if role == known_role:
                messages.append((known_role, content.strip()))
    if not messages or messages[-1][0] != "user":
        raise InputError(
            f"{where}: needs messages after [system], [user] or [assistant], [user] last"
        )
    variables = PROMPTS[name]
    required = [variable for variable in variables if variable not in _OPTIONAL]
    check_template((text for _, text in messages), where, known=variables, needed=required)
    match = re.search(r"^#\s*version\s+(\S+)", head, re.MULTILINE)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return RolePrompt(name, tuple(messages), f"{name}@{match[1] if match else 0}:{digest}")


def flat(text: str) -> str:
    r"""Puts a text on one line, without control characters, so that it cannot forge prompt lines.

    Example:
        >>> flat("one\n2. two\u2028three")
        'one 2. two three'
    """
    return " ".join(clean(text.replace("\x85", " ")).split())


def numbered(items: list[str] | tuple[str, ...]) -> str:
    r"""Formats items as numbered lines.

    Example:
        >>> numbered(["a", "b\nc"])
        '1. a\n2. b c'
    """
    return "\n".join(f"{i}. {flat(item)}" for i, item in enumerate(items, 1))


def fence(*texts: str) -> str:
    """Returns a line to enclose texts with, which depends only on the texts and occurs in none."""
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "replace")).hexdigest()
    for start in range(0, 56, 4):
        mark = f"~~~ {digest[start : start + 8]}"
        if not any(mark in text for text in texts):
            return mark
    return f"~~~ {digest}"


PASSAGE_WORDS = 100
PASSAGE_CHARS = 1500


@lru_cache(maxsize=256)
def passages_of(entity: Entity) -> tuple[str, ...]:
    """Splits an entity's documents into passages of at most 100 words and 1,500 characters."""
    passages: list[str] = []
    for document in entity.documents:
        words = flat(document.text).split(" ")
        for start in range(0, len(words), PASSAGE_WORDS):
            passage = " ".join(words[start : start + PASSAGE_WORDS])
            # Chinese and Japanese have no spaces, and a whole page must not become one passage.
            cuts = range(0, len(passage), PASSAGE_CHARS)
            passages.extend(passage[cut : cut + PASSAGE_CHARS] for cut in cuts)
    return tuple(passages)


@lru_cache(maxsize=64)
def _index(passages: tuple[str, ...]) -> PageBM25:

    return PageBM25(passages)


def select_passages(
    entity: Entity, queries: Sequence[str], *, per_query: int, at_most: int
) -> tuple[str, ...]:
    """Selects the best passages for each fact by BM25, in page order."""
    passages = passages_of(entity)
    limit = min(at_most, per_query * len(queries))
    if len(passages) <= limit:
        return passages
    ranked = _index(passages).select_many(queries, per_query)
    chosen: dict[int, None] = {}
    for rank in range(per_query):
        for order in ranked:
            if rank < len(order) and len(chosen) < limit:
                chosen.setdefault(order[rank])
    return tuple(passages[position] for position in sorted(chosen))


def quotable(entity: Entity, passages: Sequence[str]) -> list[tuple[Evidence, str]]:
    """Returns the sentences of an entity's documents that lie within `passages`, and their places.

    Sentences that extend beyond a passage are omitted unless all passages are given.
    """
    text = " ".join(passages)
    every = len(passages) == len(passages_of(entity))
    return [
        (Evidence(number, sentence.start, sentence.end), line)
        for number, document in enumerate(entity.documents)
        for sentence in split_sentences(document.text)
        if (line := flat(sentence.text)) and (every or line in text)
    ]


_WINDOW = 32_768  # assumed context size, in tokens, if the settings do not give it


class PromptedRole:
    """A role with one prompt template."""

    name: ClassVar[str]
    prompt_name: ClassVar[PromptName]

    def __init__(
        self, client: ChatClient, *, prompts: Path | str | None = None, sample: int = 0
    ) -> None:
        self.client = client
        self.prompt = load_prompt(self.prompt_name, prompts)
        self.sample = sample

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""
        return {
            "name": self.name,
            **self.client.settings,
            "prompt": self.prompt.version,
            "sample": self.sample,
        }

    def question(
        self, stage: str, max_tokens: int, variables: Mapping[str, str], **fields: Any
    ) -> Request:
        """Creates a request from the template; `fields` gives additional fields of `Request`."""
        return Request(
            stage=stage,
            messages=self.prompt.render(**variables),
            version=self.prompt.version,
            max_tokens=max_tokens,
            sample=self.sample,
            **fields,
        )

    def fits(self, request: Request) -> bool:
        """Whether a request and its longest possible answer fit in the model's context."""
        model = self.client.model
        answer_tokens = min(request.max_tokens, model.max_answer_tokens or request.max_tokens)
        return prompt_tokens(request.messages) + answer_tokens <= (model.context or _WINDOW)

    @staticmethod
    @contextmanager
    def failing_as(task: str, error: type[RoleError] = RoleError) -> Iterator[None]:
        """Converts errors raised by a request to the role's error."""
        try:
            yield
        except AnswerError as fault:
            raise error(f"{task} {fault.kind}: {fault.reason}") from None
        except CallError as fault:
            raise error(f"{task} failed: {fault.reason}") from None

    async def verdicts(
        self,
        request: Request,
        count: int,
        read: Callable[[Answer], tuple[Verdict, ...]],
        again: Callable[[Answer], tuple[Verdict, ...]] | None = None,
    ) -> tuple[Verdict, ...]:
        """Returns the verdicts in the answer or, if there is no answer, `count` failed verdicts."""
        try:
            return await self.client.ask(request, read, again=again, keep=_all_read)
        except AnswerError as error:
            return (Verdict(error.kind),) * count
        except CallError:
            return (Verdict("error"),) * count


def _all_read(verdicts: tuple[Verdict, ...]) -> bool:
    return all(verdict.status != "unparsed" for verdict in verdicts)
