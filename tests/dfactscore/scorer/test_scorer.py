"""The Python interface, and the stages behind it with roles that misbehave."""

from __future__ import annotations

import asyncio
import json

import pandas as pd
import pytest

from dfactscore import (
    Biography,
    Fact,
    FactGroup,
    GroupingError,
    InputError,
    OpenAIModel,
    RoleError,
    Scorer,
    Verdict,
    read_biographies,
    score,
)
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.retrieval import Passage

PAGES = {
    "Ann Lee (painter)": "Ann Lee (born 1950) is an English painter of landscapes.",
    "Ann Lee (rower)": "Ann Lee (born 1971) is a rower. She rowed for Canada in 1996.",
}
TEXT = "Ann Lee is a painter. She rowed in 1996."


class Words:
    """Supports a fact whose last word stands in a document; knows no entity from another."""

    settings = {"name": "words"}
    threshold = None

    def verify(self, biography, facts, entity):
        text = " ".join(d.text for d in entity.documents)
        last = [f.text.rstrip(".").split()[-1] for f in facts]
        return [Verdict("supported" if w in text else "not_supported") for w in last]


def test_roles_are_named_as_on_the_command_line():
    model = OpenAIModel("m", base_url="http://127.0.0.1:9/v1")
    mixed = Scorer(model=model, decomposer="llm", verifier="builtin", llm={"no_cache": True}).engine
    names = [role.settings["name"] for role in (mixed.decomposer, mixed.grouper, mixed.verifier)]
    assert names == ["llm-decomposer", "llm-grouper", "builtin"]
    strict = Scorer(
        model=model, grouper="builtin", verifier="strict", llm={"no_cache": True}
    ).engine
    assert strict.verifier.settings["name"] == "llm-verifier-strict"
    assert Scorer(verifier="builtin").engine.verifier.settings["name"] == "builtin"
    with pytest.raises(InputError, match="decomposer='llm': needs a model"):
        Scorer(decomposer="llm")
    with pytest.raises(InputError, match="verifier"):
        Scorer(verifier="bulitin")


def test_a_key_comes_from_the_environment_alone():
    with pytest.raises(InputError, match="api_key_env='NAME'"):
        OpenAIModel("m", api_key="secret")


class Turns(Words):
    """Says true and false by turns."""

    def verify(self, biography, facts, entity):
        return [Verdict(("supported", "not_supported")[i % 2]) for i in range(len(facts))]


def test_two_verdicts_on_one_fact_from_one_page_are_unreadable():
    facts = [{"text": t} for t in ("Ann Lee sang.", "ann lee sang", "Ann Lee is a rower.")]
    record = {"name": "Ann Lee", "text": TEXT, "facts": facts}
    (result,) = Scorer(verifier=Turns(), pages=PAGES).score_many([record])
    assert result.record.matrix.readable[:, 0].tolist() == [False, False, True]


def test_facts_of_context_are_scored_unless_excluded():
    text = "Ann Lee is a painter from Leeds, England."
    kept, left = (
        score(text, name="Ann Lee", pages=PAGES, verifier=Words(), irrelevant=how)
        for how in ("keep", "exclude")
    )
    labels = [(f.fact.text, f.fact.label) for f in kept.facts]
    assert labels[-1] == ("Leeds is in England.", "context")
    assert (kept.scores.n_facts, left.scores.n_facts) == (len(labels), len(labels) - 1)


def test_score_one_text():
    result = score(TEXT, name="Ann Lee", pages=PAGES)
    assert (result.scores.fs_verdicts, result.n_bio, result.n_ent) == (1.0, 1, 2)
    assert 0.9 < result.fs < 1
    assert result.category == "one_bio_several_ents"
    assert result.dfs < 1
    (group,) = result.groups
    assert group.entity in PAGES
    assert group.runner_up in PAGES
    assert group.margin == group.support - 1 or group.margin >= 0
    assert f"Ann Lee: FActScore {result.fs:.2f} (" in str(result)
    assert "[only " in str(result)
    row = result.to_dict()
    assert row["groups"][0]["entity"] == group.entity
    json.dumps(row)


def test_evidence_is_a_sentence_of_the_entity():
    result = score(TEXT, name="Ann Lee", pages=PAGES)
    for fact in result.facts:
        page = PAGES[fact.supported_by[0]]
        assert fact.evidence in page
        assert 0 <= fact.probability <= 1
    assert {f.standing for f in result.facts} == {"supported", "elsewhere"}


