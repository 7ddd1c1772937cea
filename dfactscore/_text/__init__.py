"""Text processing that needs no engine: cleaning, sentences, names, abstentions."""
