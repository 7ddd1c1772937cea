"""Options come from the settings: each field once, by one name, with one default."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import typing
from pathlib import Path
from typing import Any

import click
import pytest
import typer

from dfactscore import Scorer, score
from dfactscore._asking.options import BudgetSettings, JudgeModelSettings
from dfactscore._asking.session import LLMSession
from dfactscore._asking.settings import GGUFModel, OpenAIModel
from dfactscore._cli import app as home
from dfactscore._cli import from_settings
from dfactscore._experiment import Experiment
from dfactscore._jobs.settings import Config, JobSettings, LinkSettings
from dfactscore._scorer import options as scorer_options
from dfactscore._scoring import ScoreOptions
from dfactscore._util.settings import (
    PANELS,
    Settings,
    base_type,
    choices,
    facts_of,
    flag_of,
    from_environment,
    from_file,
    from_flags,
    settle,
)
from dfactscore.citations._settings import CitationSettings
from dfactscore.correct._settings import CorrectSettings
from dfactscore.generation._config import GenerateSettings

COMMANDS: dict[str, type[Settings]] = {
    "score": Config,
    "generate": GenerateSettings,
    "citations": CitationSettings,
}
MODELS = [*COMMANDS.values(), LinkSettings, Experiment]
FIELDS = [(kind, name) for kind in COMMANDS.values() for name in kind.model_fields]


def commands() -> dict[str, Any]:
    found: dict[str, Any] = {}

    def walk(command: Any, path: str) -> None:
        for name, child in getattr(command, "commands", {}).items():
            found[f"{path} {name}".strip()] = child
            walk(child, f"{path} {name}")

    walk(home.read_all(), "")
    return found


def sample(kind: type[Settings], name: str) -> tuple[str, Any]:
    """A value that is not the default: as the command line says it, and as a file holds it."""
    field = kind.model_fields[name]
    others = [c for c in choices(field) if c != field.default]
    if others:
        return others[0], others[0]
    value = {bool: not field.default, int: 300, float: 0.25, dict: {"a": [1, "x"]}}.get(
        base_type(field), "some words"
    )
    if base_type(field) is Path:
        value = "a/b.jsonl"
    return ("{a: [1, x]}" if isinstance(value, dict) else str(value)), value


def beside(kind: type[Settings], name: str) -> dict[str, Any]:
    """The choice that a field belongs to, so that it can be given at all."""
    if kind.only_for is None:
        return {}
    selector, uses = kind.only_for
    home = next((home for home, names in uses.items() if name in names), None)
    return {} if home is None else {selector: home}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_field_is_in_help_exactly_once(name, monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.argv", ["dfactscore", name, "--help-all"])
    with pytest.raises(SystemExit):
        home.main()
    shown = capsys.readouterr().out
    shown = shown[shown.index("Input:") :]
    assert max(map(len, shown.splitlines())) <= 80
    heads = [line.strip(": ") for line in shown.splitlines() if re.fullmatch(r"[A-Z]\w+:", line)]
    assert [head for head in heads if head in PANELS] == [p for p in PANELS if p in heads]
    assert set(heads) <= {*PANELS, "Other"}
    words = " ".join(shown.split())
    for field, info in COMMANDS[name].model_fields.items():
        facts = facts_of(info)
        assert info.description
        assert info.description.endswith(".")
        if facts.in_file:
            assert len(re.findall(rf"\b{field}\b", words.partition("Only the file has ")[2])) == 1
            continue
        flag, _, key = flag_of(field, info).partition(" ")
        place = shown
        if key:  # a row below that of the option
            place = shown.partition(f"\n  {flag} KEY=VALUE")[2].partition("\n  --")[0]
            flag = f"  {key}(?==)"
        word = field.upper() if facts.argument else flag
        own = [
            line for line in place.splitlines() if re.match(rf"  (-\w, )?{word}(?=[ ,=]|$)", line)
        ]
        assert len(own) == 1, field
        assert " ".join(info.description.split())[:12] in words.replace("- ", "-")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_the_options_that_are_no_keys(name) -> None:
    command, fields = commands()[name], COMMANDS[name].model_fields
    options = [p for p in command.params if p.param_type_name == "option" and not p.hidden]
    by_hand = [p for p in options if p.name not in fields and p.name not in command.keys]
    flags = {p.opts[0] for p in by_hand if p.name != "help"}
    said = command.epilog.partition(" can also")[0]
    assert set(re.findall(r"--[\w-]+", said)) == flags
    assert ("max_cost: 5" in command.epilog) == ("max_cost" in fields)


def test_help_fits_a_screen_and_all_of_it_can_be_asked_for(monkeypatch) -> None:
    """Other options are on the second screen; the settings name existing fields as first."""
    monkeypatch.setenv("COLUMNS", "100")
    root = home.read_all()
    context = click.Context(root, info_name="dfactscore", **root.context_settings)
    assert root.get_help(context).count("\n") < 30
    for name, command in commands().items():
        own = click.Context(command, info_name=name, parent=context)
        shown = command.get_help(own)
        assert shown.count("\n") < 40, name
        own.meta["--help-all"] = True
        whole = command.get_help(own)
        del own.meta["--help-all"]  # contexts share it
        for param in command.get_params(own):
            hidden = param.param_type_name == "argument" or getattr(param, "hidden", False)
            assert hidden or max(param.opts, key=len) in whole, name
        left_out = re.search(r"--help-all +Show all options, (\d+) more", shown)
        assert (left_out is None) == (shown == whole), name
        flags = [set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.M)) for text in (shown, whole)]
        assert left_out is None or int(left_out[1]) == len(flags[1] - flags[0]), name
    for kind in every_model():
        assert set(vars(kind).get("first", "").split()) <= set(kind.model_fields), kind


@pytest.mark.parametrize(("kind", "name"), FIELDS, ids=lambda v: getattr(v, "__name__", v))
def test_flag_key_and_variable_say_the_same(kind, name, tmp_path: Path, monkeypatch) -> None:
    word, value = sample(kind, name)
    chosen = beside(kind, name)
    flag = settle(kind, from_flags({**chosen, name: word}))
    monkeypatch.chdir(tmp_path)  # from which the flag's path starts, as the key's from the file
    file = Path("f.yaml")
    file.write_text(f"{name}: {value if not isinstance(value, bool) else str(value).lower()}\n")
    key = settle(kind, from_flags(chosen), from_file(kind, file))
    assert flag == key
    assert getattr(flag, name) != kind.model_fields[name].default
    variable = from_environment(kind, {f"DFACTSCORE_{name.upper()}": word})
    if facts_of(kind.model_fields[name]).variable:
        assert settle(kind, variable, from_flags(chosen)) == flag
    else:
        assert variable.values == {}


def every_model() -> list[type[Settings]]:
    """All settings of all commands."""
    commands()
    found, waiting = [], [Settings]
    while waiting:
        waiting += (more := waiting.pop().__subclasses__())
        found += [kind for kind in more if kind.__module__.startswith("dfactscore.")]
    declared = [k for k in found if all(f.json_schema_extra for f in k.model_fields.values())]
    return list(dict.fromkeys(declared))


def test_a_variable_means_the_same_in_every_command() -> None:
    meanings: dict[str, set[str]] = {}
    for kind in every_model():
        for name, field in kind.model_fields.items():
            if facts_of(field).variable:
                assert facts_of(field).panel in ("Model", "Limits") or name == "contact"
                if name != "contact":
                    about = f"{field.description} {field.annotation}"
                    meanings.setdefault(name, set()).add(about)
    assert {"model", "max_cost", "concurrency"} <= set(meanings)
    assert {name: said for name, said in meanings.items() if len(said) > 1} == {}
    for name in ("threshold", "seed", "prompts", "pages", "index", "context", "irrelevant"):
        assert name not in meanings


@pytest.mark.parametrize("without", [("gguf", "no_cache"), ("model", "cache")])
def test_variables_of_one_command_fail_no_other(without) -> None:
    """Each is set as some command takes it; all commands can still be called."""
    words = {
        f"DFACTSCORE_{name.upper()}": sample(kind, name)[0]
        for kind in every_model()
        for name in kind.model_fields
        if name not in without
    }
    for kind in every_model():
        needed = {name: "x" for name, field in kind.model_fields.items() if field.is_required()}
        found = settle(kind, from_environment(kind, words), from_flags(needed))
        assert found.model_fields_set - set(needed) <= {
            name for name, field in kind.model_fields.items() if facts_of(field).variable
        }


def test_what_only_looks_like_an_option_is_named(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("DFACTSCORE_IRRELEVANT", "keep")
    monkeypatch.setenv("DFACTSCORE_LIMIT", "1")
    pairs = tmp_path / "p.jsonl"
    pairs.write_text('{"claim": "A is B.", "doc": "A is B.", "label": 1}\n' * 3)
    monkeypatch.setattr("sys.argv", ["dfactscore", "meta", "data", f"pairs={pairs}"])
    with pytest.raises(SystemExit) as ended:
        home.main()
    shown = capsys.readouterr()
    assert not ended.value.code
    assert "DFACTSCORE_IRRELEVANT is not read" in shown.err
    assert "--limit" in shown.err
    assert "3" in shown.out


@pytest.mark.parametrize("name", COMMANDS)
def test_options_carry_the_names_of_fields(name) -> None:
    command, kind = commands()[name], COMMANDS[name]
    hand = {"config", "form", "quiet", "help", "f1_at", "columns", "overwrite", "output"}
    hand |= {"fail_if"}
    hand -= set(kind.model_fields)
    offered = {n for n, f in kind.model_fields.items() if not facts_of(f).in_file}
    by_key = {n for n in offered if " " in flag_of(n, kind.model_fields[n])}
    assert {p.name for p in command.params} - hand == (offered - by_key) | set(command.keys)
    assert set(command.in_file) == set(kind.model_fields) - offered
    for param in command.params:
        if param.name not in kind.model_fields:
            continue
        facts = facts_of(kind.model_fields[param.name])
        assert param.default is None
        assert param.rich_help_panel == facts.panel
        assert (param.param_type_name == "argument") == facts.argument
        if not facts.argument:
            assert flag_of(param.name, kind.model_fields[param.name]) in param.opts


def test_few_options_and_every_field_that_has_none_says_how_it_is_given() -> None:
    for name, command in commands().items():
        options = [p for p in getattr(command, "params", ()) if p.param_type_name == "option"]
        bar = 53 if name in ("score", "safe") else 33
        assert len([p for p in options if p.name != "help"]) <= bar, name
    score = commands()["score"]
    for field in score.in_file:
        hint = score.moved[field.replace("_", "-")]
        assert f"'{field}: VALUE' into the file of --config" in hint
    assert score.moved["nli-chunks"] == "give --nli chunks=VALUE"


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (["--nli", "form=joined"], {"nli_form": "joined"}),
        (
            ["--nli", "chunk_tokens=7", "--nli", "chunks=0"],
            {"nli_chunk_tokens": 7, "nli_chunks": 0},
        ),
        (["--nli", "label=0", "--nli", "label=1"], {"nli_label": 1}),
        (
            ["--cascade", "low=0.1", "--cascade", "high=0.9"],
            {"cascade_low": 0.1, "cascade_high": 0.9},
        ),
        (["--cascade", "model=nli:a=b/c"], {"cascade_model": "nli:a=b/c"}),
        (
            ["--field", "text=my text", "--field", "id=n=1"],
            {"text_column": "my text", "id_column": "n=1"},
        ),
    ],
)
def test_keys_of_an_option_are_the_fields(words, given, monkeypatch) -> None:
    """Last of a key counts; a value may contain the sign; an option overrides the file's key."""
    found = []
    monkeypatch.setattr("dfactscore._cli.score.run_job", lambda config, **_: found.append(config))
    monkeypatch.setattr("dfactscore._jobs.settings.check_flags", lambda *_: None)
    monkeypatch.setattr("sys.argv", ["dfactscore", "score", "x.json", *words])
    with pytest.raises(SystemExit):
        home.main()
    fields = {name: getattr(found[0], name) for name in found[0].model_fields_set - {"input"}}
    assert fields == given


