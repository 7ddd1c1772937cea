from __future__ import annotations

import re
from dataclasses import replace

import pytest

from dfactscore._records import Evidence, Verdict
from dfactscore._report import write_report
from dfactscore._scoring import ScoreOptions, score_record
from dfactscore._scoring.matrix import support_matrix

pytestmark = pytest.mark.xdist_group("browser")  # one browser for all

HOSTILE = (
    "<script>alert(1)</script>", "</script><script>alert(2)</script>",
    "<img src=x onerror=alert(3)>",
    "javascript:alert(4)", "a\u202eb\u2066c\u200bd", "&lt;b&gt; &amp;", "{{data}} {{script}}",
    "\u2028line\u2029", "<!--", "]]>", "😀 \U00020bb7", "' \" `${alert(5)}`",
)  # fmt: skip

INVISIBLE = "[\u200b\u200e-\u200f\u202a-\u202e\u2066-\u2069]"


@pytest.fixture(scope="session")
def three(make_scored):
    return [
        make_scored(id="a/1 &?"),
        make_scored(name="Bo Ray", id="b", titles=("Bo Ray", "Cy Poe"), support=((1, 0), (1, 0)),
                    groups=((0,), (1,))),
        make_scored(name="Di Fox", id="c", status="abstained"),
    ]  # fmt: skip


def names(page):
    return [t.strip() for t in page.locator("#list .opener").all_inner_texts()]


@pytest.mark.slow
def test_summary_and_list(three, open_report):
    page = open_report(three)
    tiles = page.locator(".tile").all_inner_texts()
    shown = [tile.split("\n")[:2] for tile in tiles]
    assert shown == [["FActScore, %", "90.0"], ["D-FActScore, %", "70.0"], ["Gap, points", "20.0"],
                     ["Mixed, %", "50.0"]]  # fmt: skip
    said = page.locator(".headline").inner_text()
    assert said == "1 of 2 texts takes several people for one:"
    worst = page.locator(".worst li").all_inner_texts()
    assert worst == ["Ann Lee (rower) with Ann Lee (poet), 2 of 5 facts"]
    assert names(page) == ["◆ Ann Lee", "Bo Ray", "Di Fox"]
    assert "abstained" in page.locator("tr.row").nth(2).inner_text()
    assert page.locator(".body").count() == 0  # bodies are built on opening


@pytest.mark.slow
def test_sorting(three, open_report):
    page = open_report(three)
    assert page.locator("th[data-key=gap]").get_attribute("aria-sort") == "descending"
    header = page.locator("th[data-key=dfs] button")
    header.click()
    assert names(page) == ["Bo Ray", "◆ Ann Lee", "Di Fox"]
    assert page.locator("th[data-key=dfs]").get_attribute("aria-sort") == "descending"
    assert page.locator("th[data-key=gap]").get_attribute("aria-sort") is None
    header.click()
    assert names(page) == ["◆ Ann Lee", "Bo Ray", "Di Fox"]  # none goes last both ways
    page.locator("th[data-key=name] button").click()
    page.locator("th[data-key=name] button").click()
    assert names(page) == ["Di Fox", "Bo Ray", "◆ Ann Lee"]


@pytest.mark.slow
def test_filtering(three, open_report):
    page = open_report(three)
    page.locator("#search").fill("bo r")
    assert names(page) == ["Bo Ray"]
    assert "1 of 3 shown" in page.locator("#shown").inner_text()
    page.locator("#search").fill("zzz")
    assert "No text matches." in page.locator("#list").inner_text()
    page.locator("#search").fill("")
    page.locator("#mixed").check()
    assert names(page) == ["◆ Ann Lee"]
    page.locator("#mixed").uncheck()
    page.locator("#kind").select_option("abstained")
    assert names(page) == ["Di Fox"]


