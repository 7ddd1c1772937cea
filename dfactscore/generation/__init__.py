"""Writes biographies of ambiguous names from retrieved passages."""

from typing import TYPE_CHECKING

from dfactscore._util.on_use import names_on_use

if TYPE_CHECKING:
    from dfactscore.generation.demonstration import Demonstration, load_demonstrations
    from dfactscore.generation.extractive import ExtractiveGenerator
    from dfactscore.generation.llm import LLMGenerator
    from dfactscore.generation.loading import retrieve
    from dfactscore.generation.prompt import Prompt, load_prompt
    from dfactscore.generation.request import Generation, Generator, Provenance, Request, Trim
    from dfactscore.generation.request_files import read_names, read_requests
    from dfactscore.generation.retrieved import same_name_entities
    from dfactscore.generation.written import Written, write_biographies

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

__getattr__ = names_on_use(
    __name__,
    {
        "demonstration": ("Demonstration", "load_demonstrations"),
        "extractive": ("ExtractiveGenerator",),
        "llm": ("LLMGenerator",),
        "prompt": ("Prompt", "load_prompt"),
        "request": ("Generation", "Generator", "Provenance", "Request", "Trim"),
        "retrieved": ("same_name_entities",),
        "loading": ("retrieve",),
        "request_files": ("read_names", "read_requests"),
        "written": ("Written", "write_biographies"),
    },
)
