"""Shows results of searches with the verdicts by evidence about the linked entity."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job
from dfactscore._jobs.settings import Config
from dfactscore._records import (
    Biography,
    Document,
    Entity,
    Evidence,
    Fact,
    FactGroup,
    FactSearch,
    SearchStep,
    Verdict,
)
from dfactscore._util.tasks import run_sync
from dfactscore.engines._roles import Found, Verifier
from dfactscore.engines._wrapping import OPEN
from dfactscore.retrieval import open_source

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture
def searched():
    """A record with the columns (poet), (rower) and (open), as a search verifier fills them."""
    documents = (
        Document("Ann Lee (poet)", "She wrote verse in Leeds.", "https://web.example/p", "2020",
                 f"about {HOSTILE}", "2026-01-02T03:04:05Z"),
        Document(HOSTILE, "She rowed at Henley.", "javascript:alert(2)"),
    )  # fmt: skip
    facts = tuple(Fact(t) for t in ("Ann Lee wrote.", "Ann Lee rowed.", f"Ann Lee {HOSTILE}."))

    class Searches(Verifier):
        settings = {"name": "searches"}

        def verify(self, biography, facts, entity):
            raise AssertionError("what is found is judged with its search")

        def columns(self, entities):
            return (*entities, Entity(OPEN, "what a search finds", (), 9))

        async def find_and_verify(self, biography, facts, entities):
            own = [
                replace(e, documents=(Document(e.label, f"{e.label} wrote."),))
                for e in entities[:2]
            ]
            yes = Verdict("supported", 0.9, Evidence(0, 0, 9))
            no = Verdict("not_supported", 0.1)
            open_ = [yes, Verdict("supported", 0.8, Evidence(1, 0, 20)), no]
            steps = (SearchStep(facts[0].text, (0, 1)), SearchStep(HOSTILE, (), own[0].id))
            trails = [FactSearch(steps, "enough"), FactSearch(steps[:1], "one step"),
                      FactSearch((SearchStep("nothing", ()),), "one step")]  # fmt: skip
            columns = (*own, replace(entities[2], documents=documents))
            return Found(columns, [[yes, no, no], [no, yes, no], open_], tuple(trails))

    pages = {t: f"{t.split(' (')[0]} is known." for t in ("Ann Lee (poet)", "Ann Lee (rower)")}
    biography = Biography("a", "Ann Lee", "x", facts=facts, groups=(FactGroup((0, 1, 2), "Ann"),))
    engine = replace(build_engine(Config()), verifier=Searches())
    return run_sync(Job(engine, source=open_source(pages)).fill(biography))


def test_each_fact_with_the_open_result_and_the_entitys(searched, open_report):
    page = open_report([searched])
    page.locator(".opener").first.click()
    page.locator("details.searches > summary").click()
    rows = page.locator(".searches tbody > tr")
    assert rows.count() == 3
    first, second, third = rows.all_inner_texts()
    assert "true of the linked entity" in first
    assert first.count("✓ supported 0.90") == 2
    assert "She wrote" in first
    assert "true only of a namesake" in second
    assert "✗ not supported 0.10" in second
    assert "alone" not in third
    rows.nth(1).locator("button").first.click()
    assert "She rowed at Henley." in page.locator(".evidence mark").inner_text()


def test_queries_results_and_why_the_search_ended(searched, open_report):
    page = open_report([searched])
    page.locator(".opener").first.click()
    page.locator("details.searches > summary").click()
    page.locator(".trail summary").first.click()
    trail = page.locator(".trail").first
    shown = trail.inner_text()
    assert "2 searches" in shown
    assert "found 2026-01-02T03:04:05Z" in shown
    assert "Ended: the model had enough." in shown
    assert f"about {HOSTILE}" in shown
    assert HOSTILE in shown  # as text, nothing of it is an element
    assert trail.locator("img").count() == 0
    assert trail.locator("a").all_inner_texts() == ["https://web.example/p"]
    assert "javascript:alert(2)" in shown
    page.locator(".trail summary").nth(2).click()
    assert "nothing was found" in page.locator(".trail").nth(2).inner_text()


def test_a_report_without_searches_has_no_such_part(make_scored, open_report):
    page = open_report([make_scored()])
    page.locator(".opener").first.click()
    assert page.locator(".searches").count() == 0
