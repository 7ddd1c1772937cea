"""Settings for generators and for `dfactscore generate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from dfactscore._asking.options import DRY_RUN, BudgetSettings, ModelSettings
from dfactscore._asking.settings import ChatModel, GGUFModel
from dfactscore._errors import InputError
from dfactscore._util.settings import (
    Settings,
    from_environment,
    from_mapping,
    in_panels,
    panels,
    settle,
)

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession
    from dfactscore.generation._prompt import Prompt
    from dfactscore.generation._request import Generator


_input, _evidence, _engine, _model, _output = panels("Input Evidence Engine Model Output")


class GenerationConfig(ModelSettings):
    """The settings of one generator."""

    files = "instruction demos"

    only_for: ClassVar[tuple[str, Mapping[str, frozenset[str]]]] = (
        "generator",
        {
            "extractive": frozenset({"mode", "sentences", "entities"}),
            "llm": in_panels(ModelSettings, "Model")
            | {"instruction", "demos", "shots", "template", "layout", "top_p", "max_tokens"},
        },
    )

    generator: Literal["llm", "extractive"] = _engine(
        "llm", "Write with a language model, or copy sentences from the passages."
    )
    mode: Literal["one-entity", "mixing"] = _engine(
        "one-entity", "With extractive: use sentences about one entity or several."
    )
    sentences: int = _engine(6, "With extractive: maximum number of sentences.", ge=1, in_file=True)
    entities: int = _engine(
        2, "With extractive and --mode mixing: maximum number of entities.", ge=2, in_file=True
    )
    instruction: str = _model("vanilla", "Instruction: vanilla, careful or a text file.")
    demos: str = _model(
        "ambiguous",
        "Demonstrations: ambiguous, unambiguous, disambiguating, none, a YAML file, or an "
        "ALCE JSON file.",
    )
    shots: int = _model(2, "Number of demonstrations in the prompt.", ge=0)
    template: Path | None = _model(
        None, "Your own prompt template (docs/generation.md).", in_file=True
    )
    layout: Literal["single", "turns"] = _model(
        "single",
        "Send the whole prompt as one message, or one turn per demonstration.",
        in_file=True,
    )
    temperature: float | None = _model(1.0, "Sampling temperature.", ge=0)
    top_p: float | None = _model(
        0.95, "Probability mass to sample tokens from.", gt=0, le=1, in_file=True
    )
    seed: int | None = _model(
        1,
        "Random seed sent with every request.",
        flags=("--model-seed",),
        in_file=True,
    )
    max_tokens: int = _model(512, "Maximum tokens per biography.", ge=1)
    context: int | None = _model(
        None,
        "Context window in tokens; passages are shortened to fit.",
        ge=256,
        named=f"{GGUFModel.context} for --gguf",
        in_file=True,
    )

    def chat_model(self) -> ChatModel:
        """Returns the model with its sampling settings."""
        sampling = {} if self.top_p is None else {"top_p": self.top_p}
        chosen = self.model_for("generator", instead=", or --generator extractive")
        # It writes prose, so neither JSON nor token probabilities are asked for.
        return replace(
            chosen,
            parameters={**sampling, **self.parameters},
            structured="text",
            logprobs=False,
        )

    def prompt(self) -> Prompt:
        """Returns the prompt with its instruction, demonstrations and template."""
        from dfactscore.generation._prompt import instruction_text, load_demonstrations, load_prompt

        if self.demos.lower().endswith(".json"):
            from dfactscore.generation._prompt import load_alce_prompt

            if self.template is not None:
                raise InputError("template: the ALCE prompt file of --demos has its own")
            is_given = "instruction" in self.model_fields_set
            return load_alce_prompt(
                self.demos,
                instruction=instruction_text(self.instruction) if is_given else None,
                shots=self.shots,
                layout=self.layout,
            )
        return load_prompt(
            instruction=self.instruction,
            demonstrations=load_demonstrations(self.demos, shots=self.shots),
            template=self.template,
            layout=self.layout,
        )

    @property
    def at_once(self) -> int:
        """The number of biographies that are written concurrently."""
        return self.concurrency or (1 if self.gguf is not None else 16)


class NamesSettings(Settings):
    """Settings for the names to write about and their passages."""

    exclusive: ClassVar[tuple[tuple[str, str], ...]] = (("passages", "index"),)

    names: Path | None = _input(None, "Names: AmbigBio .jsonl, .csv, .tsv or .txt.")
    limit: int | None = _input(None, "Use only the first N; increasing N later adds more.", ge=1)
    index: Path | None = _evidence(None, "Index folder to retrieve passages from.")
    passages: Path | None = _evidence(
        None, "Passages for each name (.jsonl, ALCE .json), instead of an index."
    )
    top: int = _evidence(5, "Number of passages per name.", ge=1, flags=("-k",))


class GenerateSettings(NamesSettings, GenerationConfig, BudgetSettings):
    """The settings of one `dfactscore generate` command."""

    first = "names limit generator mode index passages out dry_run"

    exclusive: ClassVar[tuple[tuple[str, str], ...]] = tuple(
        ("questions", name) for name in ("names", "passages", "index", "alce")
    )

    questions: Path | None = _input(
        None, "Prompts to answer without retrieval (.jsonl), instead of names."
    )
    out: Path | None = _output(
        None, "Biographies (.jsonl); the same command resumes them.", flags=("-o",)
    )
    dry_run: bool = DRY_RUN
    alce: Path | None = _output(None, "Also write the biographies in ALCE's format (.json).")


def validated(
    values: Any,
    where: str,
    # Variables `DFACTSCORE_…` that supply settings missing from `values`; empty by default.
    environment: Mapping[str, str] | None = None,
    *,
    base: Path | None = None,  # folder that relative paths refer to, instead of the current one
) -> GenerationConfig:
    """Checks the settings of one generator."""
    return settle(
        GenerationConfig,
        from_environment(GenerationConfig, environment or {}),
        from_mapping(GenerationConfig, values, where, base=base),
    )


def make_generator(config: GenerationConfig, session: LLMSession | None = None) -> Generator:
    """Creates a generator from settings."""
    if config.generator == "extractive":
        from dfactscore.generation._extractive import ExtractiveGenerator

        return ExtractiveGenerator(
            config.mode, sentences=config.sentences, entities=config.entities
        )
    from dfactscore._asking.session import LLMSession
    from dfactscore.generation._llm import LLMGenerator

    prompt = config.prompt()
    model = config.chat_model()
    context = model.context if isinstance(model, GGUFModel) else config.context
    client = (session or LLMSession()).client(model)
    return LLMGenerator(client, prompt, max_tokens=config.max_tokens, context=context)
