"""Every command in README and docs works: all are parsed, and run if possible."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dfactscore._cli.app import main, read_all
from dfactscore.examples import example

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
NAMES = ["README.md", *sorted(f"docs/{p.name}" for p in DOCS.glob("*.md"))]
# Commands that a test cannot run, with the reason; they are parsed.
NEEDS = {
    "a Ray cluster": r"--on ray",
    "Wikipedia itself": (
        r"--(search|pages) wikipedia|--contact you@example\.org --out (ambigbio|mine)\."
    ),
    "a MediaWiki, which tests/ambigbio sets up where it can be had": r"--api-url",
    "a language model of 100 MB or more, which other tests run": r"--gguf ",
    "an encoder of 1 GB": r"gtr-t5|--kind hybrid",
    "the rest of the command": r"…$",
    "the files of a harness that is not installed": r"FILE\.eval|samples_dfactscore",
    "people who come; it runs until it is stopped": r"annotate serve",
    "what people answered": r"--by study\.db",
}
# Commands of other programs, which are not run.
STRANGE = {
    "installs packages": r"^pip |^make ",
    "the data of the benchmarks": r"^python (benchmarks|training|tests/robustness)/",
    "a MediaWiki, which tests/ambigbio sets up where it can be had": r"wiki\.py",
    "a harness of its own": r"^(inspect|lm_eval) ",
    "the database of the factscore package": r"dfactscore\.factscorer",
}
# Placeholders of commands, and their values in this test.
STAND_INS = (
    (r"(?<=--model )(MODEL|NAME)\b", "stub-a"),
    (r"(?<=--base-url )(URL|http://127\.0\.0\.1:8000/v1)", "SERVER"),
    (r"(?<=--hf )FOLDER", "causal --limit 1"),
    (r"(?<=nli:)[\w-]+/MiniCheck-[\w-]+", "models/checker"),
    (
        r"--entailment nli(?! --nli-model)",
        "--entailment nli --nli-model models/t5_xxl_true_nli_mixture",
    ),
    (r"(?<=sample )FOLDER", "longfact"),
    (r"factscore-labels=FILE --pages PAGES", "felm=wk.jsonl"),
    (r"(?<=--dump )(DUMP|enwiki\S+)", "pages.xml"),
    (r"--processes 8", "--processes 2"),
    (r"--count 500", "--count 5"),
    (r"(?<=--judge )nli:MODEL", "builtin"),
    (r"--n 250", "--n 5"),
    (r"--sample 30 --engine llm --model M", "--sample 12 --engine llm --model stub-a"),
)
STRANGERS = ("make", "pip", "python", "git", "inspect", "lm_eval")
STUB = ROOT / "tests" / "helpers" / "stub_server.py"


def commands(name):
    """Returns the commands of a page, in order, each with the shown output."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for language, block in re.findall(r"^ *```(\w*)[^\n]*\n(.*?)^ *```", text, re.S | re.M):
        joined = re.sub(r"\\\n\s*", " ", block)
        if language == "console":
            parts = re.split(r"^\$ ", joined, flags=re.M)[1:]
            for part in parts:
                command, _, shown = part.partition("\n")
                yield command, shown
        elif language in ("", "sh", "bash"):
            for line in joined.splitlines():
                if line.startswith(("dfactscore ", *(f"{s} " for s in STRANGERS))):
                    yield line, ""


def words(command):
    return shlex.split(command, comments=True)


def reason(command):
    signs = STRANGE if command.split()[0] in STRANGERS else NEEDS
    return next((why for why, sign in signs.items() if re.search(sign, command)), None)


