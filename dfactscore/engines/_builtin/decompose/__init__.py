"""From clauses to atomic facts."""
