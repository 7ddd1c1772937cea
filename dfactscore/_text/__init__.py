"""Text processing without an engine: cleaning, sentences, names, abstentions."""
