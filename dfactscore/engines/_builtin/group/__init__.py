"""Which individual each clause is about."""
