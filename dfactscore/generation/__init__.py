"""Writes biographies for ambiguous names from retrieved passages."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.generation._extractive import ExtractiveGenerator
    from dfactscore.generation._llm import LLMGenerator
    from dfactscore.generation._prompt import (
        Demonstration,
        Prompt,
        load_demonstrations,
        load_prompt,
    )
    from dfactscore.generation._request import (
        Generation,
        Generator,
        Provenance,
        Request,
        Trim,
        same_name_entities,
    )
    from dfactscore.generation._request_files import read_names, read_requests, retrieve
    from dfactscore.generation._written import Written, write_biographies

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
        "_extractive": ("ExtractiveGenerator",),
        "_llm": ("LLMGenerator",),
        "_prompt": ("Demonstration", "Prompt", "load_demonstrations", "load_prompt"),
        "_request": (
            "Generation",
            "Generator",
            "Provenance",
            "Request",
            "Trim",
            "same_name_entities",
        ),
        "_request_files": ("read_names", "read_requests", "retrieve"),
        "_written": ("Written", "write_biographies"),
    },
)