@pytest.mark.slow
def test_a_view_can_be_sent(three, open_report):
    page = open_report(three)
    page.locator("#kind").select_option("several people told as one (mixed)")
    page.locator("th[data-key=fs] button").click()
    page.locator("#list .opener").click()
    page.locator(".cell").nth(2).click()
    sent = page.evaluate("location.hash")
    there = open_report(three, link=sent)
    assert names(there) == ["◆ Ann Lee"]
    assert there.locator("#kind").input_value() == "several people told as one (mixed)"
    assert there.locator("th[data-key=fs]").get_attribute("aria-sort") == "descending"
    assert there.locator(".cell[aria-pressed=true]").get_attribute("data-fact") == "1,0"
    assert there.evaluate("location.hash") == sent
    there.evaluate("location.hash = ''")
    there.wait_for_function("document.querySelectorAll('#list .opener').length === 3")


@pytest.mark.slow
def test_links_lead_there_and_the_browser_leads_back(three, open_report):
    page = open_report(three, viewport={"width": 1280, "height": 500})
    for _ in range(2):  # a second time, too
        page.locator(".worst a").click()
        assert page.locator("#list .opener").first.bounding_box()["y"] < 20
        page.go_back()
        page.wait_for_function("scrollY === 0")
        assert page.evaluate("location.hash") == ""


@pytest.mark.slow
def test_a_body(three, open_report):
    page = open_report(three)
    page.locator(".opener").first.click()
    says = page.locator(".says").inner_text()
    assert "FActScore 80.0 %: 4 of 5 facts" in says
    assert "D-FActScore 40.0 %: a reader sees 1 person, and 2 are" in says
    assert "2 true of another one of that name" in says
    assert page.locator(".paragraph sup").all_inner_texts() == ["1", "2", "3", "4", "5"]
    assert page.locator(".paragraph").inner_text().count("did thing") == 5
    assert page.locator(".seg.v-elsewhere").count() == 2
    assert page.locator(".seg.v-unsupported").count() == 1
    assert "≠B" in page.locator(".paragraph").inner_text()
    head = page.locator(".matrix .group").inner_text()
    assert "Group 1 Ann Lee, 5 facts" in head
    assert "Ann Lee (rower) (2 of 5)" in head
    cells = page.locator(".cell").all_inner_texts()
    assert len(cells) == 10
    assert cells[:2] == ["✓ 0.90", "✗ 0.10"]
    assert page.locator(".cell.linked").count() == 5
    page.locator(".opener").first.click()
    assert page.locator(".body").count() == 0


@pytest.mark.slow
def test_a_cell_shows_its_evidence_and_is_linkable(three, open_report):
    page = open_report(three)
    page.locator(".opener").first.click()
    page.locator(".cell").nth(5).click()
    assert page.locator(".evidence mark").inner_text() == "The deciding words about Ann Lee (poet)."
    evidence = page.locator(".evidence").inner_text()
    assert "Ann Lee (poet) is known." in evidence
    assert "probability of support 0.90" in evidence
    assert page.evaluate("location.hash") == "#b=a%2F1+%26%3F&f=3&e=2"


@pytest.mark.slow
def test_deep_links(three, open_report):
    page = open_report(three, link="#b=a%2F1+%26%3F&f=3&e=2")
    assert page.locator(".evidence mark").inner_text() == "The deciding words about Ann Lee (poet)."
    assert page.locator(".cell[aria-pressed=true]").inner_text() == "✓ 0.90"
    page.locator("#search").fill("Bo")  # a link leads to what a filter hides
    page.evaluate("location.hash = '#b=c'")
    page.locator("tr.opened").nth(1).wait_for()
    assert "Not fully scored: abstained" in page.locator("#list").inner_text()
    for wrong in ("#b=nobody", "#b=a%2F1+%26%3F&f=99&e=1", "#nonsense", "#b=%"):
        assert open_report(three, link=wrong).locator("tr.row").count() == 3


