from __future__ import annotations

import pytest

from dfactscore._errors import RunError
from dfactscore.annotation._answer_storage import Locked, Refused, save, seen
from dfactscore.annotation._assigned_paragraphs import list_tasks, load_item, load_state


@pytest.fixture
def one(make_study):
    """Sends fields to the first paragraph of a study with one person."""
    study = make_study()
    person = study.person("annotator")
    with study.read() as db:
        item = load_item(db, list_tasks(study, person)[0].item)
    count = iter(range(1, 10_000))

    class One:
        def send(self, *fields, counter=None):
            return save(study, person, item, list(fields), counter or next(count))

        @property
        def state(self):
            with study.read() as db:
                return load_state(db, item, person.id)

        def rows(self, table):
            with study.read() as db:
                return db.execute(f"SELECT * FROM {table}").fetchall()

    One.study, One.person, One.item = study, person, item
    return One()


def through(one, *steps):
    """Confirms steps with the answers that lead on most simply."""
    for step in steps:
        if step == "B":
            one.send(("biography.1.page", "1"))
        if step == "C":
            one.send(*((f"fact.{f}.label", "supported") for f in range(5)))
        assert not one.send(("confirm", step)).missing


def test_a_repeated_or_late_request_changes_nothing(one):
    assert one.send(("fact.0.biography", "2"), counter=10).applied
    before = one.rows("answer"), one.rows("event")
    assert not one.send(("fact.0.biography", "2"), counter=10).applied
    assert not one.send(("fact.0.biography", "1"), counter=9).applied
    assert (one.rows("answer"), one.rows("event")) == before
    assert one.send(("fact.0.biography", "1"), counter=11).applied
    assert len(one.rows("answer")) == 1
    assert len(one.rows("event")) == 2


@pytest.mark.parametrize(
    ("question", "value", "said"),
    [
        ("biography", "null", "biography: input should be a valid integer"),
        ("label", '"perhaps"', "label: input should be 'supported'"),
        ("evidence", '{"page": 1}', "evidence.start: is missing"),
        ("comment", "3", "comment: input should be"),
        ("label", "{", "not valid JSON"),
    ],
)
def test_a_damaged_answer_is_one_line(one, question, value, said):
    one.send(("fact.0.biography", "2"))
    with one.study.write() as db:
        db.execute("UPDATE answer SET question = ?, value = ?", (question, value))
    with pytest.raises(RunError, match="cannot be used") as caught, one.study.read() as db:
        load_state(db, one.item, 1)
    assert f"a stored value: {said}" in str(caught.value)


def test_events_are_only_added(one):
    one.send(("flag", "yes"))
    for verb in ("UPDATE event SET value = '1'", "DELETE FROM event"):
        with pytest.raises(RunError, match="only added"), one.study.write() as db:
            db.execute(verb)
    assert len(one.rows("event")) == 1


def test_confirming_twice_confirms_once(one):
    one.send(("confirm", "A"), counter=5)
    one.send(("confirm", "A"), counter=5)
    one.send(("confirm", "A"), counter=6)
    assert one.state.step == "B"
    one.send(("again", "Miscounted."), counter=7)
    one.send(("confirm", "A"), counter=5)  # late: it was confirmed before it was opened again
    assert one.state.step == "A"


def test_steps_lock(one):
    with pytest.raises(Locked):
        one.send(("biography.1.page", "1"))
    with pytest.raises(Locked):
        one.send(("fact.0.label", "irrelevant"))
    through(one, "A")
    with pytest.raises(Locked):
        one.send(("fact.0.biography", "2"))
    assert one.send(("confirm", "B")).missing == ("biography/1",)
    through(one, "B")
    one.send(("fact.1.label", "not_supported"))
    assert one.send(("confirm", "C")).missing == ("fact/0", "fact/2", "fact/3", "fact/4")
    with pytest.raises(Locked):
        one.send(("fact.1.found_in", "0"))


def test_step_d_asks_what_is_not_supported(one):
    through(one, "A", "B")
    one.send(*((f"fact.{f}.label", v) for f, v in enumerate(
        ["supported", "not_supported", "not_supported", "irrelevant", "supported"])))  # fmt: skip
    one.send(("confirm", "C"))
    other = "2"
    assert one.send(("confirm", "D")).missing == ("fact/1", "fact/2")
    one.send(("fact.1.found_in", other), ("fact.2.found_in", other))
    one.send(("fact.2.found_in", "open"))
    assert one.send(("confirm", "D")).missing == ("fact/2",)
    one.send(("fact.2.found_in", "0"))
    for fact, value in ((0, other), (3, "0"), (1, "1")):  # supported, irrelevant, the linked page
        with pytest.raises(Refused):
            one.send((f"fact.{fact}.found_in", value))
    one.send(("confirm", "D"))
    shown = one.item.shuffled(0, "annotator")
    answer = one.state.answer()
    first, second = shown[0].title, shown[1].title
    assert [f.found_in for f in answer.facts] == [first, second, None, None, first]
    assert answer.pages == (first,)
    assert one.state.status == "done"


