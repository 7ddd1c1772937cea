"""Validates arguments, and maps the ``factscore`` package's model names to engines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._asking.session import LLMSession
from dfactscore._asking.settings import GGUFModel, OpenAIModel
from dfactscore._errors import InputError
from dfactscore._util.files import make_folder
from dfactscore._util.message_text import near_miss, short_repr
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._llm.roles.decomposer import LLMDecomposer
from dfactscore.engines._llm.roles.verifier import StrictVerifier
from dfactscore.engines._roles import Decomposer, Verifier

if TYPE_CHECKING:
    from dfactscore._asking.settings import ChatModel


def pairs(topics: Any, generations: Any) -> tuple[list[str] | None, list[str]]:
    """Returns topics and texts as lists of equal length."""
    single = isinstance(generations, str)
    if topics is not None and isinstance(topics, str) != single:
        first, second = ("generations", "topics") if single else ("topics", "generations")
        raise InputError(f"{first} is a string and {second} is not: give two strings or two lists")
    texts = [generations] if single else _strings("generations", generations)
    if topics is None:
        return None, texts
    names = [topics] if single else _strings("topics", topics)
    if len(names) != len(texts):
        raise InputError(f"{len(names)} topics for {len(texts)} generations")
    return [str(name) for name in names], [str(text) for text in texts]


def _strings(argument: str, values: Any) -> list[str]:
    if isinstance(values, (bytes, Mapping)) or not isinstance(values, Iterable):
        raise InputError(f"{argument}: expected strings, found {short_repr(values)}")
    strings = list(values)
    for index, value in enumerate(strings):
        if not isinstance(value, str):
            raise InputError(f"{argument}[{index}]: expected a string, found {short_repr(value)}")
    return [str(value) for value in strings]


def facts_given(atomic_facts: Any, count: int) -> list[tuple[str, ...] | None] | None:
    """Returns the facts in each text, excluding blank ones; None for an abstention."""
    if atomic_facts is None:
        return None
    if isinstance(atomic_facts, (str, bytes, Mapping)) or not isinstance(atomic_facts, Iterable):
        raise InputError(
            f"atomic_facts: expected a list per text, found {short_repr(atomic_facts)}"
        )
    rows: Sequence[Any] = list(atomic_facts)
    if count == 1 and rows and all(isinstance(row, str) for row in rows):
        rows = [rows]
    if len(rows) != count:
        raise InputError(f"atomic_facts: {len(rows)} entries for {count} texts")
    given_facts: list[tuple[str, ...] | None] = []
    for index, row in enumerate(rows):
        if row is None:
            given_facts.append(None)
            continue
        if isinstance(row, (str, bytes, Mapping)) or not isinstance(row, Iterable):
            raise InputError(f"atomic_facts[{index}]: expected a list, found {short_repr(row)}")
        facts = list(row)
        for place, fact in enumerate(facts):
            if not isinstance(fact, str):
                raise InputError(
                    f"atomic_facts[{index}][{place}]: expected a string, found {short_repr(fact)}"
                )
        given_facts.append(tuple(fact.strip() for fact in facts if fact.strip()))
    return given_facts


def check_gamma(gamma: Any) -> float | None:
    """Returns the gamma of the length penalty; None for no penalty."""
    if gamma is None:
        return None
    if isinstance(gamma, bool) or not isinstance(gamma, (int, float)) or not 0 <= gamma < 1e9:
        raise InputError(f"gamma: expected a number ≥ 0 or None, found {short_repr(gamma)}")
    return float(gamma) or None


DEFAULT = "retrieval+builtin"
_MODELS = (DEFAULT, "retrieval+ChatGPT", "retrieval+llama")
_KEY = "OPENAI_API_KEY"
_LONGEST_KEY = 4096


@dataclass(frozen=True)
class Roles:
    """A decomposer and a verifier."""

    decomposer: Decomposer
    verifier: Verifier  # judges facts against documents
    session: LLMSession | None = None  # state shared by the models; None if there are none
    config_name: str = ""  # name that OpenFActScore uses for the models, or empty


def use_key(openai_key: Any) -> None:
    """Sets the environment's key to the first line of a file unless a key is already set.

    The key is stored only in this process's environment, from which the client reads it.
    """
    if os.environ.get(_KEY, "").strip() or not openai_key:
        return
    path = Path(str(openai_key))
    try:
        if not path.is_file():
            return
        with path.open(encoding="utf-8") as file:
            key = file.readline(_LONGEST_KEY).strip()
    except (OSError, ValueError) as problem:
        # The message omits the value, which may be a key.
        reason = getattr(problem, "strerror", None) or type(problem).__name__
        raise InputError(f"openai_key: the file cannot be read ({reason})") from None
    if key:
        os.environ[_KEY] = key


def open_judge(
    model_name: str,
    *,
    model: ChatModel | None,
    afg_model: str | None,
    afv_model: str | None,
    is_npm: bool,
    cache_dir: Path,
) -> Roles:
    """Opens the roles for a model name."""
    if not isinstance(model_name, str):
        raise InputError(f"model_name: expected a string, found {short_repr(model_name)}")
    if is_npm or "npm" in model_name.lower():
        raise InputError(
            f"model_name {model_name!r}: the nonparametric model needs a special index and a GPU "
            f"and is not part of this package; use {DEFAULT!r}, or 'retrieval+ChatGPT' with a "
            "model"
        )
    named = afg_model is not None or afv_model is not None
    if model_name not in _MODELS and not named:
        raise InputError(
            f"model_name {model_name!r} is unknown{near_miss(model_name, _MODELS)} (there are "
            f"{', '.join(_MODELS)})"
        )
    if model_name == DEFAULT and not named and model is None:
        return Roles(BuiltinDecomposer(), BuiltinVerifier())
    return _asking(model, afg_model, afv_model, model_name, cache_dir)


def _asking(
    model: ChatModel | None,
    afg_model: str | None,
    afv_model: str | None,
    model_name: str,
    cache_dir: Path,
) -> Roles:
    """Creates roles with a model that judges each fact in one call (the paper's strict form)."""
    if model is not None and not isinstance(model, (OpenAIModel, GGUFModel)):
        raise InputError(
            f"model={short_repr(model)}: expected OpenAIModel(NAME) or GGUFModel(FILE)"
        )
    url = os.environ.get("DFACTSCORE_BASE_URL") or None
    name = os.environ.get("DFACTSCORE_MODEL")

    def role(name_of_role: str | None) -> ChatModel:
        if name_of_role is not None:
            base = model.base_url if isinstance(model, OpenAIModel) else url
            return OpenAIModel(name_of_role, base_url=base)
        if model is not None:
            return model
        if name:
            return OpenAIModel(name, base_url=url)
        raise InputError(
            f"model_name {model_name!r} needs a language model: give model=OpenAIModel(NAME, "
            "base_url=URL), or set DFACTSCORE_MODEL and DFACTSCORE_BASE_URL; the default, "
            f"{DEFAULT!r}, needs none"
        )

    decomposer, judge = role(afg_model), role(afv_model)
    make_folder(cache_dir, error=InputError)
    session = LLMSession(cache=cache_dir / "llm.sqlite")
    config = ""
    if afg_model is not None or afv_model is not None:
        config = f"retrieval+{decomposer.model}+{judge.model}"
    # `PassageVerifier` selects the passages; the prompt shows all of them in its order.
    verifier = StrictVerifier(session.client(judge), passages=1000)
    return Roles(LLMDecomposer(session.client(decomposer)), verifier, session, config)


def one_of(argument: str, value: object, known: tuple[Any, ...]) -> None:
    """Checks that an argument has one of the known values."""
    if value not in known:
        words = [str(name) for name in known if name is not None]
        raise InputError(
            f"{argument}: {short_repr(value)} is unknown{near_miss(value, words)} (there are "
            f"{', '.join(words)})"
        )
