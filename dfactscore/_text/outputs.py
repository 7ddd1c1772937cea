"""Recognizes outputs that are not a text: messages of services, printed objects, placeholders.

Logs of models hold whatever a program wrote in place of an answer. A message of a failed service is
neither a biography nor the model's refusal, and the printed form of an object holds the answer
among its fields.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dfactscore._text.people_words import OF_A_PERSON
from dfactscore._text.sentences import split_sentences

_LONGEST_MESSAGE = 4_000  # characters; nothing that long is read as a message in prose
_MOST_SENTENCES = 8


@dataclass(frozen=True, slots=True)
class OutputForm:
    """A form of output that is not a text."""

    id: str
    sentence: str
    example: str
    test: Callable[[str], bool]


def failed_output(text: str, name: str = "") -> str | None:
    """Returns why an output is a failure of a service or program, or None if it may be a text.

    Example:
        >>> failed_output("Error code: 429 - {'error': {'message': 'Rate limit reached'}}")
        'an error with its code'
        >>> failed_output("Request timed out.")
        'a message of a service or program'
        >>> failed_output("Ann Lee is a painter. Her server failed in 1999.", "Ann Lee")
    """
    stripped = text.strip().strip("`*_\"' \n")
    if not stripped:
        return None
    tells = _tells_of(name, stripped)
    for form in FAILURES:
        if form.test(stripped) and not (tells and form.id in _QUOTABLE):
            return form.sentence
    if len(stripped) <= _LONGEST_MESSAGE and _is_message(stripped, name):
        return "a message of a service or program"
    return None


_OF_FACTS = r"(?:facts?|claims?|statements?|assertions?|propositions?|information|content|details)"
_MARKS_ONLY = re.compile(
    r"[\W\d_]*+(?:(?:json|text|markdown|xml|yaml|python)[\W\d_]*+)?|</?\w+/?>"
    r"|\W*+(?:none|null|nil|nothing|n/?a|not applicable|empty|output|results?|answer"
    rf"|(?:the )?(?:list of )?(?:\w+ )?{_OF_FACTS})(?:\W*+(?:\d++\W*+)?|\s?(?:-|–|—|:|\().*)",
    re.IGNORECASE | re.DOTALL,
)
_NOTHING = re.compile(
    r"\W*+(?:(?:(?:there|i|we|is|are|was|were|found|find|see|sorry|have)\W{1,3}){0,4}no "
    rf"(?:\w+ ){{0,2}}{_OF_FACTS}(?: (?:to|was|were|is|are|found"
    r"|can|could|exists?|in|here|made|present|given|provided)\b.{0,80})?"
    r"|nothing (?:to|(?:can|could|was) (?:be|found)|found|here)\b.{0,80}"
    rf"|(?:the|this|that) (?:\w+ )?(?:sentence|text|passage|response|answer|paragraph|input|output)"
    rf" (?:\w+ )?(?:contains?|states?|makes?|has|provides?|include)s? (?:no|not any|any)\b.{{0,80}}"
    r"|(?:sure|certainly|okay|ok|of course|here|the following|below|these|facts|claims|extracted"
    r"|atomic|verifiable|step \d)\b[^:]{0,100}:)\W*+",
    re.IGNORECASE,
)


def states_nothing(fact: str) -> bool:
    """Whether a given fact is a mark or heading of the tool that extracted the facts.

    Example:
        >>> [states_nothing(f) for f in ("No verifiable claim.", "```", "Here are the facts:")]
        [True, True, True]
        >>> states_nothing("Ann Lee has no verifiable claim to the title.")
        False
    """
    return bool(_MARKS_ONLY.fullmatch(fact.strip()) or _NOTHING.fullmatch(fact.strip()))


_STATUS_WORDS = (
    r"(?:bad request|unauthorized|forbidden|not found|method not allowed|request time-?out"
    r"|conflict"
    r"|payload too large|unprocessable entity|too many requests|internal server error"
    r"|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|overloaded)"
)
_EXCEPTION = re.compile(
    r"(?:[\w$]+[./:]\s?)*[A-Z]\w*(?:Error|Exception|Timeout|Fault|Interrupt|Warning)\b\s*[:({\n]"
    r"|(?:[\w$]+\.)+(?:Timeout|Error|Exception)\b\s*[:({\n]"
    r"|(?:[\w$]+\.)+[A-Z]\w*(?:Error|Exception|Timeout|Fault)\s*\Z"
    r"|[A-Z][a-z]\w*(?:Error|Exception)\s*\Z"
    r"|(?:[a-z_]\w*\.){2,}[A-Z]\w*\s*[:(]|Exception in thread\b"
)
_TRACEBACK = re.compile(
    r"Traceback \(most recent call last\)|^[^\S\n]+File \"[^\"\n]+\", line \d+"
    r"|^[^\S\n]+at [\w.$<>]+\(",
    re.MULTILINE,
)
_ERROR_CODE = re.compile(
    r"(?:\[?(?:(?:api|http|https|server|llm|model|request|openai|fatal)\s+)?error\]?"
    r"|status)[\s_-]*"
    r"(?:code|status)?\s*[:=(\[#-]?\s*[1-9]\d{2,4}\b"
    r"|http(?:/[\d.]+)?\s+[45]\d\d\b|error (?:while|when|in|from|during|\w{3,}ing)\b"
    r"|[45]\d\d\s*[:-]?\s*"
    + _STATUS_WORDS
    + r"|\[?(?:error|err|failed|failure|exception|fatal|critical|warning)\]?\s*(?:[:\]>]|\Z"
    r"|[-–—]\s)"
    r"|#(?:error|ref|value|name\?|n/a|null)[!?]?|(?-i:E[A-Z]{4,15})\s*(?:\Z|:)"
    rf"|[^.!?\n]{{0,120}}(?:[:(-]|\b(?:failed|returned|got|received|with|raised))\s+[45]\d\d:?\s+"
    rf"{_STATUS_WORDS}\W*\Z|[a-z]+_[a-z_]+\s*[:=]\s*[\"']?[\w-]+[\"']?\s*\Z"
    r"|(?:killed|aborted|terminated|panic:.*|fatal:.*"
    r"|(?:\[\d+\]\s+)?(?:\d+\s+)?segmentation fault.*"
    r"|socket hang up)\W*\Z",
    re.IGNORECASE,
)
_ERROR_KEYS = frozenset(
    ("error", "errors", "detail", "details", "exception", "error_code", "error_message", "fault")
)
_STATUS_KEYS = frozenset(("message", "code", "status", "status_code", "statuscode", "type", "msg"))
_CALL_KEYS = (
    frozenset(("name", "arguments")),
    frozenset(("name", "parameters")),
    frozenset(("tool", "tool_input")),
    frozenset(("action", "action_input")),
    frozenset(("function", "arguments")),
    frozenset(("tool_calls",)),
    frozenset(("type", "function")),
)
_TOOL = re.compile(
    r"<\|?(?:tool_calls?|tool_use|function_calls?|function|invoke|tool_response"
    r"|python_tag)\b[^>]*>"
    r"|<function=|\[TOOL_CALLS?\]|<\|(?:tool▁calls▁begin|python_tag|tool_call)\|>|<｜tool"
    r"|(?:Thought:[^\n]*\n)?Action(?: Input)?:\s*\S[^\n]*(?:\n+Action Input:|\Z)"
    r"|(?:to=)?functions?\.\w+\s*[({]|(?:Calling|Invoking|Using) (?:the )?(?:tool"
    r"|function)\b[^\n]*\Z|(?:Calling|Invoking|Running|Executing):? `[\w.]+`[^\n]*\Z",
    re.IGNORECASE,
)
_HTML = re.compile(
    r"(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|title|error)\b", re.IGNORECASE
)
_PAGE_TITLE = re.compile(r"<(title|h1|code|message)\b[^>]*>\s*([^<]{0,200})", re.IGNORECASE)
_PAGE_FAULT = re.compile(
    r"[45]\d\d\b|\berror\b|denied|forbidden|unavailable|just a moment|attention required|captcha"
    r"|sign in|log ?in|too many|bad gateway|time-?out|not found|" + _STATUS_WORDS,
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(
    r"[\[<{(]{1,2}\s*(?:your|the|insert|add|generated|model|llm|placeholder|sample|empty"
    r"|no)?[\s_-]*"
    r"(?:answers?|responses?|outputs?|text|bio(?:graphy)?|content|placeholder|here|completion"
    r"|result"
    r"|prediction|blocked|filtered|redacted|deleted|removed|truncated|error|timeout)"
    r"(?:[\s_-]*(?:goes )?here|[\s_-]*text)?\s*[\]>})]{1,2}"
    r"|null|none|nan|undefined|nil|void|n/?a|tbd|todo|xxx+|test(?:ing)?|lorem ipsum\b.*"
    r"|\[object object\]|\$\{?\w+\}?|\{\{?[\w. ]*\}?\}|%s|-+|\.{3,}|…+|\?{2,}",
    re.IGNORECASE | re.DOTALL,
)


# Parts of programs of which a model that knows nothing does not speak
_HARD = re.compile(
    r"\b(?:servers?|api keys?|endpoint|gateway|proxy|upstream|socket|time-?outs?|quota"
    r"|context (?:window|length)|max(?:imum)? tokens|rate[- ]limits?|network settings|cuda|gpu"
    r"|completion|deployment)\b",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"\A[^.!?\n]{0,80}\b(?:we|i|there|it|you|our|this|due|because|some)\b[^.!?\n]{0,80}"
    r"\b(?:technical|system|internal|server|network) "
    r"(?:issues?|problems?|difficult(?:y|ies)|errors?|faults?|glitch(?:es)?|hiccups?|trouble)\b",
    re.IGNORECASE,
)


def tells_of_trouble(text: str, name: str = "") -> bool:
    """Whether a text reports technical trouble, even if it apologizes as a refusal does."""
    return _is_trouble(text) or (_HARD.search(text) is not None and _is_message(text, name))


def _is_trouble(text: str) -> bool:
    return _TROUBLE.search(text) is not None and not OF_A_PERSON.search(text)


def _is_error_object(text: str) -> bool:
    value = _literal(text)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if not isinstance(value, dict) or not value:
        return False
    keys = {str(key).lower() for key in value}
    named = keys & _ERROR_KEYS and any(
        item not in (None, "", [], {}, False)
        for key, item in value.items()
        if str(key).lower() in _ERROR_KEYS
    )
    return bool(named and not _field_text(value)) or (
        keys <= _STATUS_KEYS and bool(keys & {"code", "status", "status_code", "statuscode"})
    )


def _is_call_object(text: str) -> bool:
    value = _literal(text)
    items = value if isinstance(value, list) else [value]
    return bool(items) and all(
        isinstance(item, dict) and any(keys <= item.keys() for keys in _CALL_KEYS) for item in items
    )


def _is_error_page(text: str) -> bool:
    if not _HTML.match(text):
        return False
    titles = " ".join(match[2] for match in _PAGE_TITLE.finditer(text[:20_000]))
    return _PAGE_FAULT.search(titles or text[:2_000]) is not None


# Forms with which a text about a person may begin: "404 Not Found was her first album."
_QUOTABLE = frozenset(("exception", "error code"))


def _tells_of(name: str, text: str) -> bool:
    """Whether a text states something of a person of the name, or of "he" or "she"."""
    last = re.escape(name.split()[-1]) if name.split() else r"\Z\A"
    verb = r"(?:is|was|were|has|had|born|won|became|died|served|played|wrote|sang|studied|worked)"
    return re.search(rf"\b(?:{last}|[Hh]e|[Ss]he)\b[^.!?\n]*\b{verb}\b", text) is not None


FAILURES = (
    OutputForm(
        "traceback",
        "a traceback of a program",
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: bad',
        lambda text: _TRACEBACK.search(text[:400]) is not None,
    ),
    OutputForm(
        "exception",
        "an exception of a program",
        "openai.APIConnectionError: Connection error.",
        lambda text: _EXCEPTION.match(text) is not None,
    ),
    OutputForm(
        "error code",
        "an error with its code",
        "503 Service Unavailable",
        lambda text: _ERROR_CODE.match(text) is not None,
    ),
    OutputForm(
        "error object",
        "an error as an object",
        '{"error": {"message": "The model is overloaded.", "type": "server_error"}}',
        _is_error_object,
    ),
    OutputForm(
        "tool call",
        "a call of a tool",
        '<tool_call>{"name": "search", "arguments": {"query": "Ann Lee"}}</tool_call>',
        lambda text: _TOOL.match(text) is not None or _is_call_object(text),
    ),
    OutputForm(
        "error page",
        "an error page",
        "<html><head><title>502 Bad Gateway</title></head><body></body></html>",
        _is_error_page,
    ),
    OutputForm(
        "trouble",
        "a message about technical trouble",
        "We are having technical difficulties and could not answer.",
        _is_trouble,
    ),
    OutputForm(
        "placeholder",
        "a placeholder",
        "[Your answer here]",
        lambda text: _PLACEHOLDER.fullmatch(text) is not None,
    ),
)
"""The forms that show on their face that no model wrote the output."""

# What a program speaks of, and what it says of it. A message in prose has both in one sentence.
_PARTS = (
    r"(?:requests?|connections?|servers?|services?|endpoints?|gateway|proxy|upstream|network"
    r"|host|socket"
    r"|api(?: keys?| calls?)?|keys?|tokens?|quota|rate[- ]limits?|limits?|credits?|balance|billing"
    r"|models?|llm|deployment|engine|prompts?|inputs?|outputs?|responses?|answers?"
    r"|completions?|context"
    r"(?: length| window)?|messages?|agents?|chains?|tools?|functions?|iterations?|steps?"
    r"|recursion"
    r"|assistant|ollama|knowledge base|pipelines?|retriever|index|database|session|operation"
    r"|execution|generation|process|task|job"
    r"|memory|cuda|gpu|device|content|polic(?:y|ies)|filters?|permissions?|access|authentication"
    r"|credentials|payload|format|json|schema|parser|timeouts?|exceptions?|errors?|capacity"
    r"|traffic)"
)
_SAYS = (
    r"(?:tim(?:ed|e)[- ]?out|failed|failure|fails|abort(?:ed)?|cancell?ed|refused|reset"
    r"|closed|dropped"
    r"|interrupted|exceed(?:ed|s)?|reached|stopped|blocked|filtered|flagged|rejected|terminated"
    r"|unavailable|overloaded|not (?:available|ready|found|supported|responding|exist|loaded"
    r"|allowed|running|valid|accepted|permitted|authorized|configured|set)|omitted|withheld|suppressed"
    r"|(?:does|do|did|could|can|was|is|are)(?: not|n['’]t)\b|cannot|unable|invalid|incorrect"
    r"|missing"
    r"|malformed|unsupported|unexpected|unknown|unauthorized|denied|forbidden|expired|exhausted"
    r"|insufficient|out of|maximum|limit|too (?:long|large|many|short)|loading|warming up"
    r"|busy|down"
    r"|wrong|occurred|encountered|error|exception|retry(?:ing)?|try(?: again)?|violat\w+"
    r"|trigger\w*"
    r"|no|trouble|problems?|empty|null|truncated|crashed|killed|offline|unreachable"
    r"|disconnect\w*|at capacity|throttled)"
)
_STRONG = re.compile(
    rf"\b{_PARTS}\b[^.!?\n]{{0,80}}?\b{_SAYS}\b|\b{_SAYS}\b[^.!?\n]{{0,60}}?\b{_PARTS}\b"
    r"|\b(?:something|things) (?:went|has gone) wrong\b|\brate[- ]limit(?:ed)?\b"
    r"|\btime[d-]? ?out\b"
    r"|\bunder maintenance\b|\bout of memory\b|\bcontent management policy\b"
    r"|\bmax(?:imum)? retries\b"
    r"|\b(?:can(?:no|['’])t|could not|unable to|failed to|not able to) (?:process|complete"
    r"|generate"
    r"|connect|parse|reach|load|fetch|retrieve|handle|fulfill|get)\b"
    rf"|^{_STATUS_WORDS}\W*$",
    re.IGNORECASE,
)
# What accompanies such a message and states nothing of its own.
_ADVICE = re.compile(
    r"(?:(?:oops|uh[- ]oh|sorry|apologies|we apologi[sz]e|we['’]re sorry|i['’]m sorry"
    r"|i apologi[sz]e)\b"
    r"[^.!?]{0,80}|(?:please|kindly|you (?:can|may|must|should|need)|try|retry|check|contact"
    r"|visit|see"
    r"|go to|reduce|upgrade|wait|refresh|reload|sign in|log in|make sure|if (?:the|this|you))\b"
    r"|for more (?:information|details)\b|(?:however, )?(?:you|your|this|the|it)\b[^.!?]{0,60}\b"
    r"(?:requested|tokens?|plan|prompt|request|messages?)\b|(?:request|trace|error"
    r"|correlation)[ -]?id\b"
    r"|estimated|details?:|reason:|code:|status:|model:|tried to\b|retrying\b|attempt \d"
    r"|https?://)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b1[0-9]{3}\b(?! tokens)")


def _is_message(text: str, name: str) -> bool:
    """Whether every sentence is a program's message or advice, and none is about a person."""
    if OF_A_PERSON.search(text) or _YEAR.search(
        re.sub(r"(?<!\d)\d+ tokens|\b\d+[,.]\d+", "", text)
    ):
        return False
    names = [word for word in re.findall(r"[^\W\d_]{3,}", name) if word[0].isupper()]
    asked = rf"\b(?:for|of|about|on|\w{{3,}}ing|search|lookup|query)\W+{re.escape(name.strip())}\b"
    text = re.sub(asked, "it", text) if names else text
    if names and re.search(rf"\b{re.escape(names[-1])}\b", text):
        return False
    sentences = [s.text for s in split_sentences(text) if any(map(str.isalnum, s.text))]
    if not sentences or len(sentences) > _MOST_SENTENCES:
        return False
    strong = [_STRONG.search(sentence) is not None for sentence in sentences]
    return any(strong) and all(
        found or _ADVICE.match(sentence.lstrip(" *_#>-")) is not None
        for found, sentence in zip(strong, sentences, strict=True)
    )


