"""Engine-independent text processing: cleaning, sentences, names, abstentions."""
