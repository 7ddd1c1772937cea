"""Transports of a request body to a model, with JSON back: over HTTP, or in this process."""

from __future__ import annotations

import asyncio
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from dfactscore._asking.errors import CallError, ModelError, NotThere
from dfactscore._asking.finish_reasons import declines
from dfactscore._asking.guarded_client import guarded_client
from dfactscore._asking.headers import header_values
from dfactscore._asking.listed_models import explained_fault, model_names
from dfactscore._asking.refusals import (
    names_key_or_model,
    names_parameters,
    refusal_text,
    without_keys,
)
from dfactscore._asking.settings import NO_KEY, OpenAIModel
from dfactscore._util.fetching import (
    BadAddress,
    Broken,
    HTTPFault,
    Late,
    TooLarge,
    Unreachable,
    Wire,
)
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.printable import short_repr
from dfactscore._util.retry_after import retry_after
from dfactscore._util.retry_policy import retryable_status
from dfactscore._version import __version__

if TYPE_CHECKING:
    import httpx
    import openai


_SPECIFIC = frozenset({400, 403, 404, 422, 451})  # may be about this request only
_ACCOUNT = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID")  # what the package sends besides the key


class Transient(Exception):
    """A fault that can pass.

    Args:
        reason: One line.
        wait: Seconds that the server asked to wait, if it did.
        unreachable: Whether not even a connection was made.
        late: Whether no answer came within the time.
    """

    def __init__(
        self,
        reason: str,
        wait: float | None = None,
        *,
        unreachable: bool = False,
        late: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait
        self.unreachable = unreachable
        self.late = late


class Rejected(CallError):
    """The server calls the request itself wrong.

    Args:
        reason: One line.
        param: The field it complains about, if it names one.
        policy: Whether it declines the content.
    """

    def __init__(self, reason: str, param: str = "", *, policy: bool = False) -> None:
        super().__init__(reason)
        self.param = param
        self.policy = policy


class Transport(ABC):
    """Sends requests; `endpoint`, and `send` or `post`, are what one must write."""

    @property
    @abstractmethod
    def endpoint(self) -> str:
        """Address of the model in cache keys and manifests."""

    async def send(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """Sends a chat completion request and returns the response's JSON.

        Raises:
            Transient: For faults that can pass.
            CallError: For faults of this request.
            ModelError: For faults of every request.
        """
        return await self.post("/chat/completions", body)

    async def post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        """Sends a request of another kind.

        Args:
            route: ``"/completions"`` and the like; one that begins with ``//`` counts from the
                server's root, not from the endpoint (``"//tokenize"``).
            body: Body to send; None only asks (GET).

        Raises:
            CallError: Here, for a transport that only chats; else as `send`.
        """
        raise CallError(f"{self.endpoint} only answers chats, not {route}")

    def without_key(self, text: str) -> str:
        """A text without the key, in case it contains it; unchanged by default."""
        return text

    async def aclose(self) -> None:  # noqa: B027
        """Frees connections or memory; nothing by default."""


class HTTPTransport(Transport):
    """Sends requests with the `openai` package.

    One object serves several event loops, one after the other (a notebook, then a script).
    """

    def __init__(self, model: OpenAIModel) -> None:
        self.model = model
        self._wire = Wire(seconds=model.timeout)
        self._clients: dict[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = {}
        self._accepted = False  # whether the key was, in this run

    @property
    def endpoint(self) -> str:
        """The address without credentials."""
        return self.model.endpoint

    def _client(self) -> openai.AsyncOpenAI:
        """The package's client of the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._clients = {k: v for k, v in self._clients.items() if not k.is_closed()}
            self._clients[loop] = self._new_client()
        return self._clients[loop]

    def _new_client(self) -> openai.AsyncOpenAI:
        import httpx
        import openai

        key, (address, query) = self.model.api_key(), self._address()
        try:
            httpx.URL(address)
        except httpx.InvalidURL as error:
            raise BadAddress(f"{self.endpoint}: not an address ({error})") from None
        for name in _ACCOUNT:
            if not (value := os.environ.get(name, "")).isascii() or not value.isprintable():
                raise ModelError(f"{name} holds letters that no account has; copy it again")
        version = query.pop("api-version", None)
        more: dict[str, Any] = {
            "api_key": key,
            "max_retries": 0,
            "timeout": None,  # the wire has one for the whole exchange
            "http_client": guarded_client(self._wire, self.without_key),
            "default_headers": {
                "User-Agent": f"dfactscore/{__version__}",
                **header_values(self.model.headers),
            },
            "default_query": query,
        }
        if version is None:
            return openai.AsyncOpenAI(base_url=address, **more)
        path = urlsplit(address).path
        if path and "/openai" not in path:  # models that are not OpenAI's
            more["default_headers"]["api-key"] = key
            more["default_query"]["api-version"] = version
            return openai.AsyncOpenAI(base_url=address, **more)
        place = address if path else f"{address}/openai"
        return openai.AsyncAzureOpenAI(base_url=place, api_version=version, **more)

    def _address(self) -> tuple[str, dict[str, str]]:
        address, _, query = self.model.url.partition("?")
        return address.rstrip("/"), dict(parse_qsl(query))

    async def post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        """Posts to a route; see `Transport.post`."""
        try:
            return await self._post(route, body)
        except NotThere as fault:
            raise fault if body is None else await self.explained(fault) from None

    async def _post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        response = await self._exchange(route, body)
        self._accepted = True
        try:
            reply = parse_json(response.content, strict=False)
        except JSONError as error:
            raise Transient(f"the response is not JSON ({error.reason})") from None
        if not isinstance(reply, Mapping):
            raise Transient(f"the response is not a JSON object: {self.redact(short_repr(reply))}")
        if not reply.get("choices") and reply.get("error"):
            raise self._fault_in_body(reply["error"], body or {})
        return reply

    async def _exchange(self, route: str, body: dict[str, Any] | None) -> httpx.Response:
        import httpx
        import openai

        if route.startswith("//"):
            route = self._address()[0].removesuffix("/v1") + route[1:]
        try:
            client = self._client()
            if body is None:
                return await client.get(route, cast_to=httpx.Response)
            return await client.post(route, cast_to=httpx.Response, body=body)
        except openai.APIStatusError as error:
            raise self._status_fault(error, body or {}) from None
        except openai.APIConnectionError as error:  # as older ones of the package wrap the next
            raise self._wire_fault(error.__cause__ or error) from None
        except (openai.OpenAIError, Broken, TooLarge, BadAddress, ModelError, ValueError) as error:
            raise self._wire_fault(error) from None

    async def explained(self, fault: NotThere) -> ModelError:
        """The fault with what is there instead, by the lists of models; itself if there is none.

        Args:
            fault: The missing resource.
        """
        address, query = self._address()
        if fault.said == "Resource not found":  # in Azure's words
            ends = "Azure's end in ?api-version=VERSION"
            return ModelError(
                f"{fault.where}: not the address of an endpoint ({fault.said}); {ends}: check "
                "--base-url"
            )
        if "api-version" in query:  # whose list has models, not deployments
            return ModelError(f"{fault}; --model is the name of the deployment")
        found = await explained_fault(fault, self.model.model, address, self._models_at)
        return fault if found is None else ModelError(self.without_key(found))

    async def _models_at(self, place: str) -> tuple[str, ...] | None:
        """Names of the models at an address, none if the key is refused; None: nothing there."""
        import httpx
        import openai

        try:
            reply = await self._client().get(f"{place}/models", cast_to=httpx.Response)
            return model_names(parse_json(reply.content, strict=False))
        except openai.APIStatusError as error:
            return () if error.status_code in (401, 403) else None
        except (openai.OpenAIError, HTTPFault, ModelError, ValueError):
            return None

    def _wire_fault(self, error: BaseException) -> Exception:
        """Explains a missing response."""
        said = self.redact(str(error))
        if isinstance(error, Late):
            return Transient(said, late=True)
        if isinstance(error, Broken):
            return Transient(said, unreachable=isinstance(error, Unreachable))
        if isinstance(error, TooLarge):
            return CallError(said)
        if isinstance(error, BadAddress):
            return ModelError(f"{said}; check --base-url")
        if isinstance(error, ModelError):
            return ModelError(said)
        return ModelError(f"{self.endpoint}: the request cannot be sent ({said})")

    def without_key(self, text: str) -> str:
        """A text without the key and other secrets of the address, in case it contains them."""
        return self.model.without_secrets(text)

    def redact(self, text: str) -> str:
        """A text on one line without the key, for errors."""
        return " ".join(without_keys(self.without_key(text)).split())

    def _status_fault(self, error: openai.APIStatusError, sent: Mapping[str, Any]) -> Exception:
        """Explains an error response."""
        status, headers, inner = error.status_code, error.response.headers, error.body
        if isinstance(inner, list) and len(inner) == 1 and isinstance(inner[0], Mapping):
            inner = inner[0].get("error", inner[0])  # as Gemini sends it
        fields = inner if isinstance(inner, Mapping) else {}
        said = self.redact(refusal_text(status, inner))[:300]
        wait = retry_after(headers.get("retry-after"), milliseconds=headers.get("retry-after-ms"))
        code, param = str(fields.get("code") or ""), str(fields.get("param") or "")
        return self._fault(status, code, said, param, sent, wait)

    def _fault_in_body(self, error: Any, sent: Mapping[str, Any]) -> Exception:
        """Explains an error that a gateway sends with status 200."""
        inner = error if isinstance(error, Mapping) else {"message": error}
        code = str(inner.get("code") or inner.get("status") or "")
        said = self.redact(str(inner.get("message", inner)))[:300]
        status = int(code) if re.fullmatch("[45][0-9]{2}", code) else 500
        if said.startswith("Unexpected endpoint"):  # as LM Studio answers at a wrong address
            status = 404
        return self._fault(status, code, said, str(inner.get("param") or ""), sent)

    def _fault(
        self,
        status: int,
        code: str,
        said: str,
        param: str,
        sent: Mapping[str, Any],
        wait: float | None = None,
    ) -> Exception:
        """The fault of a request, of all requests, or one that passes: by code, then by words."""
        where = f"{self.endpoint} answered {status}"
        if status == 402 or code in ("insufficient_quota", "billing_hard_limit_reached"):
            return ModelError(
                f"{where}: no credit left ({said}); the same command resumes once there is"
            )
        if status in (400, 422) and (wrong := names_key_or_model(said, self.model.model)):
            status = 401 if wrong == "key" else 404
        elif status in _SPECIFIC and names_parameters(said, sent):
            return Rejected(f"{where} ({said})", param)
        if (
            "content_filter" in code
            or "content_policy" in code
            or (status in _SPECIFIC and declines(said))
        ):
            return Rejected(f"{where} ({said})", param, policy=True)
        if status == 403 and self._accepted:
            return CallError(f"{where}, though the key was accepted before ({said})", passing=True)
        if status in (401, 403):
            name = self.model.api_key_env
            if self.model.api_key() == NO_KEY:
                return ModelError(
                    f"{where}: it wants a key, and none is set ({said}); set {name}, or name "
                    "another variable with --api-key-env NAME"
                )
            accepted = "no longer accepted" if self._accepted else "not accepted"
            return ModelError(
                f"{where}: the key in {name} is {accepted} ({said}); correct it, or name another "
                "variable with --api-key-env NAME"
            )
        if status in (404, 405) or code == "model_not_found":
            return NotThere(where, said, self.model.model)
        if retryable_status(status):
            return Transient(f"{where} ({said})", wait)
        return Rejected(f"{where} ({said})", param)

    async def aclose(self) -> None:
        """Closes the running loop's connections."""
        await self._wire.aclose()
        if (client := self._clients.pop(asyncio.get_running_loop(), None)) is not None:
            await client.close()
