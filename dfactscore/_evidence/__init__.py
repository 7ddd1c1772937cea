"""Evidence for a biography: entities and their documents, owners of passages, snapshot dates."""
