"""Separates models' reasoning from their answers by the markers that models and servers emit.

All code that reads answers, whether scored, judged or generated, uses this list of markers.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Words that occur only in markers of thoughts, and words that a text may also have in brackets: the
# latter are markers only if a closing marker follows.
_SURE = (
    r"(?:inner|internal|chain[_ -]of|ant|longcat)?[_ -]?"
    r"(?:think(?:ing)?|thoughts?|reasoning|monologue|scratch[_ -]?pad|cot)"
    r"(?:[_ -](?:process|trace|content|steps?|block))?"
)
_PAIRED = (
    r"analysis|reflect(?:ion)?|rationale|reason|plan(?:ning)?|deliberation|commentary"
    r"|step[_ -]by[_ -]step"
)
_OPEN = r"(?:<|&lt;|＜|◁|⟨|\[|【|\{)\|?[^\S\n]?"
_CLOSE = r"[^\S\n]?\|?(?:>|&gt;|＞|▷|⟩|\]|】|\})"
_MARK = re.compile(
    rf"(?P<bracket>{_OPEN})(?P<end>[/\\])?(?:[a-z]{{1,12}}:)?(?:(?P<edge>begin|start"
    rf"|end)_(?:of_)?)?"
    rf"(?:(?P<sure>{_SURE})|(?P<paired>{_PAIRED}))(?:_(?P<side>begin|start|open|end|close))?"
    rf"(?P<attributes>[^\S\n][^<>\[\]\n]{{0,200}})?(?P<empty>/)?{_CLOSE}"
    # Pairs of tokens: Gemma, MedGemma, Apertus; the block that Open WebUI shows; a fence.
    r"|(?P<opening><\|channel>\s*(?:thought|thinking|analysis)\b|<unused94>(?:thought\b)?"
    r"|<\|inner_prefix\|>|<details\b[^<>\n]{0,80}\btype=\"?reasoning\b[^<>\n]{0,200}>"
    r"|<details>\s*<summary>[^<>\n]{0,20}\b(?:thinking|thoughts?"
    r"|reasoning)\b[^<>\n]{0,40}</summary>"
    r"|^```[^\S\n]*+(?:thinking|thoughts?|reasoning|think)[^\S\n]*+$)"
    r"|(?P<closing><channel\|>|<unused95>|<\|inner_suffix\|>|</details>|^```[^\S\n]*+$)",
    re.IGNORECASE | re.MULTILINE,
)
_PARTNER = {
    "<|channel": "<channel|>",
    "<unused94": "<unused95>",
    "<|inner_p": "<|inner_suffix|>",
    "<details": "</details>",
    "```": "```",
}
# Messages of several channels: harmony, and ChatML with a role that thinks.
_CHANNEL = re.compile(
    r"(?:<\|start\|>[^<>\n]{0,40})?<\|channel\|>\s*(?P<channel>\w+)[^<\n]{0,80}"
    r"(?:<\|constrain\|>\s*\w*\s*)?<\|message\|>"
    r"|<\|(?:im_start|start_header_id)\|>\s*(?P<role>think(?:ing)?|thoughts?|reasoning|analysis"
    r"|answer"
    r"|final|assistant)\b(?:<\|end_header_id\|>)?[^\S\n]*+\n?",
    re.IGNORECASE,
)
_MESSAGE_END = re.compile(r"<\|(?:end|return|call|im_end|eot_id|im_start|start)\|>", re.IGNORECASE)
_OTHER_TURN = re.compile(
    r"<\|(?:start|im_start|start_header_id)\|>\s*(?:user|system|developer|tool)\b", re.IGNORECASE
)
_ANSWERS = {"final", "answer", "assistant", "response"}
_NAMED = (
    r"(?:(?:my|the)\s+)?(?:thinking|thoughts?|reasoning|thought\s+process|thinking\s+process"
    r"|reasoning\s+process|chain\s+of\s+thought|internal\s+monologue|scratch\s?pad)"
)
_RESULT = r"(?:(?:my|the|final)\s+)*(?:answer|response|output|biography|bio)"
_LABEL = r"(?:#{1,6}[^\S\n]++)?[*_]{0,3}"
_COLON = r"[^\S\n]*+(?::[*_]{0,3}|[*_]{1,3}:?[^\S\n]*+$)"
# Phrases that introduce a thought at the start of an answer: the pattern of its start, the pattern
# of its end, and whether the start suffices.
_PHRASES = tuple(
    (re.compile(rf"\A{start}", re.IGNORECASE), re.compile(end, re.IGNORECASE | re.MULTILINE), alone)
    for start, end, alone in (
        # Tokens of harmony that a server left out; Ollama; Granite; labels.
        (r"\s*+(?-i:analysis(?=[A-Z\"'“(]))", r"(?-i:assistant\s?(?:channel)?\s?final)", True),
        (r"\s*+Thinking(?:\.{3}|…)[^\S\n]*+\n(?!\s*>)", r"^(?:\.{3}|…)\s?done thinking\.?", True),
        (
            r"\s*+Here(?:['’]s|\s+is)\s+my\s+(?:thought|thinking|reasoning)\s+process\b:?",
            r"^[^\S\n]*+Here(?:['’]s|\s+is)\s+my\s+(?:final\s+)?(?:response|answer)\b:?",
            True,
        ),
        (rf"\s*+{_LABEL}{_NAMED}(?:{_COLON}|[^\S\n]*+\n)", rf"^{_LABEL}{_RESULT}{_COLON}", False),
        (rf"\s*+#{{1,6}}[^\S\n]++{_NAMED}\b.*\n", rf"^#{{1,6}}[^\S\n]++{_RESULT}\b.*$", False),
    )
)
# The remains of a folded thought: one line or a quotation.
_FOLDED = re.compile(
    r"\s*+(?:[*_>]{0,2}[^\S\n]*+Thought for (?:an?|\d+|a few|a couple of)\s+(?:seconds?|minutes?)\b"
    r"[^\n]*(?:\n|$)"
    r"|[*_>]{0,2}[^\S\n]*+Thinking(?:\.{3}|…)[*_]{0,2}[^\S\n]*+\n+(?:[^\S\n]*+>[^\n]*(?:\n|$))+)",
    re.IGNORECASE,
)
_WRAPPED = re.compile(
    r"\s*+<\|?(?P<word>(?:final_)?answer|output|response|final|solution|result|START_RESPONSE"
    r"|begin_of_solution)\|?>(?P<inside>.*?)(?:<(?:/|\|END_|\|end_of_)(?:(?:final_)?answer|output"
    r"|response|final|solution|result)\|?>\s*)?",
    re.IGNORECASE | re.DOTALL,
)
_QUOTES = "\"'`“”‘’«»"
_PASSES = 20  # because some marks appear only after others have been removed


class ThoughtSplit(NamedTuple):
    """An answer and the thoughts in it."""

    text: str
    thoughts: str = ""  # thoughts with their markers; empty if there are none
    finished: bool = True


def split_thoughts(text: str) -> ThoughtSplit:
    r"""Separates an answer from the thoughts in it.

    A thought is text between a pair of markers (``<think>``, ``[THINK]``, ``◁think▷``,
    ``<reasoning>``, in lower or upper case), in a separate channel (harmony), or between a label
    that introduces the thought and one that introduces the answer. A closing marker without an
    opening marker ends a thought that was opened in the prompt; an opening marker without a closing
    marker begins an unfinished thought. Markers in quotation marks or backticks are part of the
    answer. If the whole answer is wrapped (``<answer>…</answer>``), the wrapping is removed.

    Example:
        >>> split_thoughts("<think>A rower? No.</think>\n\nAnn Lee sang.")
        ThoughtSplit(text='Ann Lee sang.', thoughts='<think>A rower? No.</think>', finished=True)
        >>> split_thoughts("[THINK]Ann Lee was a rower. Or")
        ThoughtSplit(text='', thoughts='[THINK]Ann Lee was a rower. Or', finished=False)
        >>> split_thoughts("He wrote `<think>` tags.").text
        'He wrote `<think>` tags.'
    """
    thoughts: list[str] = []
    finished = True
    answer = text
    for _ in range(_PASSES):
        previous = answer
        for split in (_channels, _marks, _introduced):
            answer, cut, ended = split(answer)
            thoughts += cut
            finished = finished and ended
        if (wrapper := _WRAPPED.fullmatch(answer)) is not None:
            answer = wrapper["inside"].strip()
        if answer == previous:
            break
    return ThoughtSplit(answer, "\n".join(thoughts), finished)


_Split = tuple[str, list[str], bool]


def _channels(text: str) -> _Split:
    """Separates messages by channel: those in the final channel are the answer."""
    messages = list(_CHANNEL.finditer(text)) if "<|" in text else []
    names = [(m["channel"] or m["role"]).lower() for m in messages]
    if all(m["role"] for m in messages) and _ANSWERS.issuperset(names):
        return text, [], True
    other_turn = next(
        (m.start() for m in _OTHER_TURN.finditer(text, messages[0].start())), len(text)
    )
    head = _MESSAGE_END.split(text[: messages[0].start()], maxsplit=1)[0]
    answers: list[str] = []
    thoughts: list[str] = []
    ended = True
    for i, match in enumerate(messages):
        if match.start() > other_turn:
            break
        stop = min(
            messages[i + 1].start() if i + 1 < len(messages) else len(text),
            max(other_turn, match.end()),
        )
        end = _MESSAGE_END.search(text, match.end(), stop)
        body = text[match.end() : end.start() if end else stop]
        answer = names[i] in _ANSWERS
        (answers if answer else thoughts).append(body.strip())
        ended = answer or end is not None or stop < len(text)
    if answers:
        return "\n\n".join(filter(None, answers)), [head, *thoughts] if head else thoughts, True
    return head.strip(), thoughts, ended


def _marks(text: str) -> _Split:
    """Separates the thoughts that are between an opening and a closing marker."""
    marks = [m for m in _MARK.finditer(text) if not _is_quoted(text, m)]
    closings = {_kind(m): m.start() for m in marks if _closes(m)}
    length = len(text.rstrip())
    data = text.lstrip()[:1] in ("{", "`")  # a mark would be within a string in JSON or code
    answer: list[str] = []
    thoughts: list[str] = []
    opening: re.Match[str] | None = None
    # Ends of the text that is sorted into answer and thoughts, and that was searched for words
    sorted_until = searched_until = 0
    leads = True
    for mark in marks:
        if opening is not None:
            if _closes(mark) and _kind(opening) == _kind(mark):
                answer.append(text[sorted_until : opening.start()])
                thoughts.append(text[opening.start() : mark.end()])
                sorted_until = searched_until = mark.end()
                opening = None
        elif mark["empty"]:
            answer.append(text[sorted_until : mark.start()])
            sorted_until = searched_until = mark.end()
        elif not _closes(mark):
            leads = leads and not any(map(str.isalnum, text[searched_until : mark.start()]))
            searched_until = mark.start()
            if closings.get(_kind(mark), -1) > mark.start() or _stands_alone(mark, leads=leads):
                opening = mark
        elif mark["sure"] and not data:
            before = text[sorted_until : mark.start()]
            if thoughts and mark.end() >= length:
                answer.append(before)  # the closing marker of a finished thought
            else:
                thoughts.append("".join([*answer, before, mark[0]]).strip())
                answer.clear()
                leads = True
            sorted_until = searched_until = mark.end()
    answer.append(text[sorted_until : opening.start() if opening else len(text)])
    if opening is not None:
        thoughts.append(text[opening.start() :])
    return (_joined(answer) if sorted_until or opening else text), thoughts, opening is None


def _kind(mark: re.Match[str]) -> str:
    """Returns the part that an opening marker and its closing marker have in common."""
    if mark["sure"]:
        return "sure"
    if mark["paired"]:
        return mark["paired"].lower()
    text = mark[0].lower()
    return next((end for start, end in _PARTNER.items() if text.startswith(start)), text)


def _closes(mark: re.Match[str]) -> bool:
    if mark["sure"] or mark["paired"]:
        sides = {(mark["edge"] or "").lower(), (mark["side"] or "").lower()}
        return bool(mark["end"]) or not sides.isdisjoint({"end", "close"})
    return mark["closing"] is not None


def _stands_alone(mark: re.Match[str], *, leads: bool) -> bool:
    """Whether an opening marker without a closing marker begins a thought.

    A word in square or curly brackets begins a thought only at the start of the answer.
    """
    if mark["opening"]:
        return leads
    angular = mark["bracket"].strip()[:1] not in "[{【⟨"
    return bool(mark["sure"]) and (leads or angular) and not (mark["attributes"] and not angular)


def _is_quoted(text: str, mark: re.Match[str]) -> bool:
    """Whether a marker is in quotation marks, or has attributes but is not in angle brackets."""
    before, after = text[mark.start() - 1 : mark.start()], text[mark.end() : mark.end() + 1]
    if before and after and before in _QUOTES and after in _QUOTES and not mark["closing"]:
        return True
    return bool(mark["attributes"]) and mark["bracket"].strip()[:1] in "[{【⟨◁"


def _introduced(text: str) -> _Split:
    """Separates a thought that is introduced and ended by set phrases."""
    if (remains := _FOLDED.match(text)) is not None:
        return text[remains.end() :].lstrip(), [remains[0].strip()], True
    for start, end, suffices in _PHRASES:
        opening = start.match(text)
        if opening is None:
            continue
        closing = end.search(text, opening.end())
        if closing is not None:
            return text[closing.end() :].strip(), [text[: closing.end()].strip()], True
        if suffices:
            return "", [text.strip()], False
    return text, [], True


def _joined(parts: list[str]) -> str:
    """Joins the parts of the answer, putting a blank line in place of each thought."""
    return "\n\n".join(part for part in map(str.strip, parts) if part)
