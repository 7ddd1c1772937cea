"""OpenAI's Batch API as a transport: requests gather, travel as a job, and come back later.

Experimental: only a stub of the service was ever met.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from dfactscore._util.callbacks import Log
from dfactscore._util.jsonl import parse_json
from dfactscore.asking.cache import AnswerCache
from dfactscore.asking.errors import ModelError
from dfactscore.asking.settings import OpenAIModel
from dfactscore.asking.transport import HTTPTransport, Rejected, Transient, Transport

if TYPE_CHECKING:
    import openai

__all__ = ["BatchTransport"]

_LIMIT = 50_000  # Requests in one job, as OpenAI's documentation says; files up to 200 MB.
_BYTES = 150_000_000
_T = TypeVar("_T")
_ENDED = ("completed", "expired", "cancelled", "failed")


class BatchTransport(Transport):
    """Collects requests until no more come, and sends them as one job.

    A stage of all biographies becomes one job, because each biography waits for its own answers.
    Jobs under way are noted in the cache by the hashes of their requests: a command that is run
    again finds the answers instead of paying again.

    Args:
        model: The endpoint.
        cache: Where jobs are noted; None forgets them when the process ends.
        poll: Seconds between two looks at a job.
        quiet: Seconds without a new request after which a job is sent.
        say: Called with a line about each job.
    """

    def __init__(
        self,
        model: OpenAIModel,
        *,
        cache: AnswerCache | None = None,
        poll: float = 30.0,
        quiet: float = 1.0,
        say: Log = print,
    ) -> None:
        self.http = HTTPTransport(model)
        self.model = model
        self.cache = cache
        self.poll = poll
        self.quiet = min(quiet, poll)
        self.say = say
        self._waiting: dict[str, tuple[dict[str, Any], asyncio.Future[Mapping[str, Any]]]] = {}
        self._pump: asyncio.Task[None] | None = None
        self._jobs: set[asyncio.Task[None]] = set()
        self._touched = 0.0
        self._taken: set[str] = set()
        # Jobs of earlier commands with the requests that were not asked again yet; None: not read.
        self._earlier: dict[str, set[str]] | None = None
        self._ended: set[str] = set()
        self._settled: set[str] = set()

    @property
    def concurrency(self) -> int:
        """A whole stage may wait for its answers at once."""
        return 1_000_000

    @property
    def claims(self) -> bool:
        """Not in a job, which may take a day; its own notes keep it from being sent twice."""
        return False

    @property
    def endpoint(self) -> str:
        """The address; answers are shared with requests that travel one by one."""
        return self.http.endpoint

    def without_key(self, text: str) -> str:
        """See `HTTPTransport.without_key`."""
        return self.http.without_key(text)

    async def send(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """Waits for the job that holds the request; see `Transport.send`."""
        loop = asyncio.get_running_loop()
        name = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:32]
        if name not in self._waiting:
            self._waiting[name] = (body, loop.create_future())
            self._touched = loop.time()
        future = self._waiting[name][1]
        if self._pump is None or self._pump.done():
            self._pump = asyncio.ensure_future(self._collect())
        try:
            answer = await asyncio.shield(future)
        except Exception:
            self._settled.add(name)
            raise
        self._settled.add(name)  # Not where the one who asked was cancelled.
        return answer

    async def send_now(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """Sends one request by itself: what an endpoint can do must not take a day to learn."""
        return await self.http.send(body)

    async def _collect(self) -> None:
        """Sends what has gathered whenever nothing new has come for a while."""
        loop = asyncio.get_running_loop()
        try:
            while set(self._waiting) - self._taken:
                while (left := self._touched + self.quiet - loop.time()) > 0:
                    await asyncio.sleep(left)
                self._rejoin()
                fresh = {n: r for n, (r, _) in self._waiting.items() if n not in self._taken}
                self._taken.update(fresh)
                for part in _parts(fresh):
                    job = await self._submit(part)
                    self._follow(job, set(part))
        except Exception as error:
            self._fail(set(self._waiting), error)

    def _follow(self, job: str, names: set[str]) -> None:
        task = asyncio.ensure_future(self._await_job(job, names))
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)

    def _rejoin(self) -> None:
        """Finds jobs of an earlier command that hold requests asked again now."""
        if self._earlier is None:
            self._earlier = self._noted()
        for job, names in self._earlier.items():
            mine = (names & set(self._waiting)) - self._taken
            if mine:
                names -= mine  # What comes back without an answer goes into a new job.
                self.say(f"batch job {job}: already running, {len(mine)} of its answers are used")
                self._taken.update(mine)
                self._follow(job, mine)

    async def _submit(self, part: Mapping[str, dict[str, Any]]) -> str:
        client = self.http.package()

        async def submit() -> Any:
            file = await client.files.create(file=("batch.jsonl", data), purpose="batch")
            return await client.batches.create(
                input_file_id=file.id,
                endpoint="/v1/chat/completions",
                completion_window="24h",
            )

        lines = [
            json.dumps(
                {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}
            )
            for name, body in part.items()
        ]
        data = ("\n".join(lines) + "\n").encode()
        job = await self._steadily(submit)
        self._note(job.id, sorted(part))
        self.say(
            f"batch job {job.id}: {len(part)} requests sent; you can stop here and run the same "
            "command later"
        )
        return str(job.id)

    async def _steadily(self, call: Callable[[], Awaitable[_T]]) -> _T:
        """Calls the Batch API, again where the fault can pass.

        Raises:
            ModelError: If it cannot.
        """
        import openai

        faults = 0
        while True:
            try:
                return await call()
            except Exception as error:
                fatal = self._fatal(error)
                passes = not isinstance(error, openai.APIStatusError) or isinstance(
                    self._status_fault(error), Transient
                )
                faults += 1
                if not passes or faults > self.model.retries:
                    raise fatal from error
                await asyncio.sleep(self.poll)

    async def _await_job(self, job: str, names: set[str]) -> None:
        import openai

        client = self.http.package()
        try:
            while True:
                state = await self._steadily(lambda: client.batches.retrieve(job))
                if state.status in _ENDED:
                    break
                await asyncio.sleep(self.poll)
            for file in (state.output_file_id, state.error_file_id):
                if file:
                    content = await self._steadily(partial(client.files.content, file))
                    for line in content.text.split("\n"):  # a text may hold a U+2028
                        with suppress(ValueError):  # What is not to be read is asked again.
                            self._deliver(parse_json(line))
            self._end(job, state, names & set(self._waiting))
        except ModelError as error:
            if isinstance(error.__cause__, openai.NotFoundError) and job in (self._earlier or {}):
                self.say(f"batch job {job} no longer exists; its requests are sent again")
                self._note(job, None)
                self._send_again(names)
            else:
                self._fail(names, error)
        except Exception as error:
            self._fail(names, error)

    def _end(self, job: str, state: Any, missing: set[str]) -> None:
        """Notes that a job has ended; what it left unanswered fails, or is sent again."""
        self.say(f"batch job {job}: {state.status}")
        if state.status == "failed":
            self._note(job, None)
            errors = getattr(state.errors, "data", None) or []
            said = "; ".join(str(e.message) for e in errors[:3]) or "no reason given"
            self._fail(missing, ModelError(f"batch job {job} failed: {self.http.redact(said)}"))
            return
        self._ended.add(job)  # its note goes when its answers are safe, see `aclose`
        if state.status == "cancelled" and missing:
            reason = f"batch job {job} was cancelled with {len(missing)} requests unanswered"
            self._fail(
                missing, ModelError(f"{reason}; run the same command again to send them again")
            )
        else:
            self._fail(missing, Transient(f"batch job {job} {state.status} without an answer"))

    def _send_again(self, names: set[str]) -> None:
        self._taken -= names
        if self._pump is None or self._pump.done():
            self._pump = asyncio.ensure_future(self._collect())

    def _deliver(self, line: Mapping[str, Any]) -> None:
        name = str(line.get("custom_id"))
        if name not in self._waiting:
            return
        response = line.get("response") or {}
        status, body = response.get("status_code"), response.get("body") or {}
        if status == 200:
            future = self._settle(name)
            if not future.done():
                future.set_result(body)
            return
        error = body.get("error") or line.get("error") or {}
        said = self.http.redact(str(error.get("message", error)))[:300]
        fault: Exception
        if status is not None and 400 <= status < 500 and status not in (408, 409, 429):
            fault = Rejected(f"{self.endpoint} answered {status} ({said})")
        else:
            fault = Transient(f"{self.endpoint} answered {status} ({said})")
        self._fail({name}, fault)

    def _fail(self, names: set[str], error: Exception) -> None:
        for name in names & set(self._waiting):
            future = self._settle(name)
            if not future.done():
                future.set_exception(error)

    def _settle(self, name: str) -> asyncio.Future[Mapping[str, Any]]:
        self._taken.discard(name)
        return self._waiting.pop(name)[1]

    def _fatal(self, error: Exception) -> Exception:
        import openai

        if isinstance(error, openai.APIStatusError):
            fault = self._status_fault(error)
            if isinstance(fault, ModelError):
                return fault
            return ModelError(f"the Batch API cannot be used: {fault}")
        return ModelError(
            f"the Batch API cannot be used: {self.http.redact(f'{type(error).__name__}: {error}')}"
        )

    def _status_fault(self, error: openai.APIStatusError) -> Exception:
        body = error.body if error.body is not None else str(error.message)
        return self.http.status_fault(error.status_code, error.response.headers, body)

    def _noted(self) -> dict[str, set[str]]:
        if self.cache is None:
            return {}
        notes = self.cache.notes(f"batch:{self.endpoint}:")
        return {job: set(parse_json(names)) for job, names in notes.items()}

    def _note(self, job: str, names: list[str] | None) -> None:
        if self.cache is not None:
            # A note for each job: commands side by side must not write over each other's.
            text = None if names is None else json.dumps(names)
            self.cache.set_note(f"batch:{self.endpoint}:{job}", text)

    async def aclose(self) -> None:
        """Stops checking; the jobs continue on the provider's side."""
        for task in (self._pump, *self._jobs):
            if task is not None:
                task.cancel()
        if self._ended:
            # A job is forgotten when all its answers have been fetched, and so are in the cache.
            for job, names in self._noted().items():
                if job in self._ended and names <= self._settled:
                    self._note(job, None)
        await self.http.aclose()


def _parts(requests: Mapping[str, dict[str, Any]]) -> list[dict[str, dict[str, Any]]]:
    parts: list[dict[str, dict[str, Any]]] = [{}]
    size = 0
    for name, body in requests.items():
        size += len(json.dumps(body)) + 120
        if parts[-1] and (len(parts[-1]) >= _LIMIT or size > _BYTES):
            parts.append({})
            size = len(json.dumps(body)) + 120
        parts[-1][name] = body
    return [part for part in parts if part]
