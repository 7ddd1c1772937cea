from __future__ import annotations

import re
import typing
from pathlib import Path
from typing import get_args

import pytest

from dfactscore._asking.settings import GGUFModel, OpenAIModel
from dfactscore._errors import InputError
from dfactscore._jobs.settings import Config, check_flags
from dfactscore._util.settings import from_file, load


def test_flags_over_file_over_environment(tmp_path: Path) -> None:
    file = tmp_path / "job.yaml"
    file.write_text("engine: llm\nmodel: from-file\nconcurrency: 8\nparameters: {top_p: 0.5}\n")
    environment = {"DFACTSCORE_MODEL": "from-env", "DFACTSCORE_BASE_URL": "http://env/v1", "X": "y"}
    config = load(Config, {"concurrency": 4, "seed": None}, file, environment)
    assert (config.model, config.base_url, config.concurrency) == ("from-file", "http://env/v1", 4)
    assert config.parameters == {"top_p": 0.5}
    assert load(Config, {}, None, environment).model == "from-env"


def test_an_unknown_key_names_the_near_miss(tmp_path: Path) -> None:
    file = tmp_path / "job.yaml"
    file.write_text("modle: x\n")
    with pytest.raises(InputError, match=r"no setting 'modle'; did you mean model\?"):
        load(Config, {}, file)
    file.write_text("base-url: x\n")
    with pytest.raises(InputError, match=r"did you mean base_url\?"):
        load(Config, {}, file)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("cascade: {low: 0.1}", "'cascade'; did you mean cascade_model or cascade_low or"),
        ("field: {text: body}", "'field'; did you mean text_column or name_column or"),
        ("nli: [form=pair]", "'nli'; did you mean nli_form or nli_label or"),
        ("top_p: 0.9", "'top_p'; a field of requests is given as 'parameters: {top_p: VALUE}'"),
        ("--base-url: http://x/v1", "'--base-url'; did you mean base_url?"),
    ],
)
def test_an_option_that_is_given_as_a_key_names_its_keys(
    tmp_path: Path, key: str, said: str
) -> None:
    (tmp_path / "job.yaml").write_text(f"{key}\n")
    with pytest.raises(InputError, match="no setting") as caught:
        load(Config, {}, tmp_path / "job.yaml")
    assert said in str(caught.value)