def test_one_vocabulary() -> None:
    """The same option has the same words in every command, and no old name is left."""
    formats = {"table", "json", "csv", "latex", "markdown", "trec", "junit", "github"}
    for name, command in commands().items():
        flags = [flag for p in command.params for flag in (*p.opts, *p.secondary_opts)]
        assert len(flags) == len(set(flags)), name
        assert not {"--output", "--silent"} & set(flags), name
        assert not {"--json", "--csv", "--force", "--no-dry-run"} & set(flags), name
        assert ("--out" in flags) == ("-o" in flags), name
        assert ("--quiet" in flags) == ("-q" in flags), name
        for param in command.params:
            if "--format" in param.opts and not name.endswith("export"):
                assert set(param.metavar.split("|")) <= formats, name
            if getattr(command, "commands", None) is None and param.name != "help":
                assert param.rich_help_panel in PANELS, (name, param.name)
                assert param.help.endswith("."), (name, param.name)


def test_a_field_of_several_models_is_declared_once() -> None:
    """Where a model changes a default, it says so; everything else is inherited."""
    changed = {"temperature", "seed", "context", "limit", "out", "index", "threshold", "pages"}
    changed |= {"entities", "irrelevant", "prompts", "judges"}  # what they mean is the command's
    for name in {name for kind in MODELS for name in kind.model_fields}:
        said = {
            (repr(f), f.description)
            for kind in MODELS
            for n, f in kind.model_fields.items()
            if n == name
        }
        assert len(said) == 1 or name in changed, name


