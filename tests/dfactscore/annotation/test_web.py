from __future__ import annotations

import re
from html import unescape

import pytest

HOSTILE = (
    "<script>alert(1)</script>", "</textarea><svg onload=alert(2)>", "a\u202eb\u2066c",
    "x" * 10_000, "{{ 7*7 }} {% if %}", "' \" & &lt; `", "\u2028line", "😀",
)  # fmt: skip


@pytest.fixture
def ann(make_study, browse):
    return browse(make_study(annotators=["ann", "ben"], double=0.5), "ann")


def stored(study):
    with study.read() as db:
        tables = ("answer", "event", "session")
        return [db.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables]


def first(browser):
    return f"/item/{browser.tasks()[0].public}"


def test_every_response_carries_the_headers(ann):
    for path in ("/", first(ann), "/static/annotate.js", "/nothing", "/enter/wrong"):
        headers = ann.get(path).headers
        assert "script-src 'self';" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        kept = path.startswith("/static/")
        assert headers["cache-control"] == ("max-age=31536000, immutable" if kept else "no-store")
        assert "server" not in headers


def test_no_code_in_the_pages(ann):
    for path in ("/", first(ann)):
        text = ann.get(path).text
        assert not re.search(r"<style|style=|\son\w+=|javascript:|https?://", text)
        assert re.findall(r"<script[^>]*>([^<]*)", text) == [""]


def test_the_cookie(ann):
    from dfactscore.annotation._people import new_link

    token = new_link(ann.study, "ann")
    answer = ann.http.get(f"/enter/{token}", follow_redirects=False)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert token not in cookie + answer.text + answer.headers["location"]
    assert len(token) >= 43  # 256 bits
    with ann.study.read() as db:
        kept = db.execute("SELECT group_concat(digest) FROM session").fetchone()[0]
    assert token not in kept
    assert next(iter(ann.http.cookies.values())) not in kept


def test_the_log_has_no_tokens(ann):
    ann.get("/")
    assert ann.log[0].startswith("GET '/enter/…' 303")
    assert ann.log[1].startswith("GET '/' 200")


@pytest.mark.parametrize(
    ("headers", "fields", "status"),
    [
        ({}, (), 403),
        ({"origin": "http://evil.example"}, (), 403),
        ({"origin": "null"}, (), 403),
        ({"origin": "http://127.0.0.1:9"}, (), 403),
        ({"origin": "http://127.0.0.1:8000", "host": "evil.example:8000"}, (), 403),
        ({"origin": "http://evil.example:8000", "host": "evil.example:8000"}, (), 403),
        ({"origin": "http://127.0.0.1:8000", "content-type": "text/plain"}, (), 400),
        ({"origin": "http://127.0.0.1:8000"}, (("csrf", "twice"),), 403),
        (None, (("skip", "x" * 257_000),), 400),
        (None, (("colour", "1"),), 400),
        (None, (("fact.0.biography", "77"),), 400),
        (None, (("counter", "7"),), 400),
        (None, (("fact.0.label", "supported"),), 409),
    ],
)
def test_requests_that_are_refused_store_nothing(ann, headers, fields, status):
    before = stored(ann.study)
    assert ann.post(first(ann), *fields, headers=headers).status_code == status
    assert stored(ann.study) == before


def test_without_a_session_or_its_token(ann):
    before = stored(ann.study)
    path, own = first(ann), {"origin": "http://127.0.0.1:8000"}
    answer = ann.http.post(path, data={"counter": "1", "flag": "yes"}, headers=own)
    assert answer.status_code == 403
    ann.http.cookies.clear()
    for url in ("/", path, f"{path}x"):
        assert ann.get(url).status_code == 401
    assert ann.http.post(path, data={"flag": "yes"}, headers=own).status_code == 401
    assert stored(ann.study) == before


def test_foreign_hosts(ann):
    for host in ("evil.example", "127.0.0.1.evil.example:8000", "", "[::1", "0"):
        assert ann.http.get("/", headers={"host": host}).status_code == 403
    for host in ("localhost:1", "[::1]:8000", "127.0.0.1", "LOCALHOST:8000"):
        assert ann.http.get("/", headers={"host": host}).status_code == 200


