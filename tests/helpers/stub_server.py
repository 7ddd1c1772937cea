"""An OpenAI-compatible server that answers the engine's prompts by their content.

It is not a model: a fact is "supported" if enough of its words are on the page. Equal prompts get
equal answers, faults can be configured, and every request is counted. ``python stub_server.py
--latency 0.2`` runs it and prints its port; ``GET /_stats`` returns the counts, and ``POST
/_control`` changes the settings.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import time
from dataclasses import asdict, dataclass, field
from email.utils import formatdate
from typing import Any

from aiohttp import web

TRANSPORT = (
    "429",
    "429-seconds",
    "429-date",
    "500",
    "503",
    "timeout",
    "reset",
    "html",
    "half-json",
)
CONTENT = ("truncated", "broken", "count", "refusal", "duplicate", "unknown", "empty")
NOTE = "That answer cannot be used"
APPENDED = "\n\n(An earlier answer could not be used"


@dataclass
class Settings:
    latency: float = 0.0
    rate: float = 0.0
    kinds: tuple[str, ...] = TRANSPORT + CONTENT
    unbounded: bool = False
    stages: tuple[str, ...] = ()
    key: str = ""
    models: tuple[str, ...] = ()
    forms: tuple[str, ...] = ("json_schema", "json_object")
    logprobs: bool = True
    paragraphs: bool = True  # Whether it can split several sentences in one answer.
    limit_field: str = "max_tokens"
    hang: float = 30.0
    slots: int = 0  # Requests served at the same time; others get no answer. 0: no limit.
    hold_after: int = 0  # Requests after which later ones get no answer; 0: no limit.
    facts: dict[str, list[list[str]]] = field(default_factory=dict)


@dataclass
class Stats:
    requests: int = 0
    answered: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    first: float = 0.0
    last: float = 0.0
    most_at_once: int = 0
    by_stage: dict[str, int] = field(default_factory=dict)
    tokens_by_stage: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    prompts: dict[str, int] = field(default_factory=dict)


def count_tokens(text: str) -> int:
    return len(re.findall(r"[^\W\d_]{1,7}|\d{1,3}|[^\w\s]|_", text))


def words(text: str) -> set[str]:
    return {w for w in re.findall(r"\w+", text.lower()) if len(w) > 3 or w.isdigit()}


def numbered(block: str) -> dict[str, str]:
    return dict(re.findall(r"^(\d+)\. (.*)$", block, re.MULTILINE))


def base_prompt(messages: list[dict[str, str]]) -> tuple[str, str]:
    """Returns the first question, without notes of a repair, and the system message."""
    system = messages[0]["content"] if messages[0]["role"] == "system" else ""
    users = [m["content"] for m in messages if m["role"] == "user"]
    users = [u for u in users if not u.startswith(NOTE)]
    return users[-1].split(APPENDED)[0], system


def stage_of(user: str, system: str) -> str:
    if user.startswith("This checks the form"):
        return "probe"
    if "\nSentences to split: " in user:
        return "decompose"
    if user.startswith("Decide a statement about"):
        return "strict"
    if user.startswith("Page: "):
        return "verify"
    if system.startswith("Read a paragraph in numbered sentences"):
        return "read"
    if system.startswith("Judge numbered facts by several documents"):
        return "verify_all"
    if "\nParagraph: " in user:
        return "group"
    return "relevance" if "tell the life" in system else "no_context"


def strictness(model: str) -> float:
    return 0.5 + (hashlib.sha256(model.encode()).digest()[0] % 4) / 10


def recall(fact: str, page: set[str]) -> float:
    own = words(fact)
    return len(own & page) / len(own) if own else 0.0


def split_facts(sentence: str) -> list[str]:
    """Splits into clauses, each after the sentence's first two words: about four per sentence."""
    subject = " ".join(sentence.split()[:2])
    parts = [p.strip(" .") for p in re.split(r",| and |;|\(|\)| who | where | which ", sentence)]
    parts = [p for p in parts if len(p.split()) > 1 or any(c.isdigit() for c in p)]
    return [p + "." if i == 0 else f"{subject}: {p}." for i, p in enumerate(parts)]


