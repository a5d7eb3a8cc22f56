"""Every page of the manual is run, as a reader would type it."""

import re
from contextlib import ExitStack
from datetime import timedelta
from shutil import copy

import pytest

from ops.commands.vocabulary import COMMANDS
from ops.manual.topics import ORDER, PAGES, topic
from ops.terminal.dealer.feed_lines import may_ask_who
from ops.typed.grammar import is_whole, parse
from tests import ROOT
from tests.ops.cli.leaves import LEAVES
from tests.ops.manual.pages import BEGINS, Hand, blocks, fault_in, named

BEGINS_AFTER = re.compile(r"<!-- begins after (\S+) -->")
README = ROOT / "README.md"
FILES = {name: PAGES / f"{name}.md" for name in ORDER} | {"README": README}
RUN = [name for name, file in FILES.items() if any(blocks(file.read_text(), "sh", "dealer"))]
DEALT = [name for name, file in FILES.items() if "\n# dealer: " in file.read_text()]
WHEN = ("end", "end REASON", "cut-card", "reconcile 30", "cash-out 3 500", "y", "off")
ROOMS = [file for file in ROOT.rglob("README.md") if ".venv" not in file.parts and file != README]


def page(name):
    return FILES[name].read_text()


@pytest.fixture(scope="module")
def ledgers(server, tmp_path_factory):
    """The ledger, and the hand, after a page was followed; a page begins with a copy of it."""
    followed = {}
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:

        def copy_of(name):
            database = stack.enter_context(server.database(like=name and after(name).database))
            hand = Hand(database, tmp_path_factory.mktemp("reader"))
            if name and (before := after(name).home / "pepper").exists():
                copy(before, hand.home)
            hand.moment = (followed[name].moment if name else BEGINS) + timedelta(minutes=1)
            patch.setattr("ops.ledger.clock.wall_clock", lambda: hand.moment)
            return hand

        def after(name):
            if name not in followed:
                hand = followed[name] = begin(name)
                hand.follow(tour() if name == "README" else page(name))
            return followed[name]

        def begin(name):
            """A hand at the ledger with which a page begins."""
            before = BEGINS_AFTER.search(page(name))
            if before:
                after(before[1])
            return copy_of(before and before[1])

        yield begin


def tour():
    """The README's table; its other blocks make databases of their own."""
    return (
        page("README")
        .partition("## Five minutes at a table")[2]
        .partition("\n## ")[0]
        .replace("sabot db down", "sabot db status")
    )


@pytest.mark.parametrize("name", [name for name in RUN if name != "README"])
def test_every_command_of_a_page_does_what_the_page_says(ledgers, monkeypatch, name):
    hand = ledgers(name)
    monkeypatch.chdir(hand.home)
    monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda: hand.moment)

    hand.follow(page(name))
    print("\n".join(hand.shown))  # what `pytest -s` shows to whoever writes a page


@pytest.mark.parametrize("name", DEALT)
def test_a_dealer_s_line_records_what_the_command_beside_it_records(ledgers, monkeypatch, name):
    """A page is followed twice: as it is written, and with the dealer's lines at the terminal."""
    records = []
    for as_dealer in (False, True):
        hand = ledgers(name)
        monkeypatch.chdir(hand.home)
        monkeypatch.setattr("ops.ledger.clock.wall_clock", lambda hand=hand: hand.moment)
        hand.follow(page(name), as_dealer=as_dealer)
        records.append(recorded(hand.database))

    assert records[0] == records[1]


def recorded(database):
    """What happened, by topic; not who typed it where."""
    with database.connect("sabot_auditor") as connection:
        return connection.execute(
            "SELECT topic, convert_from(state, 'UTF8') FROM ledger.events ORDER BY position"
        ).fetchall()


@pytest.mark.parametrize("name", FILES)
def test_every_command_that_a_page_names_exists_with_its_options(name):
    assert [(line, why) for line in named(page(name)) if (why := fault_in(line))] == []


def test_so_do_those_in_the_rooms_and_in_the_changelog():
    for file in (*ROOMS, ROOT / "CHANGELOG.md"):
        assert [(line, why) for line in named(file.read_text()) if (why := fault_in(line))] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("type `sabot tabel open B01`", "there is no command tabel"),
        ("```console\n$ sabot table opne\n```", "there is no command table opne"),
        ("```sh\necho x | sabot feed --kee k\n```", "feed has no option --kee"),
        ("type `sabot --langauge pt board`", "sabot has no option --langauge"),
        ("type `sabot report NAME --as-of`", None),
        ("type `sabot --language pt board --once`", None),
    ],
)
def test_a_command_that_does_not_exist_is_found(text, why):
    (line,) = named(text)

    assert why == fault_in(line)


def test_a_page_with_a_command_that_does_not_exist_fails(ledgers):
    with pytest.raises(AssertionError, match="No such command 'tabel'"):
        ledgers("dealer").follow("```sh\nsabot tabel open B01\n```")


def test_every_command_is_named_on_some_page():
    text = "\n".join(page(name) for name in FILES)
    missing = [words for words in LEAVES if f"sabot {' '.join(words)}" not in text]

    assert missing == []


def test_every_page_is_a_topic_with_a_title_and_one_sentence():
    assert sorted(file.stem for file in PAGES.glob("*.md") if file.stem != "README") == sorted(
        ORDER
    )
    for name in ORDER:
        each = topic(name)

        assert each.title
        assert each.summary.endswith(".")
        assert "<!--" not in each.text


def test_the_dealer_s_page_fits_a_screen_of_80_columns():
    lines = [line for _, body in blocks(page("dealer")) for line in body.splitlines()]

    assert [line for line in lines if len(line) > 76] == []


def rows_of_lines():
    """What a dealer can type, row by row, with what the page says of it."""
    table = page("dealer").partition("| Typed | What it does |")[2].partition("\n\n")[0]
    for row in table.splitlines()[2:]:
        typed, says = row.split(" | ")
        yield re.findall(r"`([^`]+)`", typed), says


def test_what_a_dealer_types_is_understood():
    """The first column of the table of lines; `?` and `!` are answered in place."""
    typed = [line for lines, _ in rows_of_lines() for line in lines]

    assert len(typed) > 30
    assert [line for line in typed if not is_whole(line.replace("…", ""))] == []


def test_where_a_supervisor_signs_the_page_says_so():
    """`end` takes nobody, but `end REASON` does; a cash-out may: the page says when elsewhere."""
    said = {line: "A supervisor signs" in says for lines, says in rows_of_lines() for line in lines}
    may = {line: may_ask_who(parse(line)) for line in said if line not in WHEN}

    assert {line: said[line] for line in may} == may


def test_everything_that_is_typed_is_in_the_table_of_how_it_is_put_right():
    table = page("put-right").partition("## Everything that is typed")[2]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")][1:]
    typed = {span for row in rows for span in re.findall("`([^`]+)`", row[0])}

    assert typed == {name.replace(".", " ") for name in COMMANDS}
    assert all(row[1].strip() for row in rows)
