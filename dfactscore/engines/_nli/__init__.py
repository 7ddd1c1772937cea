"""Entailment models of Hugging Face as judges of facts: encoders and encoder-decoders."""
