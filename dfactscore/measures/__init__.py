"""What is measured, how sure it is, and how it is shown: statistics, measures, tables."""
