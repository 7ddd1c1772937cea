"""Sends request bodies to a model over HTTP, and classifies the server's errors."""

from __future__ import annotations

import asyncio
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from dfactscore._asking.messages import (
    RESPONSES,
    CallError,
    ModelError,
    NotThere,
    as_chat_reply,
    as_responses_body,
    declines,
    joined_stream,
    wants_responses,
)
from dfactscore._asking.refusals import (
    explained_fault,
    model_names,
    names_key_or_model,
    names_parameters,
    page_title,
    refusal_text,
    without_keys,
)
from dfactscore._asking.secrets import header_values
from dfactscore._asking.settings import NO_KEY, OpenAIModel
from dfactscore._util.fetching import (
    LARGEST,
    LARGEST_ANSWER,
    BadAddress,
    Broken,
    HTTPFault,
    Late,
    Reply,
    TooLarge,
    Unreachable,
    Wire,
    requested_wait,
    retryable_status,
    without_credentials,
)
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.message_text import short_repr
from dfactscore._version import __version__

if TYPE_CHECKING:
    import httpx
    import openai


CHAT = "/chat/completions"
"""The route of chat completions."""

_MOST_REDIRECTS = 3
_SAME_METHOD = frozenset({307, 308})
# Headers that describe the compressed body, which `Wire` decompresses.
_OF_PACKED_BODIES = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def guarded_client(wire: Wire, without_key: Callable[[str], str]) -> httpx.AsyncClient:
    """Creates a client that sends its requests through a `Wire`."""
    import httpx

    class Guarded(httpx.AsyncClient):
        async def send(self, request: httpx.Request, **_: Any) -> httpx.Response:
            """Sends a request and reads the response."""
            reply = await _followed(wire, request)
            text = without_key(reply.body.decode("utf-8", "surrogateescape"))
            headers = {k: v for k, v in reply.headers.items() if k.lower() not in _OF_PACKED_BODIES}
            content = text.encode("utf-8", "surrogateescape")
            return httpx.Response(reply.status, headers=headers, content=content, request=request)

    # The wire reads proxies and certificates from the environment.
    return Guarded(transport=httpx.AsyncBaseTransport(), trust_env=False)


async def _followed(wire: Wire, request: httpx.Request) -> Reply:
    """Sends a request and follows redirects on the same host.

    Prompts and the API key must not reach a host that the user did not name.
    """
    import httpx

    small = request.url.path.endswith(("/chat/completions", "/models"))
    for _ in range(_MOST_REDIRECTS + 1):
        reply = await wire.send(request, most=LARGEST_ANSWER if small else LARGEST)
        if not 300 <= reply.status < 400:
            return reply
        headers = [(k, v) for k, v in request.headers.raw if k.lower() != b"host"]
        target = _target(request.url, reply)
        request = httpx.Request(request.method, target, headers=headers, content=request.content)
    where = without_credentials(str(request.url))
    raise ModelError(f"{where}: more than {_MOST_REDIRECTS} redirects")


def _target(source: httpx.URL, reply: Reply) -> httpx.URL:
    """Returns the target of a redirect."""
    import httpx

    answered = f"{without_credentials(str(source))} answered {reply.status}"
    try:
        target = source.join(reply.headers["location"])
    except (KeyError, httpx.InvalidURL):
        raise ModelError(f"{answered} without saying where to go; check --base-url") from None
    secured = (source.scheme, target.scheme, target.port) == ("http", "https", None)
    if source.host != target.host or (source.port != target.port and not secured):
        raise ModelError(
            f"{answered}, which leads to another host ({target.host[:80]!r}); nothing was sent "
            "there. If it is the right one, name it with --base-url"
        )
    if reply.status not in _SAME_METHOD:
        raise ModelError(f"{answered}: not an address that answers requests; check --base-url")
    if target.scheme != source.scheme and not secured:
        raise ModelError(f"{answered}, which leads from https to {target.scheme}; nothing was sent")
    return target.copy_with(userinfo=source.userinfo)


_PLAIN = re.compile(r"HTTP request (?:was sent )?to an? HTTPS|to HTTPS port", re.IGNORECASE)
_SPECIFIC = frozenset({400, 403, 404, 422, 451})  # may concern only this request
_ACCOUNT = ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID")  # the package sends these as headers