def test_the_items_of_others_are_not_there(ann, browse):
    ben = browse(ann.study, "ben")
    mine = {t.public for t in ann.tasks()}
    theirs = next(t.public for t in ben.tasks() if t.public not in mine)
    for path in (f"/item/{theirs}", "/item/0", f"/case/{theirs}"):
        assert ann.get(path).status_code == 404
        assert ann.post(path, ("flag", "yes")).status_code == 404
    judge = browse(ann.study, "adjudicator")
    assert judge.get(f"/item/{theirs}").status_code == 404
    assert judge.get(f"/case/{theirs}").status_code == 404
    assert ann.post("/release", ("name", "ben")).status_code == 404
    assert ben.state(theirs).answers == {}


def test_revoked(ann):
    from dfactscore.annotation._people import new_link, revoke

    assert revoke(ann.study, "ann") == 2
    assert ann.get("/").status_code == 401
    token = new_link(ann.study, "ann")
    assert ann.http.get(f"/enter/{token}").status_code == 200


def test_every_step_without_the_script(ann, worked):
    """Buttons are a form's, and the pages lead from step to step."""
    public = ann.tasks()[0].public
    path = f"/item/{public}"
    page = ann.get(path).text
    assert '<form id="form" method="post"' in page
    assert 'name="fact.0.biography" value="2"' in page
    answer = ann.post(path, ("fact.4.comment", " from the form "), ("fact.0.biography", "2"))
    assert (answer.status_code, answer.headers["location"]) == (303, f"{path}#fact-0")
    ann.post(path, ("confirm", "A"))
    assert ann.get(path).text.count('name="biography.') == 2 * 3
    incomplete = ann.post(path, ("confirm", "B"))
    assert incomplete.status_code == 409
    assert "2 answers are missing" in incomplete.text
    rower = str(ann.number(public, ann.state(public).item.pages[0].title))
    ann.post(path, ("biography.1.page", rower))
    ann.post(path, ("biography.2.page", "0"))
    ann.post(path, ("confirm", "B"))
    page = ann.get(path).text
    assert 'name="fact.0.label" value="supported"' not in page  # its biography has no page
    assert 'name="fact.1.label" value="supported"' in page
    for f in range(5):
        ann.post(path, (f"fact.{f}.label", "not_supported"))
    ann.post(path, ("confirm", "C"))
    assert ann.get(path).text.count('name="fact.0.found_in"') == 3
    missing = ann.post(path, ("confirm", "D"))
    assert (missing.status_code, "5 answers are missing" in missing.text) == (409, True)
    for f in range(5):
        ann.post(path, (f"fact.{f}.found_in", "0"))
    done = ann.post(path, ("confirm", "D"))
    assert done.headers["location"] in ("/", *(f"/item/{t.public}" for t in ann.tasks()))
    assert "is done" in ann.get(path).text
    assert ann.state(public).note(4, "comment") == "from the form"


def test_step_a_shows_no_page_and_no_step_more_than_it_may(make_study, make_scored, browse):
    """Searched for: titles, page texts, model, run, record id, verdicts, others' answers."""
    from dataclasses import replace

    texts = [
        f"{town} is known. The deciding words about it. There." for town in ("Zanzibar", "Quito")
    ]
    record = make_scored(name="Ann Lee", id="secret-record-17", pages=texts)
    record = replace(record, biography=replace(record.biography, model="secret-model-9"))
    study = make_study([record], annotators=["ann", "ben"], double=1.0)
    ann, ben = browse(study, "ann"), browse(study, "ben")
    public = ann.tasks()[0].public
    path = f"/item/{public}"
    ben.post(path, ("fact.0.comment", "bens-secret-comment"))
    never = ("secret-model", "secret-record", "run of", "bens-secret", "ben<", "0.9", "retrieved")
    pages = ("rower", "poet", "Zanzibar", "Quito", "known")

    def everything(answer):
        return unescape(answer.text) + str(answer.headers) + str(answer.url)

    seen = [ann.get("/"), ann.get(path), ann.post(path, ("fact.1.biography", "1"))]
    seen.append(ann.http.get(path, headers={"accept": "application/json"}))
    for answer in seen:
        assert not [word for word in (*never, *pages) if word in everything(answer)]
    ann.post(path, ("confirm", "A"))
    later = [ann.get(path)]
    for field in (("biography.1.page", "1"), ("confirm", "B")):
        later.append(ann.post(path, field))
    later.append(ann.get(path))
    for f in range(5):
        later.append(ann.post(path, (f"fact.{f}.label", "not_supported")))
    later += [ann.post(path, ("confirm", "C")), ann.get(path), ann.post(path, ("confirm", "D"))]
    later.append(ann.get(path))
    for answer in later:
        assert not [word for word in never if word in everything(answer)]
    assert "Zanzibar" in later[0].text
    assert ann.post(path, ("reopen", "A")).status_code == 400
    ann.post(path, ("again", "Two were one."))
    again = ann.get(path)
    assert not [word for word in pages if word in everything(again)]
    assert "You have seen the pages" in again.text


