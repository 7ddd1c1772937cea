"""The pages of a study, served on this machine."""