def defaults(function: Any) -> dict[str, Any]:
    found = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in found if p.default is not inspect.Parameter.empty}


@pytest.mark.parametrize("kind", [OpenAIModel, GGUFModel])
def test_models_have_the_defaults_of_the_settings(kind) -> None:
    settings = JudgeModelSettings.model_fields
    for field in dataclasses.fields(kind):
        if field.name in ("model", "path", "headers", "max_wait"):
            continue
        default = field.default
        if default is dataclasses.MISSING:
            default = field.default_factory()  # type: ignore[misc]
        said = settings[field.name].default
        assert default == said or (said is None and facts_of(settings[field.name]).named)


def test_scorer_has_the_names_defaults_and_types_of_the_settings() -> None:
    settings, given = JobSettings.model_fields, defaults(Scorer)
    shared = [name for name in given if name in LinkSettings.model_fields]
    assert set(shared) == set(LinkSettings.model_fields)
    hints = typing.get_type_hints(Scorer.__init__, localns=vars(scorer_options) | {
        "ChatModel": Any, "KnowledgeSource": Any,
    })  # fmt: skip
    for name in shared:
        if name != "dataset":  # a mapping in Python, a file for a command
            assert given[name] == settings[name].default
            assert hints[name] == settings[name].annotation
    assert facts_of(settings["concurrency"]).named.startswith(str(given["concurrency"]))
    options = {field.name: field.default for field in dataclasses.fields(ScoreOptions)}
    options["counts"] = None  # the judge decides
    assert {name: settings[name].default for name in options} == options


