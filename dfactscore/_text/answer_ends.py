"""Removes the text around an answer: wrapping, further turns, and lists of sources."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

_FENCE = re.compile(r"\s*```[\w-]*[^\S\n]*+\n(?P<inside>(?:(?!```).)*?)\n?```\s*", re.DOTALL)
_FENCED_JSON = re.compile(
    r"\s*[^\n]{0,120}:[^\S\n]*\n+```json[^\S\n]*\n(?P<inside>(?:(?!```).)*?)\n?```\s*",
    re.DOTALL | re.IGNORECASE,
)
_INCOMPLETE = re.compile(
    r"\s*\{\s*\"[^\"\n]{1,40}\"\s*:\s*(?P<value>\"(?:[^\"\\]|\\.)*)(?:\\?|\"[\s}]*)\Z",
    re.DOTALL,
)
_TEXT_KEY = re.compile(
    r"bio|text|answer|response|output|content|generation|result|paragraph|summary|description|story"
)
_THOUGHT_KEY = re.compile(r"think|thought|reason|analysis|plan|reflect|explanation|rationale")
_KIND = r"(?:bio(?:graphy)?|biographical\s+(?:sketch|summary|overview)|profile|life\s+story)"
_ABOUT = r"(?:(?:\s+(?:of|about|on|for)|\s?[:–—-])\s+[^:\n.!?]{1,80})?"
_POLITE = r"(?:(?:sure|certainly|of\s+course|okay|ok|absolutely|great)\b[^\n:]{0,20}?[!,.]+\s*)?"
_HERE = (
    r"here(?:['’]s|\s+is)\s+(?:an?|the|your|my)\s+[^:\n.!?]{0,60}?\b"
    rf"(?:{_KIND}|answer|response|summary|overview|paragraph|information)\b[^:\n.!?]{{0,100}}"
)
_LEAD = re.compile(
    rf"\s*(?:#+[^\S\n]*+)?[*_]{{0,3}}{_POLITE}(?:"
    # A separate line: "Here is a biography of X:", "## Biography of X", "Biography:".
    rf"(?:{_HERE}[*_]{{0,3}}:[*_]{{0,3}}|(?:a\s+)?(?:short\s+|brief\s+)?(?:{_KIND}{_ABOUT}|answer"
    rf"|response)[*_]{{0,3}}:?[*_]{{0,3}})[^\S\n]*+(?:\n+\s*(?:[-*_=]{{3,}}[^\S\n]*+\n\s*)?|\Z)"
    # The start of the line that contains the text.
    rf"|(?:{_HERE}|(?:a\s+)?(?:short\s+|brief\s+)?(?:biography|bio|answer|response))[*_]{{0,3}}:"
    r"[*_]{0,3}[^\S\n]++(?=\S))",
    re.IGNORECASE,
)
_LEAD_NAMED = re.compile(
    rf"\s*(?:#+[^\S\n]*+)?[*_]{{0,3}}(?:a\s+)?(?:short\s+|brief\s+)?{_KIND}\s+(?:of|about|on|for)\s+"
    r"(?P<name>[^:\n.!?]{1,80}?)[*_]{0,3}:[*_]{0,3}[^\S\n]++(?=(?P<next>\w+))",
    re.IGNORECASE,
)
# A label of a further answer within the text
_ANSWER_LABEL = re.compile(
    r"(?:(?<=\n)|(?<=[.!?] ))[*_]{0,3}(?:(?:Final )?[Aa]nswer|Response)[*_]{0,3}:[*_]{0,3}\s{1,3}"
)


def unwrap(text: str) -> str:
    r"""Removes the wrapping of an answer.

    The wrapping may be a JSON object with one text field (even if the object is incomplete), a code
    fence around the whole answer, or a first line such as "Biography of Ann Lee:" or "Here is a
    short biography:". An "Answer:" label before a later sentence is also removed.

    Example:
        >>> unwrap('{"name": "Ann Lee", "biography": "Ann Lee sang."}')
        'Ann Lee sang.'
        >>> unwrap("**Biography of Ann Lee:**\n\nAnn Lee sang.")
        'Ann Lee sang.'
    """
    if fence := _FENCE.fullmatch(text) or _FENCED_JSON.fullmatch(text):
        text = fence["inside"].strip()
    if text.lstrip()[:1] in ("{", "[") or (text.lstrip()[:1] == '"' and "\\" in text):
        text = _from_json(text)
    if (lead := _LEAD.match(text)) or (
        (lead := _LEAD_NAMED.match(text)) and lead["next"] in lead["name"].split()
    ):
        text = text[lead.end() :]
    text = _unquoted(text)
    return _ANSWER_LABEL.sub("", text) if ":" in text else text


def _unquoted(text: str) -> str:
    """Removes quotation marks around a whole text, and the marks of a quotation at its lines."""
    stripped = text.strip()
    if stripped.startswith(">"):
        lines = stripped.split("\n")
        if all(not line.strip() or line.lstrip().startswith(">") for line in lines):
            stripped = "\n".join(_QUOTE_MARK.sub("", line) for line in lines).strip()
            text = stripped
    closing = _CLOSINGS.get(stripped[:1], "")
    if len(stripped) < 3 or not closing or stripped[-1] not in closing:
        return text
    opening, inside = stripped[0], stripped[1:-1]
    if not re.search(r"[.!?]\W*$", inside):
        return text
    first = re.search(f"[{re.escape(opening + closing)}]", inside)
    # `"Rain" and "Snow."` opens and ends with a mark, but its first inner mark is a closing one.
    if first and opening not in "'‘" and not _OPENS_QUOTE.search(inside, 0, first.end()):
        return text
    if opening in "'‘" and re.search(r"['’‘](?!\w)|(?<!\w)['’‘]", inside):
        return text
    return inside.strip()


_QUOTE_MARK = re.compile(r"^\s*(?:>\s?)+")
_CLOSINGS = {
    '"': '"', "“": "”", "”": "”", "„": "“”", "«": "»", "»": "«", "‹": "›", "「": "」", "『": "』",
    "《": "》", "〈": "〉",
    "'": "'", "‘": "’", "＂": "＂", "〝": "〞",
}  # fmt: skip
_OPENS_QUOTE = re.compile(r"(?:^|[\s(\[—–-])[^\w\s]$")


def _from_json(text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        if not (incomplete := _INCOMPLETE.match(text)):
            return text
        try:
            value = {"text": json.loads(incomplete["value"] + '"', strict=False)}
        except ValueError:
            return text
    inner = _text_of(value)
    return text if inner is None else inner


def _text_of(value: Any) -> str | None:
    """Returns the only text in a JSON value, joining lists; None if there is not exactly one."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [part for part in map(_text_of, value) if part is not None]
        return " ".join(parts) if parts and len(parts) == len(value) else None
    if not isinstance(value, dict):
        return None
    fields = {str(key).lower(): _text_of(field) for key, field in value.items()}
    texts = {key: field for key, field in fields.items() if field and not _THOUGHT_KEY.search(key)}
    return _only(field for key, field in texts.items() if _TEXT_KEY.search(key)) or _only(
        field for field in texts.values() if len(field.split()) > 4
    )


