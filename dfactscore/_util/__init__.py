"""Small machines that every package uses; nothing here knows of facts, pages or scores."""
