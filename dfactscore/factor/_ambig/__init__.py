"""AmbigFACTOR: wrong completions that are true of another person with the same name."""

from dfactscore.factor._ambig.namesakes import AmbigBuild, build_ambig

__all__ = ["AmbigBuild", "build_ambig"]
