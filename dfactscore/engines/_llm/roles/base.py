"""Base class for roles that use a language model: client, prompt, settings, failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from dfactscore._asking.client import ChatClient
from dfactscore._asking.errors import AnswerError, CallError
from dfactscore._asking.messages import Answer, Request
from dfactscore._asking.tokens import prompt_tokens
from dfactscore._records import Verdict
from dfactscore.engines._llm.roles.prompts import PromptName, load_prompt
from dfactscore.engines._roles import RoleError

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