def test_score_has_the_arguments_of_scorer() -> None:
    one, many = (inspect.signature(f).parameters for f in (score, Scorer))
    for name, parameter in many.items():
        if name in ("workers", "on"):  # one text needs no more than one process
            continue
        assert one[name].annotation == parameter.annotation or name == "pages"
        assert one[name].default == parameter.default or name == "pages"
    assert set(one) - set(many) == {"text", "name"}


def test_the_session_takes_the_budget() -> None:
    session = defaults(LLMSession)
    for name, field in BudgetSettings.model_fields.items():
        if name != "no_cache":
            assert session[name] == field.default


#: The first words of an option's help, in every command that has it.
MEANINGS = {
    "--dataset": "AmbigBio file",
    "--index": "Index folder",
    "--irrelevant": "Keep irrelevant facts",
    "--names": "Names",
    "--overwrite": "Replace a file that",
    "--pages": "Whole pages",
    "--passages": "Passages for each name",
    "--sample": "Draw",
    "--seed": "Random seed for",
    "--source": "Source of the pages",
    "--threshold": "Minimum probability",
    "--top": "Number of passages per name",
}


def test_options_are_declared_as_settings() -> None:
    """By hand are only those that several commands share, and formats."""
    written = [
        node
        for path in Path(inspect.getfile(home)).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "option"
    ]
    assert 0 < len(written) <= 18


def test_a_word_has_one_meaning() -> None:
    seen = set()
    for name, command in commands().items():
        for param in getattr(command, "params", ()):
            for flag in set(param.opts) & set(MEANINGS):
                assert param.help.startswith(MEANINGS[flag]), (name, flag, param.help)
                seen.add(flag)
    assert seen == set(MEANINGS)


def test_an_option_of_a_command_is_no_field_of_its_settings_too() -> None:
    def correct(settings: CorrectSettings, *, width: int | None = None) -> None: ...

    with pytest.raises(TypeError, match="correct: width: fields of the settings, too"):
        from_settings.command(typer.Typer(), CorrectSettings)(correct)


