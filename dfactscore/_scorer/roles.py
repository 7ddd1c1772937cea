"""The roles of a `Scorer`, given as objects or names; a language model can fill the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from dfactscore._asking.settings import GGUFModel, OpenAIModel
from dfactscore._errors import InputError
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.settings import library_settings
from dfactscore._scorer.options import ScorerOptions
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._roles import Decomposer, Engine, Grouper, Verifier, as_role

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession
    from dfactscore._asking.settings import ChatModel

_T = TypeVar("_T")
_ROLES = {"decomposer": Decomposer, "grouper": Grouper, "verifier": Verifier}


class ScorerRoles:
    """The three roles of a scorer, and the language model that they share."""

    def __init__(self, options: ScorerOptions) -> None:
        model, llm = options["model"], options["llm"]
        roles: dict[str, Any] = {role: options[role] for role in ("decomposer", "grouper")}
        roles["verifier"] = _nli_verifier(options["verifier"])
        names = {role: name for role, name in roles.items() if isinstance(name, str)}
        roles |= dict.fromkeys(names)
        roles |= {k: as_role(v, _ROLES[k], k) for k, v in roles.items() if v is not None}
        library_settings(names, "Scorer")  # rejects unknown names
        self._decomposer: Decomposer | None = roles["decomposer"]
        self._grouper: Grouper | None = roles["grouper"]
        self._verifier: Verifier | None = roles["verifier"]
        self._close: Callable[[], Awaitable[None]] | None = None
        # Connections belong to the event loop of one call; a loaded model file is kept for all
        # calls.
        self._stays_open = isinstance(model, GGUFModel)
        self.session: LLMSession | None = None
        if model is not None:
            self._fill(model, {**(llm or {}), **names})
        elif llm or set(names.values()) - {"builtin"}:
            what = "llm settings" if llm else next(f"{r}={n!r}" for r, n in names.items())
            raise InputError(f"{what}: needs a model, Scorer(model=OpenAIModel(...), ...)")

    def _fill(self, model: ChatModel, settings: Mapping[str, Any]) -> None:
        """Uses a language model to fill the missing roles."""
        if not isinstance(model, (OpenAIModel, GGUFModel)):
            raise InputError(f"model={model!r}: expected OpenAIModel(NAME) or GGUFModel(FILE)")
        config = library_settings(settings)
        self.session = config.open_session()
        engine = build_engine(config, self.session, model=model)
        self._decomposer = self._decomposer or engine.decomposer
        self._grouper = self._grouper or engine.grouper
        self._verifier = self._verifier or engine.verifier
        self._close = engine.close

    def engine(self, *, any_language: bool) -> Engine:
        """Returns the roles as an engine; missing roles are built-in and created on first use."""
        self._decomposer = self._decomposer or BuiltinDecomposer()
        self._grouper = self._grouper or BuiltinGrouper()
        self._verifier = self._verifier or BuiltinVerifier()
        return Engine(self._decomposer, self._grouper, self._verifier, self._close, any_language)

    async def aclose(self) -> None:
        """Closes the running event loop's connections and frees any in-process model."""
        if self._close is not None:
            await self._close()

    async def closing(self, coroutine: Coroutine[Any, Any, _T]) -> _T:
        """Awaits a coroutine, then closes the connections that it used."""
        try:
            return await coroutine
        finally:
            if not self._stays_open:
                await self.aclose()


def _nli_verifier(verifier: Verifier | str | None) -> Verifier | str | None:
    """Returns the verifier, opening it if it is named as ``nli:MODEL``."""
    if not isinstance(verifier, str) or not verifier.startswith("nli:"):
        return verifier
    from dfactscore.engines._nli.verifier import NLIVerifier

    return NLIVerifier(verifier.removeprefix("nli:"))
