"""FActScore and D-FActScore of text about somebody whose name others share."""

from dfactscore._version import __version__

__all__ = ["__version__"]
