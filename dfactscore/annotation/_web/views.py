"""Data for the templates; each step includes only what the annotator may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any

from markupsafe import Markup, escape

from dfactscore._text.sentences import split_sentences
from dfactscore.annotation._adjudication import SIDES, Case
from dfactscore.annotation._answers import LABELS, HumanLabel, ItemAnswer, Step
from dfactscore.annotation._assigned_paragraphs import (
    MOST_BIOGRAPHIES,
    ItemPage,
    State,
    StudyParagraph,
)

STEP_TITLES: Mapping[Step, str] = {
    "A": "Individuals",
    "B": "Pages",
    "C": "Facts",
    "D": "Found in",
}
_CHUNK = 2_000  # characters per element, so that browsers render long pages lazily


def item_view(
    item: StudyParagraph, state: State, pages: Sequence[ItemPage], *, blind: bool
) -> dict[str, Any]:
    """The data for a paragraph's current step."""
    step = state.step
    numbers = {page.id: number for number, page in enumerate(pages, 1)}
    facts = [_fact(item, state, f, numbers, blind=blind) for f in range(len(item.facts))]
    view: dict[str, Any] = {
        "public": item.public,
        "name": item.name,
        "step": step,
        "status": state.status,
        "flagged": state.flagged,
        "reason": state.reason,
        "revised": state.revised,
        "qualify": item.kind == "qualify",
        "facts": facts,
        "cursor": _cursor(state),
        "counter": state.counter,
        "sentences": _sentences(item),
    }
    if step == "A" and state.status != "done":
        most = min(max(state.used) + 1, MOST_BIOGRAPHIES)
        return {**view, "biographies": list(range(1, max(2, most) + 1))}
    rank = {number: i for i, number in enumerate(state.answer_order, 1)}
    view["n_bio"] = len(rank)
    view["biographies"] = [
        {
            "number": number,
            "shown": rank[number],
            "facts": [f for f in facts if f["biography"] == number],
            "linked": state.linked(number),
            "page": _number(state.page(number), numbers),
            "title": page.title if (page := state.page(number)) else None,
        }
        for number in state.answer_order
    ]
    for fact in facts:
        fact["shown"] = rank[fact["biography"]]
    visible = [page for page in pages if step != "C" or page in map(state.page, state.used)]
    view["pages"] = [_page(page, numbers[page.id]) for page in visible]
    view["all_pages"] = [{"number": numbers[page.id], "title": page.title} for page in pages]
    return view


def _fact(
    item: StudyParagraph, state: State, f: int, numbers: Mapping[int, int], *, blind: bool
) -> dict[str, Any]:
    evidence = state.note(f, "evidence")
    page = item.by_id.get(evidence["page"]) if evidence else None
    linked = state.page(state.biography(f))
    fact: dict[str, Any] = {
        "index": f,
        "number": f + 1,
        "text": item.facts[f],
        "sentence": item.fact_sentences[f],
        "biography": state.biography(f),
        "label": state.label(f),
        "comment": state.note(f, "comment") or "",
        "unsure": bool(state.note(f, "unsure")),
        "not_in_paragraph": bool(state.note(f, "not_in_paragraph")),
    }
    if state.step == "A" and state.status != "done":
        return fact
    rows = item.automatic.get("facts", ()) if not blind else ()
    return {
        **fact,
        "linked": _number(linked, numbers),
        "asked": state.asked(f),
        "looked": state.looked(f),
        "found": _number(state.found(f), numbers),
        "labels": [
            {"value": label, "word": _words(label), "key": label[0]}
            for label in LABELS
            if label != "supported" or linked is not None
        ],
        "evidence": page.text[evidence["start"] : evidence["end"]] if evidence and page else "",
        "evidence_place": (
            f"{numbers[page.id]}:{evidence['start']}:{evidence['end']}" if evidence and page else ""
        ),
        "automatic": _automatic(rows[f]) if f < len(rows) else None,
    }


def _words(label: HumanLabel) -> str:
    return label.replace("_", " ")


def _automatic(row: Mapping[str, Any]) -> str:
    verdict = {True: "supported", False: "not supported", None: "without a verdict"}[row["verdict"]]
    by = f" by {row['link']}" if row["link"] and row["verdict"] else ""
    return f"automatic: {verdict}{by}"


def _number(page: ItemPage | None, numbers: Mapping[int, int]) -> int:
    return 0 if page is None else numbers[page.id]


def _cursor(state: State) -> int:
    """Index of the fact at which to continue."""
    facts = range(len(state.item.facts))
    if state.step == "A":
        answered = [f for f in facts if (f"fact/{f}", "biography") in state.answers]
        return 0 if len(answered) == len(facts) else (answered[-1] if answered else 0)
    if state.step == "D":
        questions = [f for f in facts if state.asked(f)]
        return ([f for f in questions if not state.looked(f)] or questions or [0])[0]
    return next((f for f in facts if state.label(f) is None), 0)


