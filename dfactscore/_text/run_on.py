"""Truncates an answer at the point where the model continues with another turn or prompt."""

from __future__ import annotations

import re

_TURN = (
    r"<\|(?:im_start|im_end|start|end|endoftext|end_of_text|begin_of_text|startoftext|eot_id|eom_id"
    r"|eot|return|call|message|user|assistant|system|human|bot|start_header_id|end_header_id"
    r"|(?:start|end)_of_turn(?:_token)?|(?:user|system|chatbot|assistant)_token|sep|pad|end_of_role"
    r"|start_of_role|separator|endofprompt|endoftask|end_of_response|end▁of▁sentence)\|>"
    r"|<｜(?:User|Assistant|(?:begin|end)▁of▁sentence)｜>|</?(?:start_of_turn|end_of_turn)>"
    r"|<(?:eos|bos|eot|sep|pad)>|<\|turn>|<turn\|>|\[/?(?:INST|SYSTEM_PROMPT)\]|<</?SYS>>"
    r"|\[(?:EOS|EOT|BOS)\]|</?s>"
)
_TOKEN = re.compile(_TURN, re.IGNORECASE)
# The start of the turn that contains the answer.
_ANSWER_OPENING = re.compile(
    rf"\s*(?:(?:{_TURN})\s*(?:(?:assistant|model|gpt|chatbot|bot)\b(?:<\|[a-z_]+\|>)?\s*)?)+"
    r"|\s*(?:###\s*)?(?:Assistant|AI|Response)\s*:\s*(?=\S)",
    re.IGNORECASE,
)
_USER_TURN = re.compile(
    rf"\s*(?:(?:{_TURN})\s*)+(?:user|system|human)\b|\s*\[INST\]", re.IGNORECASE
)
_MODEL_TURN = re.compile(
    r"<\|(?:im_start|start_header_id|start|start_of_role)\|>\s*(?:assistant"
    r"|model)\b(?:<\|[a-z_]+\|>)?"
    r"\s*|<start_of_turn>\s*model\b\s*|<\|assistant\|>\s*|<｜Assistant｜>\s*|\[/INST\]\s*",
    re.IGNORECASE,
)
# A prompt that the model repeats before its answer begins.
_ECHO = re.compile(
    r"\s*(?:#+\s*)?\**(?:Question|Q|Instructions?|Prompt)\**\s*:(?:(?!\n\s*\n\s*\n).){1,2000}?\n\s*"
    r"(?:#+\s*)?\**(?:Answer|A|Response|Biography)\**\s*:\**\s*",
    re.IGNORECASE | re.DOTALL,
)
# Blank lines are not part of the pattern: matching from each of them would take quadratic time.
_NEXT_PROMPT = re.compile(
    r"\n[^\S\n]*+(?:#+\s*)?\**(?:Documents?\s*\[?\d+\]?\s*[(:]\s*\(?Title\b|Name of the person\s*:"
    r"|Name\s*:\W*(?P<name>[^\n]*)|Instructions?\s*:|Questions?\s*\d*\s*:|Q\d*\s*:"
    r"|(?:User|USER|Human|HUMAN|Assistant|ASSISTANT|Prompt)\s*:"
    r"|(?:Tell\s+me|Write|Give\s+me)\s+(?:an?\s+)?(?:short\s+)?bio(?:graphy)?\s+(?:of|about|for)\b)"
    r"|\n[^\S\n]*+###\s*(?:Instructions?|Human|User|Question|Input|Prompt|Response|Assistant)\b\s*:?"
    r"|(?<=[.!?\]”\"])[^\S\n]++(?:Question|Q):[^\S\n][^\n]{3,300}?\s(?:Answer|A):\s"
    r"|(?<=[.!?\]”\"])[^\S\n]++Document\s*\[\d+\]\s*\(Title\b"
)


def cut_run_on(text: str, name: str = "") -> tuple[str, bool]:
    r"""Truncates a text at the point where the model continues with another turn or prompt.

    A repeated prompt before the answer and the tokens that open the answer's turn are also removed.

    Example:
        >>> cut_run_on("He swam [1].\n\nName of the person: Al Shaw")
        ('He swam [1].', True)
        >>> cut_run_on("He swam.<|im_end|>\n<|im_start|>user\nAnd Al?")
        ('He swam.', True)
    """
    start = _opening(text)
    end = _first_end(text, start)
    for match in _NEXT_PROMPT.finditer(text, start, end):
        if not text[start : match.start()].strip():
            continue
        field = match["name"]
        if field is None or not name or not _share_word(field, name):
            end = match.start()
            break
    if start == 0 and end == len(text):
        return text, False
    answer = text[start:end].strip() if start else text[:end].rstrip()
    return answer, True


def _opening(text: str) -> int:
    """Returns the position at which the answer starts."""
    if _USER_TURN.match(text) and (turn := _MODEL_TURN.search(text)):
        return turn.end()
    opening = _ANSWER_OPENING.match(text) or _ECHO.match(text)
    return opening.end() if opening else 0


def _first_end(text: str, start: int) -> int:
    """Returns the position of the first token that ends a turn; ``<s>…</s>`` is strikethrough."""
    in_strikethrough = False
    for token in _TOKEN.finditer(text, start):
        if token[0].lower() == "<s>" and "</s>" in text[token.end() :].lower():
            in_strikethrough = True
        elif in_strikethrough and token[0].lower() == "</s>":
            in_strikethrough = False
        else:
            return token.start()
    return len(text)


def _share_word(field: str, name: str) -> bool:
    """Whether two names share a word longer than an initial."""
    words = {word for word in re.findall(r"\w+", name.casefold()) if len(word) > 1}
    return not words.isdisjoint(re.findall(r"\w+", field.casefold())) if words else False
