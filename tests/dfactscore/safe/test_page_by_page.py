"""An open search judges page by page."""

from __future__ import annotations

import asyncio

from dfactscore._records import Biography, Document, Entity, Fact, Verdict
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Verifier
from dfactscore.engines._wrapping import CascadeVerifier
from dfactscore.safe._found_pages import PageByPage, judge_of_pages

OWN = BuiltinVerifier()
LIFE = Biography("0", "Ann Lee", "x")
SWIMMER = Document(
    "Ann Lee (swimmer)", "Ann Lee was a Scottish swimmer. She died in Leeds in 1980."
)
JUDGE = Document("Ann Lee (judge)", "Ann Lee was an American judge. She died in Ohio in 1999.")
MORE = Document("Ann Lee (judge)", "In 1970 Ann Lee taught law at Yale.")


def judge(verifier, documents, *facts):
    entity = Entity("(open)", "found", tuple(documents))
    answer = verifier.verify(LIFE, [Fact(text) for text in facts], entity)
    return asyncio.run(answer) if asyncio.iscoroutine(answer) else answer


class AllWords(Verifier):
    """Supports a fact whose words all stand in the documents."""

    settings = {"name": "all words"}
    threshold = 0.5

    def verify(self, biography, facts, entity):
        said = set(" ".join(d.text for d in entity.documents).split())
        shares = [len(said & set(f.text.split())) / len(f.text.split()) for f in facts]
        return [Verdict("supported" if p == 1 else "not_supported", p) for p in shares]


def test_no_page_lends_another_one_its_words():
    mixed = "Ann Lee was a Scottish judge."
    assert (
        judge(AllWords(), [SWIMMER, Document("x", "an American judge.")], mixed)[0].probability == 1
    )
    (verdict,) = judge(
        PageByPage(AllWords()), [SWIMMER, Document("x", "an American judge.")], mixed
    )
    assert (verdict.status, verdict.probability) == ("not_supported", 5 / 6)


def test_the_page_that_says_it_decides_and_the_place_points_into_it():
    documents = [SWIMMER, JUDGE, MORE]
    died, taught = judge(
        PageByPage(OWN), documents, "Ann Lee died in Ohio in 1999.", "Ann Lee taught law at Yale."
    )
    assert (died.status, died.evidence.document) == ("supported", 1)
    assert (taught.status, taught.evidence.document) == ("supported", 2)
    assert "Ohio" in JUDGE.text[died.evidence.start : died.evidence.end]


def test_the_same_page_is_judged_together():
    found = judge(PageByPage(OWN), [SWIMMER, JUDGE, MORE], "Ann Lee taught law at Yale.")
    assert (
        found[0].probability
        == judge(OWN, [JUDGE, MORE], "Ann Lee taught law at Yale.")[0].probability
    )


def test_pages_of_one_title_at_two_addresses_are_two():
    asked = []

    class Notes(Verifier):
        settings = {"name": "notes"}

        def verify(self, biography, facts, entity):
            asked.append([d.address for d in entity.documents])
            return [Verdict("not_supported", 0.1) for _ in facts]

    documents = [Document("Ann Lee", "x", address) for address in ("a", "b", "a")]
    (verdict,) = judge(PageByPage(Notes()), documents, "Ann Lee sang.")
    assert asked == [["a", "a"], ["b"]]
    assert verdict.status == "not_supported"


def test_a_verifier_that_is_paid_for_reads_all_pages_in_one_call():
    calls = []

    class Paid(Verifier):
        settings = {"name": "paid"}

        def verify(self, biography, facts, entity):
            calls.append([d.title for d in entity.documents])
            return [Verdict("supported", 0.9) for _ in facts]

    paid = Paid()
    assert judge_of_pages(paid) is paid
    cascade = judge_of_pages(CascadeVerifier(OWN, paid, low=0.0, high=1.0))
    judge(cascade, [SWIMMER, JUDGE, MORE], "Ann Lee sang in Rome.")
    assert calls == [[d.title for d in (SWIMMER, JUDGE, MORE)]]
    assert cascade.settings["first"]["pages"] == "each by itself"
    assert (cascade.threshold, cascade.english_only) == (OWN.threshold, True)
