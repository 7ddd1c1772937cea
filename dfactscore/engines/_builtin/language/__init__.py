"""Words, sentences and clauses of English, read once for all rules."""
