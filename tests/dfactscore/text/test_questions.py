"""Finds the name that a question asks about."""

from __future__ import annotations

import pytest

from dfactscore._text.questions import first_subject, name_in, name_of_question


@pytest.mark.parametrize(
    "question",
    [
        "Who is Tom Hale?",
        "Who was Tom Hale ?",
        "who's “Tom Hale”?",
        "Tell me about “Tom Hale”",
        "Tell me about Tom Hale.",
        "Please write a biography of Tom Hale.",
        "Could you tell me about Tom Hale?",
        "Write a short one-paragraph bio about Tom Hale",
        "Question: Tell me a bio of Tom Hale",
        "What do you know about Tom Hale?",
        "Provide a brief summary of Tom Hale!",
        "Tom Ha\u00adle",
        '"Tom Hale"',
        "Tom&nbsp;Hale",
        "Tom Hale (disambiguation)",
    ],
)
def test_name_is_found(question):
    assert name_of_question(question) == "Tom Hale"


@pytest.mark.parametrize(
    "name",
    [
        "Who",
        "Who Is Jill Scott",
        "Conan O'Neal",
        "Ken Griffey Jr.",
        'Frank "Tug" McGraw',
        "Tell",
        "D'Arcy O'Brien",
        "'Abd al-Malik",
        "Will Wright",
        "Bio Kim",
    ],
)
def test_name_stays(name):
    assert name_of_question(name) == name


