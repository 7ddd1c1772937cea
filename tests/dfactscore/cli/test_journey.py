"""From the first mistaken command to a finished run, at endpoints that refuse as providers do.

The address, the key's variable and the form of the model's name are those of the row in
``docs/providers.md``. A step needs a second look if its line does not name what to change.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from stub_model import made_up

pytest.importorskip("aiohttp", reason="the stub server needs aiohttp")

from worded_server import KEY, PROVIDERS, Worded

from dfactscore._cli.app import main

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[3] / "docs" / "providers.md"
NEAR = {"OpenAI": "gpt4.1", "Azure OpenAI": "judge-4-2", "vLLM": "Qwen/Qwen3-8b-it",
        "Ollama": "llama3.2", "OpenRouter": "llama-3.1-8b-instruct"}  # fmt: skip
WRONG = "sk-wrong-9999999999999999"


def documented(provider: str) -> tuple[str, str | None]:
    """The path of the address and the variable of the key, as the page has them."""
    row = next(x for x in PAGE.read_text("utf-8").splitlines() if x.startswith(f"| {provider} |"))
    _, _, address, key, *_ = (cell.strip() for cell in row.split("|"))
    variable = re.search(r"`([A-Z_]+)`", key)
    path = re.sub(r"https?://[^/`]+", "", address.strip("`"))
    return ("/v1" if "default" in path else path), variable and variable[1]


class Journey:
    """Runs commands and keeps those whose output needs a second look."""

    def __init__(self, monkeypatch, capsys) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.looks: list[str] = []

    def step(
        self, name: str, *words: object, says: tuple[str, ...] = (), fails: bool = False
    ) -> str:
        self.monkeypatch.setattr("sys.argv", ["dfactscore", *map(str, words)])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = self.capsys.readouterr()
        code = int(done.value.code or 0)
        lines = [line for line in err.splitlines() if line.strip()]
        if code != (2 if fails else 0) or (fails and len(lines) != 1):
            self.looks.append(f"{name}: status {code}: {err}")
        self.looks += [
            f"{name}: no {word!r} in {out + err}" for word in says if word not in out + err
        ]
        if KEY in out + err or WRONG in out + err:
            self.looks.append(f"{name}: the key is printed")
        return out + err


@pytest.fixture(params=PROVIDERS)
def worded(request):
    found = Worded(PROVIDERS[request.param])
    found.name = request.param
    yield found
    found.close()


def test_no_step_needs_a_second_look(worded, monkeypatch, capsys, tmp_path) -> None:
    journey = Journey(monkeypatch, capsys)
    provider, model = worded.provider, worded.provider.models[0]
    place, variable = documented(worded.name)
    url = worded.root + place.replace("VERSION", "2024-10-21")
    variable = variable or "MY_KEY"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(variable, KEY)
    bios, out = tmp_path / "bios.json", tmp_path / "run"
    bios.write_text(json.dumps(made_up(3)), "utf-8")

    def score(*more: object, to: str = url, of: str = model) -> list[object]:
        return ["score", bios, "--engine", "llm", "--model", of, "--base-url", to, "--api-key-env",
                variable, "--out", out, "--quiet", *more]  # fmt: skip

    azure = provider.header == "api-key"
    wrong = url.partition("?")[0] if azure else worded.root
    meant = ("?api-version=",) if azure else (f"did you mean --base-url {url}?",)
    journey.step("wrong address", *score(to=wrong), says=("--base-url", *meant), fails=True)
    journey.step("no server", *score(to="http://127.0.0.1:9/v1"),
                 says=("cannot be reached", "--base-url"), fails=True)  # fmt: skip
    if provider.no_key is not None:
        monkeypatch.delenv(variable)
        journey.step("no key", *score(), says=("none is set", f"set {variable}"), fails=True)
        monkeypatch.setenv(variable, WRONG)
        journey.step("wrong key", *score(), says=(f"the key in {variable} is not accepted",
                     "--api-key-env"), fails=True)  # fmt: skip
        monkeypatch.setenv(variable, KEY)
    meant = "name of the deployment" if azure else f"did you mean --model {model}?"
    journey.step("wrong model", *score(of=NEAR[worded.name]), says=("--model", meant), fails=True)
    assert worded.answered == 0
    before = len(worded.asked)
    journey.step("doctor", "doctor", "--model", model, "--base-url", url, "--api-key-env", variable,
                 says=(f"{model} at {worded.root}", "answers (json_schema, with"))  # fmt: skip
    assert worded.answered == 1
    worded.answered = 0

    shown = journey.step("what it takes", *score("--dry-run", "--format", "json"))
    planned = json.loads(shown[shown.index("[") : shown.rindex("]") + 1])[-1]["calls"]
    journey.step("corrected, few calls", *score("--max-calls", 5),
                 says=("stopped at --max-calls 5", "higher limit"), fails=True)  # fmt: skip
    prices = tmp_path / "prices.json"
    prices.write_text(
        json.dumps({"models": {model: {"prompt": 2.0, "completion": 8.0}}, "currency": "EUR"})
    )
    budget = ("--prices", prices, "--max-cost")
    stopped = ("stopped before --max-cost 0.005 EUR", "higher limit")
    journey.step("budget", *score(*budget, "0.005"), says=stopped, fails=True)
    journey.step("resumed", *score(*budget, "5"))
    total = json.loads((out / "manifest.json").read_text("utf-8"))["total"]
    if total["calls"] != worded.answered:
        journey.looks.append(f"calls: {total['calls']}, of the server {worded.answered}")
    if planned != worded.answered:
        journey.looks.append(f"calls: {planned} planned, of the server {worded.answered}")
    journey.step("again", *score())
    journey.step("another folder", *score("--out", tmp_path / "other"))
    assert worded.answered == total["calls"]
    assert len(worded.asked) == before, worded.asked[before:]
    for path in [*tmp_path.rglob("*")]:
        assert not path.is_file() or KEY.encode() not in path.read_bytes(), path
    assert journey.looks == []
