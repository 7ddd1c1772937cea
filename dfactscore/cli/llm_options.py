"""Options of commands that may ask a language model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

__all__ = [
    "ApiKeyEnv",
    "BaseUrl",
    "Batch",
    "Cache",
    "CascadeHigh",
    "CascadeLow",
    "Concurrency",
    "ConfigFile",
    "DecomposerModel",
    "DecomposerRole",
    "DryRun",
    "EngineChoice",
    "Gguf",
    "GrouperModel",
    "GrouperRole",
    "MaxAnswerTokens",
    "MaxCalls",
    "MaxCost",
    "Model",
    "NoCache",
    "Prices",
    "Prompts",
    "Relevance",
    "Repeats",
    "RequestsPerMinute",
    "Retries",
    "Seed",
    "Strict",
    "Structured",
    "Temperature",
    "Timeout",
    "TokensPerMinute",
    "VerifierModel",
    "VerifierRole",
]

Role = Literal["builtin", "llm"]
EngineChoice = Annotated[
    Role | None, typer.Option("--engine", help="Rules and a small model, or a language model.")
]
DecomposerRole = Annotated[
    Role | None, typer.Option("--decomposer", help="Which engine splits text into facts.")
]
GrouperRole = Annotated[
    Role | None, typer.Option("--grouper", help="Which engine groups facts by individual.")
]
VerifierRole = Annotated[
    Literal["builtin", "llm", "strict", "cascade", "no-context"] | None,
    typer.Option(
        "--verifier",
        help="Which engine judges; cascade asks the model only where the built-in one is unsure.",
    ),
]
Strict = Annotated[
    bool | None,
    typer.Option("--strict/--batched", help="One call per fact and page, as the paper does."),
]
Relevance = Annotated[
    bool | None, typer.Option("--relevance", help="Let the model label irrelevant facts.")
]
CascadeLow = Annotated[
    float | None,
    typer.Option("--cascade-low", min=0, max=1, help="Below it the built-in verdict stands."),
]
CascadeHigh = Annotated[
    float | None,
    typer.Option("--cascade-high", min=0, max=1, help="Above it the built-in verdict stands."),
]
Prompts = Annotated[
    Path | None, typer.Option("--prompts", help="Folder with templates of your own.")
]
Model = Annotated[str | None, typer.Option("--model", help="Name of the model at the endpoint.")]
DecomposerModel = Annotated[
    str | None, typer.Option("--decomposer-model", help="Another model for this role.")
]
GrouperModel = Annotated[
    str | None, typer.Option("--grouper-model", help="Another model for this role.")
]
VerifierModel = Annotated[
    str | None, typer.Option("--verifier-model", help="Another model for this role.")
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="OpenAI-compatible endpoint, up to /v1.")
]
ApiKeyEnv = Annotated[
    str | None, typer.Option("--api-key-env", help="Environment variable with the key.")
]
Gguf = Annotated[
    Path | None, typer.Option("--gguf", help="Run this model file in the process, no server.")
]
Temperature = Annotated[
    float | None, typer.Option("--temperature", min=0, help="0 by default: the likeliest answer.")
]
Seed = Annotated[int | None, typer.Option("--seed", help="Sent with every request.")]
Structured = Annotated[
    Literal["auto", "json_schema", "json_object", "text"] | None,
    typer.Option("--structured", help="How answers are kept in form; auto asks the endpoint."),
]
MaxAnswerTokens = Annotated[
    int | None, typer.Option("--max-answer-tokens", min=1, help="A cap on every answer.")
]
Concurrency = Annotated[
    int | None, typer.Option("--concurrency", min=1, help="Requests under way at once.")
]
RequestsPerMinute = Annotated[
    float | None, typer.Option("--requests-per-minute", min=0.001, help="The provider's limit.")
]
TokensPerMinute = Annotated[
    float | None, typer.Option("--tokens-per-minute", min=1, help="The provider's limit.")
]
Timeout = Annotated[
    float | None, typer.Option("--timeout", min=0.001, help="Seconds for one attempt.")
]
Retries = Annotated[
    int | None, typer.Option("--retries", min=0, help="Attempts after the first one.")
]
Batch = Annotated[
    bool | None,
    typer.Option("--batch", help="Send the stages as OpenAI batch jobs; come back any time."),
]
Cache = Annotated[
    Path | None, typer.Option("--cache", help="Answer cache; by default the user's own.")
]
NoCache = Annotated[bool | None, typer.Option("--no-cache", help="Keep no answers.")]
Prices = Annotated[Path | None, typer.Option("--prices", help="Price list of your own (JSON).")]
MaxCost = Annotated[
    float | None, typer.Option("--max-cost", min=0, help="Stop before this sum; resumable.")
]
MaxCalls = Annotated[
    int | None, typer.Option("--max-calls", min=0, help="Stop after so many calls; resumable.")
]
Repeats = Annotated[
    int | None, typer.Option("--repeats", min=1, help="Judge so many times and give the spread.")
]
DryRun = Annotated[
    bool | None, typer.Option("--dry-run", help="Print calls, tokens and cost; ask nobody.")
]
ConfigFile = Annotated[
    Path | None, typer.Option("--config", help="All of this from a YAML file; flags override it.")
]
