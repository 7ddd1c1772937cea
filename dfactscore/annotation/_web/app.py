"""The web application of the annotation pages."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import resources
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from dfactscore._errors import InputError, RunError
from dfactscore.annotation._adjudication import decide, list_cases, load_case
from dfactscore.annotation._answer_storage import Locked, Refused, number_of, save, seen
from dfactscore.annotation._assigned_paragraphs import (
    StudyParagraph,
    Task,
    list_tasks,
    load_item,
    load_state,
    qualification,
    release,
)
from dfactscore.annotation._people import csrf_token, enter, session_person
from dfactscore.annotation._study import Study, StudyMember
from dfactscore.annotation._web.security import Guard, check_origin, read_form
from dfactscore.annotation._web.views import STEP_TITLES, case_view, guidelines_html, item_view

_FILES = {"annotate.css": "text/css", "annotate.js": "text/javascript"}
_KEPT_ITEMS = 64
_SIXTY_DAYS = 60 * 86_400
_WORDS = {
    400: "Invalid request",
    401: "Enter with your link",
    403: "Refused",
    404: "Not found",
    405: "Method not allowed",
    409: "Not in this step",
    507: "Not saved",
}


def make_app(
    study: Study,
    *,
    hosts: frozenset[str] = frozenset({"127.0.0.1", "localhost", "::1"}),
    any_address: bool = False,
    log: Callable[[str], None] | None = None,
) -> Guard:
    """Creates the application that serves a study."""
    site = _Site(study)
    routes = [
        Route("/", site.page(site.home)),
        Route("/enter/{token}", site.enter),
        Route("/item/{public}", site.page(site.item)),
        Route("/item/{public}", site.page(site.save_item, form=True), methods=["POST"]),
        Route("/case/{public}", site.page(site.case)),
        Route("/case/{public}", site.page(site.save_case, form=True), methods=["POST"]),
        Route("/release", site.page(site.release, form=True), methods=["POST"]),
        Route("/static/{name}", site.static),
    ]
    app = Starlette(
        routes=routes, exception_handlers={HTTPException: site.fault, RunError: site.failed}
    )
    return Guard(app, hosts=hosts, any_address=any_address, log=log)


class _Site:
    """The request handlers for a study."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._blind = bool(study.settings["blind"])
        self._item = lru_cache(maxsize=_KEPT_ITEMS)(self._load)  # paragraphs never change
        with study.read() as db:
            known = "SELECT EXISTS (SELECT 1 FROM item WHERE kind = 'qualify')"
            self._qualifies = bool(db.execute(known).fetchone()[0])
        digest = hashlib.sha256(f"{study.key}{study.created}".encode()).hexdigest()
        # Browsers share cookies between ports, so each study uses a different cookie name.
        self._cookie = f"dfactscore_{digest[:12]}"
        self._templates = Environment(
            loader=PackageLoader("dfactscore.annotation._web", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        files = resources.files("dfactscore.annotation._web")
        self._static = {
            name: (files.joinpath("static", name).read_bytes(), kind)
            for name, kind in _FILES.items()
        }
        content = b"".join(data for data, _ in self._static.values())
        self._templates.globals.update(
            blind=self._blind,
            guidelines=Markup(guidelines_html(study.settings.get("guidelines"))),
            step_titles=STEP_TITLES,
            version=hashlib.sha256(content).hexdigest()[:12],  # lets browsers cache the files
        )

    def page(
        self, work: Callable[..., Response], *, form: bool = False
    ) -> Callable[[Request], Awaitable[Response]]:
        """Creates an endpoint for people with a session that calls `work` in a thread."""

        async def endpoint(request: Request) -> Response:
            cookie = request.cookies.get(self._cookie, "")
            person = (
                await run_in_threadpool(session_person, self._study, cookie) if cookie else None
            )
            if person is None:
                raise HTTPException(401)
            if not form:
                return await run_in_threadpool(work, request, person)
            check_origin(request)
            fields = await read_form(request, cookie)
            return await run_in_threadpool(work, request, person, fields)

        return endpoint

    def _render(self, request: Request, name: str, status: int = 200, **values: Any) -> Response:
        cookie = request.cookies.get(self._cookie, "")
        text = self._templates.get_template(name).render(csrf=csrf_token(cookie), **values)
        # Requests, unlike stored texts, may contain lone surrogates, which cannot be encoded.
        return HTMLResponse(text.encode("utf-8", "replace"), status)

    async def fault(self, request: Request, problem: Exception) -> Response:
        """Renders an error as a page, or as JSON for scripts."""
        assert isinstance(problem, HTTPException)
        words = _WORDS.get(problem.status_code, "Error")
        detail = problem.detail if problem.detail and problem.status_code != 401 else ""
        headers = getattr(problem, "headers", None)
        if _wants_json(request):
            return JSONResponse({"error": f"{words}: {detail}"}, problem.status_code, headers)
        return self._render(
            request, "message.html", problem.status_code, title=words, detail=detail, person=None
        )

    async def failed(self, request: Request, problem: Exception) -> Response:
        """Reports a failed write, such as a full disk, on the page and in the terminal."""
        print(f"dfactscore: {problem}", file=sys.stderr, flush=True)
        detail = str(problem).removeprefix(f"{self._study.path}: ")
        words = f"the study {detail}; earlier answers are saved"
        return await self.fault(request, HTTPException(507, words))

    async def static(self, request: Request) -> Response:
        """Serves the style sheet or the script."""
        file = self._static.get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        keep = {"cache-control": "max-age=31536000, immutable"}
        return Response(file[0], media_type=file[1], headers=keep)

    async def enter(self, request: Request) -> Response:
        """Exchanges an entry link for a session, and redirects to the list of paragraphs."""
        token = request.path_params["token"]
        cookie = await run_in_threadpool(enter, self._study, token)
        if cookie is None:
            raise HTTPException(404, "this link is not valid, or no longer; ask for a new one")
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            self._cookie, cookie, max_age=_SIXTY_DAYS, httponly=True, samesite="strict", path="/"
        )
        return answer

    def home(self, request: Request, person: StudyMember) -> Response:
        """Shows the list of a person's paragraphs, or of the adjudicator's cases."""
        if person.role != "annotator":
            return self._cases(request, person)
        tasks, qualified = list_tasks(self._study, person), qualification(self._study, person)
        visible = [t for t in tasks if t.kind == "qualify" or not qualified.first]
        return self._render(
            request,
            "tasks.html",
            person=person,
            tasks=visible,
            later=len(tasks) - len(visible),
            following=None if qualified.stopped else _following(visible),
            qualified=qualified,
            n_done=sum(t.status in ("done", "skipped") for t in visible),
        )

    def _cases(self, request: Request, person: StudyMember) -> Response:
        people = [p for p in self._study.people() if p.role == "annotator"]
        stopped = [(p, q) for p in people if (q := qualification(self._study, p)).stopped]
        return self._render(
            request,
            "cases.html",
            person=person,
            cases=list_cases(self._study, person),
            stopped=stopped,
        )

    def _own(self, person: StudyMember, public: str) -> StudyParagraph:
        """Returns a paragraph assigned to the person; otherwise raises a 404 error."""
        if person.role != "annotator":
            raise HTTPException(404)
        with self._study.read() as db:
            row = db.execute(
                "SELECT i.id, i.kind FROM item i JOIN assignment s ON s.item_id = i.id "
                "WHERE i.public = ? AND s.annotator_id = ?",
                (public, person.id),
            ).fetchone()
            if row is None:
                raise HTTPException(404)
        if self._qualifies and row[1] == "task":
            qualified = qualification(self._study, person)
            if qualified.first or qualified.stopped:
                raise HTTPException(403, "please annotate the paragraphs with known answers first")
        return self._item(row[0])

    def _load(self, number: int) -> StudyParagraph:
        with self._study.read() as db:
            return load_item(db, number)

    def item(self, request: Request, person: StudyMember) -> Response:
        """Shows a paragraph's current step."""
        item = self._own(person, request.path_params["public"])
        return self._item_page(request, person, item)

    def _item_page(
        self,
        request: Request,
        person: StudyMember,
        item: StudyParagraph,
        *,
        missing: tuple[str, ...] = (),
        status: int = 200,
    ) -> Response:
        with self._study.read() as db:
            state = load_state(db, item, person.id)
        if request.method != "HEAD":
            seen(self._study, person, item, state.step)
        pages = item.shuffled(self._study.seed, person.name)
        tasks = [t for t in list_tasks(self._study, person) if t.kind == item.kind]
        view = item_view(item, state, pages, blind=self._blind)
        return self._render(
            request,
            "done.html" if state.status != "open" else "item.html",
            status,
            person=person,
            item=view,
            missing=missing,
            place=1 + next((i for i, t in enumerate(tasks) if t.item == item.id), 0),
            total=len(tasks),
        )

    def save_item(
        self, request: Request, person: StudyMember, fields: list[tuple[str, str]]
    ) -> Response:
        """Saves a form and, after a confirmation, redirects to the next step or paragraph."""
        item = self._own(person, request.path_params["public"])
        counter, answers = _counter(fields)
        with _refusing("this answer belongs to another step; reload"):
            saved = save(self._study, person, item, answers, counter)
        address = f"/item/{item.public}"
        if saved.missing:
            if _wants_json(request):
                return JSONResponse({"missing": list(saved.missing)}, 409)
            return self._item_page(request, person, item, missing=saved.missing, status=409)
        ended = saved.state.status != "open"
        if _wants_json(request):
            return JSONResponse({"saved": saved.applied, "counter": saved.counter})
        names = [name for name, _ in answers]
        if ended and ("confirm" in names or "skip" in names):
            return RedirectResponse(self._next_address(person, item), 303)
        return RedirectResponse(address + _anchor(names), 303)

    def _next_address(self, person: StudyMember, item: StudyParagraph) -> str:
        """URL of the next paragraph of the same kind, or of the list."""
        tasks = list_tasks(self._study, person)
        following = _following([t for t in tasks if t.kind == item.kind])
        return f"/item/{following.public}" if following else "/"

    def case(
        self,
        request: Request,
        person: StudyMember,
        missing: tuple[str, ...] = (),
        status: int = 200,
    ) -> Response:
        """Shows a double whose answers differ."""
        case = self._load_case(request, person)
        pages = case.item.shuffled(self._study.seed, person.name)
        return self._render(
            request,
            "case.html",
            status,
            person=person,
            item=case_view(case, pages),
            missing=missing,
        )

    def _load_case(self, request: Request, person: StudyMember) -> Any:
        public = request.path_params["public"]
        case = load_case(self._study, person, public) if person.role == "adjudicator" else None
        if case is None:
            raise HTTPException(404)
        return case

    def save_case(
        self, request: Request, person: StudyMember, fields: list[tuple[str, str]]
    ) -> Response:
        """Saves the adjudicator's decisions."""
        case = self._load_case(request, person)
        counter, decisions = _counter(fields)
        with _refusing("this double is decided; reopen it first"):
            missing = decide(self._study, person, case, decisions, counter)
        if missing:
            return self.case(request, person, missing, 409)
        names = [name for name, _ in decisions]
        if _wants_json(request):
            return JSONResponse({"saved": True, "counter": counter})
        if "confirm" in names:
            return RedirectResponse("/", 303)
        return RedirectResponse(f"/case/{case.item.public}" + _anchor(names), 303)

    def release(
        self, request: Request, person: StudyMember, fields: list[tuple[str, str]]
    ) -> Response:
        """Lets an annotator continue without qualification."""
        if person.role != "adjudicator":
            raise HTTPException(404)
        if [name for name, _ in fields] != ["name"]:
            raise HTTPException(400, "unknown field or value")
        try:
            release(self._study, fields[0][1])
        except InputError:
            raise HTTPException(400, "name: unknown field or value") from None
        return RedirectResponse("/", 303)


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


@contextmanager
def _refusing(locked: str) -> Iterator[None]:
    """Turns errors raised while saving into HTTP errors."""
    try:
        yield
    except Refused as problem:
        raise HTTPException(400, f"{problem}: unknown field or value") from None
    except Locked:
        raise HTTPException(409, locked) from None


def _counter(fields: list[tuple[str, str]]) -> tuple[int, list[tuple[str, str]]]:
    counters = [value for name, value in fields if name == "counter"]
    others = [(name, value) for name, value in fields if name != "counter"]
    counter = number_of(counters[0], 16) if len(counters) == 1 else None
    if counter is None:
        raise HTTPException(400, "counter: unknown field or value")
    return counter, others


def _anchor(names: list[str]) -> str:
    """Anchor of the fact or biography just answered, for browsers without scripts."""
    parts = [n for n in names if not n.endswith(".comment")] or names
    part = parts[-1].split(".") if parts else []
    return f"#{quote(part[0])}-{quote(part[1])}" if len(part) == 3 else ""


def _following(tasks: list[Task]) -> Task | None:
    """The open paragraph with the most recent answer or, if none is open, the first new one."""
    begun = [t for t in tasks if t.status == "open"]
    if begun:
        return max(begun, key=lambda t: t.touched)
    return next((t for t in tasks if t.status == "new"), None)
