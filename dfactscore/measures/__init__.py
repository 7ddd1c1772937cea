"""Statistics, declared measures and tables."""
