from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler

import pytest
from loopback import Loopback

pytest.importorskip("inspect_ai", reason="needs the extra [inspect] (Python 3.11 or newer)")

from inspect_ai.log import read_eval_log_sample

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("hosts")]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def serve_folder():
    running = []

    def serve(folder):
        server = Loopback(partial(Quiet, directory=str(folder)))
        running.append(server)
        return server.url

    yield serve
    for server in running:
        server.close()


def test_a_bundle_shows_the_facts_of_a_sample(host, inspect_log, chromium, serve_folder):
    sample = read_eval_log_sample(str(inspect_log), "Anne Hathaway")
    lines = sample.scores["dfactscore"].explanation.splitlines()
    lines = [" ".join(line.removeprefix("- ").split()) for line in lines if line.strip()]
    (first, *_) = (line for line in lines if "Catwoman" in line)
    assert len(lines) > 10
    host.run_shown("inspect view", {"logs": str(inspect_log.parent)})
    address = serve_folder(host.folder / "bundle")
    page = chromium.new_page()
    outside = []
    page.on("request", lambda r: r.url.startswith((address, "data:", "blob:")) or outside.append(r))
    page.goto(address)
    page.goto(f"{address}/#/logs/{inspect_log.name}/samples/sample/Anne%20Hathaway/1/scoring")
    page.get_by_text(first).first.wait_for()
    shown = " ".join(page.locator("body").inner_text().split())
    assert [line for line in lines if line not in shown] == []
    assert outside == []
    page.close()