def filled_in(command, server):
    """Replaces the placeholders of a command."""
    command = re.sub(r"\s+#.*", "", command)
    for sign, stands in STAND_INS:
        command = re.sub(sign, stands, command)
    if re.search(r"--model ", command) and "--base-url" not in command:
        command += " --base-url SERVER"
    return command.replace("SERVER", server)


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("make_quick_start", DOCS / "make_quick_start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def staged(tmp_path_factory):
    """A folder with the files and runs of the pages."""
    folder = tmp_path_factory.mktemp("staged")
    people = example("people")
    shutil.copy(people.pages, folder / "pages.jsonl")
    texts = people.biographies.read_text(encoding="utf-8").splitlines()
    pages = [json.loads(line) for line in people.pages.read_text(encoding="utf-8").splitlines()]
    records = []
    for line in texts[:8]:
        record = json.loads(line)
        docs = [p for p in pages if p["title"].startswith(record["name"])][:3]
        record |= {"passages": [{"title": p["title"], "text": p["text"][:600]} for p in docs]}
        records.append(record | {"text": record["text"].replace(". ", " [1]. ", 1)})
    hall = "Mark Hall was a cricketer. Another Mark Hall is a painter."
    records.append(records[0] | {"id": "hall", "name": "Mark Hall", "text": hall})
    lines = "".join(json.dumps(r) + "\n" for r in records)
    for name in ("bios.jsonl", "biographies.jsonl"):
        (folder / name).write_text(lines, encoding="utf-8")
    for name, part in (("enwiki.jsonl", pages), ("more.jsonl", [{"title": "New", "text": "New."}])):
        (folder / name).write_text("".join(json.dumps(p) + "\n" for p in part), encoding="utf-8")
    asked = [{"name": p["title"], "relevant": [p["title"]]} for p in pages[:3]]
    (folder / "questions.jsonl").write_text("".join(json.dumps(q) + "\n" for q in asked))
    for name in ("answers.jsonl", "bios.json", "job.yaml"):  # other names of the same files
        text = "input: bios.json\nengine: builtin\n" if name == "job.yaml" else lines
        text = json.dumps(records) if name == "bios.json" else text
        (folder / name).write_text(text, encoding="utf-8")
    _write_others(folder)
    (folder / "examples").mkdir()
    shutil.copy(ROOT / "examples" / "experiment.yaml", folder / "examples")
    return folder


def _write_others(folder):
    """Writes made-up files in the formats of published files."""
    segments = ["Mill 1 was built in 1801.", "It stands in Leeds."]
    felm = [
        {"index": str(n), "domain": "wk", "source": "made", "prompt": "Who built the mill?",
         "response": " ".join(segments), "segmented_response": segments,
         "labels": [n % 2 == 0, True], "comment": ["", ""], "type": [None, None],
         "ref": [], "ref_contents": ["The mill was built in 1801. It is in Leeds."]}
        for n in range(6)
    ]  # fmt: skip
    (folder / "wk.jsonl").write_text("".join(json.dumps(r) + "\n" for r in felm))
    pairs = [
        {"claim": f"Ann Lee {n} was {'born' if n % 2 else 'buried'} in Leeds.", "label": n % 2,
         "doc": f"Ann Lee {n} was born in Leeds in 1901.", "cluster": f"c{n}"}
        for n in range(200)
    ]  # fmt: skip
    (folder / "pairs.jsonl").write_text("".join(json.dumps(r) + "\n" for r in pairs))
    said = [{"id": r["index"], "answer": "ALL_CORRECT"} for r in felm]
    (folder / "predictions.jsonl").write_text("".join(json.dumps(r) + "\n" for r in said))
    (folder / "longfact").mkdir()
    asked = "".join(json.dumps({"prompt": f"Who is Ann Lee {n}?"}) + "\n" for n in range(300))
    (folder / "longfact" / "longfact-objects_music.jsonl").write_text(asked)
    with (folder / "expert_factor.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["turncated_prefixes", "full_prefix", "doc_id", "completion",
                         "contradiction_0", "contradiction_1", "contradiction_2"])  # fmt: skip
        for n in range(4):
            writer.writerow(["He died", "He died", n, "in Rome.", "in Oslo.", "on sea.", "old."])
    names = [["name"], ["Ben Moss"], ["Cara Dunn"]]
    (folder / "names.csv").write_text("\n".join(",".join(row) for row in names) + "\n")


