"""The settings of `dfactscore score`."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ValidatorFunctionWrapHandler, WrapValidator

from dfactscore._asking.options import DRY_RUN, BudgetSettings, JudgeModelSettings
from dfactscore._asking.settings import ChatModel
from dfactscore._errors import InputError
from dfactscore._util.settings import (
    GivenSettings,
    Settings,
    flag_of,
    from_mapping,
    in_panels,
    panels,
    read_yaml,
    settle,
)
from dfactscore.engines._nli.forms import NLISettings

if TYPE_CHECKING:
    from dfactscore._readers import Columns
    from dfactscore._scoring import ScoreOptions

_LOG = logging.getLogger(__name__)

RoleChoice = Literal["builtin", "llm"]
_NLI = "nli:"


def _or_nli(value: Any, choose: ValidatorFunctionWrapHandler) -> Any:
    """Accepts ``nli:`` followed by any model as ``nli:MODEL``."""
    return value if _names_nli(value) else choose(value)


def _names_nli(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(_NLI) and value != _NLI


VerifierChoice = Annotated[
    Literal["builtin", "llm", "strict", "cascade", "no-context", "nli:MODEL"],
    WrapValidator(_or_nli),
]
NLIChoice = Annotated[Literal["nli:MODEL"], WrapValidator(_or_nli)]
_CALL_SETTINGS = ("calls", "check_facts", "prompts", "facts_per_call")
_CASCADE_SETTINGS = ("cascade_model", "cascade_low", "cascade_high")
Role = Literal["decomposer", "grouper", "verifier"]
_input, _evidence, _scoring, _engine = panels("Input Evidence Scoring Engine")
_model, _limit, _output = panels("Model Limits Output")


def _column(key: str, content: str, usual: str) -> Any:
    return _input(None, f"{content}.", named=usual, flags=(f"--field {key}",))


class LinkSettings(Settings):
    """Options for turning verdicts into scores; `rescore` can change these."""

    first = "candidates link"

    dataset: Path | None = _evidence(None, "AmbigBio file that lists the pages for each name.")
    candidates: Literal["retrieved", "named", "dataset"] = _evidence(
        "retrieved",
        "Entities to link groups to: all those retrieved, those that bear the target name, or "
        "those in --dataset.",
    )
    link: Literal["argmax", "hungarian"] = _scoring(
        "argmax", "Link each group to its best entity, or use the best one-to-one assignment."
    )
    unreadable: Literal["auto", "bounds", "unsupported", "exclude"] = _scoring(
        "auto",
        "How unreadable verdicts count; bounds gives both extremes instead of a score, and so does "
        "auto for pages that were not judged.",
        in_file=True,
    )
    irrelevant: Literal["keep", "exclude"] = _scoring(
        "keep", "Keep irrelevant facts in the denominator, or exclude them."
    )
    threshold: float | None = _scoring(
        None,
        "Minimum probability at which a fact counts as supported.",
        ge=0,
        le=1,
        named="the verifier's own",
        in_file=True,
    )
    counts: Literal["expected", "verdicts"] | None = _scoring(
        None,
        "Add up calibrated probabilities (expected) or verdicts.",
        named="expected of calibrated judges",
    )
    gamma: float | None = _scoring(None, "Length penalty (10 in FActScore).", ge=0, named="none")
    min_foreign: int | None = _scoring(
        None,
        "Number of facts of a namesake at which a group counts as mixed.",
        ge=1,
        in_file=True,
        named="more than a twentieth of the text's facts",
    )
    keep_repeats: bool = _scoring(
        False, "In F1@K, count repeated facts each time they occur.", in_file=True
    )

    def score_options(self) -> ScoreOptions:
        """Score options; `counts` is ``"verdicts"`` until the judge is known (`Job.settled`)."""
        from dfactscore._scoring.score_options import ScoreOptions

        values = {option.name: getattr(self, option.name) for option in fields(ScoreOptions)}
        return ScoreOptions(**{**values, "counts": self.counts or "verdicts"})


class RoleSettings(Settings):
    """The engine of each role."""

    first = "engine verifier"
    files = "verifier"

    engine: RoleChoice = _engine("builtin", "Engine for all roles: built-in or language model.")
    decomposer: RoleChoice | None = _engine(
        None, "Engine that splits text into facts.", named="--engine"
    )
    grouper: RoleChoice | None = _engine(
        None, "Engine that groups facts by individual.", named="--engine"
    )
    verifier: VerifierChoice | None = _engine(
        None,
        "Engine that judges facts; cascade asks the model about unsure pairs only; nli: "
        "an entailment model, by folder or hub id.",
        named="--engine",
    )
    strict: bool = _engine(
        False, "Make one call per fact and page, as in the paper.", flags=("--strict/--batched",)
    )
    calls: Literal["auto", "entity", "few"] = _engine(
        "auto",
        "Separate calls for facts, groups and each entity; few: one for facts and groups, one "
        "for all entities; auto: few for 20 texts or more if the endpoint enforces schemas and "
        "the model passes a check (doctor --judge).",
        in_file=True,
    )
    language: Literal["english", "any"] = _engine(
        "english",
        "Languages that the built-in engine scores: English (other texts are not_english), or "
        "any, although such scores mean little.",
    )
    relevance: bool = _engine(False, "Let the model label irrelevant facts.")


class EngineSettings(Settings):
    """Engine options."""

    keyed = "--cascade: Second verifier of the cascade"

    files = "cascade_model"

    check_facts: bool = _engine(
        True,
        "Drop a model's facts with words, names or numbers that the text does not have, and move "
        "facts to their sentences.",
        in_file=True,
    )
    cascade_model: NLIChoice | None = _engine(
        None,
        "Entailment model to ask instead of a language model.",
        flags=("--cascade model",),
    )
    cascade_low: float | None = _engine(
        None,
        "Lowest built-in probability for which the model is asked.",
        ge=0,
        le=1,
        named="by threshold",
        flags=("--cascade low",),
    )
    cascade_high: float | None = _engine(
        None,
        "Highest built-in probability for which the model is asked.",
        ge=0,
        le=1,
        named="by threshold",
        flags=("--cascade high",),
    )
    calibration: Path | None = _engine(
        None,
        "File written by 'meta calibrate'; scores then add up probabilities.",
    )
    prompts: Path | None = _engine(None, "Folder with your own prompt templates.", in_file=True)
    facts_per_call: int = _engine(50, "Maximum facts judged per call.", ge=1, in_file=True)


class TextSettings(Settings):
    """The part of a text to score."""

    text: Literal["answer", "raw"] = _input(
        "answer",
        "Part of a text to score: the answer alone, or everything as written (including "
        "thoughts, later turns, links and sources).",
    )


class OwnerSettings(Settings):
    """Settings for determining the owners of a text's passages."""

    entities: Literal["auto", "titles", "passages"] = _evidence(
        "auto",
        "Who a passage is about: always decided by its title (titles), or by its title only "
        "if that names someone (auto); otherwise by the person the passage introduces.",
    )


