"""A study's local web pages."""
