"""How a request body reaches a model and comes back as JSON: over HTTP, or in this process."""

from __future__ import annotations

import asyncio
import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from dfactscore._util.fetching import (
    LARGEST,
    LARGEST_ANSWER,
    BadAddress,
    Broken,
    Late,
    Reply,
    TooLarge,
    Unreachable,
    Wire,
    limited_transport,
    without_credentials,
)
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.patience import retryable_status
from dfactscore._util.retry_after import retry_after
from dfactscore._util.shown import shown
from dfactscore._version import __version__
from dfactscore.asking.errors import CallError, ModelError
from dfactscore.asking.settings import OpenAIModel

if TYPE_CHECKING:
    import openai

__all__ = ["HTTPTransport", "Rejected", "Transient", "Transport"]

_MOST_REDIRECTS = 3
_SAME_METHOD = frozenset({307, 308})
_LARGEST_FILE = 256 * 2**20  # of a batch job's answers
# Headers by which OpenAI charges an organization or a project, as its own package sends them.
_ACCOUNT = {"OpenAI-Organization": "OPENAI_ORG_ID", "OpenAI-Project": "OPENAI_PROJECT_ID"}


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
        param: The field it complains about, where it names one.
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
        """What stands for the model's place in cache keys and manifests."""

    @property
    def concurrency(self) -> int | None:
        """Maximum number of requests at a time; None leaves it to the model's settings."""
        return None

    @property
    def claims(self) -> bool:
        """Whether a prompt that another process is asking is waited for instead of asked too."""
        return True

    async def send(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """Sends a chat completion request and returns the response's JSON.

        Raises:
            Transient: For faults that can pass.
            CallError: For faults of this request.
            ModelError: For faults of every request.
        """
        return await self.post("/chat/completions", body)

    async def send_now(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """As `send`, for a request that the others wait for; `send` by default."""
        return await self.send(body)

    async def post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        """Sends a request of another kind.

        Args:
            route: ``"/completions"`` and the like; one that begins with ``//`` counts from the
                server's root, not from the endpoint (``"//tokenize"``).
            body: What is posted; None only asks (GET).

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
    """Posts requests over `httpx`.

    One object serves several event loops, one after the other (a notebook, then a script).
    """

    def __init__(self, model: OpenAIModel) -> None:
        self.model = model
        self._wire = Wire(seconds=model.timeout)
        self._packages: dict[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = {}

    @property
    def endpoint(self) -> str:
        """The address without credentials."""
        return self.model.endpoint

    def package(self) -> openai.AsyncOpenAI:
        """The `openai` package's client of the running event loop, for jobs of many requests."""
        import openai

        loop = asyncio.get_running_loop()
        if loop not in self._packages:
            client = openai.DefaultAsyncHttpxClient
            self._packages = {
                old: client for old, client in self._packages.items() if not old.is_closed()
            }
            self._packages[loop] = openai.AsyncOpenAI(
                api_key=self.model.api_key(),
                base_url=self.model.url,
                max_retries=0,
                timeout=self.model.timeout,
                http_client=client(
                    follow_redirects=False,
                    transport=limited_transport(client, most=_LARGEST_FILE),
                ),
            )
        return self._packages[loop]

    async def post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        """Posts to a route; see `Transport.post`."""
        answer = await self._exchange(
            self._address(route),
            None if body is None else json.dumps(body).encode(),
            most=LARGEST_ANSWER if route == "/chat/completions" else LARGEST,
        )
        # Whatever a server says of the key goes no further.
        said = self.without_key(answer.body.decode("utf-8", "surrogateescape"))
        data = said.encode("utf-8", "surrogateescape")
        if answer.status >= 300:
            raise self.status_fault(answer.status, answer.headers, _body(data))
        try:
            reply = parse_json(data, strict=False)
        except JSONError as error:
            raise Transient(f"the response is not JSON ({error.reason})") from None
        if not isinstance(reply, Mapping):
            raise Transient(f"the response is not a JSON object: {self.redact(shown(reply))}")
        if not reply.get("choices") and reply.get("error"):
            raise self._fault_in_body(reply["error"])
        return reply

    async def _exchange(self, url: str, content: bytes | None, *, most: int) -> Reply:
        """Sends a request; a redirect is followed on the same host only.

        Prompts (and the key) go where the user sent them and nowhere else.
        """
        headers, method = self._headers(), "GET" if content is None else "POST"
        try:
            for _ in range(_MOST_REDIRECTS + 1):
                reply = await self._wire.exchange(
                    method, url, content=content, headers=headers, most=most
                )
                if not 300 <= reply.status < 400:
                    return reply
                url = _next(url, reply)
        except Late as error:
            raise Transient(str(error), late=True) from None
        except Broken as error:
            unreachable = isinstance(error, Unreachable)
            raise Transient(self.redact(str(error)), unreachable=unreachable) from None
        except TooLarge as error:
            raise CallError(self.redact(str(error))) from None
        except BadAddress as error:
            raise ModelError(self.redact(f"{error}; check --base-url")) from None
        except ModelError as error:
            raise ModelError(self.redact(str(error))) from None
        raise ModelError(
            self.redact(f"{without_credentials(url)}: more than {_MOST_REDIRECTS} redirects")
        )

    def _address(self, route: str) -> str:
        address, _, query = self.model.url.partition("?")
        address = address.rstrip("/")
        if route.startswith("//"):
            address, route = address.removesuffix("/v1"), route[1:]
        return address + route + (f"?{query}" if query else "")

    def _headers(self) -> dict[str, str]:
        headers = {"User-Agent": f"dfactscore/{__version__}", "Content-Type": "application/json"}
        if "@" not in urlsplit(self.model.url).netloc:  # else httpx sends what stands there
            headers["Authorization"] = f"Bearer {self.model.api_key()}"
        for name, variable in _ACCOUNT.items():
            value = os.environ.get(variable, "").strip()
            if value and value.isascii() and value.isprintable():
                headers[name] = value
        return headers

    def without_key(self, text: str) -> str:
        """A text without the key and other secrets of the address, in case it contains them."""
        return self.model.without_secrets(text)

    def redact(self, text: str) -> str:
        """A text on one line without the key, for errors."""
        text = self.without_key(text)
        return " ".join(_KEYLIKE.sub("***", text).split())

    def status_fault(self, status: int, headers: Mapping[str, str], body: Any) -> Exception:
        """What an error response means.

        Args:
            status: The status code.
            headers: The headers; ``Retry-After`` counts.
            body: The JSON of the body, or its text.
        """
        inner = body.get("error", body) if isinstance(body, Mapping) else body
        fields = inner if isinstance(inner, Mapping) else {}
        said = self.redact(_message(status, inner))[:300]
        wait = retry_after(headers.get("retry-after"), milliseconds=headers.get("retry-after-ms"))
        code, param = str(fields.get("code") or ""), str(fields.get("param") or "")
        return self._fault(status, code, said, param, wait)

    def _fault_in_body(self, error: Any) -> Exception:
        """What an error means that came with status 200, as gateways send them."""
        inner = error if isinstance(error, Mapping) else {"message": error}
        code = str(inner.get("code") or inner.get("status") or "")
        said = self.redact(str(inner.get("message", inner)))[:300]
        status = int(code) if re.fullmatch("[45][0-9]{2}", code) else 500
        return self._fault(status, code, said, str(inner.get("param") or ""), None)

    def _fault(
        self, status: int, code: str, said: str, param: str, wait: float | None
    ) -> Exception:
        where = f"{self.endpoint} answered {status}"
        if status == 402 or code in ("insufficient_quota", "billing_hard_limit_reached"):
            return ModelError(
                f"{where}: no credit left ({said}); the same command resumes once there is"
            )
        if status in (401, 403):
            return ModelError(
                f"{where}: the key in {self.model.api_key_env} is not accepted ({said})"
            )
        if status == 404 or code == "model_not_found":
            return ModelError(
                f"{where}: no model {self.model.model!r} there, or a wrong address ({said}); "
                "check --model and --base-url"
            )
        if retryable_status(status):
            return Transient(f"{where} ({said})", wait)
        policy = "content_filter" in code or "content_policy" in code
        return Rejected(f"{where} ({said})", param, policy=policy)

    async def aclose(self) -> None:
        """Closes the running loop's connections."""
        await self._wire.aclose()
        if (package := self._packages.pop(asyncio.get_running_loop(), None)) is not None:
            await package.close()


# Keys that a server quotes in its error, also other people's: "sk-..." and bearer tokens.
_KEYLIKE = re.compile(r"\b(?:sk|pk|key)-[A-Za-z0-9_*\-]{6,}|(?<=Bearer )\S+")


def _body(data: bytes) -> Any:
    try:
        return parse_json(data, strict=False)
    except JSONError:
        return data[:5000].decode("utf-8", "replace")


def _message(status: int, inner: Any) -> str:
    if isinstance(inner, Mapping) and inner.get("message"):
        return str(inner["message"])
    text = inner if isinstance(inner, str) else shown(inner, 300)
    return re.sub(r"<[^<>]*>", " ", text) if text.strip() else f"status {status} without a word"


def _next(url: str, reply: Reply) -> str:
    """Where a redirect on the same host leads."""
    where = reply.headers.get("location", "")
    answered = f"{without_credentials(url)} answered {reply.status}"
    if not where:
        raise ModelError(f"{answered} without saying where to go; check --base-url")
    try:
        target = urljoin(url, where)
        here, there = urlsplit(url), urlsplit(target)
        same = here.hostname == there.hostname and _port(here) == _port(there)
        secured = (here.scheme, there.scheme) == ("http", "https")
        same = same or (here.hostname == there.hostname and secured and _port(there) == 443)
        host = there.hostname or ""
    except ValueError:
        same, host = False, "a damaged address"
    if not same:
        raise ModelError(
            f"{answered}, which leads to another host ({host[:80]!r}); nothing was sent there. If "
            "it is the right one, name it with --base-url"
        )
    if reply.status not in _SAME_METHOD:
        raise ModelError(f"{answered}: not an address that answers requests; check --base-url")
    if here.scheme == "https" and there.scheme != "https":
        raise ModelError(f"{answered}, which leads from https to {there.scheme}; nothing was sent")
    return target


def _port(parts: object) -> int | None:
    port: int | None = getattr(parts, "port", None)
    return port or {"http": 80, "https": 443}.get(getattr(parts, "scheme", ""))