def test_many():
    passages = [Passage(t, x) for t, x in PAGES.items()]
    records = [
        {
            "id": "a",
            "name": "Ann Lee",
            "text": TEXT,
            "passages": [{"title": t, "text": x} for t, x in PAGES.items()],
        },
        Biography("b", "Ann Lee", "I could not find any information.", passages=tuple(passages)),
        {"name": "Bo Day", "text": "Bo Day is a painter."},
    ]
    results = Scorer().score_many(records)
    assert [r.status for r in results] == ["scored", "abstained", "no_candidates"]
    assert results.summary.response_rate == pytest.approx(2 / 3)
    assert "no candidates" in str(results)
    assert str(results[1]) == "Ann Lee: abstained"
    frame = results.to_frame()
    assert list(frame["id"]) == ["a", "b", "2"]
    assert len(results[:2]) == 2
    again = Scorer(pages=PAGES).score_many(
        pd.DataFrame([{"name": "Ann Lee", "text": TEXT, "model": None}])
    )
    assert again[0].fs == results[0].fs


def test_pages_are_found_by_name():
    result = Scorer(pages=PAGES).score(TEXT, name="Ann Lee")
    assert {e.id for e in result.record.entities} == set(PAGES)
    more = {**PAGES, **{f"Tom Hill ({n})": "Tom Hill digs." for n in range(20)}}
    unknown = Scorer(pages=more).score(TEXT, name="Ann Leigh")
    assert unknown.status == "no_candidates"
    assert "no page 'Ann Leigh'" in unknown.missing[0]
    few = Scorer(pages=PAGES).score(TEXT, name="Ann Leigh")
    assert [e.id for e in few.record.entities] == list(PAGES)
    assert "no page 'Ann Leigh'" in str(few)
    assert "its passages" not in str(few)


def test_a_missing_page_falls_back_to_passages():
    record = {
        "name": "Ann Lee",
        "text": TEXT,
        "passages": [
            {"title": "Ann Lee (rower)", "text": "Ann Lee is a rower."},
            {"title": "Ann Lee (poet)", "text": "Ann Lee is an English painter."},
        ],
    }
    (result,) = Scorer(pages=PAGES).score_many([record])
    assert result.scores.fs_verdicts == 1.0
    assert result.missing[0].startswith("no page 'Ann Lee (poet)'")
    assert "judged against its passages" in str(result)


def test_empty_passages_are_no_documents():
    record = {"name": "Ann Lee", "text": TEXT, "passages": [{"title": "Ann Lee", "text": " "}]}
    with pytest.raises(InputError, match="nothing to judge the text against"):
        Scorer().score_many([record])
    with pytest.raises(InputError, match="nothing to judge the text against"):
        Scorer().score(TEXT, name="Ann Lee")
    full = {**record, "passages": [{"title": "Ann Lee", "text": PAGES["Ann Lee (rower)"]}]}
    results = Scorer().score_many([record, full])
    assert [r.status for r in results] == ["no_candidates", "scored"]


def test_several_documents_of_one_entity():
    pages = {"Ann Lee": ["Ann Lee is an English painter.", "Ann Lee rowed for Canada in 1996."]}
    result = score(TEXT, name="Ann Lee", pages=pages)
    assert (result.scores.fs_verdicts, result.scores.dfs_verdicts, result.n_ent) == (1.0, 1.0, 1)
    assert result.fs == result.dfs > 0.9


