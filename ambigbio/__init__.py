"""AmbigBio: ambiguous names, the people who share them and their pages."""

__all__: list[str] = []
