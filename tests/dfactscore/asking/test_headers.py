"""Headers of the user's: from the environment to the server, and nowhere else."""

from __future__ import annotations

import pytest

from dfactscore._asking.options import ModelSettings
from dfactscore._asking.secrets import header_values, named_headers
from dfactscore._asking.settings import GGUFModel, OpenAIModel
from dfactscore._errors import InputError
from dfactscore._util.settings import load

SECRET = "canary-of-a-header-0123"


def test_an_option_names_a_variable() -> None:
    given = ["X-Team=TEAM", "cf-access-token=CF_TOKEN"]
    assert named_headers(given) == {"X-Team": "TEAM", "cf-access-token": "CF_TOKEN"}
    settings = load(ModelSettings, {"model": "m", "header": given}, environment={})
    assert settings.model_for("judge").headers == named_headers(given)
    one = {"DFACTSCORE_HEADER": "X-Team=TEAM", "DFACTSCORE_MODEL": "m"}
    assert load(ModelSettings, {}, environment=one).model_for("judge").headers == {"X-Team": "TEAM"}


def test_a_local_file_has_no_headers(tmp_path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"")
    settings = load(ModelSettings, {"gguf": tmp_path / "m.gguf", "header": ["A=B"]}, environment={})
    assert isinstance(settings.model_for("judge"), GGUFModel)


@pytest.mark.parametrize(
    "given",
    [
        f"X-Key: {SECRET}",
        f"X-Key={SECRET}",
        f"X-Key= {SECRET}",
        SECRET,
        f"={SECRET}",
        "X Y=Z",
        "X=",
    ],
)
def test_a_value_in_its_place_is_refused_and_not_repeated(given) -> None:
    with pytest.raises(InputError, match="NAME=ENV_VARIABLE") as caught:
        named_headers([given])
    assert SECRET not in str(caught.value)


def test_two_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="X-team is given twice"):
        named_headers(["X-Team=A", "X-team=B"])


@pytest.mark.parametrize(("value", "why"), [(None, "is not set"), (" ", "is not set"),
                                            ("a\nb", "line breaks"), ("ä", "letters")])  # fmt: skip
def test_a_variable_without_a_usable_value_is_named_by_its_header(monkeypatch, value, why) -> None:
    monkeypatch.delenv("TEAM", raising=False)
    if value is not None:
        monkeypatch.setenv("TEAM", value)
    with pytest.raises(InputError, match=f"header X-Team.*{why}"):
        header_values({"X-Team": "TEAM"})


def test_its_value_is_masked_wherever_a_server_repeats_it(monkeypatch) -> None:
    monkeypatch.setenv("TEAM", SECRET)
    model = OpenAIModel("m", headers={"X-Team": "TEAM"})
    assert model.without_secrets(f"no entry for {SECRET}") == "no entry for ***"
    assert SECRET not in repr(model)


def test_words_are_not_masked_in_answers(monkeypatch) -> None:
    monkeypatch.setenv("TITLE", "Biographies of namesakes")
    model = OpenAIModel("m", headers={"X-Title": "TITLE"})
    text = "She wrote Biographies of namesakes."
    assert model.without_secrets(text) == text
