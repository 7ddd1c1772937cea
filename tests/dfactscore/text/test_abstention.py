"""Recognizes refusals, and does not mistake biographies for refusals."""

from __future__ import annotations

import json

import pytest

from dfactscore._text.remarks import is_abstention

ABSTAINS = [
    "There are multiple people named John Shaw. Could you specify which one you mean?",
    "There are several individuals with this name. Please provide more context.",
    "Could you please clarify which John Shaw you are asking about?",
    "Which John Shaw are you referring to?",
    "Which one would you like to know about?",
    "Do you mean John Shaw the rower or John Shaw the poet?",
    "I'd be happy to help! Could you tell me which John Shaw you mean?",
    "Multiple individuals share the name John Shaw [1][2]. Please specify.",
    "I need more information. Which John Shaw are you looking for?",
    "The search results mention several people named John Shaw. Which one do you mean?",
    "The name John Shaw is ambiguous. Please provide more context.",
    "It is unclear which John Shaw is meant.",
    "John Shaw could not be found.",
    "",
    "  \n\t ",
    "...",
    "I'm sorry, but I cannot find any reliable information about John Doe.",
    "I’m sorry, I don’t know who Ann N. Other is. Could you provide more context?",
    "I couldn't find any information about this person in the search results.",
    "Unfortunately, there is no information available on John Doe.",
    "The provided search results do not contain any information about Jane Roe [1][2].",
    "As an AI language model, I have no access to private biographies.",
    "There is not enough information to write a biography. Please provide more details.",
    "None of the documents mention a person with this name.",
    "Unable to find relevant passages.",
    "Insufficient context to answer.",
    "Information about this person could not be found.",
    "John Doe is not mentioned in any of the provided documents.",
    "N/A",
    "It is impossible to write an accurate biography. If you have more details, let me know!",
    "As of my last update, there is no publicly available information about a John Doe.",
    "John Doe does not appear in my training data. I would be happy to help with another name!",
    "My knowledge doesn't include details about a person named John Doe.",
    "Very little is known about John Doe. Further research is needed.",
    "I have searched the documents, but none of them is about John Doe.",
    "John Doe isn't someone I have information on. Feel free to share more context!",
    "I apologize, but I was unable to find a John Doe. It is possible that the name is misspelled.",
]
ANSWERS = [
    "There are two people named John Shaw: a swimmer and a coach. Could you specify which one?",
    "There are several people named John Shaw (a poet, a judge). Which one do you mean?",
    "John Shaw is a poet from Leeds. Could you tell me more about what you need?",
    "There are many people who admire John Shaw.",
    "The name John Shaw is common.",
    "The documents mention several people: John Shaw, a rower. Which one do you mean?",
    "I would be happy if he won, said John Shaw.",
    "Many people share the name of the street, which John Shaw built. Please specify.",
    "John Shaw sailed to Greenland, and his ship could not be found.",
    "Brenda Lee recorded 'I'm Sorry' in 1960.",
    "I'm sorry, I could not find a painter. John Doe (1901-1977) was an English footballer.",
    "John Doe was a lawyer who could not provide for his family.",
    "No information about his early life survives, but he was consul in 59 BC. He died in Rome.",
    "He wrote the play 'Please Provide More Details' in 1999.",
    "Little is known about his youth. John Doe was a judge in Leeds.",
    "His date of birth is not known, but he died in 1950.",
    "Who is John Doe? He is a judge.",
    "John Doe",
    'Don Gibson wrote "I Can\'t Stop Loving You".',
    "His most famous song was “I Will Not Go”.",
    "She played the lead in 'We Do Not Speak'.",
    "Unfortunately for the club, Smith retired in 1990. He then coached in Leeds.",
]


@pytest.mark.parametrize("text", ABSTAINS)
def test_abstention(text):
    assert is_abstention(text)


@pytest.mark.parametrize("text", ANSWERS)
def test_answer(text):
    assert not is_abstention(text)


def test_human_labeled_answers(data):
    """Agrees with people who marked answers as abstentions."""
    wrong = []
    for path in sorted((data / "factscore_labels").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if "output" not in record:
                continue  # the people's pages
            if is_abstention(record["output"]) != (record.get("annotations") is None):
                wrong.append(record["topic"])
    assert wrong == []


@pytest.mark.parametrize("file", ["alce_tulu.json", "alce_llama13b-careful.json"])
def test_no_false_alarm_on_real_biographies(data, file):
    records = json.loads((data / "dfactscore" / file).read_text(encoding="utf-8"))["data"]
    assert [r["question"] for r in records if is_abstention(r["output"])] == []
