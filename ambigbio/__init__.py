"""AmbigBio: ambiguous names, the people who share them and their pages."""

from dfactscore.ambigbio.dataset import load, save
from dfactscore.ambigbio.errors import AmbigBioError
from dfactscore.ambigbio.records import AmbigBio, AmbiguousName, Header, Person

__all__ = ["AmbigBio", "AmbigBioError", "AmbiguousName", "Header", "Person", "load", "save"]
