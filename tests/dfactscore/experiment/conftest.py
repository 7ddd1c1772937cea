"""The stub model, which tests of experiments ask too."""

from stub_model import stub, stub_process

__all__ = ["stub", "stub_process"]