def person_of(fact: str) -> int:
    return 1 + hashlib.sha256(fact.encode()).digest()[0] % 2


def supporting(fact: str, documents: str, model: str) -> list[str]:
    """Returns letters of documents with enough of a fact's words; sentences if marked."""
    found = []
    mark = documents.rpartition("\n")[2]
    for document in f"\n{documents}".split(f"\n{mark}")[1:-1]:
        title, _, text = document.strip().partition("\n")
        letter, page = title.partition(":")[0], words(f"page {title} {text}")
        if probability(recall(fact, page), model) < 0.5:
            continue
        marked = re.findall(r"^\[([A-Z]+\d+)\] (.*)$", text, re.M)
        best = max(marked, key=lambda one: recall(fact, words(one[1])), default=(letter, ""))
        found.append(best[0])
    return found


def probability(share: float, model: str) -> float:
    return min(0.98, max(0.02, 0.5 + (share - strictness(model)) * 1.2 + 1e-9))


def answer_pairs(
    stage: str, user: str, model: str, known: dict[str, list[list[str]]]
) -> tuple[list[tuple[str, Any]], list[float]]:
    """Returns the answer as key-value pairs, and the probability of true per verdict."""
    if stage == "probe":
        return [("1", True), ("2", False)], [0.9, 0.1]
    if stage == "decompose":
        block, _, wanted = user.rpartition("\nSentences to split: ")
        first, _, last = wanted.partition("-")
        lines = numbered(block)
        span = range(int(first), int(last or first) + 1)
        if (facts := known.get(lines.get("1", ""))) is not None:
            return [(str(i), facts[i - 1]) for i in span], []
        return [(str(i), split_facts(lines[str(i)])) for i in span], []
    people: list[dict[str, Any]] = [{"label": f"person {i}", "target": i == 1} for i in (1, 2)]
    if stage == "read":
        lines = numbered(user)
        listed = known.get(lines.get("1", "")) or [split_facts(line) for line in lines.values()]
        both = {
            key: [f"[{person_of(fact)}] {fact}" for fact in own]
            for key, own in zip(lines, listed, strict=True)
        }
        return [("persons", people), ("facts", both)], []
    head, _, block = user.rpartition("\nFacts:\n")
    facts = numbered(block)
    if stage == "group":
        for i, person in enumerate(people, 1):
            person["facts"] = [int(k) for k, fact in facts.items() if person_of(fact) == i]
        return [("persons", people)], []
    if stage == "verify_all":
        return [(k, supporting(fact, head, model)) for k, fact in facts.items()], []
    if stage == "verify":
        page = words(head)
        shares = [recall(fact, page) for fact in facts.values()]
    else:
        shares = [hashlib.sha256(fact.encode()).digest()[0] / 255 for fact in facts.values()]
    chances = [probability(share, model) for share in shares]
    return [(k, p >= 0.5) for k, p in zip(facts, chances, strict=True)], chances


def spoil(pairs: list[tuple[str, Any]], kind: str) -> str:
    """Adds a fault to the content of an answer."""
    if kind == "refusal":
        return "I'm sorry, but I can't help with that."
    if kind == "empty":
        return ""
    pairs = list(pairs)
    if pairs and isinstance(pairs[-1][1], dict):
        inner = list(pairs[-1][1].items())
        if kind in ("count", "duplicate", "unknown"):
            return dump([*pairs[:-1]])[:-1] + ', "facts": ' + spoil(inner, kind) + "}"
    if pairs and pairs[-1][0] == "persons" and kind in ("count", "duplicate", "unknown"):
        *persons, last = pairs[-1][1]
        facts = last["facts"][:-1] if kind == "count" else [*last["facts"], 99]
        text = dump([("persons", [*persons, {**last, "facts": facts}])])
        return text[:-1] + ', "persons": []}' if kind == "duplicate" else text
    if kind == "count":
        pairs = pairs[:-1]
    elif kind == "duplicate":
        pairs = [*pairs, pairs[-1]]
    elif kind == "unknown":
        pairs = [*pairs, (str(len(pairs) + 7), pairs[-1][1])]
    text = dump(pairs)
    return text[: len(text) * 2 // 3] if kind in ("truncated", "broken") else text


def dump(pairs: list[tuple[str, Any]]) -> str:
    return "{" + ", ".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in pairs) + "}"


