import pytest

from dfactscore._text.name_lists import listed_names
from dfactscore.ambigbio import AmbigBioError


def read_names(path, column=None):
    return listed_names(path, column, error=AmbigBioError)


def put(tmp_path, name, content, encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(content.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("name", "content", "names"),
    [
        ("a.csv", "name,entities\nAnn Lee,A|B\n\"Lee, Ann\",C\n", ["Ann Lee", "Lee, Ann"]),
        ("a.csv", "Ann Lee,A\nJoe Dee,B\n", ["Ann Lee", "Joe Dee"]),
        ("a.csv", "id,Entity\n1,Ann Lee\n2,Joe Dee\n", ["Ann Lee", "Joe Dee"]),
        ("a.tsv", "Topic\tn\nAnn Lee\t1\n", ["Ann Lee"]),
        ("a.txt", "# mine\nAnn  Lee\n\nAnn Lee\r\nJoe Dee", ["Ann Lee", "Joe Dee"]),
        ("names", "\ufeffAnn Lee\n", ["Ann Lee"]),
        ("a.csv", "name\nAnn Lee\n\n,x\n", ["Ann Lee"]),
    ],
)  # fmt: skip
def test_lists(tmp_path, name, content, names):
    assert read_names(put(tmp_path, name, content)) == names


def test_columns(tmp_path):
    path = put(tmp_path, "a.csv", "id,who\n1,Ann Lee\n2,Joe Dee\n")
    assert read_names(path, "WHO") == ["Ann Lee", "Joe Dee"]
    assert read_names(path, "2") == ["who", "Ann Lee", "Joe Dee"]
    with pytest.raises(AmbigBioError, match=r"line 1: no column 'whose'; there are 'id', 'who'"):
        read_names(path, "whose")
    with pytest.raises(AmbigBioError, match=r"--column 'a' needs"):
        read_names(put(tmp_path, "a.txt", "Ann"), "a")


@pytest.mark.parametrize("content", ["", "\n\n", "name\n", "# only\n"])
def test_no_names(tmp_path, content):
    suffix = ".txt" if "#" in content else ".csv"
    with pytest.raises(AmbigBioError, match="contains no names"):
        read_names(put(tmp_path, f"a{suffix}", content))


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(AmbigBioError, match=r"not UTF-8 \(byte 1\), nor UTF-16"):
        read_names(put(tmp_path, "a.csv", "J\x81", "latin-1"))
    with pytest.raises(AmbigBioError, match="no such file"):
        read_names(tmp_path / "none.csv")


def released(names):
    """A table in the form that the paper's authors released."""
    return "".join(f"Tell me a bio of {name}\t{[name]!r}\n" for name in names)


HARD = ["Ann Lee", "Lee, Ann", "Pat O'Dea", 'Pat "Red" Dee', "José #1", "Marie-Claire d'Arc",
        "Ken Dee Jr.", "Tom [Bell]", "A; B | C", "Ann Lee (judge)"]  # fmt: skip


@pytest.mark.parametrize("ending", [".tsv", ".txt", ".csv", "", ".tab"])
def test_the_released_table(tmp_path, ending):
    names = [f"{name} {number}" for number in range(50) for name in HARD]
    path = put(tmp_path, f"names{ending}", released(names))
    assert read_names(path) == names
    assert len(names) == 500
    assert read_names(path, "2") == names if ending else True


@pytest.mark.parametrize(
    ("name", "content", "names"),
    [
        ("a.csv", "name;n\nAnn Lee;1\nJo Dee;2\n", ["Ann Lee", "Jo Dee"]),
        ("a.csv", "Question\nTell me a bio of Ann Lee.\n", ["Ann Lee"]),
        ("a.txt", "Tell me a bio of Lee, Ann\nJo Dee (disambiguation)\n", ["Lee, Ann", "Jo Dee"]),
        ("a.txt", "['Ann Lee']\n[\"Pat O'Dea\"]\n", ["Ann Lee", "Pat O'Dea"]),
        ("a.tsv", "Ann Lee\nJo Dee\n", ["Ann Lee", "Jo Dee"]),
        ("a.txt", "[Ann Lee\n__import__('os')\n", ["[Ann Lee", "__import__('os')"]),
    ],
)
def test_queries_lists_and_delimiters(tmp_path, name, content, names):
    assert read_names(put(tmp_path, name, content)) == names