@pytest.mark.slow
def test_a_segment_leads_to_its_fact(three, open_report):
    page = open_report(three)
    page.locator(".opener").first.click()
    page.locator(".seg").nth(3).click()
    assert "Fact 4: Ann Lee did thing 3." in page.locator(".evidence").inner_text()
    assert page.locator(".seg.chosen").count() == 1
    page.locator(".paragraph sup").nth(1).click()
    assert "Fact 2: Ann Lee did thing 1." in page.locator(".evidence").inner_text()
    page.get_by_role("button", name="Close the evidence").click()
    assert page.locator(".evidence").is_hidden()
    assert page.locator(".seg.chosen, .fact.chosen").count() == 0
    page.locator(".fact a").nth(4).click()  # a fact has a link of its own
    assert "f=5" in page.evaluate("location.hash")
    assert "Fact 5:" in page.locator(".evidence").inner_text()


@pytest.mark.slow
@pytest.mark.parametrize("place", [".seg", ".cell.linked"])
def test_the_evidence_on_a_phone_covers_nothing_that_was_chosen(make_scored, open_report, place):
    texts = [f"Ann Lee did thing {i} and then another one of many words." for i in range(20)]
    made = make_scored(support=((1, 0),) * 20, groups=(range(20),), texts=texts)
    page = open_report([made], viewport={"width": 390, "height": 700})
    page.locator("#list .opener").click()
    for number in (4, 6, 16):
        chosen = page.locator(place).nth(number)
        chosen.evaluate("e => scrollBy(0, e.getBoundingClientRect().bottom - innerHeight + 40)")
        chosen.click()
        assert f"Fact {number + 1}:" in page.locator(".evidence").inner_text()
        page.wait_for_function(
            "e => e.getBoundingClientRect().bottom"
            " <= document.querySelector('.evidence').getBoundingClientRect().top",
            arg=chosen.element_handle(),
        )
        over = page.locator(".evidence").bounding_box()
        assert over["y"] + over["height"] <= 700


def test_keys(three, open_report):
    page = open_report(three)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.innerText") == "Bo Ray"
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    assert page.locator(".body").count() == 1
    page.locator(".cell").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    assert "f=2&e=2" in page.evaluate("location.hash")
    assert "(poet)" in page.locator(".evidence").inner_text()
    page.keyboard.press("Escape")
    assert page.locator(".evidence").is_hidden()
    assert page.evaluate("document.activeElement.dataset.fact") == "1,1"
    page.keyboard.press("Escape")
    assert page.locator(".body").count() == 0
    assert page.evaluate("document.activeElement.innerText") == "◆ Ann Lee"
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    assert page.locator("#help").is_hidden()


@pytest.mark.slow
def test_links_that_differ_between_methods_are_shown(make_scored, open_report):
    support = ((1, 1), (1, 1), (1, 0))
    for link, words in (("argmax", "one-to-one (Hungarian)"), ("hungarian", "argmax would")):
        scored = make_scored(
            support=support, groups=((0, 1), (2,)), options=ScoreOptions(link=link)
        )
        page = open_report([scored])
        page.locator(".opener").click()
        notes = page.locator(".matrix .group .why").all_inner_texts()
        assert len(notes) == 1
        assert words in notes[0]


@pytest.mark.slow
def test_failed_grouping_and_unreadable_cells(make_scored, open_report):
    page = open_report([make_scored(groups=None, evidence=False)])
    page.locator(".opener").click()
    assert "grouping failed" in page.locator(".note").inner_text()
    assert "D-FActScore" not in page.locator(".says").inner_text()
    page.locator(".cell").first.click()
    assert "The verifier named no sentence." in page.locator(".evidence").inner_text()


