"""Views of scored records: printable objects, tables, data frames."""