def _only(texts: Iterable[str]) -> str | None:
    items = list(texts)
    return items[0] if len(items) == 1 else None


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


_KINDS = (
    r"(?:(?:cited|used|web|online|primary|secondary|additional|selected|key|main|original"
    r"|source)\s+)?"
    r"(?:references?(?:\s+(?:and|&)\s+(?:notes|links|sources|further\s+reading))?"
    r"|sources?(?:\s+(?:used|cited|consulted|documents?|and\s+references|and\s+notes|&\s+references"
    r"|of\s+information))?|citations?|works\s+cited|literature\s+cited|footnotes?|endnotes?"
    r"|notes(?:\s+(?:and|&)\s+(?:references|sources))?|(?:external|related|useful)\s+links?|links?"
    r"|further\s+(?:reading|information)|see\s+also|read\s+more|learn\s+more"
    r"|documents?(?:\s+cited)?"
    r"|urls?|web\s?sites?|bibliography)"
)
_HEADING = re.compile(
    rf"^[^\S\n]*+(?:#{{1,6}}[^\S\n]*+|\d+\.[^\S\n]++)?[*_=]{{0,3}}[^\S\n]*+(?P<kind>{_KINDS})[^\S\n]*+"
    r"[*_=]{0,3}[^\S\n]*+:?[*_]{0,3}[^\S\n]*+$",
    re.IGNORECASE | re.MULTILINE,
)
_LINE = re.compile(
    rf"^[^\S\n]*+(?:[-*•][^\S\n]++)?[*_(\[]{{0,3}}(?P<kind>{_KINDS})[*_]{{0,3}}[^\S\n]*+:[*_]{{0,3}}"
    r"[^\S\n]*+(?P<rest>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_TAIL = re.compile(
    rf"(?<=[.!?\])”\"])[^\S\n]++[*_]{{0,2}}(?P<kind>{_KINDS})[*_]{{0,2}}:"
    r"[*_]{0,2}[^\S\n]++(?P<rest>\S[^\n]*)\s*\Z",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"^[^\S\n]*+\[\^?[^\]\n]{1,40}\]:[^\S\n]*+\S.*$", re.MULTILINE)
