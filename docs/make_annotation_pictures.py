"""Takes the pictures of docs/annotation.md: the shipped example, annotated in a browser.

python docs/make_annotation_pictures.py    (needs the extras annotate and test)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
COLORS = 64  # keeps pictures at about 30 kB


def study(folder: Path) -> Any:
    """Creates a study of the shipped example, with the facts of its truth."""
    from dfactscore import Scorer
    from dfactscore.annotation._creating import init_study
    from dfactscore.annotation._study import Study
    from dfactscore.examples import example

    shipped = example()
    truth = {g["id"]: g for g in map(json.loads, shipped.gold.read_text("utf-8").splitlines())}
    records = []
    for record in map(json.loads, shipped.biographies.read_text("utf-8").splitlines()):
        if record["id"] in ("hanley-mixed", "jordan-hard"):
            facts = truth[record["id"]]["facts"]
            facts = [{"text": f["text"], "sentence": f["sentence"]} for f in facts]
            records.append({**record, "facts": facts})
    Scorer(pages=shipped.pages).score_many(records).save(folder / "run")
    init_study([folder / "run"], folder / "study.db", annotators=["ann", "ben"], double=1.0)
    return Study(folder / "study.db")


def serve(opened: Any) -> tuple[Any, str]:
    """Starts a server in a thread; yields its address."""
    import uvicorn

    from dfactscore.annotation._web.app import make_app
    from dfactscore.annotation._web.serve import listen

    listening = listen("127.0.0.1")
    config = uvicorn.Config(make_app(opened), log_level="error", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True).start()
    return server, f"http://127.0.0.1:{listening.getsockname()[1]}"


def take(page: Any, name: str) -> None:
    """Takes a picture with few colors, for a small file."""
    import io

    from PIL import Image

    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(COLORS).save(IMAGES / f"annotation-{name}.png", optimize=True)


def annotate(page: Any, verdicts: str, pictures: bool) -> None:
    """Annotates a paragraph by keys: one biography, its first page, verdicts in turn."""
    page.wait_for_selector('#form[data-step="A"]')
    if pictures:
        for key in ("j", "j", "j"):
            page.keyboard.press(key)
        take(page, "a")
    page.keyboard.press("Enter")
    page.wait_for_selector('#form[data-step="B"]')
    own = page.locator(".choice", has_text="(swimmer)")
    if not own.count():
        own = page.locator(".choice", has_text="Jordan")
    page.keyboard.press(own.first.get_attribute("value"))
    page.keyboard.press("Enter")
    page.wait_for_selector('#form[data-step="C"]')
    cards = page.locator(".card").count()
    for i in range(cards):
        page.keyboard.press(verdicts[i % len(verdicts)])
        if pictures and i == 4:
            page.wait_for_timeout(300)
            take(page, "c")
            page.set_viewport_size({"width": 390, "height": 760})
            page.wait_for_timeout(300)
            take(page, "c-narrow")
            page.set_viewport_size({"width": 1180, "height": 720})
    page.keyboard.press("Enter")
    page.wait_for_selector('#form[data-step="D"]')
    for _ in range(page.locator(".card").count()):
        page.keyboard.press("0")
    page.keyboard.press("Enter")


def main() -> None:
    """Annotates two paragraphs as two people, and takes the pictures."""
    from playwright.sync_api import sync_playwright

    from dfactscore.annotation._people import new_link

    found = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "browser.py")], capture_output=True, text=True
    )
    place = json.loads(found.stdout)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        opened = study(Path(folder))
        server, address = serve(opened)
        browser = driver.chromium.launch(
            executable_path=place["path"],
            env={**os.environ, **place["env"]},
            args=["--no-sandbox", "--disable-gpu"],
        )
        for name, verdicts in (("ann", "ssns"), ("ben", "ssni")):
            context = browser.new_context(viewport={"width": 1180, "height": 720})
            page = context.new_page()
            page.goto(f"{address}/enter/{new_link(opened, name)}")
            page.click("#continue")
            annotate(page, verdicts, pictures=name == "ann")
            page.wait_for_url(lambda url, last=page.url: url != last)
            context.close()
        context = browser.new_context(viewport={"width": 1180, "height": 720})
        page = context.new_page()
        page.goto(f"{address}/enter/{new_link(opened, 'adjudicator')}")
        if page.locator(".list a").count():
            page.click(".list a >> nth=0")
            page.wait_for_selector("#form")
            take(page, "case")
        browser.close()
        server.should_exit = True
    for file in sorted(IMAGES.glob("annotation-*.png")):
        print(f"{file.name}: {file.stat().st_size // 1024} kB")


if __name__ == "__main__":
    main()
