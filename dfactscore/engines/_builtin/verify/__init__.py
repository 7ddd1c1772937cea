"""Whether a page supports a fact."""
