"""Evidence for a biography: entities with documents, owners of passages, snapshot dates."""