def token_logprobs(text: str, chances: list[float]) -> list[dict[str, Any]]:
    import math

    content = []
    left = list(chances)
    for piece in re.findall(r"true|false|True|False|[^tfTF]+|[tfTF]", text):
        entry: dict[str, Any] = {"token": piece, "logprob": -0.001, "top_logprobs": []}
        if piece.lower() in ("true", "false") and left:
            chance = left.pop(0)
            yes, no = ("True", "False") if piece[0].isupper() else ("true", "false")
            top = [
                {"token": yes, "logprob": math.log(chance * 0.99)},
                {"token": no, "logprob": math.log((1 - chance) * 0.99)},
            ]
            said = top[0] if piece.lower() == "true" else top[1]
            entry = {**said, "top_logprobs": top}
        content.append(entry)
    return content


class Stub:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.stats = Stats()
        self.attempts: dict[str, int] = {}
        self.open = 0
        self.working = 0

    def reply(self, body: dict[str, Any], stage: str, user: str, fault: str) -> dict[str, Any]:
        model = body["model"]
        finish, chances = "stop", []
        if stage == "strict":
            page, _, fact = user.rpartition("\nStatement: ")
            chance = probability(recall(fact.split("\n")[0], words(page)), model)
            text, chances = ("True" if chance >= 0.5 else "False"), [chance]
            if fault:
                text = {"refusal": "I'm sorry, I cannot judge this.", "empty": ""}.get(
                    fault, "True, but it may be disputed."
                )
        else:
            pairs, chances = answer_pairs(stage, user, model, self.settings.facts)
            text = spoil(pairs, fault) if fault else dump(pairs)
            if text == "{}":  # a request to write a text
                text = "The person of this name was born in a small town and taught there."
        if fault == "truncated":
            finish = "length"
        limit = body.get("max_tokens") or body.get("max_completion_tokens") or 10**6
        if count_tokens(text) > limit:
            text, finish = text[: limit * 3], "length"
        prompt = sum(count_tokens(m["content"]) + 4 for m in body["messages"])
        choice: dict[str, Any] = {
            "index": 0,
            "finish_reason": finish,
            "message": {"role": "assistant", "content": text},
        }
        if body.get("logprobs") and self.settings.logprobs and not fault:
            choice["logprobs"] = {"content": token_logprobs(text, chances)}
        completion = count_tokens(text)
        stats = self.stats
        stats.prompt_tokens += prompt
        stats.completion_tokens += completion
        stats.tokens_by_stage[stage] = stats.tokens_by_stage.get(stage, 0) + prompt
        stats.answered += 1
        return {
            "id": "stub",
            "object": "chat.completion",
            "created": 1,
            "model": model,
            "system_fingerprint": "stub-1",
            "choices": [choice],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
        }

    def refuse(self, request: web.Request, body: dict[str, Any]) -> web.Response | None:
        s = self.settings
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if s.key and key != s.key:
            return fail(401, f"Incorrect API key provided: {key}.", "invalid_api_key")
        if s.models and body.get("model") not in s.models:
            return fail(404, f"The model {body.get('model')} does not exist.", "model_not_found")
        form = (body.get("response_format") or {}).get("type")
        if form and form not in s.forms:
            return fail(400, f"response_format {form} is not supported", "bad", "response_format")
        if s.limit_field not in body and ("max_tokens" in body or "max_completion_tokens" in body):
            return fail(400, f"Unsupported parameter; use {s.limit_field}", "bad", "max_tokens")
        return None

    def fault(self, digest: str, stage: str) -> str:
        s = self.settings
        if not s.rate or (s.stages and stage not in s.stages):
            return ""
        if int(digest[:8], 16) / 2**32 >= s.rate:
            return ""
        kind = s.kinds[int(digest[8:12], 16) % len(s.kinds)]
        attempt = self.attempts.get(digest, 0)
        self.attempts[digest] = attempt + 1
        # A transport fault repeats up to three times, a fault in the content does not.
        times = 1 + int(digest[12], 16) % 3 if kind in TRANSPORT else 1
        if not s.unbounded and attempt >= times:
            return ""
        self.stats.faults[kind] = self.stats.faults.get(kind, 0) + 1
        return kind

    async def chat(self, request: web.Request) -> web.StreamResponse:
        stats = self.stats
        raw = await request.read()  # ends here, uncounted, if the sender is killed while sending
        stats.requests += 1
        held = 0 < self.settings.hold_after < stats.requests
        stats.first = stats.first or time.time()
        self.open += 1
        stats.most_at_once = max(stats.most_at_once, self.open)
        try:
            body = json.loads(raw)
            if (refused := self.refuse(request, body)) is not None:
                return refused
            user, system = base_prompt(body["messages"])
            stage = stage_of(user, system)
            stats.by_stage[stage] = stats.by_stage.get(stage, 0) + 1
            digest = hashlib.sha256(f"{body['model']}\0{user}\0{system}".encode()).hexdigest()
            whole = json.dumps(body, sort_keys=True)
            seen = hashlib.sha256(whole.encode()).hexdigest()[:24]
            stats.prompts[seen] = stats.prompts.get(seen, 0) + 1
            held |= 0 < self.settings.slots <= self.working
            kind = "timeout" if held else self.fault(digest, stage)
            if stage == "decompose" and not self.settings.paragraphs:
                kind = "broken" if re.search(r"split: \d+-", user) else kind
            if self.settings.latency and not held:
                self.working += 1
                try:
                    await asyncio.sleep(self.settings.latency)
                finally:
                    self.working -= 1
            if kind in TRANSPORT:
                return await self.break_transport(request, kind)
            reply = self.reply(body, stage, user, kind)
            return web.Response(text=json.dumps(reply), content_type="application/json")
        finally:
            self.open -= 1
            stats.last = time.time()

    async def break_transport(self, request: web.Request, kind: str) -> web.StreamResponse:
        if kind == "timeout":
            await asyncio.sleep(self.settings.hang)
            return web.Response(text="{}")
        if kind == "reset":
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if kind == "html":
            return web.Response(
                text="<html><body>Bad gateway</body></html>", content_type="text/html"
            )
        if kind == "half-json":
            return web.Response(
                text='{"id": "stub", "choices": [{"mes', content_type="application/json"
            )
        headers = {}
        if kind == "429-seconds":
            headers["Retry-After"] = "1"
        if kind == "429-date":
            headers["Retry-After"] = formatdate(time.time() + 1, usegmt=True)
        return fail(int(kind[:3]), "try again", "rate_limit_exceeded", headers=headers)

    async def show(self, request: web.Request) -> web.Response:
        data = asdict(self.stats)
        if request.query.get("prompts") != "1":
            data["repeated"] = sum(n - 1 for n in self.stats.prompts.values())
            data["prompts"] = len(self.stats.prompts)
        return web.json_response(data)

    async def control(self, request: web.Request) -> web.Response:
        data = await request.json()
        if data.pop("reset", False):
            self.settings, self.stats, self.attempts = Settings(), Stats(), {}
        for name, value in data.items():
            setattr(self.settings, name, tuple(value) if isinstance(value, list) else value)
        return web.json_response(asdict(self.settings))

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self.chat)
        app.router.add_get("/_stats", self.show)
        app.router.add_post("/_control", self.control)
        return app


def fail(
    status: int, message: str, code: str, param: str = "", headers: dict[str, str] | None = None
) -> web.Response:
    error = {"message": message, "type": "error", "code": code, "param": param or None}
    return web.json_response({"error": error}, status=status, headers=headers)


async def serve(settings: Settings, port: int) -> None:
    runner = web.AppRunner(Stub(settings).app(), access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", port, backlog=1024)
    await site.start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0)
    arguments = parser.parse_args()
    asyncio.run(serve(Settings(latency=arguments.latency), arguments.port))


if __name__ == "__main__":
    main()
