"""Assignment of each clause to an individual."""
