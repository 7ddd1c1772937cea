"""Questions of a newcomer about a report on two models; at most two actions answer each."""

from __future__ import annotations

import json

import pytest

from dfactscore import Scorer
from dfactscore._report import render_report
from dfactscore.mixing._biography import biography_mixing

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

FILES = {"tulu": "alce_tulu.json", "llama": "alce_llama13b-careful.json"}
NAMES = 15
SEEN = """element => {
  const box = element.getBoundingClientRect(), line = element.getClientRects()[0];
  const at = document.elementFromPoint(line.x + Math.min(line.width, 40) / 2, line.y + 8);
  return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth
    && (element === at || element.contains(at));
}"""  # within the window and not under something else


@pytest.fixture(scope="module")
def thirty(data):
    """Fifteen names by two models, judged against their passages."""
    told = {}
    for model, file in FILES.items():
        for one in json.loads((data / "dfactscore" / file).read_text("utf-8"))["data"]:
            name = one["question"].removeprefix("Tell me a bio of ").strip()
            told.setdefault(name, {})[model] = one
    both = [name for name, by in told.items() if len(by) == len(FILES)][:NAMES]
    records = [
        {"id": f"{model} {name}", "model": model, "name": name, "text": told[name][model]["output"],
         "passages": told[name][model]["docs"]}
        for model in FILES for name in both
    ]  # fmt: skip
    return [result.record for result in Scorer().score_many(records)]


@pytest.fixture(scope="module")
def report(thirty, tmp_path_factory):
    path = tmp_path_factory.mktemp("thirty") / "report.html"
    path.write_text(render_report(thirty, title="thirty"), encoding="utf-8")
    return path


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["wide", "phone"])
def page(request, report, open_report):
    width, height = request.param
    opened = open_report([], path=report, viewport={"width": width, "height": height})
    return opened


def seen(locator):
    return locator.evaluate(SEEN)


def worst_of(records):
    mixed = [r for r in records if r.scores and r.scores.mixed_groups]
    return max(mixed, key=lambda r: r.scores.fs - r.scores.dfs)


def test_who_was_mixed_worst(page, thirty):
    """No action: the first line names them."""
    worst = worst_of(thirty)
    mixing = biography_mixing(worst)
    people = {mixing.labels[e] for g in mixing.groups if g.mixed for e in g.credit if e is not None}
    first = page.locator(".worst li").first
    assert seen(first)
    assert all(person in first.inner_text() for person in people)
    assert worst.biography.model in first.inner_text()


def test_which_model_mixes_more(page, thirty):
    """No action: a count after each model."""
    counts = {m: sum(bool(r.scores and r.scores.mixed_groups) for r in thirty
                     if r.biography.model == m) for m in FILES}  # fmt: skip
    assert len(set(counts.values())) == 2
    for number, model in enumerate(FILES):
        row = page.locator("#summary > table tbody tr").nth(number)
        cell = row.locator("td").last
        assert seen(cell)
        words = cell.inner_text().split()
        assert row.locator("th").inner_text() == model
        assert words[1:3] == [str(counts[model]), "of"]


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_where_the_evidence_of_fact_7_is(page, thirty, by):
    """Two actions: open the worst text, choose the fact."""
    worst = worst_of(thirty)
    fact, support = worst.facts[6], worst.decided.support[6]
    if by == "mouse":
        link = page.locator(".worst a").first
        assert seen(link)
        link.click()
        number = page.locator(".paragraph sup", has_text="7").first
        assert number.inner_text() == "7"
        assert seen(number)
        number.click()
    else:
        page.keyboard.press("1")
        page.keyboard.press("7")
    shown = page.locator(".evidence")
    assert fact.text in shown.inner_text()
    assert ("supported" if support.any() else "not supported") in shown.inner_text()
    mark = page.locator(".evidence mark")
    assert seen(mark)
    entity = next(e for n, e in enumerate(worst.entities) if support[n])
    evidence = worst.matrix.evidence_at(6, worst.entities.index(entity))
    text = entity.documents[evidence.document].text[evidence.start : evidence.end]
    assert mark.inner_text().split() == text.split()
    assert seen(page.locator(".paragraph .chosen sup" if by == "mouse" else ".fact.chosen").first)
    if by == "keyboard":  # the arrows lead on from here, and Esc leads out
        page.keyboard.press("ArrowDown")
        assert worst.facts[7].text in shown.inner_text()
        assert page.evaluate("document.activeElement.dataset.fact[0]") == "7"
        page.keyboard.press("Escape")
        assert shown.is_hidden()
        page.keyboard.press("Escape")
        assert page.locator(".body").count() == 0
        assert seen(page.locator("#list .opener").first)