def test_what_was_found_counts_no_more_against_another_page(one):
    through(one, "A", "B")
    one.send(*((f"fact.{f}.label", "not_supported") for f in range(5)), ("confirm", "C"))
    one.send(*((f"fact.{f}.found_in", "0") for f in range(5)), ("reopen", "B"))
    one.send(("biography.1.page", "2"), ("confirm", "B"))
    one.send(*((f"fact.{f}.label", "not_supported") for f in range(5)), ("confirm", "C"))
    assert one.send(("confirm", "D")).missing == tuple(f"fact/{f}" for f in range(5))


def test_a_step_that_asks_nothing_is_passed(one):
    through(one, "A", "B", "C")
    assert one.state.status == "done"
    one.send(("reopen", "C"))
    one.send(("fact.4.label", "not_supported"))
    one.send(("confirm", "C"))
    assert (one.state.status, one.state.step) == ("open", "D")


def test_a_biography_without_a_page_supports_nothing(one):
    through(one, "A")
    one.send(("biography.1.page", "0"))
    one.send(("confirm", "B"))
    with pytest.raises(Refused):
        one.send(("fact.0.label", "supported"))
    one.send(("fact.0.label", "not_supported"), ("fact.1.label", "irrelevant"))
    assert [one.state.label(f) for f in (0, 1)] == ["not_supported", "irrelevant"]


def test_verdicts_against_another_page_count_no_more(one):
    through(one, "A", "B", "C")
    one.send(("reopen", "C"))
    one.send(("fact.4.label", "irrelevant"))
    one.send(("reopen", "B"))
    one.send(("biography.1.page", "1"))  # the same page: nothing is lost
    assert one.state.label(0) == "supported"
    one.send(("biography.1.page", "2"))
    assert [one.state.label(f) for f in range(5)] == [None] * 4 + ["irrelevant"]


def test_going_back_to_a_is_marked(one):
    through(one, "A", "B")
    one.send(("reopen", "B"))
    assert not one.state.revised
    for field in (("reopen", "A"), ("again", " ")):  # a reason is asked for
        with pytest.raises(Refused):
            one.send(field)
    one.send(("again", "Two were one."))
    assert one.state.step == "A"
    assert not one.state.revised  # no page was shown
    through(one, "A")
    seen(one.study, one.person, one.item, "B")
    one.send(("again", "Two were one."))
    assert one.state.revised
    assert one.state.answer().revised_after_pages
    one.send(("confirm", "A"))
    assert one.state.revised


def test_open_takes_an_answer_back(one):
    through(one, "A")
    one.send(("biography.1.page", "1"))
    one.send(("biography.1.page", "open"))
    assert one.send(("confirm", "B")).missing == ("biography/1",)
    through(one, "B")
    one.send(("fact.0.label", "supported"))
    one.send(("fact.0.label", "open"))
    assert one.state.label(0) is None


def test_skipping_and_resuming(one):
    one.send(("skip", "not a person"))
    assert (one.state.status, one.state.reason) == ("skipped", "not a person")
    with pytest.raises(Locked):
        one.send(("fact.0.biography", "1"))
    one.send(("resume", "yes"))
    one.send(("fact.0.biography", "1"))
    assert one.state.status == "open"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fact.0.biography", "0"), ("fact.0.biography", "10"), ("fact.0.biography", "x"),
        ("fact.0.biography", "٣"), ("fact.99.biography", "1"), ("fact.-1.biography", "1"),
        ("fact.0.colour", "1"), ("fact.0", "1"), ("fact", "1"), ("biography.2.page", "1"),
        ("biography.1.page", "3"), ("confirm", "E"), ("confirm", ""), ("flag", "1"),
        ("skip", " "), ("skip", "x" * 10_001), ("fact.0.comment", "x" * 10_001),
        ("fact.0.unsure", "maybe"), ("resume", "no"), ("other", "1"), ("", ""),
        ("fact.0.evidence", "1:5:2"), ("fact.0.evidence", "1:0:99999"),
        ("fact.0.evidence", "9:0:1"), ("fact.0.evidence", "x"),
    ],
)  # fmt: skip
def test_unknown_fields_and_values(one, name, value):
    with pytest.raises(Refused):
        one.send(("flag", "yes"), (name, value))
    assert one.rows("answer") == []  # all of it or nothing


@pytest.mark.parametrize("value", ["", "maybe", "S", "Supported"])
def test_labels_are_from_their_list(one, value):
    through(one, "A", "B")
    with pytest.raises(Refused):
        one.send(("fact.0.label", value))


def test_evidence_is_a_place_in_a_page(one):
    through(one, "A", "B")
    one.send(("fact.0.evidence", "1:0:9"))
    page = one.item.shuffled(0, "annotator")[0]
    evidence = one.state.answer().facts[0].evidence
    assert evidence == {"page": page.title, "start": 0, "end": 9, "text": page.text[:9]}
    one.send(("fact.0.evidence", ""))
    assert one.state.answer().facts[0].evidence is None
