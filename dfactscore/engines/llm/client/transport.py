"""How a request body reaches a model and comes back as JSON: over HTTP, or in this process."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dfactscore._util.retry_after import retry_after
from dfactscore.engines.llm.client.errors import CallError, ModelError
from dfactscore.engines.llm.client.retry import retryable_status
from dfactscore.engines.llm.client.settings import OpenAIModel

if TYPE_CHECKING:
    import openai

__all__ = ["HTTPTransport", "Rejected", "Transient", "Transport"]


class Transient(Exception):
    """A fault that can pass.

    Args:
        reason: One line.
        wait: Seconds that the server asked to wait, if it did.
        unreachable: Whether not even a connection was made.
    """

    def __init__(
        self, reason: str, wait: float | None = None, *, unreachable: bool = False
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait
        self.unreachable = unreachable


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
    """Sends chat completion requests; `endpoint` and `send` are what one must write."""

    @property
    @abstractmethod
    def endpoint(self) -> str:
        """What stands for the model's place in cache keys and manifests."""

    @property
    def concurrency(self) -> int | None:
        """Maximum number of requests at a time; None leaves it to the model's settings."""
        return None

    @abstractmethod
    async def send(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """Returns the response's JSON.

        Raises:
            Transient: For faults that can pass.
            CallError: For faults of this request.
            ModelError: For faults of every request.
        """

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
    """The `openai` package's asynchronous client, without its own retries.

    One object serves several event loops, one after the other (a notebook, then a script).
    """

    def __init__(self, model: OpenAIModel) -> None:
        self.model = model
        self._clients: dict[asyncio.AbstractEventLoop, openai.AsyncOpenAI] = {}
        self._key = ""

    @property
    def endpoint(self) -> str:
        """The address without credentials."""
        return self.model.endpoint

    def client(self) -> openai.AsyncOpenAI:
        """The package's client of the running event loop."""
        import openai

        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            self._key = self.model.api_key()
            options: dict[str, Any] = {}
            if importlib.util.find_spec("aiohttp") and hasattr(openai, "DefaultAioHttpClient"):
                # Takes a third less CPU per call than the package's default transport. Some
                # versions want one package more for it, and say so with a RuntimeError.
                with contextlib.suppress(RuntimeError):
                    options["http_client"] = openai.DefaultAioHttpClient(timeout=self.model.timeout)
            self._clients = {
                old: client for old, client in self._clients.items() if not old.is_closed()
            }
            self._clients[loop] = openai.AsyncOpenAI(
                api_key=self._key,
                base_url=self.model.url,
                max_retries=0,
                timeout=self.model.timeout,
                **options,
            )
        return self._clients[loop]

    async def send(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """Posts to ``/chat/completions``; see `Transport.send`."""
        return await self.post("/chat/completions", body)

    async def post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        """Posts to a route; see `Transport.post`."""
        import openai

        client = self.client()
        place = route
        if route.startswith("//"):
            place = self.model.url.removesuffix("/v1") + route[1:]
        try:
            # `cast_to=object` leaves the JSON as it is: fields outside OpenAI's own schema stay
            # readable, and half of the package's CPU per call is not spent.
            request = (
                client.get(place, cast_to=object)
                if body is None
                else client.post(place, cast_to=object, body=body)
            )
            reply = await asyncio.wait_for(request, self.model.timeout)
        except openai.APIStatusError as error:
            raise self.status_fault(error) from None
        except asyncio.TimeoutError:
            raise Transient(f"no answer within {self.model.timeout:g} s") from None
        except openai.APIConnectionError as error:
            raise self._connection_fault(error) from None
        except (openai.APIResponseValidationError, ValueError, RecursionError) as error:
            raise Transient(f"the response is not JSON ({type(error).__name__})") from None
        if not isinstance(reply, Mapping):
            raise Transient(f"the response is not a JSON object: {self.redact(str(reply))[:60]!r}")
        if not reply.get("choices") and reply.get("error"):
            raise self._fault_in_body(reply["error"])
        return reply

    def without_key(self, text: str) -> str:
        """A text without the key, in case it contains it."""
        return text.replace(self._key, "***") if self._key not in ("", "none") else text

    def redact(self, text: str) -> str:
        """A text on one line without the key, for errors."""
        text = self.without_key(text)
        return " ".join(_KEYLIKE.sub("***", text).split())

    def status_fault(self, error: openai.APIStatusError) -> Exception:
        """What an error response means."""
        said = self.redact(_message(error))[:300]
        headers = error.response.headers
        wait = retry_after(headers.get("retry-after"), milliseconds=headers.get("retry-after-ms"))
        return self._fault(
            error.status_code, str(error.code or ""), said, str(error.param or ""), wait
        )

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

    def _connection_fault(self, error: openai.APIConnectionError) -> Transient:
        cause: BaseException = error
        names = set()
        while cause.__cause__ is not None:
            cause = cause.__cause__
            names.add(type(cause).__name__)
        # The aiohttp transport reports refused and reset connections as time-outs too, so that
        # only the first cause says what happened.
        refused = isinstance(cause, ConnectionRefusedError) or bool(
            names & {"ConnectError", "ClientConnectorError", "ClientConnectorDNSError"}
        )
        late = "Timeout" in type(cause).__name__ or isinstance(cause, asyncio.CancelledError)
        if late and not refused:
            return Transient(f"no answer within {self.model.timeout:g} s")
        reason = self.redact(f"{type(cause).__name__}: {cause}".rstrip(": "))
        return Transient(reason, unreachable=refused)

    async def aclose(self) -> None:
        """Closes the running loop's connections."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()


# Keys that a server quotes in its error, also other people's: "sk-..." and bearer tokens.
_KEYLIKE = re.compile(r"\b(?:sk|pk|key)-[A-Za-z0-9_*\-]{6,}|(?<=Bearer )\S+")


def _message(error: openai.APIStatusError) -> str:
    body = error.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, Mapping) and inner.get("message"):
            return str(inner["message"])
        if isinstance(inner, str):
            return inner
    return re.sub(r"<[^>]*>", " ", str(body if isinstance(body, str) else error.message))
