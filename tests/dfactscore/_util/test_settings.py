"""Settings from flags, files and variables: precedence, choices and mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest

from dfactscore._errors import InputError
from dfactscore._util.settings import (
    GivenSettings,
    Settings,
    base_type,
    choices,
    default_text,
    from_environment,
    from_file,
    from_flags,
    from_mapping,
    setting,
    settle,
)


class Base(Settings):
    exclusive: ClassVar[tuple[tuple[str, str], ...]] = (("model", "gguf"),)

    model: str | None = setting(None, "A name.", panel="Model", variable=True)
    gguf: Path | None = setting(None, "A file.", panel="Model", variable=True)


class Example(Base):
    exclusive: ClassVar[tuple[tuple[str, str], ...]] = (("cache", "no_cache"), ("gguf", "cache"))
    only_for: ClassVar[tuple[str, Mapping[str, frozenset[str]]]] = (
        "kind",
        {"left": frozenset({"count"}), "right": frozenset({"share"})},
    )

    kind: Literal["left", "right", "both"] = setting("left", "Which.", panel="Engine")
    count: int = setting(5, "How many.", panel="Engine", ge=1, variable=True)
    share: float | None = setting(
        None, "A share.", panel="Scoring", ge=0, le=1, named="half", variable=True
    )
    cache: Path | None = setting(None, "A file.", panel="Limits", variable=True)
    no_cache: bool = setting(False, "None.", panel="Limits", variable=True)
    parameters: dict[str, Any] = setting({}, "More.", panel="Model")
    out: Path | None = setting(None, "Where to.", panel="Output")


@pytest.mark.parametrize("odd", [["left"], {"left": 1}, [[]], 3, True])
def test_another_value_where_a_name_stands(odd: object) -> None:
    given = from_mapping(Example, {"kind": odd, "count": 2}, "x.yaml")
    with pytest.raises(InputError, match=r"x\.yaml: kind: .* is unknown; choose one of left"):
        settle(Example, given)


class Placed(Example):
    files = "judge"

    heat: float | None = setting(1.0, "How hot.", panel="Model")
    judge: Literal["builtin"] | str = setting("builtin", "Who.", panel="Engine")


def test_null_leaves_a_field_out() -> None:
    """None if it can stand for the default's value; else as if it were not given."""
    nulls = dict.fromkeys(("heat", "count", "kind", "model", "share", "gguf"))
    found = settle(Placed, from_mapping(Placed, nulls | {"kind": "right"}, "x.yaml"))
    assert (found.heat, found.count, found.model, found.gguf) == (None, 5, None, None)
    assert settle(Placed, from_mapping(Placed, nulls, "x.yaml")).kind == "left"
    one = GivenSettings({"model": "m"}, {"model": "variable"}, wide=True)
    assert settle(Placed, one, from_mapping(Placed, nulls, "x.yaml")).model == "m"