QUESTIONS = """
I'm interested in Edith Crane.|Edith Crane
I'd like a short biography of Edith Crane.|Edith Crane
Tell me about Alan Reed the Younger.|Alan Reed the Younger
I need a short profile of "Ann Lee".|Ann Lee
Who is she?|-
Who was Charles III of Spain?|Charles III of Spain
Who was the Dutch painter Jan van der Berg?|Jan van der Berg
Who won the Nobel Prize in Literature in 1953?|-
Tell me about Ann Lee, the painter.|Ann Lee
Who is von Neumann?|von Neumann
Tell me about “Ann Lee”|Ann Lee
Who is the swimmer Kenneth Harmon?|Kenneth Harmon
Who was Lucy Barnes (poet)?|Lucy Barnes
Please tell me about the life of Otto Kern.|Otto Kern
Could you give me a bio of Peter O’Hara?|Peter O’Hara
Write a 200-word biography of Maria del Carmen Ruiz.|Maria del Carmen Ruiz
What's known about the chess player Ivan Petrov?|Ivan Petrov
Who exactly was Thomas Gray?|Thomas Gray
Provide a detailed overview of Helen Zhou's career.|Helen Zhou
I want to know more about Samuel L. Hughes|Samuel L. Hughes
Who is that actress Grace Moor?|Grace Moor
Give me three facts about George W. Hill.|George W. Hill
Write me a short paragraph on Lord William Bentinck, using only the documents.|Lord William Bentinck
hey, who's John Paul Ward?|John Paul Ward
Where was the jurist Ann-Marie Dupont born?|Ann-Marie Dupont
Why is Nikola Ilić famous?|Nikola Ilić
Which team did Paul Scholey play for?|Paul Scholey
Tell me a little about Yuki Tanaka, the author of several novels.|Yuki Tanaka
Summarise what the documents say about Robert Grant.|Robert Grant
According to the context, who is Robert Grant?|Robert Grant
Based on the passages, write a biography of Robert Grant.|Robert Grant
Who is the cricketer Imran Wells?|Imran Wells
Give a brief account of the life of Clara Finch.|Clara Finch
What do we know about Peter van Loon?|Peter van Loon
Tell us about Rosa Marín's childhood.|Rosa Marín
Write two sentences about Frank Doyle.|Frank Doyle
Are you familiar with the sculptor Edith Crane?|Edith Crane
I would like to know more about Louis de Broy.|Louis de Broy
Using the sources below, tell me who Edith Crane is.|Edith Crane
Who was Captain Robert Scott Hale?|Captain Robert Scott Hale
Generate a biography for Mary-Kate O'Neil|Mary-Kate O'Neil
What happened to Edith Crane in 1950?|Edith Crane
When did Professor Alan Reed retire?|Alan Reed
Please provide a biographical sketch of Ng Wei Ming.|Ng Wei Ming
Who is Edith Crane, exactly?|Edith Crane
Who's Edith Crane and what is she known for|Edith Crane
Describe Louis de Broy.|Louis de Broy
Does Edith Crane have children?|Edith Crane
What instruments does Hugh Laurie Jones play?|Hugh Laurie Jones
For which club did the goalkeeper Jan Novák play?|Jan Novák
Name the books that Edith Crane wrote.|Edith Crane
List the awards of Edith Crane.|Edith Crane
Can I get a short profile on Edith Crane please?|Edith Crane
Give me background on E. M. Crane.|E. M. Crane
Is Edith Crane still alive?|Edith Crane
Who was Edith Crane's husband?|Edith Crane
Tell me something interesting about Alfonso X of Castile.|Alfonso X of Castile
What was the profession of Edith Crane?|Edith Crane
Answer the question: who was Edith Crane?|Edith Crane
Who was Jesse Owen Jr., the sprinter?|Jesse Owen Jr.
Who is Dr Edith Crane|Dr Edith Crane
Who was St. John Philby Hart?|St. John Philby Hart
How tall is Edith Crane?|Edith Crane
I need to write about Edith Crane. What do you have on her?|Edith Crane
Tell me a bio of Edith Crane in three sentences.|Edith Crane
Research Edith Crane for me.|Edith Crane
Write a eulogy for Edith Crane.|Edith Crane
What can I say about Edith Crane?|Edith Crane
Have I heard of Edith Crane before?|Edith Crane
Who is the Edith Crane that painted landscapes?|Edith Crane
What is her profession?|-
Who wrote the novel?|-
in what year did owen marsh die?|owen marsh
how old is lena bauer?|lena bauer
is viktor sand still working?|viktor sand
did harriet dale have siblings?|harriet dale
who was gustav reimann married to?|gustav reimann
please tell me who clara voss is|clara voss
who was Ruth kessler|Ruth kessler
Lena Bauer biography|Lena Bauer
Lena Bauer early life and education|Lena Bauer
Lena Bauer, who is she|Lena Bauer
Short bio: Lena Bauer|Lena Bauer
Task: write a bio. Name: Lena Bauer|Lena Bauer
I wonder who Lena Bauer was.|Lena Bauer
Remind me who Lena Bauer was.|Lena Bauer
Compare Lena Bauer and Sofia Lind.|Lena Bauer
Who in the world is Lena Bauer|Lena Bauer
Who were the parents of Lena Bauer?|Lena Bauer
Education of Clara Voss?|Clara Voss
Regarding Harriet Dale, when was her first book out?|Harriet Dale
What's Ruth Kessler's claim to fame?|Ruth Kessler
Who was FC Barcelona player Jan Novák?|Jan Novák
Who was "Stone" Cody Marsh?|"Stone" Cody Marsh
Who was Mary, Duchess of Elm?|Mary, Duchess of Elm
I am researching Pablo de los Santos Rivera. What can you tell me?|Pablo de los Santos Rivera
After leaving Oxford University, what did Owen Marsh do?|Owen Marsh
Where was Beyoncé born?|Beyoncé
Write a biography about the novelist Harriet Dale using the passages below.|Harriet Dale
I want you to act as a historian and describe Lena Bauer.|Lena Bauer
Explain the difference between DNA and RNA.|-
Who is the CEO of Apple?|-
Name the capital of France.|-
Where is Mount Everest?|-
How many moons does Jupiter have?|-
how does photosynthesis work?|-
What team does he play for?|-
"""


@pytest.mark.parametrize("line", QUESTIONS.strip().splitlines())
def test_name_among_other_words(line):
    question, name = line.rsplit("|", 1)
    assert name_of_question(question) == (question if name == "-" else name)