# The fields that hold a printed object's answer, the surest first.
_FIELDS = (
    "final_output", "output_text", "final_answer", "response", "answer", "content", "output",
    "generated_text", "generation", "completion", "reply", "result", "raw", "message", "text",
)  # fmt: skip
_WRITERS = frozenset(("assistant", "ai", "model", "bot", "AIMessage"))
_STRING = r"""(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
_OBJECT = re.compile(
    r"[A-Za-z_][\w.]*\(\s*(?:[A-Za-z_]\w*=|['\"\[{])|\(\s*(?:b?['\"\[{])|\[\s*(?:[A-Za-z_][\w.]*\([A-Za-z_]\w*=|\{"
    r"|['\"])|\{"
    r"|b['\"]|<[A-Za-z_][\w.\[\], ]*(?: object)?(?: \S+)? at 0x[0-9a-f]+>|[a-z_]+=(?:['\"\[{]"
    r"|[A-Z]\w*\()"
    r"|[a-z_]+ \{\s*[a-z_]+"
)
_NO_TEXT = re.compile(
    r"<(?:[\w.]+ )?(?:object|generator|coroutine|function|async_generator|module|class"
    r"|bound method)?"
    r"[^<>\n]{0,200}(?: at 0x[0-9a-fA-F]+|'[\w.]+')>|<bound method [^\n]{1,200}>"
    r"|[A-Z]\w*\(\w+=<[^\n'\"]{1,200}>\)|<[A-Z]\w*(?: \[\d+\]|: [^<>\n]{1,80}"
    r"| (?:pending|finished|running|cancelled|\w+=)[^<>\n]{0,80})?>"
)


def printed_text(text: str) -> str | None:
    """Returns the text inside a printed object, "" if it holds none, or None for a plain text.

    Example:
        >>> printed_text("content='Ann sang.' additional_kwargs={} id='run-1'")
        'Ann sang.'
        >>> printed_text("[{'type': 'text', 'text': 'Ann '}, {'type': 'text', 'text': 'sang.'}]")
        'Ann sang.'
        >>> printed_text("<generator object stream at 0x7f2c>")
        ''
        >>> printed_text("Ann (born 1950) sang.")
    """
    stripped = text.strip()
    if _NO_TEXT.fullmatch(stripped):
        return ""
    if not _OBJECT.match(stripped):
        return None
    value = _literal(stripped)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, tuple):
        value = next((item for item in value if not isinstance(item, int | float)), None)
    if isinstance(value, (dict, list)):
        return _field_text(value)
    if isinstance(value, str) and stripped[:1] == "(":
        return value
    for field in _FIELDS:
        found = re.findall(rf"(?<![\w.]){field}['\"]?\s*[=:]\s*({_STRING})", stripped, re.DOTALL)
        texts = [text for literal in found if (text := _string(literal)).strip()]
        if texts:
            return "".join(texts) if field == "text" else texts[0]
    return None


def _field_text(value: Any, depth: int = 0) -> str | None:
    """Returns the answer in a mapping, or the joined texts of a list of content blocks."""
    if isinstance(value, str):
        return value
    if depth > 6:
        return None
    if isinstance(value, list):
        blocks = [item for item in value if not (isinstance(item, dict) and _is_aside(item))]
        if any(isinstance(item, dict) and "role" in item for item in blocks):
            blocks = [item for item in blocks if item.get("role") in _WRITERS]
        texts = [_field_text(item, depth + 1) for item in blocks]
        kept = [text for text in texts if text]
        return "".join(kept) if kept and None not in texts else None
    if isinstance(value, dict):
        for field in (*_FIELDS, "choices", "candidates", "parts", "messages", "data", "delta"):
            item = value.get(field)
            if item and (found := _field_text(item, depth + 1)):
                return found
    return None


def _is_aside(block: dict[Any, Any]) -> bool:
    """Whether a content block is the model's reasoning, a call of a tool or its result."""
    kind = str(block.get("type", ""))
    return any(word in kind for word in ("think", "reason", "tool", "image", "file"))


def _string(literal: str) -> str:
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError):
        return literal[1:-1]
    return value if isinstance(value, str) else ""


def _literal(text: str) -> Any:
    """Returns the value of a JSON or Python literal, or None."""
    if text[:1] not in "([{b'\"" or text[-1:] not in ")]}'\"":
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None
