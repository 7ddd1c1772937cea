"""Judges against texts in a database of your own, not in files of ours."""

import sqlite3

from dfactscore import Scorer
from dfactscore.retrieval import KnowledgeSource, Page

STAFF = [
    ("Ann Lee (physician)", "Ann Lee joined the hospital in 2011 as a heart surgeon."),
    ("Ann Lee (engineer)", "Ann Lee has looked after the boilers since 2019. She wrote a manual."),
]


class StaffSource(KnowledgeSource):
    """A table of employees, by title."""

    snapshot = "2025-06-01"

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def titles_for(self, name: str) -> tuple[str, ...]:
        """Titles that a name may mean."""
        query = "SELECT title FROM staff WHERE title LIKE ? ORDER BY title"
        return tuple(title for (title,) in self._database.execute(query, (f"{name}%",)))

    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns the documents under a title."""
        found = self._database.execute("SELECT title, cv FROM staff WHERE title = ?", (title,))
        return tuple(Page(title=title, text=cv) for title, cv in found)


database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE staff (title TEXT, cv TEXT)")
database.executemany("INSERT INTO staff VALUES (?, ?)", STAFF)

scorer = Scorer(pages=StaffSource(database))
print(
    scorer.score(
        "Ann Lee joined the hospital in 2011 as a heart surgeon. She wrote a manual for the "
        "boilers, which she has looked after since 2019.",
        name="Ann Lee",
    )
)
