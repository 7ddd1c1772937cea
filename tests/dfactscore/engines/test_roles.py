"""Errors for invalid roles name the role, the member and the value."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle

import numpy as np
import pytest

from dfactscore import Fact, FactGroup, InputError, Scorer, Verdict, score
from dfactscore._records import Biography, Entity
from dfactscore._util.roles import role_fault
from dfactscore.engines._answers import checked_settings, columns, label_facts, verify_together
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Decomposer, Grouper, Verifier, as_role
from dfactscore.engines._wrapping import CascadeVerifier

PAGES = {"Ann Lee (painter)": "Ann Lee is a painter.", "Ann Lee (rower)": "Ann Lee rows."}
TEXT = "Ann Lee is a painter. She rowed."  # two facts


class Plain:
    """A verifier with only the required members."""

    settings = {"name": "plain"}

    def verify(self, biography, facts, entity):
        return [Verdict("supported") for _ in facts]


def role(**members):
    return type("Mine", (), {"settings": {"name": "mine"}, **members})()


def answers(value):
    return role(verify=lambda self, biography, facts, entity: value(facts))


def test_required_members_are_enough():
    plain = as_role(Plain(), Verifier, "verifier")
    assert isinstance(plain, Verifier)
    assert (plain.threshold, plain.calibrated, plain.english_only) == (None, False, False)
    assert plain.tells_entities_apart is True
    entity = Entity("a", "a", ())
    assert columns(plain, [entity]) == (entity,)
    assert columns(plain, []) == ()
    facts = (Fact("One."), Fact("Two.", label="irrelevant"))
    decomposer = role(decompose=lambda self, biography: facts)
    decomposer = as_role(decomposer, Decomposer, "decomposer")
    assert asyncio.run(label_facts(decomposer, Biography("1", "A", ""), facts)) == facts
    result = Scorer(verifier=plain, decomposer=decomposer).score(TEXT, name="Ann Lee", pages=PAGES)
    # An irrelevant fact stays in the denominator.
    assert (result.fs, result.status) == (0.5, "scored")


def test_optional_members_are_used():
    class Full(Plain):
        threshold = 0.25
        tells_entities_apart = True

        def extra_entities(self, entities):
            return [Entity("more", "more", (), len(entities))]

    class Labels:
        settings = {"name": "labels"}

        def decompose(self, biography):
            raise AssertionError

        async def label_facts(self, biography, facts):
            return [Fact(f.text, label="irrelevant") for f in facts]

    full = as_role(Full(), Verifier, "verifier")
    assert full.threshold == 0.25
    _, more = columns(full, [Entity("a", "a", ())])
    assert (more.id, more.rank) == ("more", 1)
    record = {"name": "Ann Lee", "text": TEXT, "facts": ["One.", "Two."],
              "passages": [{"title": t, "text": x} for t, x in PAGES.items()]}  # fmt: skip
    (result,) = Scorer(decomposer=Labels(), verifier=Full(), irrelevant="keep").score_many([record])
    assert {f.fact.label for f in result.facts} == {"irrelevant"}


def test_the_roles_that_ship_are_roles():
    for shipped, kind in (
        (BuiltinDecomposer(), Decomposer),
        (BuiltinGrouper(), Grouper),
        (BuiltinVerifier(), Verifier),
    ):
        assert as_role(shipped, kind, "shipped") is shipped
        assert json.dumps(checked_settings(shipped))
    assert 0 < BuiltinVerifier().threshold < 1


@pytest.mark.parametrize(
    ("argument", "given", "words"),
    [
        ("verifier", lambda biography, facts, entity: [], ["<lambda> is a function", "a Verifier:",
         "settings and verify(biography, facts, entity)"]),
        ("verifier", Plain, ["Plain is a class", "Verifier", "Plain(...)"]),
        ("verifier", True, ["bool True was given", "a Verifier:"]),
        ("verifier", "words", ["'words' is unknown; choose one of builtin, llm"]),
        ("decomposer", Plain(), ["Plain has no decompose(biography)", "every Decomposer needs"]),
        ("grouper", role(grup=lambda self, biography, facts: []),
         ["Mine has no group(biography, facts)", "every Grouper needs", "Mine has 'grup'"]),
        ("verifier", role(verfy=lambda self, b, f, e: []),
         ["Mine has no verify(biography, facts, entity)", "Mine has 'verfy'"]),
        ("verifier", role(verify=3), ["Mine.verify must be a method, found int 3",
                                      "(role Verifier)"]),
        ("verifier", role(verify=lambda self, facts: []),
         ["Mine.verify is called as verify(biography, facts, entity), but takes (facts)"]),
        ("verifier", type("M", (), {"settings": lambda self: {}, "verify": Plain.verify})(),
         ["M.settings is a method: make it a property or an attribute", "(role Verifier)"]),
        ("verifier", role(verify=Plain.verify, tells_entity_apart=False),
         ["Mine.tells_entity_apart is not used", "'tells_entities_apart'",
          "the role Verifier"]),
        ("verifier", role(verify=Plain.verify, english_ony=True),
         ["Mine.english_ony is not used", "'english_only'", "the role Verifier"]),
        ("grouper", role(group=lambda self, biography, facts: [], english_onlly=True),
         ["Mine.english_onlly is not used", "'english_only'", "the role Grouper"]),
        ("verifier", role(verify=Plain.verify, tells_entities_apart=lambda self: False),
         ["Mine.tells_entities_apart is a method", "(role Verifier)"]),
        ("verifier", role(verify=Plain.verify, extra_entities=()),
         ["Mine.extra_entities must be a method, found tuple ()", "(role Verifier)"]),
    ],
)  # fmt: skip
def test_wrong_roles(argument, given, words):
    with pytest.raises(InputError) as caught:
        Scorer(**{argument: given})
    message = str(caught.value)
    assert message.removeprefix("Scorer: ").startswith(f"{argument}: ")
    for word in words:
        assert word in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (lambda facts: True, "gave True; expected a list of Verdict"),
        (lambda facts: "supported", "gave 'supported'; expected a list of Verdict"),
        (lambda facts: None, "gave None; expected a list of Verdict"),
        (lambda facts: {f.text: True for f in facts}, "expected a list of Verdict"),
        (lambda facts: [True for _ in facts], "gave True as number 0; expected a list of Verdict"),
        (lambda facts: ["supported"] * len(facts), "gave 'supported' as number 0"),
        (lambda facts: [Verdict("supported")], "gave 1 verdicts for 2 facts against 'Ann Lee (p"),
        (lambda facts: [Verdict("yes") for _ in facts], "gave the status 'yes'; expected one of"),
        (lambda facts: [Verdict("supported", 1.5) for _ in facts], "gave the probability 1.5"),
        (lambda facts: [Verdict("supported", True) for _ in facts], "gave the probability True"),
        (
            lambda facts: [Verdict("supported", float("nan")) for _ in facts],
            "gave the probability nan",
        ),
    ],
)
def test_wrong_verdicts(value, words):
    with pytest.raises(InputError) as caught:
        score(TEXT, name="Ann Lee", pages=PAGES, verifier=answers(value))
    assert str(caught.value).startswith("Mine.verify (role Verifier) gave ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("argument", "given", "words"),
    [
        ("decomposer", role(decompose=lambda self, b: ["Ann Lee rows."]),
         "Mine.decompose (role Decomposer) gave 'Ann Lee rows.' as number 0; expected a list"),
        ("decomposer", role(decompose=lambda self, b: b.text), "expected a list of Fact"),
        ("grouper", role(group=lambda self, b, f: [[0, 1]]),
         "Mine.group (role Grouper) gave [0, 1] as number 0; expected a list of FactGroup"),
        ("grouper", role(group=lambda self, b, f: [FactGroup(("0", "1"))]), "indices of facts"),
        ("verifier", role(verify=Plain.verify, tells_entities_apart="no"),
         "Mine.tells_entities_apart (role Verifier) is 'no'; expected True or False"),
        ("verifier", role(verify=Plain.verify, extra_entities=lambda self, e: ["more"]),
         "Mine.extra_entities (role Verifier) gave 'more' as number 0; expected"),
    ],
)  # fmt: skip
def test_wrong_answers(argument, given, words):
    with pytest.raises(InputError) as caught:
        score(TEXT, name="Ann Lee", pages=PAGES, **{argument: given})
    assert words in str(caught.value)


class Together(Plain):
    """Judges all entities at once, and counts its calls."""

    def __init__(self, rows=None):
        self.asked = []
        self.rows = rows

    async def verify_together(self, biography, asked):
        self.asked.append([(tuple(f.text for f in facts), entity.id) for facts, entity in asked])
        if self.rows is not None:
            return self.rows
        return [[Verdict("supported", 0.9)] * len(facts) for facts, _ in asked]

    def verify(self, biography, facts, entity):
        raise AssertionError("asked about one entity alone")


def test_entities_are_judged_together():
    together = Together()
    result = score(TEXT, name="Ann Lee", pages=PAGES, verifier=together)
    assert (result.fs, len(together.asked)) == (1.0, 1)
    assert [entity for _, entity in together.asked[0]] == list(PAGES)
    # Also in a cascade, which only passes on what its first verifier leaves open.
    asked = [([Fact("One."), Fact("Two.")], Entity(id, id, ())) for id in ("a", "b")]
    first = role(verify=lambda self, biography, facts, entity: [
        Verdict("supported", 0.5 if entity.id == "b" and i else 1.0) for i, _ in enumerate(facts)
    ])  # fmt: skip
    second = Together()
    cascade = CascadeVerifier(*(as_role(own, Verifier, "verifier") for own in (first, second)))
    rows = asyncio.run(verify_together(cascade, Biography("1", "A", ""), asked))
    assert second.asked == [[(("Two.",), "b")]]
    assert [len(row) for row in rows] == [2, 2]
    assert rows[1][1] == Verdict("supported", 0.9, sent=True)
    assert not rows[1][0].sent


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (True, "gave True; expected a list"),
        ([], "gave 0 answers; expected 2"),
        ([[], []], "facts against 'Ann Lee (painter)'"),
    ],
)
def test_wrong_rows(rows, words):
    with pytest.raises(InputError) as caught:
        score(TEXT, name="Ann Lee", pages=PAGES, verifier=Together(rows))
    assert words in str(caught.value)


def test_labels_for_other_facts_are_refused():
    labels = role(decompose=lambda self, b: [], label_facts=lambda self, b, facts: facts[:1])
    labels = as_role(labels, Decomposer, "decomposer")
    facts = (Fact("One."), Fact("Two."))
    with pytest.raises(InputError, match=r"label_facts \(role Decomposer\) gave 1 answers"):
        asyncio.run(label_facts(labels, Biography("1", "A", ""), facts))


@pytest.mark.parametrize("value", ["0.5", True, 2, float("nan")])
def test_a_threshold_is_a_probability(value):
    with pytest.raises(InputError, match=r"Mine.threshold \(role Verifier\) is "):
        as_role(role(verify=Plain.verify, threshold=value), Verifier, "verifier")


def test_settings_are_json():
    assert checked_settings(Plain()) == {"name": "plain"}
    with pytest.raises(InputError, match=r"Mine.settings is \['words'\]: expected a mapping"):
        checked_settings(role(settings=["words"]))
    with pytest.raises(InputError, match=r"Mine.settings cannot be written as JSON"):
        checked_settings(role(settings={"words": {1, 2}}))


def test_numbers_of_numpy_are_numbers():
    def verify(self, biography, facts, entity):
        return np.array([Verdict("supported", np.float32(0.75)) for _ in facts])

    mine = role(verify=verify, group=lambda self, b, facts: [FactGroup(tuple(np.arange(2)))])
    result = score(TEXT, name="Ann Lee", pages=PAGES, verifier=mine, grouper=mine)
    assert result.status == "scored"
    json.dumps(result.to_dict())


def test_properties_are_not_read():
    class Lazy:
        @property
        def settings(self):
            raise AssertionError

        @property
        def threshold(self):
            raise AssertionError

        def verify(self, biography, facts, entity):
            raise AssertionError

    assert role_fault(Lazy(), Verifier, needed=("settings", "verify")) is None


def test_wrappers_and_callables_are_roles():
    class Wrapper:
        def __init__(self, inner):
            self._inner = inner

        def __getattr__(self, name):
            return getattr(self._inner, name)

    inside = Plain()
    inside.verify = lambda biography, facts, entity: []
    static = role(verify=staticmethod(lambda biography, facts, entity: []))
    for own in (Wrapper(Plain()), inside, static):
        made = as_role(own, Verifier, "verifier")
        assert made.settings == own.settings
        assert list(made.verify(None, [], None)) == []
        assert made.threshold is None


def test_a_registered_class_has_the_defaults_too():
    class Own:
        settings = {"name": "own"}

        def verify(self, biography, facts, entity):
            return [Verdict("supported", 0.75)] * len(facts)

    Verifier.register(Own)
    result = score(TEXT, name="Ann Lee", pages=PAGES, verifier=Own())
    assert (result.status, result.fs) == ("scored", 1.0)


def test_a_subclass_says_what_it_is_by_attributes_of_the_class_or_the_object():
    class Own(Verifier):
        settings = {"name": "own"}
        english_only = True

        def __init__(self):
            self.threshold = 0.5

        def verify(self, biography, facts, entity):
            return [Verdict("supported", 0.75)] * len(facts)

    own = as_role(Own(), Verifier, "verifier")
    assert isinstance(own, Own)
    assert (own.threshold, own.english_only, own.calibrated) == (0.5, True, False)
    with pytest.raises(TypeError, match="verify"):
        type("Half", (Verifier,), {"settings": {}})()
    misspelled = type("Mine", (Own,), {"weighs": Own.verify})()
    with pytest.raises(InputError, match=r"Mine\.weighs is not used"):
        Scorer(verifier=misspelled)
    heavy = type("Mine", (Own,), {"weight": 2.0})()  # a number is not a misspelled method
    assert as_role(heavy, Verifier, "verifier") is heavy


def test_a_role_of_its_own_class_goes_to_another_process():
    made = as_role(Plain(), Verifier, "verifier")
    back = pickle.loads(pickle.dumps(made))  # noqa: S301
    assert type(back).__name__ == "Plain"
    assert back.settings == made.settings
    assert copy.deepcopy(made).threshold is None
