"""Scores one text that silently mixes two people: FActScore is blind to it, D-FActScore is not."""

from dfactscore import score

pages = {
    "Dick Hanley (swimmer)": "Dick Hanley (born February 19, 1936) is an American swimmer. "
    "He won a silver medal in the relay at the 1956 Olympic Games.",
    "Dick Hanley (American football)": "Dick Hanley was an American football coach. "
    "He coached Northwestern University from 1927 and died on December 16, 1970.",
}
text = (
    "Dick Hanley was born on February 19, 1936. He won a silver medal at the 1956 Olympic Games. "
    "He coached Northwestern University and died on December 16, 1970."
)
print(score(text, name="Dick Hanley", pages=pages))
