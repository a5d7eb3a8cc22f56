"""Each room has a page: short, with what it may import, where to begin, and files that exist."""

import re

import pytest

from tests import ROOT

PACKAGES = ("domain", "projections", "ops")
ROOMS = sorted(
    {file.parent for top in PACKAGES for file in (ROOT / top).rglob("__init__.py")}
    | {ROOT / "tests", ROOT / "scripts"}
)
PAGES = [*(room / "README.md" for room in ROOMS), ROOT / "README.md"]
LONGEST = {ROOT / "README.md": 120}  # lines; of a room's 40
_NAMED = re.compile(r"`([^`\s]+)`|\]\(([^)\s]+)\)")
_FILE = re.compile(r"(?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|md|sql|typ|pot?|svg|txt|toml)")
_MADE = {".venv/"}  # by a script, or on a machine


def named_in(text):
    """Every file and directory that a page names, but for what a command is told."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for pair in _NAMED.findall(text):
        name = pair[0] or pair[1]
        if _FILE.fullmatch(name) and name not in _MADE:
            yield name


def is_there(name, page):
    """Whether a file of this name is in the room, in the room's own package, or in the checkout."""
    return any((place / name).exists() for place in (page.parent, *page.parent.parents))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.parent.relative_to(ROOT)))
def test_a_page_is_short_and_names_files_that_exist(page):
    text = page.read_text()

    assert len(text.splitlines()) <= LONGEST.get(page, 40)
    assert max(map(len, text.splitlines())) <= 130
    assert [name for name in named_in(text) if not is_there(name, page)] == []


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_a_page_says_where_to_begin_and_how_to_add_one(room):
    text = (room / "README.md").read_text()

    assert text.startswith("# ")
    assert "Begin with" in text
    assert re.search(r"To (add|change|follow)", text)
    if room.name != "scripts":
        assert re.search(r"imports?[ :]", text)


def test_every_script_has_its_line():
    scripts = (file for file in (ROOT / "scripts").iterdir() if file.is_file())
    files = (script.name for script in scripts if script.suffix == "")

    listed = re.findall(r"^\| `([\w-]+)` \|", (ROOT / "scripts" / "README.md").read_text(), re.M)
    assert sorted(files) == sorted(listed)


def test_a_name_that_is_no_file_is_found():
    page = ROOT / "domain" / "README.md"
    names = list(named_in("see `rules/tableaux.py` and [the map](rules/README.md)"))

    assert ["rules/tableaux.py", "rules/README.md"] == names
    assert [False, True] == [is_there(name, page) for name in names]