def test_paths_start_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative paths in path fields, and in text fields that may name an existing file."""
    folder = tmp_path / "conf"
    (folder / "model").mkdir(parents=True)
    (folder / "builtin").mkdir()
    monkeypatch.chdir(tmp_path)
    file = folder / "x.yaml"
    for said, path in (("a/b.gguf", folder / "a/b.gguf"), ("/c.gguf", Path("/c.gguf"))):
        file.write_text(f"gguf: {said}\n")
        assert settle(Placed, from_file(Placed, file)).gguf == path
        assert settle(Placed, from_file(Placed, Path("conf/x.yaml"))).gguf == Path("conf") / said
    for said, judge in (
        ("model", f"{folder}/model"),
        ("nli:model", f"nli:{folder}/model"),
        ("nli:org/other", "nli:org/other"),
        ("builtin", "builtin"),
        ("~", "builtin"),
    ):
        file.write_text(f"judge: {said}\ncache: wikipedia:de\n")
        found = settle(Placed, from_file(Placed, file))
        assert (found.judge, found.cache) == (judge, Path("wikipedia:de"))


def test_a_key_that_the_command_does_not_use_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_text("count: 3\n")
    assert from_file(Example, file, only=("count",)).values == {"count": 3}
    with pytest.raises(InputError, match=r"x\.yaml: count has no effect on this command; remove"):
        from_file(Example, file, only=("cache", "model"))


def test_a_field_says_everything_once() -> None:
    fields = Example.model_fields
    assert [default_text(fields[n]) for n in ("kind", "count", "share", "cache", "no_cache")] == [
        "left", "5", "half", "", "",
    ]  # fmt: skip
    assert choices(fields["kind"]) == ("left", "right", "both")
    assert [base_type(fields[n]) for n in ("count", "share", "gguf", "parameters")] == [
        int, float, Path, dict,
    ]  # fmt: skip


def test_the_nearer_source_wins(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_text("count: 2\nmodel: file\nparameters: {a: 1}\n")
    environment = {"DFACTSCORE_COUNT": "1", "DFACTSCORE_NO_CACHE": "true", "DFACTSCORE_OUT": "x"}
    found = settle(
        Example,
        from_environment(Example, environment),
        from_file(Example, file),
        from_flags({"count": "3", "model": None}),
    )
    assert (found.count, found.model, found.no_cache, found.out) == (3, "file", True, None)
    assert found.parameters == {"a": 1}
    assert settle(Example, from_file(Example, None)) == Example()


def test_the_nearer_of_two_that_exclude_each_other_replaces_the_other() -> None:
    environment = from_environment(
        Example, {"DFACTSCORE_MODEL": "m", "DFACTSCORE_NO_CACHE": "1", "DFACTSCORE_CACHE": ""}
    )
    found = settle(Example, environment, from_flags({"gguf": "x.gguf"}))
    assert (found.model, found.gguf, found.no_cache) == (None, Path("x.gguf"), True)
    found = settle(Example, environment, from_flags({"cache": "c"}))
    assert (found.model, found.cache, found.no_cache) == ("m", Path("c"), False)
    both = from_environment(Example, {"DFACTSCORE_GGUF": "x.gguf", "DFACTSCORE_CACHE": "c"})
    assert settle(Example, both).cache == Path("c")  # what excludes itself in this command alone
    with pytest.raises(InputError, match="environment variable DFACTSCORE_MODEL and environment"):
        settle(
            Example, from_environment(Example, {"DFACTSCORE_MODEL": "m", "DFACTSCORE_GGUF": "f"})
        )
    with pytest.raises(InputError, match=r"--model and --gguf exclude each other; give one"):
        settle(Example, from_flags({"model": "m", "gguf": "f"}))
    with pytest.raises(InputError, match="--cache and --no-cache exclude"):
        settle(Example, from_flags({"cache": "m", "no_cache": True}))
    assert settle(Example, from_flags({"cache": "m", "no_cache": False})).cache == Path("m")


def test_what_the_choice_does_not_use() -> None:
    with pytest.raises(InputError, match="--share is for kind right, and this one is left"):
        settle(Example, from_flags({"share": "0.5"}))
    wide = from_environment(Example, {"DFACTSCORE_SHARE": "0.5", "DFACTSCORE_COUNT": "7"})
    assert (settle(Example, wide).share, settle(Example, wide).count) == (None, 7)
    chosen = settle(Example, wide, from_flags({"kind": "right"}))
    assert (chosen.share, chosen.count) == (0.5, 5)
    with pytest.raises(InputError, match=r"'rigth' is unknown.*did you mean right"):
        settle(Example, from_flags({"kind": "rigth", "share": "1"}))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (from_flags({"count": "x"}), r"^--count: expected a valid integer, found 'x'$"),
        (from_flags({"count": "0"}), "--count: expected greater than or equal to 1, found '0'"),
        (from_flags({"kind": "rihgt"}), "--kind: 'rihgt' is unknown; choose one of left, right"),
        (from_flags({"parameters": "[1"}), "--parameters:1: not valid YAML"),
        (from_flags({"parameters": "3"}), "--parameters: expected a valid dictionary, found 3"),
        (
            from_environment(Example, {"DFACTSCORE_COUNT": "many"}),
            "environment variable DFACTSCORE_COUNT: expected a valid integer, found 'many'",
        ),
        (
            GivenSettings({"share": float("nan"), "kind": "right"}, {}),
            "share: expected a finite number",
        ),
    ],
)
def test_mistakes_name_where_they_stand(given: GivenSettings, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        settle(Example, given)
    assert "\n" not in str(caught.value)


def test_a_long_value_is_cut() -> None:
    with pytest.raises(InputError) as caught:
        settle(Example, from_flags({"count": "9" * 5000 + "x"}))
    assert len(str(caught.value)) < 200


def test_mappings(tmp_path: Path) -> None:
    given = from_mapping(Example, {"gguf": "m.gguf", "count": None}, "here", base=tmp_path)
    assert given.values == {"gguf": tmp_path / "m.gguf"}
    for values, said in (
        ({"cuont": 1}, "here: no setting 'cuont'; did you mean count"),
        ({"no-cache": 1}, "did you mean no_cache"),
        ({"api_key": "sk-canary"}, "here: api_key: keys are read from the environment only"),
        ({"gguf": 3}, "here: gguf: expected a path, found 3"),
        ([1], r"here: expected settings like 'model: NAME', found \[1\]"),
    ):
        with pytest.raises(InputError, match=said) as caught:
            from_mapping(Example, values, "here", base=tmp_path)
        assert "canary" not in str(caught.value)
    assert from_mapping(Example, None, "here").values == {}


def test_a_home_folder_is_found() -> None:
    assert settle(Example, from_flags({"gguf": "~/x"})).gguf == Path("~/x").expanduser()