_NUMBERED = re.compile(
    r"[^\S\n]*+(?:[-*•][^\S\n]++)?(?:\[\^?(?P<n>\d{1,3})\]|【(?P<m>\d{1,3})[^】\n]*】|\^(?P<k>\d{1,3})"
    r"|(?P<high>[⁰¹²³⁴-⁹]{1,3}))"
    r"[^\S\n]*+[:.–-]?[^\S\n]*+\S"
)
_ITEM = re.compile(r"[^\S\n]*+(?:[-*•–—▪◦]|\(?\d{1,3}[.)\]:]|\[|【|\^|[¹²³⁴-⁹]|[†‡])")
_HIGH = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_DIGITS = str.maketrans(_HIGH, "0123456789")
_URL = re.compile(r"https?://|www\.|\bdoi\b|\]\(|\bISBN\b|\b(?:Retrieved|Accessed|Archived)\b")
# How a sentence about a person begins; a list with such a sentence is not one of sources.
_TELLS = re.compile(
    r"[^\S\n]*+(?:[-*•–—]|\(?\d{1,3}[.)])?[^\S\n]*+(?:he|she|they|his|her|their|it|this|there)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"\b(?:is|was|were|are|has|had|have|became|died|served|won|played|wrote|born|worked|studied)\b"
)
_RULE = re.compile(r"[^\S\n]*+(?:[-*_=—][^\S\n]*+){3,}")
_NEEDS_MARKS = ("note", "bibliograph", "document", "website", "link", "footnote", "see also")


def cut_references(text: str) -> str:
    r"""Removes lists of sources and lines that name sources from the end of a text.

    The following are removed: the lines under a heading such as "Sources", "References", "Notes" or
    "Links"; a line, or the end of a line, that has such a label ("Sources: [1], [2]"); definitions
    of footnotes; and a block of numbered sources that has no heading. Statements about a person
    under such a heading ("Notes: He also painted.") are kept.

    Example:
        >>> cut_references("He swam [1].\n\nReferences:\n[1] Ann Lee (painter)")
        'He swam [1].'
        >>> cut_references("References to his work fill a book.")
        'References to his work fill a book.'
    """
    previous = None
    cut_text = text
    while previous != cut_text:
        previous = cut_text
        cut_text = _without_definitions(cut_text)
        for cut in (_headed, _lines, _numbered, _tail):
            cut_text = cut(cut_text)
    return cut_text


