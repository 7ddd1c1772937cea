import pytest

from dfactscore.ambigbio import AmbigBioError
from dfactscore.ambigbio.names_file import read_names


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
    with pytest.raises(AmbigBioError, match=r"line 1: no column 'whom'; there are 'id', 'who'"):
        read_names(path, "whom")
    with pytest.raises(AmbigBioError, match=r"--column 'a' needs"):
        read_names(put(tmp_path, "a.txt", "Ann"), "a")


@pytest.mark.parametrize("content", ["", "\n\n", "name\n", "# only\n"])
def test_no_names(tmp_path, content):
    suffix = ".txt" if "#" in content else ".csv"
    with pytest.raises(AmbigBioError, match="contains no names"):
        read_names(put(tmp_path, f"a{suffix}", content))


def test_what_cannot_be_read(tmp_path):
    with pytest.raises(AmbigBioError, match=r"not UTF-8 \(byte 1\)"):
        read_names(put(tmp_path, "a.csv", "Jé", "latin-1"))
    with pytest.raises(AmbigBioError, match="no such file"):
        read_names(tmp_path / "none.csv")