class JobSettings(
    TextSettings,
    OwnerSettings,
    LinkSettings,
    EngineSettings,
    RoleSettings,
    JudgeModelSettings,
    NLISettings,
    BudgetSettings,
):
    """Settings for judging and scoring biographies from any source."""

    index: Path | None = _evidence(
        None,
        "Index folder; FS is then judged by passages retrieved for each fact from the whole "
        "corpus.",
        named="FS is judged by the retrieved pages",
    )
    evidence: bool = _engine(
        False, "Also ask which sentences support each fact (with calls: few).", in_file=True
    )
    reasons: bool = _engine(
        False, "Also ask for a reason for each verdict (one call per page), shown in the report."
    )
    judges: Path | None = _model(
        None,
        "YAML list of models (model, base_url, api_key_env ...), the majority of which decides "
        "each verdict.",
    )
    decomposer_model: str | None = _model(
        None, "Model for the decomposer.", named="--model", in_file=True
    )
    grouper_model: str | None = _model(
        None, "Model for the grouper.", named="--model", in_file=True
    )
    verifier_model: str | None = _model(
        None, "Model for the verifier.", named="--model", in_file=True
    )

    @property
    def roles(self) -> tuple[RoleChoice, RoleChoice, str]:
        """The engine for each role: decomposer, grouper, verifier."""
        verifier: str = self.verifier or self.engine
        if self.strict and verifier == "llm":
            verifier = "strict"
        return self.decomposer or self.engine, self.grouper or self.engine, verifier

    @property
    def asks_model(self) -> dict[Role, bool]:
        """Whether each role needs a language model."""
        decomposer, grouper, verifier = self.roles
        return {
            "decomposer": decomposer == "llm" or self.relevance,
            "grouper": grouper == "llm",
            "verifier": verifier != "builtin" and self.nli_name is None,
        }

    @property
    def few(self) -> tuple[bool, bool]:
        """Whether a single call returns facts and groups, and whether one returns all verdicts."""
        decomposer, grouper, verifier = self.roles
        models = self.decomposer_model or self.model, self.grouper_model or self.model
        can_read = decomposer == grouper == "llm" and models[0] == models[1] and not self.strict
        can_judge = verifier in ("llm", "cascade") and self.nli_name is None
        can_judge &= not (self.strict or self.reasons)
        few = self.calls == "few"
        return few and can_read, few and can_judge

    @property
    def uses_llm(self) -> bool:
        """Whether any role needs a language model."""
        return any(self.asks_model.values())

    @property
    def nli_name(self) -> str | None:
        """The entailment model that judges, directly or in a cascade; None if there is none."""
        verifier = self.roles[2]
        name = self.cascade_model if verifier == "cascade" else verifier
        return name.removeprefix(_NLI) if _names_nli(name) and name else None

    def chat_model(self, role: Role) -> ChatModel:
        """Returns the language model of a role."""
        cascade = role == "verifier" and self.roles[2] == "cascade"
        instead = ", or --cascade model=nli:MODEL" if cascade else ""
        return self.model_for(role, getattr(self, f"{role}_model"), instead=instead)

    def judge_models(self) -> tuple[ChatModel, ...]:
        """Returns the models in the file of judges; what a judge does not set is as in the run."""
        if self.judges is None:
            return ()
        entries = read_yaml(self.judges, error=InputError)
        if not isinstance(entries, list) or len(entries) < 2:
            raise InputError(
                f"{self.judges}: expected a list of two judges or more, such as '- model: NAME'"
            )
        names = JudgeModelSettings.model_fields
        own = {name: getattr(self, name) for name in names}
        judges = []
        for number, entry in enumerate(entries, 1):
            where = f"{self.judges}: judge {number}"
            given = from_mapping(JudgeModelSettings, entry, where)
            usual = GivenSettings(own, dict.fromkeys(own, where))
            judges.append(settle(JudgeModelSettings, usual, given).model_for("judge"))
        return tuple(judges)