def test_a_switch_in_a_file_can_be_turned_off(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    for name, field in Config.model_fields.items():
        if base_type(field) is bool and name not in ("no_cache", "dry_run"):
            file.write_text(f"{name}: true\n")
            assert getattr(settle(Config, from_file(Config, file)), name) is True
            off = settle(Config, from_file(Config, file), from_flags({name: False}))
            assert getattr(off, name) is False
            options = [p for p in commands()["score"].params if p.name == name]
            assert facts_of(field).in_file or options[0].secondary_opts


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mixing", "r", "--output", "x"], "no such option: --output; did you mean --out?"),
        (["compare", "r", "--output", "x"], "did you mean --out?"),
        (["ambigbio", "info", "f", "--json"], "--json; did you mean --format json?"),
        (["score", "--outt", "x"], "did you mean --out or"),
        (["index", "search", "a", "b", "--top-k", "5"], "--top-k; did you mean --k?"),
        (["mixing", "r", "--n", "5"], "--n; did you mean --worst?"),
        (["score", "x", "--max_cost", "5"], "did you mean --max-cost?"),
        (["score", "x", "--num-workers", "5"], "did you mean --workers?"),
        (["score", "x", "--llm"], "did you mean --model?"),
        (["score", "x", "--resume"], "the same command again resumes"),
        (
            ["score", "x", "--nli-form", "true"],
            "no such option: --nli-form; give --nli form=VALUE;",
        ),
        (["score", "x", "--cascade_low", "0"], "--cascade_low; give --cascade low=VALUE;"),
        (["safe", "x", "--text-column", "a"], "--text-column; give --field text=VALUE;"),
        (["score", "x", "--min-foreign", "3"], "'min_foreign: VALUE' into the file of --config;"),
        (["score", "x", "--top-p", "1"], "write 'parameters: {top_p: VALUE}' into the file of"),
        (["safe", "x", "--reasoning-effort", "low"], "'parameters: {reasoning_effort: VALUE}'"),
        (["score", "x", "--fs-scope", "corpus"], "--fs-scope; did you mean --index?"),
        (["score", "x", "--no-logprobs"], "--config or set DFACTSCORE_LOGPROBS;"),
        (["unmix", "x", "--model-seed", "1"], "--model-seed; write 'seed: VALUE' into the file"),
        (["meta", "run", "x", "--retrys", "1"], "did you mean the key retries of --config"),
        (
            ["score", "x", "--nli", "fom=true"],
            "--nli: no key 'fom'; its keys are form, label, chunk",
        ),
        (["score", "x", "--nli", "form"], "--nli: expected KEY=VALUE, found 'form'; its keys"),
        (["score", "x", "--nli", "label=x"], "--nli label: expected a valid integer"),
        (["score", "x", "--nli", "label=1"], "--nli label would change nothing"),
        (["score", "x", "--zzz"], "no such option: --zzz; see dfactscore score --help"),
        (["score", "-"], "-: standard input is not read; give one file of texts: .json, .jsonl"),
        (["score", "."], ".: is a folder; give one file of texts: .json, .jsonl"),
        (["score", "x"], "x: no such file; give one file of texts: .json, .jsonl"),
        (["compare", "r", "--format", "text"], "'text' is not one of 'table'"),
        (["score", "--limit"], "requires an argument"),
        (["scoer"], "no such command 'scoer'. Did you mean 'score'"),
        (["score", "a.json", "--engine", "lmm"], "--engine: 'lmm' is unknown"),
        (["score", "a.json", "--limit", "0"], "--limit: expected greater than or equal to 1"),
        (["run"], "missing argument 'EXPERIMENT'"),
        (["run", "x", "--limit", "x"], "x: no such file"),
        (["rescore", "x", "--gamma", "-1"], "--gamma: expected greater than or equal to 0"),
        (["correct", "x", "--plan", "-o", "p.csv"], "--plan prints a table; --out is for"),
        (["correct", "x", "--plan", "--format", "json"], "--format is for corrected means"),
    ],
)
def test_wrong_words_are_one_line(words, said, monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["dfactscore", *words])
    with pytest.raises(SystemExit) as end:
        home.main()
    printed = capsys.readouterr()
    assert (end.value.code, printed.out) == (2, "")
    assert said in printed.err
    assert printed.err.startswith("dfactscore: ")
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("words", [[], ["index"], ["cache"]])
def test_without_a_command_the_help_is_shown(words, monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.argv", ["dfactscore", *words])
    with pytest.raises(SystemExit) as end:
        home.main()
    assert end.value.code == 2
    assert "Commands:" in capsys.readouterr().err
