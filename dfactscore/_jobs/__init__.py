"""Scoring jobs: their settings, the objects opened from these settings, and estimates."""