class WorkerSettings(Settings):
    """The number of scoring processes, and where they run."""

    first = "workers"

    workers: int = _limit(1, "Worker processes; 0 for one per core; 1 with a language model.", ge=0)
    on: str | None = _limit(
        None,
        "Cluster to run the workers on: ray (at RAY_ADDRESS) or ray://HOST:PORT.",
        named="this machine",
        in_file=True,
    )


class ColumnSettings(TextSettings):
    """The columns of the input."""

    keyed = "--field: Columns or fields of the input"

    text_column: str | None = _column("text", "Generated text", "text, output ...")
    name_column: str | None = _column("name", "Target name", "name, topic ...")
    id_column: str | None = _column("id", "Id of the record", "id")
    passages_column: str | None = _column("passages", "Passages", "passages, docs ...")
    model_column: str | None = _column("model", "Model that wrote the text", "model")
    sheet: str | None = _input(None, "Sheet of a workbook (.xlsx).", named="the first")
    join: Path | None = _input(
        None, "File with further fields, or with a passage per row, joined by --on."
    )
    join_on: str | None = _input(
        None,
        "Field by which rows are joined (OWN=OTHER if its names differ); without --join, rows that "
        "share it hold one text and a passage each.",
        flags=("--on",),
        named="id with --join",
    )
    reader: str | None = _input(
        None,
        "Your own function from a record to a Biography or a mapping, as MODULE:FUNCTION, instead "
        "of all rules for fields.",
    )

    @property
    def columns(self) -> Columns:
        """Where the fields of the input stand."""
        from dfactscore._readers import Columns

        fields = ("text", "name", "id", "passages", "model")
        chosen = {f: getattr(self, f"{f}_column") for f in fields}
        return Columns(
            **chosen, sheet=self.sheet, join=self.join, on=self.join_on, reader=self.reader
        )


