"""Biographies of ambiguous names, written from retrieved passages."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dfactscore.generation.demonstration import Demonstration, load_demonstrations
    from dfactscore.generation.extractive import ExtractiveGenerator
    from dfactscore.generation.llm import LLMGenerator
    from dfactscore.generation.prompt import Prompt, load_prompt
    from dfactscore.generation.request import Generation, Generator, Provenance, Request, Trim
    from dfactscore.generation.retrieved import same_name_entities
    from dfactscore.generation.retrieving import retrieve
    from dfactscore.generation.sources import read_names, read_requests
    from dfactscore.generation.writing import Written, write_biographies

# Imported on first use, so that the settings alone cost little.
_HOMES = {
    "Demonstration": "demonstration",
    "ExtractiveGenerator": "extractive",
    "Generation": "request",
    "Generator": "request",
    "LLMGenerator": "llm",
    "Prompt": "prompt",
    "Provenance": "request",
    "Request": "request",
    "Trim": "request",
    "Written": "writing",
    "load_demonstrations": "demonstration",
    "load_prompt": "prompt",
    "read_names": "sources",
    "read_requests": "sources",
    "retrieve": "retrieving",
    "same_name_entities": "retrieved",
    "write_biographies": "writing",
}

__all__ = [
    "Demonstration",
    "ExtractiveGenerator",
    "Generation",
    "Generator",
    "LLMGenerator",
    "Prompt",
    "Provenance",
    "Request",
    "Trim",
    "Written",
    "load_demonstrations",
    "load_prompt",
    "read_names",
    "read_requests",
    "retrieve",
    "same_name_entities",
    "write_biographies",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
