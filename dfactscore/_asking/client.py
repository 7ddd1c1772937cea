"""The client for a model, which handles caching, limits, retries, one repair, and usage counts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from dfactscore._asking.budget import Budget, body_tokens, load_prices, on_this_machine, with_counts
from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.messages import (
    Answer,
    AnswerError,
    CacheError,
    Call,
    CallError,
    ModelError,
    Request,
    digest,
)
from dfactscore._asking.paid_client import Limiter, PaidClient
from dfactscore._asking.probe import (
    Capabilities,
    build_body,
    first_places,
    note_key,
    noted,
    noted_or_found,
    simpler_as_named,
    timed_probe,
    without_nulls,
)
from dfactscore._asking.refusals import page_instead, unreachable, wants_login
from dfactscore._asking.replies import read_reply
from dfactscore._asking.secrets import masked_json
from dfactscore._asking.settings import ChatModel, OpenAIModel
from dfactscore._asking.transport import HTTPTransport, Rejected, Transient, Transport
from dfactscore._util.fetching import RetryPolicy
from dfactscore._util.numbers import counted
from dfactscore._util.usage import Tally, Usage, current_usage, note_call

_LOG = logging.getLogger(__name__)

T = TypeVar("T")
_LOOK = 0.05  # seconds between checks of the budget
_SILENCE = 5.0  # seconds to wait before logging a message


class ChatClient(PaidClient[Answer]):
    """The client for one model, shared by concurrent tasks."""

    def __init__(
        self,
        model: ChatModel,
        *,
        cache: AnswerCache | None = None,
        budget: Budget | None = None,
        usage: Usage | None = None,
        transport: Transport | None = None,
    ) -> None:
        wait = model.max_wait
        policy = RetryPolicy(
            retries=model.retries, backoff=model.backoff, longest=wait, max_wait=wait
        )
        super().__init__(usage=usage, policy=policy, refuses=ModelError)
        self._said_retrying = False
        self.model = model
        self.cache = cache
        self.budget = budget or Budget(load_prices())
        self.transport = transport or _transport(model)
        self._base_url = model.url if isinstance(model, OpenAIModel) else "http://127.0.0.1"
        self.budget.check_price(model.model, self._base_url)
        self._able: Capabilities | None = None
        self._reached = False
        self._asking = 0
        self._unknown: set[str] = set()  # finish words
        self._probing: asyncio.Task[Capabilities] | None = None
        self._started = False  # whether this loop's limiter has its initial maximum

    def _new_limiter(self) -> Limiter:
        return Limiter(
            self.model.concurrency,
            requests_per_minute=self.model.requests_per_minute,
            tokens_per_minute=self.model.tokens_per_minute,
            quick=self.model.timeout / 3,
        )

    def _enter_loop(self) -> bool:
        if begins := super()._enter_loop():
            self._reached = self._started = False
            self._asking, self._probing = 0, None
        return begins

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that can affect an answer, as used in journal keys and manifests."""
        model = self.model
        return {
            "endpoint": self.transport.endpoint,
            "model": model.model,
            "temperature": model.temperature,
            "seed": model.seed,
            "parameters": masked_json(dict(model.parameters), self.transport.without_key),
            "structured": model.structured,
            "logprobs": model.logprobs,
            "max_answer_tokens": model.max_answer_tokens,
        }

    async def ask(
        self,
        request: Request,
        read: Callable[[Answer], T],
        *,
        again: Callable[[Answer], T] | None = None,
        keep: Callable[[T], bool] = lambda value: True,
    ) -> T:
        """Sends a question and reads the answer; if that is unusable, asks once more."""
        return await self._counted(request.stage, self._ask(request, read, again or read, keep))

    async def call(self, call: Call, read: Callable[[Answer], T]) -> T:
        """Sends a request and reads the answer."""
        return await self._counted(call.stage, self._call(call, read))

    async def _counted(self, stage: str, work: Awaitable[T]) -> T:
        self._enter_loop()
        if not self._asking:
            # In a notebook, a fatal error in an earlier call must not stop later calls.
            self.fatal = self._probing = None
        self._asking += 1
        try:
            return await work
        except (AnswerError, CallError) as error:
            self.usage.problems[f"{stage}: {error.reason}"] += 1
            raise
        finally:
            self._asking -= 1

    async def _ask(
        self,
        request: Request,
        read: Callable[[Answer], T],
        again: Callable[[Answer], T],
        keep: Callable[[T], bool],
    ) -> T:
        able = await self.capabilities()
        body = build_body(self.model, able, request)

        async def work() -> tuple[Answer, T, dict[str, Any]]:
            form, sent = able, body
            while True:
                try:
                    return *await self._ask_twice(request, form, sent, read, again), sent
                except Rejected as fault:
                    form = self._learn(form, fault)
                    sent = build_body(self.model, form, request)

        return await self._once(request, body, again, work, keep)

    async def _call(self, call: Call, read: Callable[[Answer], T]) -> T:
        body = self._full(call)

        async def work() -> tuple[Answer, T, dict[str, Any]]:
            answer = await self._send(call.stage, body, call)
            return answer, read(answer), body

        return await self._once(call, body, read, work, lambda value: call.keep)

    async def _once(
        self,
        request: Request | Call,
        body: dict[str, Any],
        read: Callable[[Answer], T],
        work: Callable[[], Awaitable[tuple[Answer, T, dict[str, Any]]]],
        keep: Callable[[T], bool],
    ) -> T:
        """Does the work unless another task is already doing it or the answer is cached."""
        key = digest(request, self.transport.endpoint, body)
        while (answer := await self._shared_answer(key)) is not None:
            with suppress(AnswerError, CallError):
                self._count(request, answer, cached=True)
                return read(answer)
        keeps = self.cache is not None and (isinstance(request, Request) or request.keep)
        if keeps and (stored := self._stored(key, read)) is not None:
            self._count(request, stored[0], cached=True)
            return stored[1]
        claimed = False
        with self._asked_once(key) as shared:
            try:
                if keeps and self.cache is not None:
                    # Another process may be sending the same request.
                    claimed = await self.cache.wait_for_claim(
                        key,
                        2 * self.model.timeout,
                        until=lambda: self._stored(key, read) is not None,
                    )
                    if (stored := self._stored(key, read)) is not None:
                        shared.set_result(stored[0])
                        self._count(request, stored[0], cached=True)
                        return stored[1]
                async with self._limiter.slot():
                    answer, value, sent = await work()
                    if keeps and keep(value):
                        settled = (
                            key if sent is body else digest(request, self.transport.endpoint, sent)
                        )
                        # Keeps its slot until the commit, so that few answers are lost if the
                        # process is killed.
                        with self._storing():
                            await self._store(settled, request, sent, answer)
                        claimed = claimed and settled != key
                shared.set_result(answer)
                self._count(request, answer, cached=False)
                return value
            finally:
                if claimed and self.cache is not None:
                    self.cache.release(key)

    def _stored(self, key: bytes, read: Callable[[Answer], T]) -> tuple[Answer, T] | None:
        """Returns the cached answer and its value; None if there is no usable answer."""
        stored = None if self.cache is None else self.cache.get(key)
        if stored is not None and stored.ending != "faulty":  # from earlier releases
            with suppress(AnswerError):
                return stored, read(stored)
        return None

    async def capabilities(self) -> Capabilities:
        """Returns the capabilities of the endpoint, from the cache or a probe."""
        self._enter_loop()
        if self._able is None:
            if self._probing is None:
                seconds, key = 2 * self.model.timeout, note_key(self.settings)
                found = noted_or_found(self.cache, key, seconds, self._find_out)
                self._probing = asyncio.ensure_future(found)
            self._able = await asyncio.shield(self._probing)
        if not self._started:
            self._started = True
            self._limiter.start(first_places(self.model, self._able))
        return self._able

    async def check(self) -> None:
        """Probes the endpoint, even if its capabilities are known."""
        self._enter_loop()
        self.fatal = None
        self._able = await self._find_out()

    def _learn(self, able: Capabilities, fault: Rejected) -> Capabilities:
        """Returns reduced capabilities after the endpoint rejects a format it used to accept.

        The endpoint may have changed, or may only accept small schemas.
        """
        if self._able is None or self._able == able:
            simpler = simpler_as_named(self.model, able, fault)
            if simpler is None:
                raise fault
            self._able = simpler
            if self.cache is not None:
                self.cache.set_note(note_key(self.settings), simpler.to_json())
        return self._able

    def key(self, request: Request, able: Capabilities) -> bytes:
        """Returns the cache key of a question: a hash of everything that can affect the answer."""
        return digest(request, self.transport.endpoint, build_body(self.model, able, request))

    def call_key(self, call: Call) -> bytes:
        """Returns the cache key of a call."""
        return digest(call, self.transport.endpoint, self._full(call))

    def call_cached(self, call: Call) -> bool:
        """Whether the answer to a call is cached."""
        return self.cache is not None and self.cache.get(self.call_key(call)) is not None

    def _full(self, call: Call) -> dict[str, Any]:
        """Returns a call's body, completed with the model's name and the user's parameters."""
        if call.body is None:
            return {}
        return without_nulls({"model": self.model.model, **call.body, **self.model.parameters})

    def cached(self, request: Request, able: Capabilities) -> bool:
        """Whether the answer to a question is cached."""
        return self.cache is not None and self.cache.get(self.key(request, able)) is not None

    def known_capabilities(self) -> Capabilities | None:
        """Returns the result of an earlier probe, or None."""
        if self._able is None:
            self._able = noted(self.cache, note_key(self.settings))
        return self._able

    async def aclose(self) -> None:
        """Cancels a running probe and closes connections; the client can still be used again."""
        if self._probing is not None and self._loop is asyncio.get_running_loop():
            self._probing.cancel()
            await asyncio.gather(self._probing, return_exceptions=True)
            self._probing = None
        await self.transport.aclose()

    async def _find_out(self) -> Capabilities:
        try:
            send = partial(self._send, "probe")
            able = await timed_probe(self.model, send, self.transport.endpoint)
        except ModelError as error:
            self.fatal = error
            raise
        if self.cache is not None:
            self.cache.set_note(note_key(self.settings), able.to_json())
        return able

    async def _ask_twice(
        self,
        request: Request,
        able: Capabilities,
        body: dict[str, Any],
        read: Callable[[Answer], T],
        again: Callable[[Answer], T],
    ) -> tuple[Answer, T]:
        first = await self._send(request.stage, body)
        try:
            return first, read(first)
        except AnswerError as problem:
            if problem.final:
                self._collect(request, first, failed=1)
                raise
            self.usage.tally(request.stage, self.model.model).add(repairs=1)
            repair = request.repair(first, problem.reason)
        second = await self._send(request.stage, build_body(self.model, able, repair))
        total = replace(
            second,
            prompt_tokens=first.prompt_tokens + second.prompt_tokens,
            completion_tokens=first.completion_tokens + second.completion_tokens,
        )
        try:
            return total, again(second)
        except AnswerError:
            self._collect(request, total, failed=1)
            raise

    async def _send(self, stage: str, body: dict[str, Any], call: Call | None = None) -> Answer:
        free = call is not None and call.free
        tally = Tally() if free else self.usage.tally(stage, self.model.model)
        expected = body_tokens(body)
        size = expected + int(body.get("max_tokens") or body.get("max_completion_tokens") or 0)

        async def once() -> Answer:
            name, start = self.model.model, 0.0
            reserved, price = None, self.budget.prices.find(self.model.model, self._base_url)
            counts: dict[str, float | None] = {"prompt_tokens": expected}
            if price is not None:
                counts["cost"] = price.cost(expected, 0)
            if not free:
                most = (name, self._base_url, expected, size - expected)
                while self.fatal is None and self.budget.waits(*most):
                    await asyncio.sleep(_LOOK)
                if self.fatal is not None:
                    raise self.fatal
                reserved = self.budget.reserve(*most)
            try:
                with self._paying():
                    async with self._limiter.turn() as start:
                        with nullcontext() if free else self._charged(tally, **counts):
                            reply = await self._exchange(body, call)
            except BaseException as error:
                self.budget.settle(name, self._base_url, reserved, 0, 0)
                self._limiter.settle(size, 0)
                if isinstance(error, Transient):
                    self._reached = self._reached or not (error.unreachable or error.page)
                    if error.late:
                        self._lower(error, start)
                raise
            self._reached = True
            answer = (read_reply if call is None else call.reduce)(reply)
            # A server may quote the key, which must not be written to a file.
            answer = replace(answer, text=self.transport.without_key(answer.text))
            answer = with_counts(answer, expected)
            used = (answer.prompt_tokens, answer.completion_tokens)
            cached = min(answer.cached_tokens, used[0])
            cost = self.budget.settle(name, self._base_url, reserved, *used, cached=cached)
            self._limiter.settle(size, sum(used))
            tally.add(
                prompt_tokens=used[0] - expected,
                completion_tokens=used[1],
                cost=None if cost is None else cost - (counts.get("cost") or 0),
                cached_tokens=cached,
            )
            note_call(answered=True)
            if answer.fault:
                raise Transient(f"{self.transport.endpoint}: {answer.fault}")
            return answer

        try:
            return await self._until_answered(once, tally=tally, size=size, stops=not free)
        except Rejected as fault:
            if fault.policy:
                tally.add(calls=1)
                return Answer("", "content_filter", fault.reason)
            tally.add(failed=1)
            raise

    async def _exchange(self, body: dict[str, Any], call: Call | None) -> Mapping[str, Any]:
        if call is None:
            return await self.transport.send(body)
        return await self.transport.post(call.route, None if call.body is None else body)

    def _announce(self, fault: Transient, pause: float) -> None:
        """Logs the first retry after a long time, which would otherwise look like a standstill."""
        seconds = self.model.timeout if fault.late else pause
        if seconds < _SILENCE or self._said_retrying:
            return
        self._said_retrying = True
        longer = ""
        if fault.late:
            longer = f"; --timeout SECONDS changes how long it waits (now {seconds:g})"
        then = f" in {pause:.0f} s" if pause >= 1 else ""
        _LOG.info(f"{self.transport.endpoint}: {fault.reason}: trying again{then}{longer}")

    def _retries(self, fault: Transient) -> int:
        few = min(
            self.model.retries, 2
        )  # an endpoint that never answered is unlikely to do so soon
        return self.model.retries if self._reached else few

    def _lower(self, fault: Transient, start: float) -> None:
        """Lowers the concurrency after a local server, which may have only one slot, times out."""
        old = self._limiter.most
        if on_this_machine(self._base_url) and (most := self._limiter.lower(start)) is not None:
            fewer = "one by one" if most == 1 else f"{most} at a time"
            _LOG.info(
                f"{self.transport.endpoint}: {old} at a time time out ({fault.reason}): asking "
                f"{fewer} from now on; --concurrency {most} starts so"
            )

    def _given_up(self, fault: Transient, attempts: int) -> Exception:
        reason = f"{fault.reason}, {counted(attempts, 'attempt')}"
        # A gateway's page may come between answers; a login page, or nothing else, ends the run.
        if fault.page and (wants_login(reason) or not self._reached):
            return ModelError(page_instead(self.transport.endpoint, reason))
        if fault.unreachable:
            return ModelError(unreachable(self.transport.endpoint, reason, self._base_url))
        return CallError(reason, passing=True)

    async def _store(
        self, key: bytes, request: Request | Call, body: dict[str, Any], answer: Answer
    ) -> None:
        assert self.cache is not None
        try:
            await self.cache.put(
                key,
                answer,
                masked_json(body, self.transport.without_key),
                endpoint=self.transport.endpoint,
                stage=request.stage,
                version=request.version,
                sample=request.sample,
            )
        except CacheError as error:
            self.fatal = error
            raise

    def _count(self, request: Request | Call, answer: Answer, *, cached: bool) -> None:
        if isinstance(request, Call) and request.free:
            return
        self.usage.tally(request.stage, self.model.model).add(answers=1, cached=int(cached))
        self._collect(request, answer, answers=1)
        if answer.ending == "unknown":
            self.note(request.stage, unknown_end=1)
            if answer.finish not in self._unknown:
                self._unknown.add(answer.finish)
                _LOG.info(
                    f"{self.transport.endpoint} ends answers with {answer.finish!r}, which is not "
                    "known; they count as complete"
                )

    def _collect(self, request: Request | Call, answer: Answer, **counts: int) -> None:
        """Adds an answer to the current biography's usage, if that is being collected."""
        collector = current_usage()
        if collector is None:
            return
        price = self.budget.prices.find(self.model.model, self._base_url)
        prompt, completion = answer.prompt_tokens, answer.completion_tokens
        cost = price.cost(prompt, completion) if price else None
        tally = collector.tally(request.stage, self.model.model)
        tally.add(prompt_tokens=prompt, completion_tokens=completion, cost=cost, **counts)

    def note(self, stage: str, **faults: int) -> None:
        """Counts errors in a stage's answers (see `Tally`)."""
        if any(faults.values()):
            self.usage.tally(stage, self.model.model).add(**faults)
            if (collector := current_usage()) is not None:
                collector.tally(stage, self.model.model).add(**faults)


def _transport(model: ChatModel) -> Transport:
    if isinstance(model, OpenAIModel):
        return HTTPTransport(model)

    from dfactscore._asking.gguf import GGUFTransport

    return GGUFTransport(model)
