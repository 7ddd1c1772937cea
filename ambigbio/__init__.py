"""AmbigBio: ambiguous names, the people who share them, and the people's pages."""

from dfactscore.ambigbio._dataset import load, save
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._records import AmbigBio, AmbiguousName, Header, Person

__all__ = ["AmbigBio", "AmbigBioError", "AmbiguousName", "Header", "Person", "load", "save"]
