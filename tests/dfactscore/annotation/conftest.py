"""Two people's answers to three paragraphs, and studies made of scored biographies."""

from __future__ import annotations

import re
import sqlite3
from functools import partial
from urllib.parse import urlencode

import pytest

from dfactscore.annotation import FactAnswer, ItemAnswer

LABELS = {"S": "supported", "N": "not_supported", "I": "irrelevant"}

#: Facts as biography, label and page they were found in; pages of the biographies.
WORKED = {
    "b1": (
        ("P", "1SP 1SP 1NQ 1SP 1SP 1N- 1I- 1SP"),
        ("P", "1SP 1SP 1NQ 1NQ 1SP 1N- 1I- 1SP"),
    ),
    "b2": (
        ("P Q", "1SP 1N- 1NQ 2N- 2SQ 2SQ"),
        ("P Q", "1SP 1N- 1SP 2N- 2SQ 2I-"),
    ),
    "b3": (
        ("P", "1SP 1SP 1SP 1SP 1NQ 1SP 1SP 1SP 1SP 1SP"),
        ("P R", "1SP 1SP 1SP 1SP 1NQ 1SP 2N- 2SR 2SR 2SR"),
    ),
}


def answer(pages: str, facts: str) -> ItemAnswer:
    made = []
    for biography, label, page in re.findall(r"(\d)(\w)(\S)", facts):
        made.append(FactAnswer(int(biography), LABELS[label], None if page == "-" else page))
    return ItemAnswer(tuple(made), tuple(pages.split()))


@pytest.fixture(scope="session")
def worked():
    """For each paragraph the answers of two people."""
    return {name: tuple(answer(*side) for side in both) for name, both in WORKED.items()}


@pytest.fixture
def loosen():
    """Makes a study as an earlier version made it: its tables take anything."""

    def made(path):
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA writable_schema = ON")
            db.execute("UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')')")
        db.close()

    return made


@pytest.fixture
def make_study(make_scored, make_run, tmp_path):
    """Makes a study of scored biographies."""
    from dfactscore.annotation._creating import init_study
    from dfactscore.annotation._study import Study

    opened = []

    def make(scored=None, name="study.db", **options):
        scored = scored or [make_scored(id=f"r{i}", name=f"Ann Lee{i}") for i in range(3)]
        run = tmp_path / f"run of {name}"
        if not run.exists():
            run = make_run(scored, run.name)
        init_study([run], tmp_path / name, **options)
        opened.append(Study(tmp_path / name))
        return opened[-1]

    yield make
    for study in opened:
        study.close()


class Browser:
    """A browser without JavaScript: it follows links and sends forms."""

    def __init__(self, study, person, portal):
        from starlette.testclient import TestClient

        from dfactscore.annotation._people import new_link
        from dfactscore.annotation._web.app import make_app

        self.study, self.person = study, study.person(person)
        self.log = []
        app = make_app(study, log=self.log.append)
        self.http = TestClient(app, base_url="http://127.0.0.1:8000")
        self.http.portal = portal  # one loop for all requests, not one each
        answer = self.http.get(f"/enter/{new_link(study, person)}", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        self.counter = 0

    def get(self, path):
        return self.http.get(path)

    @property
    def csrf(self):
        from dfactscore.annotation._people import csrf_token

        return csrf_token(next(iter(self.http.cookies.values())))

    def post(self, path, *fields, headers=None, **given):
        """Sends fields with all that a page of ours sends along."""
        self.counter += 1
        pairs = [("csrf", self.csrf), ("counter", str(self.counter)), *fields, *given.items()]
        own = {"origin": "http://127.0.0.1:8000"}
        return self.http.post(
            path,
            content=urlencode(pairs),
            headers={
                "content-type": "application/x-www-form-urlencoded",
                **(own if headers is None else headers),
            },
            follow_redirects=False,
        )

    def tasks(self):
        from dfactscore.annotation._assigned_paragraphs import list_tasks

        return list_tasks(self.study, self.person)

    def state(self, public):
        from dfactscore.annotation._assigned_paragraphs import load_item, load_state

        task = next(t for t in self.tasks() if t.public == public)
        with self.study.read() as db:
            return load_state(db, load_item(db, task.item), self.person.id)

    def number(self, public, title):
        """The number under which a page is shown; 0 for none."""
        state = self.state(public)
        shown = state.item.shuffled(self.study.seed, self.person.name)
        return next((i for i, page in enumerate(shown, 1) if page.title == title), 0)

    def annotate(self, public, answer):
        """Gives a whole answer, step by step."""
        path = f"/item/{public}"

        def send(*fields):
            answer = self.post(path, *((name, str(value)) for name, value in fields))
            assert answer.status_code == 303, fields

        facts = list(enumerate(answer.facts))
        send(*((f"fact.{f}.biography", fact.biography) for f, fact in facts), ("confirm", "A"))
        links = [(n, self.number(public, page)) for n, page in enumerate(answer.pages, 1)]
        send(*((f"biography.{n}.page", page) for n, page in links), ("confirm", "B"))
        send(*((f"fact.{f}.label", fact.label) for f, fact in facts), ("confirm", "C"))
        found = [(f, fact.found_in) for f, fact in facts if fact.label == "not_supported"]
        pages = {page: self.number(public, page) for _, page in found}
        send(*((f"fact.{f}.found_in", pages[page]) for f, page in found), ("confirm", "D"))


@pytest.fixture
def browse():
    """Opens a study as one of its people."""
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as portal:
        yield partial(Browser, portal=portal)


@pytest.fixture(scope="session")
def worked_records(make_scored):
    """Scored biographies with as many facts and the same pages as in the worked example."""

    def make():
        found = []
        for name, both in WORKED.items():
            n = len(both[0][1].split())
            support = tuple((1, 0, 0) for _ in range(n))
            found.append(
                make_scored(name="Ann Lee", id=name, support=support, titles=("P", "Q", "R"),
                            groups=(tuple(range(n)),))
            )  # fmt: skip
        return found

    return make
