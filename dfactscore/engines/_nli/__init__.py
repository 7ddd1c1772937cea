"""Hugging Face entailment models as judges of facts: encoders and encoder-decoders."""