def _stripped(text: str) -> str:
    """Removes blank lines and horizontal rules from the end of a text."""
    lines = text.rstrip().split("\n")
    while lines and (not lines[-1].strip() or _RULE.fullmatch(lines[-1])):
        lines.pop()
    return "\n".join(lines).rstrip()


def _without_definitions(text: str) -> str:
    if not _DEFINITION.search(text):
        return text
    return _stripped(_DEFINITION.sub("", text))


def _headed(text: str) -> str:
    """Cuts a text at the first heading that has only sources below it."""
    for heading in _HEADING.finditer(text):
        if not text[: heading.start()].strip():
            continue
        lines = [line for line in text[heading.end() :].split("\n") if line.strip()]
        needs = heading["kind"].lower().startswith(_NEEDS_MARKS)
        if all(_is_source(line, needs=needs) for line in lines):
            return _stripped(text[: heading.start()])
    return text


def _is_source(line: str, *, needs: bool) -> bool:
    if _RULE.fullmatch(line) or _HEADING.fullmatch(line):
        return True
    if _URL.search(line) or _NUMBERED.match(line):
        return True
    if _TELLS.match(line):
        return False
    if needs:
        return not _SENTENCE.search(line) and len(line) < 120
    return _ITEM.match(line) is not None or (len(line) < 120 and not _SENTENCE.search(line))


def _lines(text: str) -> str:
    """Removes the last line if it begins with a label such as "Sources:"."""
    lines = text.rstrip().split("\n")
    last = next((i for i in range(len(lines) - 1, -1, -1) if lines[i].strip()), -1)
    labeled = _LINE.fullmatch(lines[last]) if last > 0 else None
    if labeled and _names_sources(labeled["kind"], labeled["rest"]):
        return _stripped("\n".join(lines[:last]))
    return text


def _tail(text: str) -> str:
    """Truncates the last line at a label such as "Sources:" within it."""
    labeled = _TAIL.search(text, max(0, text.rstrip().rfind("\n")))
    if (
        labeled
        and labeled["kind"][0].isupper()
        and _names_sources(labeled["kind"], labeled["rest"])
    ):
        return text[: labeled.start()].rstrip()
    return text


def _names_sources(kind: str, text: str) -> bool:
    if len(text) < 400 and re.search(r"https?://|www\.|[\[【]\^?\d", text):
        return True
    if _TELLS.match(text) or _SENTENCE.search(text) or len(text) > 160:
        return False
    needs = kind.lower().startswith(_NEEDS_MARKS) and not kind.lower().startswith("see also")
    return not needs or re.search(r"\b(?:documents?|passages?|wikipedia)\b", text, re.I) is not None


def _numbered(text: str) -> str:
    """Removes a block of numbered sources at the end if the text above cites their numbers."""
    lines = text.rstrip().split("\n")
    first, numbers = len(lines), list[int]()
    while first > 0 and (not lines[first - 1].strip() or _NUMBERED.match(lines[first - 1])):
        first -= 1
        if match := _NUMBERED.match(lines[first]):
            digits = match["n"] or match["m"] or match["k"] or match["high"].translate(_DIGITS)
            numbers.insert(0, int(digits))
    above = "\n".join(lines[:first])
    if not numbers or not above.strip() or numbers != sorted(set(numbers)):
        return text
    block = [line for line in lines[first:] if line.strip()]
    short = all(_URL.search(line) or not _SENTENCE.search(line) for line in block)
    plain = above.translate(_DIGITS)
    cites = any(
        re.search(rf"[\[【^]\^?{n}\b", above)
        or any(above[m.start()] in _HIGH for m in re.finditer(rf"(?<=\D){n}(?!\d)", plain))
        for n in numbers
    )
    return _stripped(above) if cites and short else text