class Config(JobSettings, WorkerSettings, ColumnSettings):
    """The settings of a scoring command."""

    first = "pages limit sample out dry_run"

    input: Path | None = _input(
        None,
        "Biographies (name, text): .json (ALCE), .jsonl, .csv, .tsv, .parquet, .xlsx, or logs "
        "from lm-eval or Inspect.",
        argument=True,
    )
    pages: Path | None = _evidence(
        None,
        "Whole pages (title, text) to judge against: .jsonl, .csv, .tsv, .parquet, .xlsx, a folder "
        "of .txt, a page store, wikipedia or wikipedia:de.",
        named="the input's passages",
    )
    contact: str | None = _evidence(
        None,
        "Your e-mail address or URL, required by Wikimedia.",
        variable=True,
    )
    redirects: Path | None = _evidence(
        None,
        "Redirects for a factscore page database: JSON lines {title, target}.",
        in_file=True,
    )
    limit: int | None = _input(None, "Use only the first N; increasing N later adds more.", ge=1)
    sample: int | None = _input(None, "Draw N random texts per model; a larger N keeps them.", ge=1)
    sample_seed: int | None = _input(
        None, "Random seed for --sample.", named="the model's, else 0", in_file=True
    )
    repeats: int = _scoring(1, "Judge N times and report the spread.", ge=1)
    out: Path | None = _output(
        None,
        "Run folder; the same command resumes it.",
        flags=("-o",),
        named="runs/INPUT-HASH",
    )
    dry_run: bool = DRY_RUN


def library_settings(settings: Mapping[str, Any], where: str = "llm") -> Config:
    """Returns the settings of an engine whose model was passed as an object rather than by name."""
    kinds = (RoleSettings, EngineSettings, NLISettings, BudgetSettings)
    allowed = {"evidence", "reasons"}.union(*(kind.model_fields for kind in kinds))
    given = from_mapping(Config, settings, where)
    refused = next((name for name in given.values if name not in allowed), None)
    if refused is not None:
        raise InputError(
            f"llm: {refused!r} is not a setting of the engine here; it goes into the model, "
            f"OpenAIModel({refused}=...), or into Scorer itself"
        )
    return settle(Config, GivenSettings({"engine": "llm"}, {}), given)


def check_flags(
    config: Config, flags: Mapping[str, Any], file: GivenSettings | None = None
) -> None:
    """Rejects flags that the roles' engines do not use; warns about such keys in a file."""
    keys = GivenSettings({}, {}) if file is None else file
    for name, (used, missing) in _needs(config).items():
        if flags.get(name) not in (None, False) and not used:
            flag = flag_of(name, type(config).model_fields[name])
            raise InputError(f"{flag} would change nothing: {missing}")
        if keys.values.get(name) not in (None, False) and not used:
            _LOG.warning(f"{keys.places[name]} changes nothing: {missing}")


def _needs(config: Config) -> dict[str, tuple[bool, str]]:
    """For settings that need another, returns whether that is set and a hint on what to add."""
    decomposer, grouper, verifier = config.roles
    judges = config.asks_model["verifier"] and verifier != "no-context"
    roles = f"the roles are {decomposer}, {grouper} and {verifier}; add"
    any_role = f"{roles} --engine llm (or --decomposer, --grouper, --verifier llm)"
    model_settings = ("model", *sorted(in_panels(JudgeModelSettings, "Model")), *_CALL_SETTINGS)
    cascade = verifier == "cascade", f"{roles} --verifier cascade"
    nli = config.nli_name is not None, f"{roles} --verifier nli:MODEL"
    return {
        **dict.fromkeys(model_settings, (config.uses_llm, any_role)),
        "strict": (decomposer == "llm" or judges, any_role),
        "judges": (judges and not cascade[0], f"{roles} --verifier llm"),
        "reasons": (judges and verifier != "strict", f"{roles} --verifier llm"),
        **dict.fromkeys(_CASCADE_SETTINGS, cascade),
        **dict.fromkeys(NLISettings.model_fields, nli),
        "sample_seed": (config.sample is not None, "nothing is drawn; add --sample N"),
    }