@pytest.mark.slow
def test_hostile_text_is_shown_not_run(make_scored, open_report):
    scored = [
        make_scored(
            name=text, id=text, titles=(f"{text} (a)", f"{text} (b)"),
            texts=[f"{text} was {i}." for i in range(5)],
            pages=[f"{text} before. The deciding {text}. There {text}"] * 2,
        )
        for text in HOSTILE
    ]  # fmt: skip
    page = open_report(scored, title=" ".join(HOSTILE))
    for i, text in enumerate(HOSTILE):
        opener = page.locator("#list .opener").nth(i)
        opener.click()
        page.locator(".cell").first.click()
        seen = " ".join(re.sub(INVISIBLE, lambda m: f"U+{ord(m[0]):04X}", text).split())
        places = (
            f"#list .opener >> nth={i}",
            ".paragraph",
            ".evidence mark",
            ".entities",
            "#title",
        )
        for place in places:
            found = page.locator(place).nth(i if place == ".row .opener" else 0)
            assert seen in " ".join(found.text_content().split())
        opener.click()
    assert HOSTILE[0] in page.locator(".worst").text_content()
    assert HOSTILE[-1] in page.locator("#graph table").text_content()
    assert page.evaluate("document.querySelectorAll('main img, main script, main b').length") == 0