def _sentences(item: StudyParagraph) -> list[dict[str, Any]]:
    """Splits the paragraph into sentences and the text between them."""
    pieces: list[dict[str, Any]] = []
    position = 0
    for index, (start, end) in enumerate(item.sentences):
        if start > position:
            pieces.append({"text": item.text[position:start], "index": None})
        pieces.append({"text": item.text[start:end], "index": index})
        position = end
    if position < len(item.text):
        pieces.append({"text": item.text[position:], "index": None})
    return pieces


def _page(page: ItemPage, number: int) -> dict[str, Any]:
    return {"number": number, "title": page.title, "html": page_html(page.text)}


@lru_cache(maxsize=256)
def page_html(text: str) -> Markup:
    """Renders a page with one element per sentence, in chunks that browsers can render lazily."""
    parts: list[str] = []
    size, position = 0, 0
    for start, end, sentence in split_sentences(text):
        between = text[position:start]
        broken = "\n" in between
        if not parts:
            parts.append("<p>")
        elif broken or size > _CHUNK:
            parts.append("</p>\n<p>")
            size = 0
        elif between:
            parts.append(" ")
        parts.append(f'<span class="s" data-at="{start}:{end}">{escape(sentence)}</span>')
        size += end - start
        position = end
    return Markup("".join([*parts, "</p>"] if parts else ['<p class="muted">No text.</p>']))


def case_view(case: Case, pages: Sequence[ItemPage]) -> dict[str, Any]:
    """The data that the adjudicator sees about a double."""
    numbers = {page.title: number for number, page in enumerate(pages, 1)}
    answers = case.answers
    view: dict[str, Any] = {
        "public": case.item.public,
        "name": case.item.name,
        "status": case.decisions.status,
        "counter": case.decisions.counter,
        "sentences": _sentences(case.item),
        "pages": [_page(page, number) for number, page in enumerate(pages, 1)],
        "sides": SIDES,
        "reasons": [state.flagged for state in case.sides],
        "groupings_differ": case.groupings_differ,
        "grouping": None if case.grouping is None else SIDES[case.grouping],
        "groupings": [
            [
                {"number": b, "facts": [case.item.facts[f] for f in group]}
                for b, group in enumerate(answer.groups, 1)
            ]
            for answer in answers
        ],
        "links": [],
        "facts": [_both(case, f, numbers) for f in case.fact_differences],
        "open": case.open,
    }
    if case.grouping is not None:
        view["links"] = [
            _case_link(case, b, numbers) for b in range(1, case.n_bio + 1) if case.link_differs(b)
        ]
    return view


def _case_link(case: Case, b: int, numbers: Mapping[str, int]) -> dict[str, Any]:
    assert case.grouping is not None
    facts = case.answers[case.grouping].groups[b - 1]
    page = case.link(b)
    return {
        "number": b,
        "decided": case.link_key(b) in case.decisions.answers,
        "page": 0 if page is None else numbers[page.title],
        "facts": [case.item.facts[f] for f in facts],
        "said": [
            " / ".join(dict.fromkeys(_title(answer, f) for f in facts)) for answer in case.answers
        ],
    }


def _title(answer: ItemAnswer, fact: int) -> str:
    return answer.link(fact) or "none of these"


def _both(case: Case, f: int, numbers: Mapping[str, int]) -> dict[str, Any]:
    sides = []
    for answer in case.answers:
        fact = answer.facts[f]
        location = f", found in {fact.found_in}" if fact.found_in else ""
        sides.append(
            {
                "text": f"{_words(fact.label) if fact.label else 'open'}{location}",
                "link": _title(answer, f),
                "comment": fact.comment,
                "evidence": (fact.evidence or {}).get("text", ""),
                "unsure": fact.unsure,
            }
        )
    decision = case.decision(f)
    page = case.item.by_id.get(decision) if isinstance(decision, int) else None
    return {
        "index": f,
        "number": f + 1,
        "text": case.item.facts[f],
        "said": sides,
        "decision": (
            None
            if decision is None
            else "irrelevant"
            if decision == "irrelevant"
            else str(numbers[page.title])
            if page
            else "0"
        ),
    }


def guidelines_html(text: str | None) -> str:
    r"""Renders guidelines as HTML; tags are escaped, and images are not rendered.

    Example:
        >>> guidelines_html("# Who\n<b>*is*</b> who")
        '<h3>Who</h3>\n<p>&lt;b&gt;<em>is</em>&lt;/b&gt; who</p>\n'
    """
    from markdown_it import MarkdownIt

    if text is None:
        ours = resources.files("dfactscore.annotation._web").joinpath("guidelines.md")
        text = ours.read_text(encoding="utf-8")
    markdown = MarkdownIt("commonmark", {"html": False}).disable("image")
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type.startswith("heading_"):  # below the headings of the page
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"
    return str(markdown.renderer.render(tokens, markdown.options, {}))
