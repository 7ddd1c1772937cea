"""The pages in a real browser: keys alone, hostile texts, narrow, dark, without the script."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest

from dfactscore.annotation._adjudication import answered_items
from dfactscore.annotation._answers import number_biographies, score_answer
from dfactscore.annotation._creating import init_study
from dfactscore.annotation._people import new_link
from dfactscore.annotation._study import Study

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]  # one browser for all

HOSTILE = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "<svg/onload=alert(3)>",
    "a\u202eb\u2066c\u200f", "x" * 10_000, "😀 \U00020bb7", "javascript:alert(4)",
    "</textarea></title></style>",
)  # fmt: skip


@pytest.fixture
def serve():
    """Serves a study as `annotate serve` does; returns its address."""
    uvicorn = pytest.importorskip("uvicorn")
    from dfactscore.annotation._web.app import make_app
    from dfactscore.annotation._web.serve import listen

    running = []

    def start(study):
        listening = listen("127.0.0.1")
        config = uvicorn.Config(make_app(study), log_level="error", lifespan="off", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        running.append((server, thread, listening))
        return f"http://127.0.0.1:{listening.getsockname()[1]}"

    yield start
    for server, thread, listening in running:
        server.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture
def enter(chromium, serve):
    """Opens a study as one of its people; nothing may be loaded from elsewhere or go wrong."""
    contexts, problems, addresses = [], [], {}

    def opened(study, person, **context):
        if study.path not in addresses:
            addresses[study.path] = serve(study)
        address = addresses[study.path]
        contexts.append(chromium.new_context(**context))
        page = contexts[-1].new_page()
        page.on("console", lambda m: problems.append(f"console {m.type}: {m.text}"))
        page.on("pageerror", lambda e: problems.append(f"error: {e}"))
        page.on("dialog", lambda d: (problems.append(f"dialog: {d.message}"), d.dismiss()))
        page.on(
            "request",
            lambda r: (
                None
                if r.url.startswith((f"{address}/", "data:,"))
                else problems.append(f"request: {r.url}")
            ),
        )
        page.goto(f"{address}/enter/{new_link(study, person)}")
        assert page.url == f"{address}/"
        opened.problems = problems
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


def at_step(page, step):
    page.wait_for_selector(f'#form[data-step="{step}"]')


def begin(page):
    page.click("#continue")
    at_step(page, "A")
    page.wait_for_load_state()  # a key before the script is there can be lost


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """The shipped example as a run, with the facts that its truth lists, and that truth."""
    from dfactscore import Scorer
    from dfactscore.examples import example

    example = example()
    folder = tmp_path_factory.mktemp("shipped")
    gold = {g["id"]: g for g in map(json.loads, example.gold.read_text("utf-8").splitlines())}
    records = []
    for record in map(json.loads, example.biographies.read_text("utf-8").splitlines()):
        facts = gold[record["id"]]["facts"]
        if facts:
            facts = [{"text": f["text"], "sentence": f["sentence"]} for f in facts]
            records.append({**record, "facts": facts})
    Scorer(pages=example.pages).score_many(records).save(folder / "run")
    return folder / "run", gold


def test_the_shipped_example_by_keyboard(shipped, enter, tmp_path):
    run, gold = shipped
    init_study([run], tmp_path / "s.db", seed=3)
    with Study(tmp_path / "s.db") as study:
        page = enter(study, "annotator")
        person = study.person("annotator")
        items = {a.item.public: a.item for a in answered_items(study)}
        assert len(items) == 27
        press(page, "Tab", "Tab", "Tab", "Enter")  # past the skip link, to "Begin"
        for _ in items:
            at_step(page, "A")
            item = items[page.url.rsplit("/", 1)[1]]
            truth = gold[item.record]
            shown = [p.title for p in item.shuffled(study.seed, person.name)]
            key = {title: str(i) for i, title in enumerate(shown, 1)}
            numbers, order = number_biographies([f["individual"] for f in truth["facts"]])
            links = [truth["links"][individual] for individual in order]
            for number in numbers:
                press(page, str(number))
            press(page, "Enter")
            at_step(page, "B")
            for link in links:
                press(page, key.get(link, "0"))
            press(page, "Enter")
            at_step(page, "C")
            elsewhere = []
            for fact, number in zip(truth["facts"], numbers, strict=True):
                here = links[number - 1] in fact["entities"]
                press(page, "s" if here else "n")
                if not here:
                    elsewhere.append(next((e for e in fact["entities"] if e in key), None))
            press(page, "Enter")
            if elsewhere:  # a step that asks nothing is passed
                at_step(page, "D")
                press(page, *(key[title] if title else "0" for title in elsewhere), "Enter")
            page.wait_for_url(lambda url, last=item.public: not url.endswith(last))
        assert "27 of 27 done" in page.inner_text("main")
        for answered in answered_items(study):
            truth, kept = gold[answered.item.record], answered.done[0].answer
            scores = score_answer(kept)
            assert scores.n_bio == truth["n_bio"]
            numbers, order = number_biographies([f["individual"] for f in truth["facts"]])
            assert list(kept.pages) == [truth["links"][i] for i in order]
            titles = {p.title for p in answered.item.pages}
            supported = [kept.pages[n - 1] in f["entities"]
                         for f, n in zip(truth["facts"], numbers, strict=True)]  # fmt: skip
            anywhere = [bool(titles & set(f["entities"])) for f in truth["facts"]]
            assert scores.dfs == pytest.approx(sum(supported) / len(supported))
            assert scores.fs == pytest.approx(sum(anywhere) / len(anywhere))


@pytest.fixture
def many(make_scored, make_study):
    def make(n, **options):
        record = make_scored(name="Ann Lee", support=((1, 0),) * n, groups=(tuple(range(n)),))
        return make_study([record], **options)

    return make


#: Sentences of a text about two people, fact by fact: person, and what a reader of the pages says.
TWO_PEOPLE = (
    ("1s Ann Lee was born in Oslo", "1s She was born in 1950"),
    ("1s She rowed for Norway", "1s She won a medal in 1972", "1n She won it in Rome"),
    ("1s She retired in 1980", "1s She became a coach"),
    ("1s She lives in Bergen", "1s She has two sons"),
    ("2s Ann Lee wrote poems", "2s Her first book appeared in 1961", "2s It was named Tides"),
    ("2s She taught in Leeds", "2n She rowed for Norway", "2s She taught until 1990"),
    ("2s She won a prize", "2s The prize was given in 1975"),
    ("2s She died in 2001", "2n She died in Paris", "2s She was 80"),
    ("2s A street bears her name",),
)


@pytest.fixture
def two_people(tmp_path):
    """A scored text of 21 facts about two people, in nine sentences."""
    from dfactscore import Scorer

    facts = [
        {"text": f"{said[3:]}.", "sentence": number}
        for number, sentence in enumerate(TWO_PEOPLE)
        for said in sentence
    ]
    text = " ".join(", and ".join(said[3:] for said in one) + "." for one in TWO_PEOPLE)
    pages = [
        {"title": f"Ann Lee ({who})", "text": " ".join(
            f"{said[3:]}." for one in TWO_PEOPLE for said in one if said[:2] == f"{number}s")}
        for number, who in ((1, "rower"), (2, "poet"))
    ]  # fmt: skip
    record = {"id": "1", "name": "Ann Lee", "text": text, "facts": facts}
    Scorer(pages=pages).score_many([record]).save(tmp_path / "run")
    init_study([tmp_path / "run"], tmp_path / "s.db")
    with Study(tmp_path / "s.db") as study:
        yield study


def test_few_keys_for_two_people(two_people, enter):
    page = enter(two_people, "annotator")
    item = answered_items(two_people)[0].item
    shown = [p.title for p in item.shuffled(two_people.seed, "annotator")]
    rower, poet = (str(1 + shown.index(f"Ann Lee ({who})")) for who in ("rower", "poet"))
    labels = [said[1] for sentence in TWO_PEOPLE for said in sentence]
    begin(page)
    keys = 0

    def type_in(*given):
        nonlocal keys
        keys += len(given)
        press(page, *given)

    second = next(i for i, sentence in enumerate(TWO_PEOPLE) if sentence[0][0] == "2")
    type_in(*["Shift+J"] * second, "Shift+2")
    type_in("Enter")
    at_step(page, "B")
    type_in(rower, poet, "Enter")
    at_step(page, "C")
    type_in(*labels, "Enter")
    at_step(page, "D")
    assert page.locator('.choice[aria-pressed="true"]').count() == 0  # nothing is chosen beforehand
    type_in("0", rower, "Enter")
    page.locator("#hint", has_text="Fact 19 has no answer yet; 1 of 3 are open").wait_for()
    type_in("0", "Enter")
    page.wait_for_selector("text=Everything is done")
    answer = answered_items(two_people)[0].done[0].answer
    assert answer.biographies == (1,) * 9 + (2,) * 12
    assert answer.pages == ("Ann Lee (rower)", "Ann Lee (poet)")
    assert [fact.label[0] for fact in answer.facts] == labels
    assert [answer.facts[f].found_in for f in (4, 13, 18)] == [None, "Ann Lee (rower)", None]
    assert keys - 1 <= 35  # without the one that asked too early


def test_sentences_and_the_rest_by_keys_and_by_clicks(two_people, enter):
    page = enter(two_people, "annotator", viewport={"width": 390, "height": 800})
    begin(page)

    def numbers():
        pressed = page.locator('.choice[aria-pressed="true"]')
        return "".join(pressed.evaluate_all("all => all.map((one) => one.value)"))

    press(page, "Shift+J", "2")  # the second sentence, and on to the third
    assert numbers() == "11222" + "1" * 16
    press(page, "3", "Shift+K", "1")
    assert numbers() == "1122211" + "1" * 14
    press(page, "u", "u")
    assert numbers() == "11222" + "1" * 16
    press(page, "Shift+2", "j", "j", "Shift+1")
    assert numbers() == "1122222" + "1" * 14
    press(page, "u", "u", "u")
    assert numbers() == "1" * 21
    page.click('[data-scope="sentence"]')
    page.click('#fact-9 [value="2"]')
    assert numbers() == "1" * 9 + "222" + "1" * 9
    page.click('[data-scope="rest"]')
    page.click('#fact-10 [value="3"]')
    page.click('#fact-20 [value="1"]')
    assert numbers() == "1" * 9 + "2" + "3" * 10 + "1"
    page.wait_for_selector("#saved:text-is('Saved')")
    page.reload()
    assert numbers() == "1" * 9 + "2" + "3" * 10 + "1"


def test_a_step_that_asks_nothing_is_passed(many, enter):
    study = many(5)
    page = enter(study, "annotator")
    begin(page)
    for step, *keys in (("A", "Enter"), ("B", "1", "Enter"), ("C", *"sssss", "Enter")):
        at_step(page, step)
        press(page, *keys)
    page.wait_for_selector("text=Everything is done")
    answer = answered_items(study)[0].done[0].answer
    assert {f.label for f in answer.facts} == {"supported"}


def test_keys(many, enter):
    study = many(5)
    page = enter(study, "annotator")
    begin(page)
    now = lambda: page.get_attribute('[aria-current="true"].card', "data-fact")  # noqa: E731
    chosen = lambda f: page.get_attribute(  # noqa: E731
        f'#fact-{f} .choice[aria-pressed="true"]', "value"
    )
    press(page, "j", "j", "k", "ArrowDown")
    assert now() == "2"
    assert page.locator(".sentence.now").inner_text() == "Ann Lee did thing 2."
    press(page, "2")
    assert (chosen(2), now()) == ("2", "3")
    page.locator("#live", has_text="biography 2").wait_for(state="attached")
    press(page, "k", "k", "3")
    assert page.locator("#fact-0 .choice").count() == 4
    press(page, "u", "u", "u")
    assert [chosen(f) for f in range(5)] == ["1"] * 5
    press(page, "c")
    page.keyboard.type("jjs 12 nu?")  # no key acts while typing
    press(page, "Escape")
    assert now() == "2"
    assert chosen(2) == "1"
    press(page, "?")
    assert page.locator("#help").is_visible()
    press(page, "Escape")
    press(page, "Enter")
    at_step(page, "B")
    press(page, "Enter")
    # Not by an expression: the page's policy forbids to evaluate one again and again.
    page.locator("#hint", has_text="has no answer yet").wait_for()
    press(page, "2", "1", "u", "Enter")
    at_step(page, "C")
    linked = page.inner_text(".page:not([hidden]) h3")
    press(page, "n", "s", "i", "s", "n", "u")
    assert [chosen(f) for f in range(4)] == [
        "not_supported",
        "supported",
        "irrelevant",
        "supported",
    ]
    assert page.locator('#fact-4 .choice[aria-pressed="true"]').count() == 0
    press(page, "n", "e", "j", "Enter")
    assert (
        page.inner_text("#fact-4 .evidence q").strip("“”")
        == f"The deciding words about {linked[2:]}."
    )
    press(page, "/")
    page.keyboard.type("is")
    assert "of" in page.inner_text("#hits")
    press(page, "Enter", "Escape", "Enter")
    at_step(page, "D")
    assert page.locator(".card").count() == 2
    press(page, "1", "0", "Enter")
    page.wait_for_selector("text=Everything is done")
    answer = answered_items(study)[0].done[0].answer
    assert answer.facts[2].comment == "jjs 12 nu?"
    assert answer.facts[4].evidence["text"].startswith("The deciding words")
    assert answer.facts[0].found_in not in (None, answer.pages[0])


def test_a_click_marks_evidence_and_comes_back_to_the_same_place(many, enter):
    study = many(5)
    page = enter(study, "annotator")
    begin(page)
    press(page, "Enter")
    at_step(page, "B")
    press(page, "1", "Enter")
    at_step(page, "C")
    press(page, "s", "s")
    page.click("#fact-2 summary")
    page.click("#fact-2 [data-mark]")
    page.locator(".page:not([hidden]) .s").nth(2).click()
    page.wait_for_selector("#saved:text-is('Saved')")
    page.reload()
    assert page.get_attribute('[aria-current="true"].card', "data-fact") == "2"
    assert page.locator("#fact-2 .evidence q").inner_text().strip("“”") == "There is more."
    page.goto(page.url.split("/item")[0])
    page.click("#continue")
    at_step(page, "C")


def test_a_save_that_fails_is_tried_again(many, enter):
    study = many(5)
    page = enter(study, "annotator")
    begin(page)
    page.route("**/item/*", lambda route: route.abort())
    press(page, "2")
    page.wait_for_selector("#unsaved:not([hidden])")
    assert "Not saved" in page.inner_text("#unsaved")
    page.unroute("**/item/*")
    page.wait_for_selector("#unsaved", state="hidden")
    page.wait_for_selector("#saved:text-is('Saved')")
    assert answered_items(study)[0].answers[0].answer.biographies[0] == 1
    assert enter.problems
    assert all("ERR_FAILED" in p for p in enter.problems)
    enter.problems.clear()


def test_without_the_script(many, enter):
    study = many(3)
    page = enter(study, "annotator", java_script_enabled=False)
    page.click("#continue")
    page.click('#fact-1 [value="2"]')
    page.locator("#fact-0 summary").click()
    page.locator("#fact-0 textarea").fill("by hand")
    page.click("#fact-0 .keep")
    assert page.locator("#fact-0 textarea").input_value() == "by hand"
    page.click('#fact-1 [value="1"]')
    page.click("#confirm")
    page.click("#biography-1 .choice >> nth=0")
    page.click("#confirm")
    for f in range(3):
        page.click(f'#fact-{f} [value="not_supported"]')
    page.click("#confirm")
    page.click("#fact-0 .choice >> nth=0")
    page.click("#confirm")
    assert "2 answers are missing" in page.inner_text("main")
    enter.problems[:] = [p for p in enter.problems if "409" not in p]
    for f in (1, 2):
        page.click(f'#fact-{f} [value="0"]')
    page.click("#confirm")
    assert "Everything is done" in page.inner_text("main")
    answer = answered_items(study)[0].done[0].answer
    assert answer.facts[0].comment == "by hand"
    assert answer.facts[0].found_in


def test_the_adjudicator_by_keys(make_study, worked_records, worked, browse, enter):
    study = make_study(worked_records(), annotators=["ann", "ben"], double=1.0)
    for name, side in (("ann", 0), ("ben", 1)):
        browser = browse(study, name)
        public = next(
            t.public for t in browser.tasks() if browser.state(t.public).item.record == "b1"
        )
        browser.annotate(public, worked["b1"][side])
    page = enter(study, "adjudicator")
    page.click(".list a")
    page.wait_for_selector("#form")
    assert page.locator(".card").count() == 1
    press(page, "i")
    page.wait_for_selector('#fact-3 [value="irrelevant"][aria-pressed="true"]')
    press(page, "0")
    page.wait_for_selector('#fact-3 [value="0"][aria-pressed="true"]')
    page.click("#confirm")
    page.wait_for_selector("text=✓ decided")
    kind, gold = next(a for a in answered_items(study) if a.item.record == "b1").gold
    assert kind == "adjudicated"
    assert (gold.facts[3].label, gold.facts[3].found_in) == ("not_supported", None)


def fits(page, *widths):
    """Whether nothing is wider than the window."""
    found = []
    for width in widths or (None,):
        if width:
            page.set_viewport_size({"width": width, "height": 800})
        found.append(
            page.evaluate(
                "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            )
        )
    return all(found)


def test_all_pages_can_be_chosen_on_a_phone(make_study, make_scored, enter):
    titles = tuple(
        f"Ann Lee (judge of the {n}th court of the northern provinces)" for n in range(9)
    )
    record = make_scored(titles=titles, support=((1, *(0,) * 8),) * 5)
    page = enter(make_study([record]), "annotator", viewport={"width": 390, "height": 800})
    begin(page)
    press(page, "Enter")
    at_step(page, "B")
    hidden = "e => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]"
    assert page.locator(".tabs").evaluate(hidden) == [0, 0]
    shown = page.locator(".tabs a").nth(8)
    assert titles[0][:20] in shown.inner_text()
    shown.click()
    assert page.locator(".page:visible").get_attribute("data-page") == "9"


def test_hostile_texts(make_study, make_scored, enter):
    texts = [f"{t} {t}." for t in HOSTILE]
    record = make_scored(
        name=HOSTILE[0] + HOSTILE[4], id=HOSTILE[1], titles=(HOSTILE[1], HOSTILE[4], HOSTILE[3]),
        texts=texts, support=tuple((1, 0, 0) for _ in texts), groups=(tuple(range(len(texts))),),
        pages=["\n".join(HOSTILE)] * 3,
    )  # fmt: skip
    record = replace(record, biography=replace(record.biography, model=HOSTILE[0]))
    study = make_study([record], annotators=[HOSTILE[0]], show_automatic=True)
    page = enter(study, HOSTILE[0])
    assert fits(page, 390, 1280)
    begin(page)
    assert fits(page, 390, 1280)
    assert page.locator(".paragraph").inner_text().count("<script>alert(1)</script>") == 2
    press(page, "c")
    page.keyboard.insert_text(" ".join(HOSTILE)[:9_000])
    press(page, "Escape", "Enter")
    at_step(page, "B")
    assert fits(page, 390, 1280)
    press(page, "1", "Enter")
    at_step(page, "C")
    assert fits(page, 390, 1280)
    press(page, *("n" * len(texts)), "Enter")
    at_step(page, "D")
    assert fits(page, 390, 1280)
    press(page, *("0" * len(texts)), "Enter")
    page.wait_for_url("**/")
    page.click(".list a")
    assert "is done" in page.inner_text("main")
    assert fits(page, 390, 1280)


def test_axe_finds_nothing(make_study, worked_records, worked, browse, enter):
    sync = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    study = make_study(worked_records(), annotators=["ann", "ben", "cat"], double=1.0)
    for name, side in (("ann", 0), ("ben", 1), ("cat", 1)):
        browser = browse(study, name)
        for task in browser.tasks()[: None if name != "cat" else 1]:
            record = browser.state(task.public).item.record
            browser.annotate(task.public, worked[record][side])
    found = {}

    def check(what):
        assert page.locator("main").inner_text()
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            violations = sync.Axe().run(page).response["violations"]
            found[what, scheme] = [(v["id"], v["nodes"][0]["html"]) for v in violations]

    page = enter(study, "cat")
    check("list")
    begin(page)
    check("A")
    press(page, "2", "c")
    check("A with a comment")
    press(page, "Escape", "u", "Enter")
    at_step(page, "B")
    check("B")
    press(page, "1", "Enter")
    at_step(page, "C")
    press(page, "s", "n", "i", "e", "Enter")
    check("C")
    press(page, "?")
    check("help")
    press(page, "Escape")
    for _ in range(3, page.locator(".card").count()):
        press(page, "n")
    press(page, "Enter")
    at_step(page, "D")
    check("D")
    page.goto(f"{page.url.split('/item')[0]}/item/0")
    check("not found")
    page = enter(study, "ann", viewport={"width": 390, "height": 800})
    page.click(".list a >> nth=0")
    check("done")
    page = enter(study, "adjudicator")
    check("cases")
    page.click(".list a >> nth=0")
    check("case")
    assert not any(found.values()), found
    assert len(found) == 2 * 11
    enter.problems[:] = [p for p in enter.problems if "404" not in p]


def test_two_hundred_percent_and_tab_order(many, enter):
    """At 640 by 400, which is 1280 by 800 at 200 %, nothing is cut; Tab follows the page."""
    page = enter(many(3), "annotator", viewport={"width": 640, "height": 400})
    begin(page)
    assert fits(page)
    seen = []
    page.locator(".skip").focus()
    for step in range(60):
        press(page, *["Tab"][:step])
        place = page.evaluate(
            "(() => { const e = document.activeElement, b = e.getBoundingClientRect();"
            " const order = [...document.querySelectorAll('*')].indexOf(e);"
            " return [order, b.width > 0, getComputedStyle(e).outlineStyle, e.tagName]; })()"
        )
        if place[3] == "BODY":
            break
        seen.append(place)
    orders = [place[0] for place in seen]
    assert orders == sorted(orders)
    assert all(place[1] for place in seen)
    assert all(place[2] == "solid" for place in seen)
    buttons = page.locator("button:visible, a:visible, summary:visible, textarea:visible").count()
    assert len(seen) >= buttons
