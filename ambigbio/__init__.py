"""AmbigBio: ambiguous names, the people who share them and their pages."""

from ambigbio.dataset import load, save
from ambigbio.errors import AmbigBioError
from ambigbio.records import AmbigBio, AmbiguousName, Header, Person

__all__ = ["AmbigBio", "AmbigBioError", "AmbiguousName", "Header", "Person", "load", "save"]
