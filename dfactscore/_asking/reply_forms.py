"""Turns replies of other forms into chat completions: streams, and OpenAI's responses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dfactscore._util.jsonl import JSONError, parse_json

RESPONSES = "/responses"
"""The route that some reasoning models answer instead of chat completions."""

_DATA = "data:"
# Fields that the route of responses does not know, or knows under another name.
_CHAT_FIELDS = ("messages", "response_format", "logprobs", "top_logprobs", "seed", "max_tokens",
                "max_completion_tokens", "reasoning_effort")  # fmt: skip


def joined_stream(text: str) -> dict[str, Any] | None:
    r"""Joins the events of a stream into one chat completion; returns None for any other text.

    Some gateways always stream, whether asked to or not.

    Example:
        >>> joined_stream('data: {"choices": [{"delta": {"content": "Yes"}}]}\n\ndata: [DONE]\n')
        {'choices': [{'message': {'role': 'assistant', 'content': 'Yes'}}]}
    """
    events = list(_events(text))
    if not any("choices" in event for event in events):
        return events[0] if len(events) == 1 else None
    reply: dict[str, Any] = {}
    choice: dict[str, Any] = {"message": {"role": "assistant"}}
    for event in events:
        reply |= {k: v for k, v in event.items() if k != "choices" and v is not None}
        for part in (event.get("choices") or [])[:1]:
            choice |= {k: v for k, v in part.items() if k in ("finish_reason", "error") and v}
            if isinstance(found := (part.get("logprobs") or {}).get("content"), list):
                choice.setdefault("logprobs", {"content": []})["content"] += found
            for key, value in (part.get("delta") or part.get("message") or {}).items():
                if isinstance(value, str) and key != "role":
                    choice["message"][key] = choice["message"].get(key, "") + value
    return {**reply, "choices": [choice]}


def _events(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        content = line[len(_DATA) :].strip()
        if not line.startswith(_DATA) or content == "[DONE]":
            continue
        try:
            event = parse_json(content, strict=False)
        except JSONError:
            return  # the stream broke off
        if isinstance(event, dict):
            yield event


def as_responses_body(body: Mapping[str, Any]) -> dict[str, Any]:
    """Rewrites the body of a chat request for the route of responses."""
    sent = {k: v for k, v in body.items() if k not in _CHAT_FIELDS}
    limit = body.get("max_completion_tokens") or body.get("max_tokens")
    if limit is not None:
        sent["max_output_tokens"] = max(16, limit)  # the least that is allowed
    form = body.get("response_format")
    if isinstance(form, Mapping):
        sent["text"] = {"format": {"type": form["type"], **form.get("json_schema", {})}}
    if effort := body.get("reasoning_effort"):
        sent["reasoning"] = {"effort": effort}
    return {**sent, "input": list(body["messages"]), "store": False}


def as_chat_reply(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rewrites a response as a chat completion."""
    if "output" not in reply:
        return reply
    items = [item for item in reply["output"] or () if isinstance(item, Mapping)]
    said = [item for item in items if item.get("type") == "message"]
    parts = [part for item in said for part in item.get("content") or ()]
    text = "".join(str(part.get("text", "")) for part in parts if part.get("type") == "output_text")
    refusal = "".join(str(part.get("refusal") or "") for part in parts)
    usage = reply.get("usage") or {}
    reason = (reply.get("incomplete_details") or {}).get("reason")
    finish = reason or ("stop" if reply.get("status") in (None, "completed") else reply["status"])
    return {
        "model": reply.get("model"),
        "error": reply.get("error"),
        "choices": [
            {
                "message": {"role": "assistant", "content": text, "refusal": refusal or None},
                "finish_reason": finish,
            }
        ],
        "usage": {
            "prompt_tokens": usage.get("input_tokens"),
            "completion_tokens": usage.get("output_tokens"),
            "prompt_tokens_details": usage.get("input_tokens_details"),
            "completion_tokens_details": usage.get("output_tokens_details"),
        },
    }


def wants_responses(message: str) -> bool:
    """Whether an error says that a model answers the route of responses only.

    Example:
        >>> wants_responses("This model is only supported in v1/responses.")
        True
        >>> wants_responses("Invalid response_format")
        False
    """
    return "v1/responses" in message or "Responses API" in message