def test_inside_a_running_loop():
    async def work():
        inner = score(TEXT, name="Ann Lee", pages=PAGES)
        awaited = await Scorer().ascore(TEXT, name="Ann Lee", pages=PAGES)
        return inner.dfs, awaited.dfs

    inner, awaited = asyncio.run(work())
    assert inner == awaited


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: score(5, name="A", pages=PAGES), "field 'text'"),
        (lambda: score("x", name="", pages=PAGES), "field 'name'"),
        (lambda: score("x", name="A", pages={"A": 5}), "pages: "),
        (lambda: score("x", name="A", pages="no/such/file.jsonl"), "no such file"),
        (lambda: Scorer().score("x", name="A", pages=[1]), r"pages\[0\]': expected"),
        (lambda: Scorer().score_many({"name": "A", "text": "x"}), "must be a list of dicts"),
        (lambda: Scorer().score_many([{"name": "A"}]), "field 'text': is missing"),
    ],
)
def test_mistakes(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_failed_grouping_gives_fs_only():
    class Fails:
        settings = {"name": "fails"}

        def group(self, biography, facts):
            raise GroupingError("the answer named fact 99")

    result = Scorer(grouper=Fails()).score(TEXT, name="Ann Lee", pages=PAGES)
    assert (result.status, result.scores.fs_verdicts) == ("grouping_failed", 1.0)
    assert (result.dfs, result.scores.dfs_verdicts) == (None, None)
    assert "no D-FActScore: the answer named fact 99" in str(result)
    assert {f.standing for f in result.facts} == {"supported"}


@pytest.mark.parametrize(
    "groups", [[], [FactGroup((0,))], [FactGroup((0, 0, 1))], [FactGroup((0, 1, 2))]]
)
def test_groups_that_are_no_partition_are_a_failed_grouping(groups):
    class Wrong:
        settings = {"name": "wrong"}

        def group(self, biography, facts):
            return groups

    result = Scorer(grouper=Wrong()).score(TEXT, name="Ann Lee", pages=PAGES)
    assert result.status == "grouping_failed"
    assert "not a partition of the 2 facts" in result.reason


def test_roles_that_fail():
    class Decomposer:
        settings = {"name": "d"}

        def decompose(self, biography):
            raise RoleError("it timed out")

    class Short(Words):
        def verify(self, biography, facts, entity):
            return []

    failed = Scorer(decomposer=Decomposer()).score(TEXT, name="Ann Lee", pages=PAGES)
    assert (failed.status, failed.reason, failed.fs) == ("error", "it timed out", None)
    with pytest.raises(InputError, match=r"Short.verify .* gave 0 verdicts for 2 facts"):
        Scorer(verifier=Short()).score(TEXT, name="Ann Lee", pages=PAGES)


def test_a_verifier_without_documents_gives_fs_only():
    class NoContext(Words):
        tells_entities_apart = False

        def verify(self, biography, facts, entity):
            assert entity.documents == ()
            return [Verdict("supported"), Verdict("unparsed")]

    scorer = Scorer(verifier=NoContext(), unreadable="unsupported")
    result = scorer.score(TEXT, name="Ann Lee", pages=PAGES)
    assert (result.fs, result.dfs, result.n_ent) == (0.5, None, None)
    assert "cannot tell entities apart" in str(result)


def test_async_roles_work_at_the_same_time():
    class Slow(Words):
        running = most = 0
        together = asyncio.Event()  # the first ones wait until more are there than one text has

        async def verify(self, biography, facts, entity):
            Slow.running += 1
            Slow.most = max(Slow.most, Slow.running)
            if Slow.running > 3:
                Slow.together.set()
            await asyncio.wait_for(Slow.together.wait(), 60)
            Slow.running -= 1
            return super().verify(biography, facts, entity)

    scorer = Scorer(verifier=Slow(), pages=PAGES, concurrency=3)
    results = scorer.score_many([{"name": "Ann Lee", "text": TEXT}] * 9)
    assert [r.status for r in results] == ["scored"] * 9
    assert 3 < Slow.most <= 6  # three biographies, two entities each


def test_given_stages_are_not_run():
    class Never:
        settings = {"name": "never"}

        def decompose(self, *given):
            raise AssertionError

        group = verify = decompose

    record = {
        "name": "Ann Lee",
        "text": TEXT,
        "passages": [{"title": t, "text": x} for t, x in PAGES.items()],
        "facts": ["One.", "Two."],
        "groups": [[0, 1]],
        "links": ["Ann Lee (rower)"],
        "verdicts": {"Ann Lee (painter)": [True, False], "Ann Lee (rower)": [False, True]},
    }
    never = Never()
    scorer = Scorer(decomposer=never, grouper=never, verifier=never)
    (result,) = scorer.score_many([record])
    assert (result.fs, result.dfs) == (1.0, 0.5)
    assert result.groups[0].entity == "Ann Lee (rower)"
    record["verdicts"] = {"Ann Lee (poet)": [True, False]}
    (wrong,) = scorer.score_many([record])
    assert "unknown ['Ann Lee (poet)']" in wrong.reason


def test_unreadable_cells_show():
    class Half(Words):
        def verify(self, biography, facts, entity):
            return [Verdict("refused"), Verdict("supported", 0.9)]

    result = Scorer(verifier=Half()).score(TEXT, name="Ann Lee", pages=PAGES)
    assert (result.status, result.fs, result.dfs) == ("partly_judged", None, None)
    assert result.record.reason == "2 of 2 pages not judged"
    shown = str(result)
    assert "FActScore 0.50–1.00, D-FActScore 0.50–1.00" in shown
    assert "  ? Ann Lee is a painter." in shown


def test_off_target_is_said():
    class Stranger:
        settings = {"name": "stranger"}

        def group(self, biography, facts):
            return [FactGroup(tuple(range(len(facts))), "Bo Day", False)]

    result = Scorer(grouper=Stranger()).score(TEXT, name="Ann Lee", pages=PAGES)
    assert "off target: no one in the text bears the name Ann Lee" in str(result)


HOSTILE = {
    "empty": "",
    "punctuation": "?!... --- [1][2]",
    "nul": "Ann\x00 Lee is\x00 an English painter.",
    "right to left": "آن لي رسامة إنجليزية. \u202e She rowed for Canada in 1996.",
    "emoji": "Ann Lee 🎨 is an English painter. 🚣‍♀️🚣‍♀️",
    "lone surrogate": "Ann Lee \ud83d is an English painter.",
    "no end": "Ann Lee is " + "very " * 5000,
    "one word": "painter",
    "brackets": "Ann Lee ((((([[[[ is (born an English painter.",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_text_is_survived(text):
    result = score(text, name="Ann Lee", pages=PAGES)
    assert result.status in ("scored", "abstained", "no_facts")
    str(result).encode("utf-8")


@pytest.mark.parametrize("length", [50_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
def test_a_megabyte(length):
    sentence = "Ann Lee is an English painter and rowed for Canada in 1996. "
    result = score(sentence * (length // len(sentence)), name="Ann Lee", pages=PAGES)
    assert result.scores.n_facts > length / 100


def test_roles_are_protocols():
    from dfactscore import Decomposer, Grouper, Verifier

    engine = Scorer().engine
    assert isinstance(engine.decomposer, Decomposer)
    assert isinstance(engine.grouper, Grouper)
    assert isinstance(engine.verifier, Verifier)


def test_real_biographies_are_grouped_into_partitions(data):
    biographies = read_biographies(data / "dfactscore" / "alce_tulu.json", limit=40).biographies
    for result in Scorer().score_many(biographies):
        facts = sorted(f for g in result.groups for f in g.facts)
        assert facts == list(range(len(result.facts)))
        assert all(isinstance(f.fact, Fact) for f in result.facts)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": float("nan")}, "Scorer: threshold: expected a finite number, found nan"),
        ({"threshold": 7}, "threshold: expected less than or equal to 1, found 7"),
        ({"gamma": float("inf")}, "gamma: expected a finite number, found inf"),
        ({"link": "greedy"}, "link: 'greedy' is unknown; choose one of argmax, hungarian"),
        ({"link": "hungarain"}, "did you mean hungarian"),
        ({"counts": "perhaps"}, "counts: 'perhaps' is unknown; choose one of expected, verdicts"),
        ({"concurrency": 0}, "concurrency: expected greater than or equal to 1, found 0"),
        ({"lnik": "argmax"}, "Scorer: no argument 'lnik'; did you mean link"),
        ({"unreadable": "drop"}, "unreadable: 'drop' is unknown"),
        ({"irrelevant": "drop"}, "irrelevant: 'drop' is unknown"),
        ({"candidates": "all"}, "candidates: 'all' is unknown"),
        ({"candidates": "dataset"}, "candidates='dataset' needs dataset"),
    ],
)
def test_wrong_options_are_named_at_once(options, message):
    with pytest.raises(InputError, match=message):
        Scorer(**options)
    with pytest.raises(InputError, match=message.replace("Scorer: no", "score: no")):
        score("Ann Lee is a painter.", name="Ann Lee", pages={"Ann Lee": "A painter."}, **options)


def test_a_name_that_the_dataset_lacks_has_no_dfs():
    dataset = {"Ann Lee": ["Ann Lee (painter)"]}
    scorer = Scorer(pages=PAGES, candidates="dataset", dataset=dataset)
    results = scorer.score_many(
        [{"name": "Ann Lee", "text": TEXT}, {"name": "Ann Lee", "text": TEXT, "id": "x"}]
    )
    assert [r.scores.dfs_verdicts for r in results] == [0.5, 0.5]
    other = Scorer(pages=PAGES, candidates="dataset", dataset={"Bob": ["Bob"]})
    results = other.score_many([{"name": "Ann Lee", "text": TEXT}])
    (one,) = results
    assert (one.scores.fs_verdicts, one.dfs) == (1, None)
    assert "the dataset lists no one called 'Ann Lee'" in str(one)
    assert results.summary.without_candidates == 1


def test_verdicts_made_elsewhere_need_no_documents():
    record = {
        "name": "Ann Lee",
        "text": TEXT,
        "facts": ["Ann Lee is a painter.", "Ann Lee rowed."],
        "groups": [[0, 1]],
        "verdicts": {
            "A": [{"status": "supported", "probability": 0.9, "evidence": [0, 0, 4]}, False],
            "B": [False, True],
        },
    }
    (result,) = Scorer().score_many([record])
    assert (result.fs, result.dfs, result.n_ent) == (1, 0.5, 2)
    assert result.facts[0].evidence is None  # it points to a text that is not there
    (result,) = Scorer(pages={"A": "Ann Lee paints."}).score_many([record])
    assert result.facts[0].evidence == "Ann "


def test_given_links_must_name_an_entity():
    record = {
        "name": "Ann Lee",
        "text": TEXT,
        "facts": ["Ann Lee is a painter."],
        "groups": [[0]],
        "links": ["No One"],
        "passages": [{"title": "A", "text": "Ann Lee is a painter."}],
    }
    (result,) = Scorer().score_many([record])
    assert result.status == "error"
    assert result.reason == "the given links name no entity: ['No One']; the entities are ['A']"


def test_empty_cells_of_any_kind():
    frame = pd.DataFrame({"name": ["Ann Lee"] * 2, "text": [TEXT] * 2, "model": ["m", None]})
    frame["snapshot"] = pd.NaT
    results = Scorer(pages=PAGES).score_many(frame.convert_dtypes())
    assert [r.record.biography.model for r in results] == ["m", ""]


def test_records_that_are_none():
    with pytest.raises(InputError, match="must be a list of dicts, not NoneType"):
        Scorer(pages=PAGES).score_many(None)


def test_an_exception_in_one_text_of_many_is_its_own():
    class Stumbles(BuiltinDecomposer):
        def decompose(self, biography):
            return [][1] if "Oslo" in biography.text else super().decompose(biography)

    texts = ["Ann Lee was a nun.", "Ann Lee was born in Oslo.", "Ann Lee was a poet."]
    records = [{"name": "Ann Lee", "text": text} for text in texts]
    scorer = Scorer(decomposer=Stumbles(), pages={"Ann Lee": "Ann Lee was a nun and a poet."})
    found = scorer.score_many(records)
    assert [one.status for one in found] == ["scored", "error", "scored"]
    assert found[1].reason.startswith("IndexError: list index out of range (")
    with pytest.raises(IndexError):  # one alone is whose calls it
        scorer.score(texts[1], name="Ann Lee")


PAGE = {"Ann Lee": "Ann Lee is an English painter. She was born in Leeds."}
THOUGHT = "<think>Ann Lee rowed for Canada.</think>Ann Lee is a painter."


def test_the_answer_alone_is_scored_and_the_cut_is_said():
    with pytest.warns(UserWarning, match=r"cut from 1 of 1 text: thoughts \(1\)"):
        found = Scorer(pages=PAGE).score(THOUGHT, name="Ann Lee")
    raw = Scorer(pages=PAGE, text_as="raw").score(THOUGHT, name="Ann Lee")
    assert [len(one.facts) for one in (found, raw)] == [1, 2]


def test_a_thought_alone_has_a_status_of_its_own():
    with pytest.warns(UserWarning, match="thoughts"):
        found = Scorer(pages=PAGE).score_many([{"name": "Ann Lee", "text": "<think>Who is"}])
    assert (found[0].status, found[0].fs, found.summary.response_rate) == ("no_answer", None, 0)