def test_a_key_in_the_file_is_refused_and_not_repeated(tmp_path: Path) -> None:
    file = tmp_path / "job.yaml"
    file.write_text("api_key: sk-canary\n")
    with pytest.raises(InputError, match="read from the environment only") as caught:
        load(Config, {}, file)
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("concurrency: many\n", "concurrency: .*'many'"),
        ("engine: gpt\n", "engine"),
        ("- 1\n", r"expected settings .*found \[1\]"),
        ("a: [\n", "job.yaml:2: not valid YAML"),
        ("model: !!python/object:os.system x\n", "job.yaml:1: .*only texts, numbers"),
    ],
)
def test_values_that_do_not_fit(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "job.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match=said):
        load(Config, {}, file, {})


def test_an_empty_and_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("")
    assert load(Config, {}, tmp_path / "empty.yaml", {}) == Config()
    with pytest.raises(InputError, match="no such file"):
        load(Config, {}, tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("settings", "roles", "asks"),
    [
        ({}, ("builtin", "builtin", "builtin"), False),
        ({"engine": "llm"}, ("llm", "llm", "llm"), True),
        ({"engine": "llm", "strict": True}, ("llm", "llm", "strict"), True),
        ({"verifier": "cascade"}, ("builtin", "builtin", "cascade"), True),
        ({"engine": "llm", "verifier": "builtin"}, ("llm", "llm", "builtin"), True),
        ({"relevance": True}, ("builtin", "builtin", "builtin"), True),
    ],
)
def test_roles_are_mixed(settings, roles, asks: bool) -> None:
    config = load(Config, settings, None, {})
    assert config.roles == roles
    assert config.uses_llm is asks


def test_each_role_has_its_model(tmp_path: Path) -> None:
    settings = {"model": "m", "verifier_model": "v", "base_url": "http://x/v1", "timeout": 5}
    config = load(Config, settings, None, {})
    assert config.chat_model("grouper").model == "m"
    verifier = config.chat_model("verifier")
    assert isinstance(verifier, OpenAIModel)
    assert (verifier.model, verifier.timeout, verifier.concurrency) == ("v", 5.0, 16)
    with pytest.raises(InputError, match="the grouper needs a language model, and none is named"):
        load(Config, {"engine": "llm"}, None, {}).chat_model("grouper")
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    found = load(Config, {"gguf": path, "context": 512}, None, {}).chat_model("verifier")
    assert isinstance(found, GGUFModel)
    assert (found.model, found.context, found.concurrency) == ("m.gguf", 512, 1)


def test_addresses_and_names_are_checked() -> None:
    with pytest.raises(InputError, match="is not an address"):
        OpenAIModel("m", base_url="localhost:8000")
    with pytest.raises(InputError, match="name is empty"):
        OpenAIModel(" ")
    with pytest.raises(InputError, match="no such GGUF file"):
        GGUFModel("/none.gguf")


def test_credentials_in_an_address_are_not_shown() -> None:
    model = OpenAIModel("m", base_url="https://me:canary@host:1/v1/?key=canary")
    assert model.endpoint == "https://host:1/v1"
    assert "canary" in model.url


def test_the_nearer_word_names_the_model(tmp_path: Path) -> None:
    gguf = tmp_path / "m.gguf"
    gguf.write_bytes(b"GGUF")
    environment = {"DFACTSCORE_MODEL": "from-env"}
    config = load(Config, {"gguf": gguf}, None, environment)
    assert (config.model, config.gguf) == (None, gguf)
    file = tmp_path / "job.yaml"
    file.write_text(f"gguf: {gguf}\n")
    assert isinstance(load(Config, {}, file, environment).chat_model("verifier"), GGUFModel)
    assert load(Config, {"model": "flag"}, file, environment).gguf is None
    with pytest.raises(InputError, match="--model and --gguf exclude each other"):
        load(Config, {"gguf": gguf, "model": "x"}, None, {})


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"model": "m"}, r"--model would change nothing.*add --engine llm"),
        ({"base_url": "http://x/v1"}, r"--base-url would change nothing.*add --engine llm"),
        ({"gguf": "f"}, "--gguf would change nothing"),
        ({"api_key_env": "K", "verifier": "nli:m"}, "--api-key-env would change nothing"),
        ({"nli_label": 1}, "--nli label would change nothing.*add --verifier nli:MODEL"),
        ({"engine": "llm", "model": "m", "cascade_low": 0.1}, "--cascade low .*--verifier cascade"),
        ({"verifier": "no-context", "model": "m", "strict": True}, "--strict would change nothing"),
    ],
)
def test_a_flag_that_would_change_nothing_is_refused(flags: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        check_flags(load(Config, flags, None, {}), flags)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("model: m", "model changes nothing: .*add --engine llm"),
        ("temperature: 0.5", "temperature changes nothing"),
        ("facts_per_call: 9", "facts_per_call changes nothing"),
        ("cascade_low: 0.2", "cascade_low changes nothing.*add --verifier cascade"),
        ("nli_label: 1", "nli_label changes nothing.*add --verifier nli:MODEL"),
        ("sample_seed: 1", "sample_seed changes nothing: .*add --sample N"),
        ("{engine: llm, model: m, temperature: 0.5}", ""),
        ("{sample: 3, sample_seed: 1}", ""),
        ("{limit: 3, strict: false, model: null}", ""),
    ],
)
def test_a_key_that_changes_nothing_is_a_warning(
    line: str, message: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "job.yaml"
    file.write_text(line)
    check_flags(load(Config, {}, file, {}), {}, from_file(Config, file))
    assert len(caplog.messages) == bool(message)
    assert not message or re.search(f"job.yaml: {message}", caplog.messages[0])


def test_flags_that_do_something() -> None:
    for flags in (
        {"engine": "llm", "model": "m", "strict": True},
        {"relevance": True, "model": "m"},
        {"verifier": "cascade", "model": "m", "cascade_low": 0.1, "strict": True},
        {"engine": "llm", "gguf": "f"},
        {"max_cost": 1, "max_calls": 0, "concurrency": 3},
    ):
        check_flags(load(Config, flags, None, {}), flags)


def test_a_variable_that_does_not_fit_is_named() -> None:
    environment = {"DFACTSCORE_CONCURRENCY": "many"}
    with pytest.raises(InputError, match=r"variable DFACTSCORE_CONCURRENCY: .*'many'"):
        load(Config, {}, None, environment)
    assert load(Config, {"concurrency": 3}, None, environment).concurrency == 3


@pytest.mark.parametrize("key", ["sk-canaryé", "sk-canary\nx", "sk canary"])
def test_what_can_be_no_key_is_said_before_anybody_is_asked(monkeypatch, key: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(InputError, match="key in OPENAI_API_KEY") as caught:
        OpenAIModel("m", base_url="http://x/v1").api_key()
    assert "canary" not in str(caught.value)


def eval_type(annotation: str) -> object:
    """A type as the module of `ScorerOptions` spells it."""
    import dfactscore._scorer.options as module

    class Holder:
        __annotations__ = {"it": annotation}

    return typing.get_type_hints(Holder, vars(module))["it"]


@pytest.mark.parametrize("door", ["Scorer", "score"])
def test_python_spells_out_the_settings_of_the_command(door):
    """Each option of scoring is a parameter of its own, with the declared default."""
    import inspect

    import dfactscore
    from dfactscore._jobs.settings import JobSettings, LinkSettings

    function = getattr(dfactscore, door)
    function = function.__init__ if inspect.isclass(function) else function
    parameters = inspect.signature(function).parameters
    assert not [p for p in parameters.values() if p.kind is p.VAR_KEYWORD]
    for name in [*LinkSettings.model_fields, "language"]:
        assert parameters[name].default == JobSettings.model_fields[name].default, name
        choices = get_args(JobSettings.model_fields[name].annotation)
        if choices and type(None) not in choices:
            spelled = eval_type(parameters[name].annotation)
            assert set(get_args(spelled)) == set(choices), name