@pytest.fixture(scope="module")
def server():
    """A server with a rule as model, which answers all our prompts."""
    pytest.importorskip("aiohttp", reason="the stub server needs aiohttp")
    process = subprocess.Popen([sys.executable, str(STUB)], stdout=subprocess.PIPE, text=True)
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Tiny models of the real classes, under the names on the pages."""
    pytest.importorskip("torch", reason="models of transformers need torch")
    import tiny_models as tiny

    folder = tmp_path_factory.mktemp("models")
    words = tiny.encoder_tokenizer("roberta")
    checker = tiny.encoder("roberta", words, ("not", "supported"), longest=512)
    for name in ("checker", "MiniCheck-RoBERTa-Large"):
        tiny.save(folder / name, checker, words)
    judge = tiny.t5_tokenizer("words")
    tiny.save(folder / "t5_xxl_true_nli_mixture", tiny.t5(judge), judge)
    tiny.llama(folder / "causal", longest=2048)
    return folder


@pytest.fixture
def run(staged, tmp_path, monkeypatch, capsys):
    place = tmp_path / "page"
    shutil.copytree(staged, place)
    monkeypatch.chdir(place)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments):
        monkeypatch.setattr("sys.argv", list(arguments))
        with pytest.raises(SystemExit) as exit_:
            main()
        out, err = capsys.readouterr()
        return exit_.value.code or 0, out, err

    return call


def prepare(run, text):
    """Creates the runs that a page starts with."""
    score = ("dfactscore", "score", "bios.jsonl", "--quiet", "--limit", "3", "--out")
    if "runs/model-a" in text:
        assert run(*score, "runs/model-a")[0] == 0
        shutil.copytree("runs/model-a", "runs/model-b")
    if "runs/model-a" in text and "runs/experiment" in text:
        for label in ("one", "two"):
            shutil.copytree("runs/model-a", f"runs/experiment/{label}/run")
    if "runs/free" in text:  # doubles the texts, since fewer than ten labels are refused
        lines = Path("bios.jsonl").read_text(encoding="utf-8").splitlines()
        again = [json.dumps(json.loads(line) | {"id": f"{n}"}) for n, line in enumerate(lines)]
        Path("bios.jsonl").write_text("\n".join([*lines, *again]) + "\n", encoding="utf-8")
    if "runs/demo" in text:
        assert run("dfactscore", "demo", "--out", "runs/demo")[0] == 0


def parse(arguments):
    """Checks options and arguments without running the command."""
    here, left = read_all(), list(arguments)
    while hasattr(here, "commands"):
        here = here.commands[left.pop(0)]
    here.make_context("dfactscore", left)


def strange(command):
    """Runs a command of another program, with this Python."""
    python = shlex.quote(sys.executable)
    command = command.replace(" tests/", f" {shlex.quote(str(ROOT))}/tests/").partition("#")[0]
    subprocess.run(command.replace("python", python, 1), shell=True, check=True)


def made_before(command):
    """Creates files that the reader makes with commands that are not run here."""
    if "--search index:my-index" in command:
        yield ("dfactscore", "index", "build", "pages.jsonl", "--out", "my-index", "--kind", "bm25")
    if "ambigbio" in command and not Path("pages.xml").exists():
        strange("python tests/ambigbio/mediawiki/fixture.py > pages.xml")
    if "ambigbio.jsonl" in command and not Path("ambigbio.jsonl").exists():
        yield ("dfactscore", "ambigbio", "build", "--count", "5", "--dump", "pages.xml",
               "--out", "ambigbio.jsonl")  # fmt: skip
    if "live.jsonl" in command and Path("dump.jsonl").exists():
        shutil.copy("dump.jsonl", "live.jsonl")
    if re.search(r"--index index|index add index", command) and not Path("index").exists():
        yield ("dfactscore", "index", "build", "pages.jsonl", "--out", "index", "--kind", "bm25")
    if "--names ambigbio.jsonl --index index" in command:  # pages of the people
        yield ("dfactscore", "index", "add", "index", "ambigbio.pages.jsonl")
    if "compare run run2" in command and not Path("run2").exists():
        shutil.copytree("run", "run2")
    if command.startswith("dfactscore generate"):
        out = Path(command.partition("--out ")[2].split()[0])
        if not out.with_suffix(".manifest.json").exists():
            out.unlink(missing_ok=True)  # exists for other pages, whose reader provides it


#: Pages with slow commands: models of torch, indexes, a server's model.
SLOW = {f"docs/{page}.md" for page in ("ambigfactor", "factor", "llm", "meta", "nli", "retrieval")}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name
        for name in NAMES
        if list(commands(name)) and "commands.md" not in name
    ],
)
def test_commands(name, run, maker, request):
    text = (ROOT / name).read_text(encoding="utf-8")
    if name != "docs/index.md":  # which has a separate test
        maker.write_files(text, Path())
    prepare(run, text)
    for command, shown in commands(name):
        if command.split()[0] in STRANGERS:
            for script in re.findall(r"^python (\S+\.py)", command):
                assert (ROOT / script).exists(), command
            if not reason(command):
                strange(command)
            continue
        arguments = words(command)
        ends = [i for i, w in enumerate(arguments) if w in ("&", ">", "|", "…")]
        end = ends[0] if ends else None
        parse(arguments[1:end])
        if reason(command) or (name == "docs/index.md" and "--model" not in command):
            continue
        model = "--model " in command
        given = filled_in(command, request.getfixturevalue("server") if model else "")
        if re.search(r"nli[: ]|--hf", given) and not Path("models").exists():
            shutil.copytree(request.getfixturevalue("models"), "models")
            shutil.copytree("models/causal", "causal")
        for earlier in made_before(given):
            code, _, err = run(*earlier)
            assert code == 0, f"{' '.join(earlier)}\n{err}"
        code, out, err = run(*words(given)[:end])
        fails = "--fail-if" in given and "\nfailed: " in err  # what the condition is for
        assert code == (1 if fails else 0), f"{given}\n{err}"
        if ends and arguments[end] == ">":
            Path(arguments[end + 1]).write_text(out, encoding="utf-8")
        if shown:
            parts = [re.escape(part) for part in re.split(r"^.*…\n", shown, flags=re.M)]
            assert re.search(r"(?:.*\n)*?.*?".join(parts), out), f"{command}\n{out}"


def test_almost_all_are_run():
    found = [c for n in NAMES if "commands.md" not in n for c, _ in commands(n)]
    ours = [c for c in found if c.split()[0] not in STRANGERS]
    left = [c for c in ours if reason(c)]
    assert len(ours) >= 75
    assert len(left) <= 15, left
    # Each reason must still apply to a command.
    for why in NEEDS:
        assert any(reason(c) == why for c in left), why
