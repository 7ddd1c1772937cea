from __future__ import annotations

import pytest

from dfactscore.annotation._adjudication import answered_items, load_case
from dfactscore.annotation._answer_files import factscore_rows, own_rows


@pytest.fixture
def both(make_study, worked_records, worked, browse):
    """A study in which two people gave the answers of the worked example."""
    study = make_study(worked_records(), annotators=["ann", "ben"], double=1.0)
    for who, name in enumerate(("ann", "ben")):
        browser = browse(study, name)
        for public, record in publics(study):
            browser.annotate(public, worked[record][who])
    return study


def publics(study):
    with study.read() as db:
        return db.execute("SELECT public, record FROM item ORDER BY record").fetchall()


def test_what_was_answered_is_what_is_kept(both, worked):
    for answered in answered_items(both):
        expected = worked[answered.item.record]
        assert [g.answer.facts for g in answered.answers] == [e.facts for e in expected]
        assert [g.answer.pages for g in answered.answers] == [e.pages for e in expected]
        assert answered.gold == ("undecided", None)


def decide_all(judge, public, side, pick):
    """Decides everything that differs: the grouping of one side, facts by `pick`."""
    path = f"/case/{public}"
    assert judge.post(path, ("confirm", "yes")).status_code == 409
    case = load_case(judge.study, judge.person, public)
    if case.groupings_differ:
        assert judge.post(path, ("grouping", side)).status_code == 303
    number = {p.title: str(i) for i, p in enumerate(
        case.item.shuffled(judge.study.seed, "adjudicator"), 1)}  # fmt: skip
    while (case := load_case(judge.study, judge.person, public)).open:
        part, _, at = case.open[0].partition("/")
        if part == "biography":
            title = case.answers[case.grouping].pages[int(at) - 1]
            field = (f"biography.{at}.page", number[title])
        else:
            said = pick(case, int(at))
            field = (f"fact.{at}.decision", number.get(said, said))
        assert judge.post(path, field).status_code == 303
    assert judge.post(path, ("confirm", "yes")).headers["location"] == "/"


def test_the_adjudicator_decides_and_the_originals_stay(both, worked, browse):
    judge = browse(both, "adjudicator")
    assert judge.get("/").text.count('href="/case/') == 3
    before = list(own_rows(both))

    def like_second(case, fact):
        """As the person whose answers the worked example has second."""
        record = case.item.record
        answer = next(a for a in case.answers if a.facts == worked[record][1].facts)
        said = answer.facts[fact]
        return "irrelevant" if said.label == "irrelevant" else said.found_in or "0"

    for public, record in publics(both):
        page = judge.get(f"/case/{public}").text
        assert "first" in page
        assert "ann" not in page.replace("annot", "").replace("Ann Lee", "").replace("channel", "")
        case = load_case(both, judge.person, public)
        side = ("first", "second")[[a.facts for a in case.answers].index(worked[record][1].facts)]
        decide_all(judge, public, side, like_second)
    for answered in answered_items(both):
        kind, gold = answered.gold
        assert kind == "adjudicated"
        assert gold.facts == worked[answered.item.record][1].facts
        assert gold.pages == worked[answered.item.record][1].pages
    after = list(own_rows(both))
    assert [r for r in after if r["role"] == "annotator"] == before
    assert [r["annotator"] for r in after if r["role"] != "annotator"] == ["adjudicator"] * 3
    assert "✓ decided" in judge.get("/").text
    human = {r["topic"]: r for r in factscore_rows(both)}
    labels = [f["label"] for s in human["Ann Lee"]["annotations"] for f in s["human-atomic-facts"]]
    assert labels.count("IR") == 0  # of b3, the last one of that name
    assert labels.count("S") == 9


def test_agreed_facts_follow_the_decided_page(both, browse):
    """Where the page of a biography is decided otherwise, support moves with it."""
    judge = browse(both, "adjudicator")
    public = next(p for p, record in publics(both) if record == "b1")
    decide_all(judge, public, "first", lambda case, fact: "0")
    gold = next(a for a in answered_items(both) if a.item.record == "b1").gold[1]
    assert gold.facts[3].label == "not_supported"
    assert gold.facts[3].found_in is None
    assert gold.facts[0].label == "supported"


@pytest.mark.parametrize(
    "field",
    [("grouping", "third"), ("grouping", "first"), ("biography.1.page", "1"),
     ("fact.0.decision", "1"), ("fact.3.decision", "9"), ("fact.3.label", "supported"),
     ("confirm", "no"), ("x", "1")],
)  # fmt: skip
def test_only_what_differs_can_be_decided(both, browse, field):
    judge = browse(both, "adjudicator")
    public = next(p for p, record in publics(both) if record == "b1")
    assert judge.post(f"/case/{public}", field).status_code == 400
    with both.read() as db:
        judged = "SELECT count(*) FROM answer WHERE annotator_id = ?"
        assert db.execute(judged, (judge.person.id,)).fetchone()[0] == 0


def test_decided_cases_are_locked(both, browse):
    judge = browse(both, "adjudicator")
    public = next(p for p, record in publics(both) if record == "b1")
    decide_all(judge, public, "first", lambda case, fact: "irrelevant")
    path = f"/case/{public}"
    assert judge.post(path, ("fact.3.decision", "0")).status_code == 409
    judge.post(path, ("reopen", "yes"))
    assert judge.post(path, ("fact.3.decision", "0")).status_code == 303
