"""The local web pages of a study."""
