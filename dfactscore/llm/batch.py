"""OpenAI's Batch API as a transport: requests gather, travel as a job, and come back later."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from dfactscore.llm.cache import AnswerCache
from dfactscore.llm.errors import ModelError
from dfactscore.llm.settings import OpenAIModel
from dfactscore.llm.transport import HTTPTransport, Rejected, Transient

__all__ = ["BatchTransport"]

_LIMIT = 50_000  # Requests in one job, as OpenAI's documentation says; files up to 200 MB.
_BYTES = 150_000_000
_ENDED = ("completed", "expired", "cancelled", "failed")


class BatchTransport:
    """Collects requests until no more come, and sends them as one job.

    A stage of all biographies becomes one job, because each biography waits for its own answers.
    Jobs under way are noted in the cache by the hashes of their requests: whoever comes back with
    the same command finds the answers instead of paying again.

    Args:
        model: The endpoint.
        cache: Where jobs are noted; None forgets them when the process ends.
        poll: Seconds between two looks at a job.
        quiet: Seconds without a new request after which a job is sent.
        say: Told about jobs, one line at a time.
    """

    def __init__(
        self,
        model: OpenAIModel,
        *,
        cache: AnswerCache | None = None,
        poll: float = 30.0,
        quiet: float = 1.0,
        say: Callable[[str], None] = print,
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

    @property
    def concurrency(self) -> int:
        """A whole stage may wait for its answers at once."""
        return 1_000_000

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
        return await asyncio.shield(future)

    async def send_now(self, body: dict[str, Any]) -> Mapping[str, Any]:
        """Sends one request by itself: nobody waits a day to learn what an endpoint can do."""
        return await self.http.send(body)

    async def _collect(self) -> None:
        """Sends what has gathered whenever nothing new has come for a while."""
        loop = asyncio.get_running_loop()
        try:
            await self._rejoin()
            while set(self._waiting) - self._taken:
                while (left := self._touched + self.quiet - loop.time()) > 0:
                    await asyncio.sleep(left)
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

    async def _rejoin(self) -> None:
        """Finds jobs of an earlier command that hold requests asked again now."""
        await asyncio.sleep(self.quiet)
        for job, names in self._noted().items():
            mine = (names & set(self._waiting)) - self._taken
            if mine:
                self.say(f"batch job {job}: under way from before, {len(mine)} of its answers used")
                self._taken.update(mine)
                self._follow(job, mine)

    async def _submit(self, part: Mapping[str, dict[str, Any]]) -> str:
        client = self.http.client()
        lines = [
            json.dumps(
                {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}
            )
            for name, body in part.items()
        ]
        data = ("\n".join(lines) + "\n").encode()
        try:
            file = await client.files.create(file=("batch.jsonl", data), purpose="batch")
            job = await client.batches.create(
                input_file_id=file.id,
                endpoint="/v1/chat/completions",
                completion_window="24h",
            )
        except Exception as error:
            raise self._fatal(error) from None
        self._note(job.id, sorted(part))
        self.say(f"batch job {job.id}: {len(part)} requests sent; you may leave and come back")
        return job.id

    async def _await_job(self, job: str, names: set[str]) -> None:
        client = self.http.client()
        try:
            faults = 0
            while True:
                try:
                    state = await client.batches.retrieve(job)
                    faults = 0
                except Exception as error:
                    faults += 1
                    if faults > self.model.retries:
                        raise self._fatal(error) from None
                    await asyncio.sleep(self.poll)
                    continue
                if state.status in _ENDED:
                    break
                await asyncio.sleep(self.poll)
            for file in (state.output_file_id, state.error_file_id):
                if file:
                    content = await client.files.content(file)
                    for line in content.text.splitlines():
                        if line.strip():
                            self._deliver(json.loads(line))
            self._note(job, None)
            self.say(f"batch job {job}: {state.status}")
            missing = names & set(self._waiting)
            if state.status == "failed":
                errors = getattr(state.errors, "data", None) or []
                said = "; ".join(str(e.message) for e in errors[:3]) or "no reason given"
                self._fail(missing, ModelError(f"batch job {job} failed: {self.http.redact(said)}"))
            else:
                self._fail(missing, Transient(f"batch job {job} {state.status} without an answer"))
        except Exception as error:
            self._fail(names, error)

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
            fault = self.http.status_fault(error)
            if isinstance(fault, ModelError):
                return fault
            return ModelError(f"the Batch API cannot be used: {fault}")
        return ModelError(
            f"the Batch API cannot be used: {self.http.redact(f'{type(error).__name__}: {error}')}"
        )

    def _noted(self) -> dict[str, set[str]]:
        if self.cache is None:
            return {}
        found = self.cache.note(f"batch:{self.endpoint}")
        return {job: set(names) for job, names in json.loads(found or "{}").items()}

    def _note(self, job: str, names: list[str] | None) -> None:
        if self.cache is None:
            return
        jobs = {job: sorted(names) for job, names in self._noted().items()}
        if names is None:
            jobs.pop(job, None)
        else:
            jobs[job] = names
        self.cache.set_note(f"batch:{self.endpoint}", json.dumps(jobs))

    async def aclose(self) -> None:
        """Stops looking; the jobs go on at the provider's."""
        for task in (self._pump, *self._jobs):
            if task is not None:
                task.cancel()
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