@pytest.mark.parametrize(
    "prompt",
    [
        "Use the context.\n\nContext: Bo Ray ran.\n\nQuestion: Who is Ann Lee?",
        "who was ann lee?",
        "Answer from this.\n" + "Bo Ray ran. " * 20_000 + "\nQ: tell me about Ann Lee",
    ],
)
def test_long_and_plain_prompts(prompt):
    assert name_of_question(prompt).casefold() == "ann lee"


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("could u summarise the career of theodore okafor pls", "theodore okafor"),
        ("can u tell me abt maria gonzalez plz", "maria gonzalez"),
        ("hey could ya give me a summary of the life of anna kowalski", "anna kowalski"),
        ("gimme a bio of peter jones", "peter jones"),
        ("whats the story of mary wilson the singer", "mary wilson"),
        ("i wanna know about lukas meyer", "lukas meyer"),
        ("need info on tom hill asap", "tom hill"),
        ("any info on chen wei?", "chen wei"),
        ("pls summarise theodore okafor's career", "theodore okafor"),
        ("u know anything about carl berg?", "carl berg"),
        ("pls explain who mira patel is", "mira patel"),
        ("could u tell me who viktor orlov was pls", "viktor orlov"),
        ("what did greta holm do in her career", "greta holm"),
        ("Tell me a bio of Ann Lee pls", "Ann Lee"),
        ("Tell me about U Thant", "U Thant"),
        ("ya ding", "ya ding"),
    ],
)
def test_informal_requests(prompt, name):
    assert name_of_question(prompt) == name


@pytest.mark.parametrize(
    "prompt",
    [
        "Tell me about the French Revolution",
        "Tell me about the Treaty of Versailles.",
        "Tell me about World War II",
        "What do you know about the Roman Empire?",
        "Describe the Battle of Waterloo.",
        "Tell me about the University of Oxford",
        "Write about the Golden Gate Bridge",
        "What was the Boxer Rebellion?",
        "explain how photosynthesis works",
        "list five facts about the history of the city",
    ],
)
def test_no_person(prompt):
    assert name_of_question(prompt) == prompt
    assert name_in(prompt) is None


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("Tell me about the poet Ann Tower", "Ann Tower"),
        ("Tell me about Jack Bridge", "Jack Bridge"),
        ("Tell me about Charlotte Church", "Charlotte Church"),
        ("Tell me about the Duke of Wellington", "Duke of Wellington"),
        ("Tell me about the Reverend Tom Church", "Reverend Tom Church"),
        ("Who was the Red Baron?", "Red Baron"),
    ],
)
def test_people_with_words_of_things(prompt, name):
    assert name_of_question(prompt) == name


@pytest.mark.parametrize(
    "prompt",
    [
        "User: Tell me about Lena Bauer\nAssistant:",
        "[INST] Who is Lena Bauer? [/INST]",
        "<|im_start|>user\nWho is Lena Bauer?<|im_end|>",
        "### Question: Who is Lena Bauer?\n### Answer:",
        "Write a bio of this person.\n\nLena Bauer",
        "Entity: Lena Bauer\nTask: Write a short biography.",
        "Instruction: Write a biography.\nInput: Lena Bauer\nOutput:",
    ],
)
def test_prompts_with_marks_of_their_parts(prompt):
    assert name_of_question(prompt) == "Lena Bauer"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Sure! Here is a short bio of Ann Lee: she painted.", "Ann Lee"),
        ("In 1996, Ann Lee won gold.", "Ann Lee"),
        ("There are two people named Ann Lee. One is a poet.", "Ann Lee"),
        ("The painter Ann Lee (born 1950) taught Bo Ray.", "Ann Lee"),
        ("She was a painter. Dr. Ann Lee, PhD, taught.", "Ann Lee"),
        ("She painted.", None),
    ],
)
def test_first_subject(text, name):
    assert first_subject(text) == name
