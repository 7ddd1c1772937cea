"""Reading text, whoever reads it: cleaning, sentences, citation marks, abstentions."""