def test_automatic_verdicts_only_on_request(make_study, make_scored, browse):
    for i, shown in enumerate((False, True)):
        browser = browse(make_study(name=f"{i}.db", show_automatic=shown), "annotator")
        public = browser.tasks()[0].public
        path = f"/item/{public}"
        browser.post(path, ("confirm", "A"))
        browser.post(path, ("biography.1.page", "1"))
        browser.post(path, ("confirm", "B"))
        page = browser.get(path).text
        assert ("automatic: supported by" in page) is shown
        assert ("not blind" in page) is shown


def test_orders_differ_between_people(make_study, make_scored, browse):
    titles = tuple(f"Ann Lee ({i})" for i in range(6))
    record = make_scored(titles=titles, support=tuple((1, 0, 0, 0, 0, 0) for _ in range(5)))
    study = make_study([record], annotators=["ann", "ben"], double=1.0)
    orders = []
    for name in ("ann", "ben"):
        browser = browse(study, name)
        item = browser.state(browser.tasks()[0].public).item
        orders.append([p.title for p in item.shuffled(study.seed, name)])
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(titles)
    assert orders[0] != orders[1]


def test_hostile_texts_are_text(make_study, make_scored, browse):
    texts = [f"{t}." for t in HOSTILE]
    record = make_scored(
        name=HOSTILE[0], id="h", titles=(HOSTILE[1], HOSTILE[4]), texts=texts,
        support=tuple((1, 0) for _ in texts), groups=(tuple(range(len(texts))),),
        pages=[" ".join(HOSTILE), HOSTILE[2]],
    )  # fmt: skip
    browser = browse(make_study([record], annotators=[HOSTILE[0]]), HOSTILE[0])
    public = browser.tasks()[0].public
    path = f"/item/{public}"
    pages = [browser.get("/").text, browser.get(path).text]
    for text in HOSTILE[:6]:
        browser.post(path, ("fact.0.comment", text[:9_000]))
        pages.append(browser.get(path).text)
    browser.post(path, ("confirm", "A"))
    pages.append(browser.get(path).text)
    browser.post(path, ("biography.1.page", "1"))
    browser.post(path, ("confirm", "B"))
    pages.append(browser.get(path).text)
    browser.post(path, ("skip", HOSTILE[1]))
    pages.append(browser.get(path).text)
    for page in pages:
        assert "<script>alert" not in page
        assert "<svg" not in page
        assert page.count("<script") == 1
    assert "{{ 7*7 }} {% if %}" in pages[1]


def test_the_same_place_again(ann):
    public = ann.tasks()[0].public
    path = f"/item/{public}"
    ann.post(path, ("fact.2.biography", "2"))
    assert f'id="continue" href="{path}"' in ann.get("/").text
    assert 'data-cursor="2"' in ann.get(path).text
    ann.post(path, ("fact.2.biography", "1"))
    ann.post(path, ("confirm", "A"))
    ann.post(path, ("biography.1.page", "1"))
    ann.post(path, ("confirm", "B"))
    ann.post(path, ("fact.0.label", "supported"))
    page = ann.get(path).text
    assert 'data-step="C"' in page
    assert 'data-cursor="1"' in page


def test_guidelines_are_shown_and_run_nothing(make_study, browse):
    """The package's by default; a study's own in their place, with what is not Markdown as text."""
    shipped = browse(make_study(name="a.db"), "annotator")
    public = shipped.tasks()[0].public
    for page in (shipped.get("/").text, shipped.get(f"/item/{public}").text):
        assert "<h4>A. Who is who</h4>" in page
    own = make_study(name="b.db")
    with own.write() as db:
        text = "Read <script>alert(1)</script> [on](javascript:alert(2)) ![i](http://x.example/i)"
        db.execute("UPDATE study SET settings = json_set(settings, '$.guidelines', ?)", (text,))
    with type(own)(own.path) as again:
        page = browse(again, "annotator").get("/").text
    assert "Read &lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert 'href="javascript' not in page
    assert "<img" not in page
    assert "Who is who" not in page
