"""Views of what was scored: objects that print, tables, data frames."""