class Transient(Exception):
    """A temporary error."""

    def __init__(
        self,
        reason: str,
        wait: float | None = None,  # delay in seconds that the server requested, or None
        *,
        unreachable: bool = False,
        late: bool = False,
        page: bool = False,  # whether a web page came instead of an answer
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait
        self.unreachable = unreachable
        self.late = late
        self.page = page


class Rejected(CallError):
    """The server rejected the request."""

    def __init__(self, reason: str, param: str = "", *, policy: bool = False) -> None:
        super().__init__(reason)
        self.param = param
        self.policy = policy


class Transport(ABC):
    """Base class of transports; subclasses define `endpoint` and either `send` or `post`."""

    @property
    @abstractmethod
    def endpoint(self) -> str:
        """The model's address, as used in cache keys and manifests."""

    async def send(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """Sends a chat completion request and returns the response's JSON."""
        return await self.post(CHAT, body)

    async def post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        """Sends a request to a route and returns the response's JSON."""
        # `route`: the route, such as `"/completions"`, relative to the endpoint; if it begins with
        # `//`, relative to the server's root (`"//tokenize"`).
        raise CallError(f"{self.endpoint} only answers chats, not {route}")

    def without_key(self, text: str) -> str:
        """Masks the key in a text; the base class returns the text unchanged."""
        return text

    async def aclose(self) -> None:  # noqa: B027
        """Frees connections or memory; the base class does nothing."""


class HTTPTransport(Transport):
    """Sends requests with the `openai` package.

    The same object can be used in several event loops in turn (in a notebook, for example).
    """

    def __init__(self, model: OpenAIModel) -> None:
        self.model = model
        self._wire = Wire(seconds=model.timeout)
        self._clients: dict[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = {}
        self._accepted = False  # whether the server has accepted the key
        self._responds = False  # whether the model answers the route of responses only

    @property
    def endpoint(self) -> str:
        """The address without credentials."""
        return self.model.endpoint

    def _client(self) -> openai.AsyncOpenAI:
        """Returns the client for the running event loop."""
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
            "timeout": None,  # the wire limits the whole exchange
            "http_client": guarded_client(self._wire, self.without_key),
            "default_headers": {
                "User-Agent": f"dfactscore/{__version__}",
                **header_values(self.model.headers),
            },
            "default_query": query,
        }
        if version is None:
            if (urlsplit(address).hostname or "").endswith(".azure.com"):  # its address /openai/v1
                more["default_headers"]["api-key"] = key
            return openai.AsyncOpenAI(base_url=address, **more)
        path = urlsplit(address).path
        if path and "/openai" not in path:  # models from other makers on Azure
            more["default_headers"]["api-key"] = key
            more["default_query"]["api-version"] = version
            return openai.AsyncOpenAI(base_url=address, **more)
        place = address if path else f"{address}/openai"
        return openai.AsyncAzureOpenAI(base_url=place, api_version=version, **more)

    def _address(self) -> tuple[str, dict[str, str]]:
        address, _, query = self.model.url.partition("?")
        return address.rstrip("/"), dict(parse_qsl(query))

    async def post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        """Sends a request; see `Transport.post`."""
        chats = route == CHAT and body is not None
        try:
            if chats and self._responds:
                return as_chat_reply(await self._post(RESPONSES, as_responses_body(body or {})))
            return await self._post(route, body)
        except (NotThere, Rejected) as fault:
            reply = fault.reply if isinstance(fault, NotThere) else fault.reason
            if chats and not self._responds and wants_responses(reply):
                self._responds = True
                return await self.post(route, body)
            if body is None or not isinstance(fault, NotThere):
                raise
            raise await self.explained(fault) from None

    async def _post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        response = await self._exchange(route, body)
        try:
            reply = parse_json(response.content, strict=False)
        except JSONError as error:
            if (joined := joined_stream(response.text)) is not None:
                self._accepted = True
                return joined
            if (title := page_title(response.text)) is not None:
                raise Transient(f"a web page came ({self.redact(title)!r})", page=True) from None
            raise Transient(f"the response is not JSON ({error.reason})") from None
        self._accepted = True
        if not isinstance(reply, Mapping):
            raise Transient(f"the response is not a JSON object: {self.redact(short_repr(reply))}")
        if not (reply.get("choices") or reply.get("output")) and reply.get("error"):
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
        except openai.APIConnectionError as error:  # older versions wrap the errors below
            raise self._wire_fault(error.__cause__ or error) from None
        except (openai.OpenAIError, Broken, TooLarge, BadAddress, ModelError, ValueError) as error:
            raise self._wire_fault(error) from None

    async def explained(self, fault: NotThere) -> ModelError:
        """Explains a missing model or wrong address using the server's list of models, if any."""
        address, query = self._address()
        if fault.reply == "Resource not found":  # Azure's message
            ends = "Azure's end in ?api-version=VERSION"
            return ModelError(
                f"{fault.where}: not the address of an endpoint ({fault.reply}); {ends}: check "
                "--base-url"
            )
        if "api-version" in query:  # Azure lists models, not deployments
            return ModelError(f"{fault}; --model is the name of the deployment")
        text = await explained_fault(fault, self.model.model, address, self._models_at)
        return fault if text is None else ModelError(self.without_key(text))

    async def _models_at(self, place: str) -> tuple[str, ...] | None:
        """Returns the models at an address; none if the key is refused, None without a list."""
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
        """Returns the error to raise when there is no response."""
        message = self.redact(str(error))
        if isinstance(error, Late):
            return Transient(message, late=True)
        if isinstance(error, Broken):
            return Transient(message, unreachable=isinstance(error, Unreachable))
        if isinstance(error, TooLarge):
            return CallError(message)
        if isinstance(error, BadAddress):
            return ModelError(f"{message}; check --base-url")
        if isinstance(error, ModelError):
            return ModelError(message)
        return ModelError(f"{self.endpoint}: the request cannot be sent ({message})")

    def without_key(self, text: str) -> str:
        """Masks the model's key and other secrets in a text."""
        return self.model.without_secrets(text)

    def redact(self, text: str) -> str:
        """Masks keys in a text and puts it on one line, for messages."""
        return " ".join(without_keys(self.without_key(text)).split())

    def _status_fault(self, error: openai.APIStatusError, body: Mapping[str, Any]) -> Exception:
        """Returns the error for an error response."""
        status, headers, inner = error.status_code, error.response.headers, error.body
        if isinstance(inner, list) and len(inner) == 1 and isinstance(inner[0], Mapping):
            inner = inner[0].get("error", inner[0])  # Gemini's format
        fields = inner if isinstance(inner, Mapping) else {}
        message = self.redact(refusal_text(status, inner))[:300]
        wait = requested_wait(headers)
        code, param = str(fields.get("code") or ""), str(fields.get("param") or "")
        return self._fault(status, code, message, param, body, wait)

    def _fault_in_body(self, error: Any, body: Mapping[str, Any]) -> Exception:
        """Returns the error for an error message sent with status 200, as some gateways do."""
        inner = error if isinstance(error, Mapping) else {"message": error}
        code = str(inner.get("code") or inner.get("status") or "")
        message = self.redact(str(inner.get("message", inner)))[:300]
        status = int(code) if re.fullmatch("[45][0-9]{2}", code) else 500
        if message.startswith("Unexpected endpoint"):  # LM Studio's message for a wrong address
            status = 404
        return self._fault(status, code, message, str(inner.get("param") or ""), body)

    def _fault(
        self,
        status: int,
        code: str,
        message: str,
        param: str,  # invalid field; empty if the server names none
        body: Mapping[str, Any],
        wait: float | None = None,
    ) -> Exception:
        """Classifies an error by code, then by message: transient, of the call or of the model."""
        where = f"{self.endpoint} answered {status}"
        if _PLAIN.search(message):
            return ModelError(f"{where} ({message}): check --base-url (try https://)")
        if status == 402 or code in ("insufficient_quota", "billing_hard_limit_reached"):
            return ModelError(
                f"{where}: no credit left ({message}); the same command resumes once there is"
            )
        if status in (400, 422) and (subject := names_key_or_model(message, self.model.model)):
            status = 401 if subject == "key" else 404
        elif status in _SPECIFIC and names_parameters(message, body):
            return Rejected(f"{where} ({message})", param)
        if (
            "content_filter" in code
            or "content_policy" in code
            or (status in _SPECIFIC and declines(message))
        ):
            return Rejected(f"{where} ({message})", param, policy=True)
        if status == 403 and self._accepted:
            reason = f"{where}, though the key was accepted before ({message})"
            return CallError(reason, passing=True)
        if status in (401, 403):
            name = self.model.api_key_env
            if self.model.api_key() == NO_KEY:
                return ModelError(
                    f"{where}: it wants a key, and none is set ({message}); set {name}, or name "
                    "another variable with --api-key-env NAME"
                )
            accepted = "no longer accepted" if self._accepted else "not accepted"
            return ModelError(
                f"{where}: the key in {name} is {accepted} ({message}); correct it, or name "
                "another variable with --api-key-env NAME"
            )
        if status in (404, 405) or code == "model_not_found":
            return NotThere(where, message, self.model.model)
        if retryable_status(status):
            return Transient(f"{where} ({message})", wait)
        return Rejected(f"{where} ({message})", param)

    async def aclose(self) -> None:
        """Closes the running loop's connections."""
        await self._wire.aclose()
        if (client := self._clients.pop(asyncio.get_running_loop(), None)) is not None:
            await client.close()
