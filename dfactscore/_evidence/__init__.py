"""Entities with their documents, against which facts are judged, and snapshot dates."""