@pytest.mark.slow
def test_spans_of_wide_characters_fall_on_their_words(make_scored, open_report):
    texts = ["😀😀 Ann 𠮷 rowed.", "Then 😀 she wrote.", "End."]
    scored = make_scored(support=((1, 0), (0, 1), (1, 0)), groups=((0, 1, 2),), texts=texts)
    page = open_report([scored])
    page.locator(".opener").click()
    segments = page.evaluate(
        "[...document.querySelectorAll('.seg')].map(s => [...s.childNodes]"
        ".filter(n => n.nodeType === 3).map(n => n.data).join(''))"
    )
    assert segments == texts


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        pytest.param(1280, "dark", marks=pytest.mark.slow),
        pytest.param(390, "light", marks=pytest.mark.slow),
        pytest.param(390, "dark", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_serious(three, open_report, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    page = open_report(three, color_scheme=scheme, viewport={"width": width, "height": 900},
                       bypass_csp=True)  # fmt: skip
    page.locator(".opener").first.click()
    page.locator(".cell").nth(5).click()
    page.locator("#graph details > summary").click()
    page.locator("details.more summary").click()
    found = axe.Axe().run(page).response["violations"]
    assert [(v["id"], v["impact"], v["nodes"][0]["html"][:120]) for v in found] == []
    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert overflow <= 0


@pytest.mark.slow
def test_dark_and_light(three, open_report):
    page = open_report(three, color_scheme="dark")
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.locator("#theme").click()
    assert page.evaluate(background) != dark
    assert page.locator("#theme").get_attribute("aria-pressed") == "false"


@pytest.mark.slow
def test_print_hides_the_tools(three, open_report):
    page = open_report(three)
    page.locator(".opener").first.click()
    page.emulate_media(media="print")
    assert page.locator("#filters").is_hidden()
    assert page.locator(".paragraph").is_visible()
    assert len(page.pdf()) > 10_000


@pytest.mark.slow
def test_more_of_a_page_is_shown_on_request(make_scored, open_report):
    page_text = (
        "Early. " + "before " * 150 + "The deciding words. There " + "after " * 150 + "Late."
    )
    scored = make_scored(support=((1,),), titles=("Ann Lee",), groups=((0,),), pages=[page_text])
    page = open_report([scored])
    page.locator(".opener").click()
    page.locator(".cell").click()
    assert "Early." not in page.locator(".evidence").inner_text()
    page.get_by_role("button", name="More of the page").click()
    assert page.locator("blockquote").inner_text() == page_text
    assert page.get_by_role("button", name="More of the page").is_hidden()


@pytest.mark.slow
def test_cells_that_could_not_be_read(make_scored, open_report):
    made = make_scored(support=((1,), (0,), (0,)), titles=("Ann Lee",), groups=((0, 1, 2),))
    row = (Verdict("supported", 0.9), Verdict("unparsed"), Verdict("refused"))
    matrix = support_matrix(made.entities, [row])
    page = open_report([score_record(replace(made, matrix=matrix))])
    page.locator(".opener").click()
    assert page.locator(".cell").all_inner_texts() == ["✓ 0.90", "?", "?"]
    assert page.locator(".s-unreadable").count() == 2
    assert page.locator(".seg.v-unreadable").count() == 2
    page.locator(".cell").nth(2).click()
    assert "refused" in page.locator(".evidence").inner_text()


@pytest.mark.slow
def test_what_contradicts_a_fact_is_shown(make_scored, open_report):
    made = make_scored(support=((0,),), titles=("Ann Lee",), groups=((0,),))
    (entity,) = made.entities
    at = entity.documents[0].text.index("The deciding")
    row = [Verdict("not_supported", 0.1, conflict=Evidence(0, at, at + 12))]
    matrix = support_matrix([entity], [row])
    page = open_report([score_record(replace(made, matrix=matrix))])
    page.locator(".opener").click()
    page.locator(".cell").click()
    assert "Contradicted by:" in page.locator(".evidence").inner_text()
    assert page.locator("blockquote mark").inner_text() == "The deciding"


@pytest.mark.slow
def test_the_reading_of_each_clause(three, open_report):
    page = open_report(three[:1], explained=True)
    page.locator(".opener").first.click()
    page.locator(".reading summary").click()
    rules = page.locator(".reading tbody").inner_text()
    assert "first person: The first name or description" in rules


@pytest.mark.slow
def test_facts_and_evidence_are_searched(three, open_report):
    page = open_report(three)
    fact = page.evaluate("JSON.parse(document.getElementById('body-1').textContent).facts[0].t")
    page.locator("#search").fill(fact.upper())
    assert names(page) == ["Bo Ray"]
    assert page.locator(".found li").all_inner_texts() == [f"1 ✓ {fact}"]
    page.locator("#search").fill("deciding words about cy")
    assert names(page) == ["Bo Ray"]
    assert (
        "evidence B The deciding words about Cy Poe." in page.locator(".found li").last.inner_text()
    )
    page.locator(".found a").last.click()
    assert page.locator(".evidence mark").inner_text() == "The deciding words about Cy Poe."
    page.locator("#search").fill("")
    assert page.locator(".found").count() == 0


@pytest.mark.slow
def test_facts_of_a_verdict(three, open_report):
    page = open_report(three)
    page.locator("#verdict").select_option("elsewhere")
    assert names(page) == ["◆ Ann Lee"]
    assert [t[:3] for t in page.locator(".found li").all_inner_texts()] == ["3 ≠", "4 ≠"]
    assert "2 facts found" in page.locator("#shown").inner_text()
    page.locator(".found a").nth(1).click()
    page.wait_for_selector(".body")
    assert page.locator(".cell[aria-pressed=true]").get_attribute("data-fact") == "3,1"
    assert "verdict=elsewhere&b=a%2F1" in page.evaluate("location.hash")
    page.locator("#verdict").select_option("unreadable")
    assert names(page) == []


@pytest.mark.slow
def test_the_mixing_graph(three, open_report):
    page = open_report(three)
    assert page.locator("#graph figcaption").all_inner_texts() == ["Ann Lee"]
    said = page.locator("#graph svg").get_attribute("aria-label")
    assert said == "Ann Lee: Ann Lee (poet), 2 facts; Ann Lee (rower), 2 facts"
    assert page.locator("#graph path.edge").count() == 1
    page.locator("#graph details > summary").click()
    cells = page.locator("#graph tbody td").all_inner_texts()
    assert cells == ["Ann Lee", "Ann Lee (poet)", "Ann Lee (rower)", "1", "2"]
    page.locator("#graph figcaption a").click()
    assert names(page) == ["◆ Ann Lee"]


@pytest.mark.slow
def test_each_model_by_itself(three, open_report):
    def by(record, model):
        return replace(record, biography=replace(record.biography, model=model))

    page = open_report([by(three[0], "big"), by(three[1], "small"), by(three[2], "small")])
    assert page.locator(".tile").count() == 0  # no figure averages over both
    assert "big 1 of 1, small 0 of 1" in page.locator(".headline").inner_text()
    rows = page.locator("#summary > table tbody tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["big", "small"]
    assert rows[0].split()[1] == "80.0"
    page.locator(".more summary").click()
    lines = page.locator(".more tbody tr").all_text_contents()
    assert lines[0].endswith("1 of 11 of 2")
    assert page.locator("tr.row td:nth-child(2)").all_inner_texts() == ["big", "small", "small"]
    page.locator("#model").select_option("small")
    assert [n.split()[0] for n in names(page)] == ["Bo", "Di"]
    assert page.locator("#pairs").count() == 0


@pytest.fixture
def open_two(make_run, make_scored, open_report, tmp_path):
    """Two runs; the second judges a fact differently, lacks a text, and has another one."""

    def opened(**context):
        first = [make_scored(id="1"), make_scored(id="2", name="Bo Ray", titles=("Bo Ray", "Cy"))]
        support = ((1, 0), (1, 0), (0, 1), (0, 1), (0, 0))
        other = tuple((0, 1) if i == 0 else row for i, row in enumerate(support))
        second = [make_scored(id="1", support=other), make_scored(id="9", name="Di Fox")]
        page = write_report(make_run(first, "one"), beside=make_run(second, "other"))
        assert page == tmp_path / "one" / "report-and-other.html"
        return open_report([], path=page, **context)

    return opened


@pytest.mark.slow
def test_two_runs_side_by_side(open_two):
    page = open_two()
    assert page.locator("h1").inner_text() == "one and other"
    table = page.locator("#pairs tbody tr").all_inner_texts()
    assert [row.split("\t")[0].strip() for row in table] == ["Ann Lee", "Bo Ray", "Di Fox"]
    assert table[0].split("\t")[-1] == "3"  # the link moves with the fact
    assert table[1].split("\t")[2] == "–"
    assert "1 text has facts in common; on 3 facts" in page.locator("#pairs").inner_text()
    page.locator("#pairs .opener").first.click()
    assert page.locator("#pairs .beside li.unlike").count() == 6
    assert page.locator("#pairs .beside h3").all_inner_texts() == ["1: one", "2: other"]
    assert page.locator("#pairs .beside p").first.inner_text().startswith("Ann Lee did thing 0.")
    page.locator("#pairs .beside div").nth(1).locator("li a").first.click()
    assert page.locator("#list .body").count() == 1
    assert page.locator("#list .evidence").is_visible()
    there = page.evaluate("location.hash")  # both runs have a text of that id
    assert open_two(link=there).locator("tr:has(+ .opened) td").nth(1).inner_text() == "other"
    page.locator("#pairs .opener").first.click()
    assert page.locator("#pairs .beside").count() == 0
    rows = page.locator("#summary > table tbody tr").all_inner_texts()
    assert [row.split()[0] for row in rows] == ["one", "other"]


@pytest.mark.slow
def test_two_models_side_by_side(make_run, make_scored, open_report):
    texts = ["Ann Lee did thing 0.", "Ann Lee sang."]
    told = make_scored(support=((1, 0), (0, 1)), groups=((0, 1),), texts=texts)
    page = open_report([], path=write_report(make_run([make_scored()], "one"),
                                             beside=make_run([told], "other")))  # fmt: skip
    page.locator("#pairs .opener").click()
    marked = page.locator("#pairs li.unlike").all_inner_texts()
    assert [line[line.rindex("(") :] for line in marked] == ["(only here)"] * 5
    assert "on 0 facts the runs disagree" in page.locator("#pairs").inner_text()
    page.locator(".more > summary").click()
    settings = page.locator(".more dt").all_inner_texts()
    assert {"one.verifier.name", "other.verifier.name"} <= set(settings)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_new_parts(open_two, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    page = open_two(color_scheme=scheme, bypass_csp=True)
    page.locator("#search").fill("thing")
    for place in ("#pairs .opener", ".more summary"):
        page.locator(place).first.click()
    assert axe.Axe().run(page).response["violations"] == []
