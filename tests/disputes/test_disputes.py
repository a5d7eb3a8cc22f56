"""The book of disputes is run, page by page, so that what it says is so.

After a deliberate change `SABOT_REWRITE=1` writes into the pages what is answered now; read what it
changed before it is committed.
"""

import json
import os
import re
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from domain.rules.addresses import Case, Coup
from ops.pack.case import pack_of_case
from ops.pack.pack import pack
from ops.replay.story import find
from tests.disputes.pages import Page
from tests.worlds.gaming_table import BEGINS
from tests.worlds.held_sessions import sessions_held
from tests.worlds.ledger_at_shell import LedgerAtShell

HERE = Path(__file__).parent
PAGES = sorted(HERE.glob("[0-9][0-9]-*.md"))
GIVEN = re.compile(r"\[the table\]\(given\.md\) under `([a-z0-9@-]+)`")
PARTS = ["The commands", "What the replay says", "The decision", "The money after"]
EARLIER = BEGINS - timedelta(minutes=10)  # when the table was opened
REWRITE = bool(os.environ.get("SABOT_REWRITE"))


@pytest.fixture(autouse=True)
def a_wide_terminal(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture(scope="module")
def tables(server):
    """For each rule set a ledger in which `given.md` was run; a page begins with a copy of it."""
    opened = {}
    with ExitStack() as stack:

        def under(rules):
            if rules not in opened:
                opened[rules] = stack.enter_context(server.database())
                Page(HERE / "given.md").run(LedgerAtShell(opened[rules], EARLIER), rules)
            return opened[rules]

        yield under


def packs(database):
    """Of every case its own pack and its coup's; of the last coup where nobody complained."""
    with database.connect("sabot_auditor") as connection:
        entered = dispute_rows(connection)
        coups = {coup for _, coup in entered} or {last_coup(connection)}
        for coup in coups:
            yield coup, pack(connection, find(connection, Coup.parse(coup)))
        for case, _ in entered:
            yield case, pack_of_case(connection, Case.parse(case))


def dispute_rows(connection):
    rows = connection.execute(
        "SELECT convert_from(state, 'UTF8')::json FROM ledger.events "
        "WHERE topic = 'dispute.opened' ORDER BY position"
    ).fetchall()
    return [(told["case"], told["coup"]) for (told,) in rows]


def last_coup(connection):
    ((told,),) = connection.execute(
        "SELECT convert_from(state, 'UTF8')::json FROM ledger.events "
        "WHERE topic = 'coup.opened' ORDER BY position DESC LIMIT 1"
    ).fetchall()
    return told["coup"]


def require_verified(stranger, database, capsys, *, altered):
    """Both packs of the page; a record that somebody altered is found."""
    for name, made in packs(database):
        bad = stranger.verify(json.loads(made.json), ("paper.pdf", made.pdf))
        said = capsys.readouterr().out

        assert bool(bad) == altered, f"{name}\n{said}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_matches_the_program_and_its_packs_verify(
    server, tables, stranger, path, capsys, monkeypatch
):
    page = Page(path)
    (rules,) = GIVEN.findall(page.text)
    with server.database(like=tables(rules)) as database, sessions_held():
        now = page.run(LedgerAtShell(database, BEGINS))
        monkeypatch.setattr("ops.pack.pack.pdf", lambda *_: b"%PDF")  # paper has tests of its own
        require_verified(stranger, database, capsys, altered="```sql" in page.text)
    if REWRITE:
        path.write_text(now)
    else:
        assert not page.differing, "\n\n".join([path.name, *page.differing])


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_has_story_commands_replay_decision_and_money_in_this_order(path):
    assert PARTS == [
        part for part in re.findall(r"^## (.*)$", path.read_text(), re.M) if part in PARTS
    ]


def test_the_index_names_every_page_by_its_title_in_order():
    index = re.findall(r"^\d+\. \[(.+)\]\((.+)\)$", (HERE / "README.md").read_text(), re.M)

    assert [
        (path.read_text().partition("\n")[0].lstrip("# "), path.name) for path in PAGES
    ] == index


def test_the_book_has_at_least_25_disputes():
    assert len(PAGES) >= 25


FALSE = """
```sh
sabot bet B01 3 banker 100
```

```console
$ sabot draw B01 9C
…
B01/2026-11-21/1/1 Next: a card for Player (R-DEAL-1).
$ sabot draw B01 5S
…
B01/2026-11-21/1/1 Next: a card for Player (R-DEAL-1).
```
"""


def test_an_outdated_page_is_detected_and_only_its_wrong_parts_are_rewritten(
    server, tables, tmp_path
):
    (tmp_path / "false.md").write_text(FALSE)
    page = Page(tmp_path / "false.md")
    with server.database(like=tables("dragon-bonus@1")) as database:
        now = page.run(LedgerAtShell(database, BEGINS))

    assert [each.partition("\n")[0] for each in page.differing] == ["$ sabot draw B01 9C"]
    assert now == FALSE.replace("a card for Player", "a card for Banker", 1)


def test_a_refused_line_that_should_be_accepted_fails_the_page(server, tables, tmp_path):
    (tmp_path / "refused.md").write_text("```sh\nsabot settle B01\n```\n")
    with (
        server.database(like=tables("dragon-bonus@1")) as database,
        pytest.raises(AssertionError, match=r"sabot settle B01\n.*\n\[1\]"),
    ):
        Page(tmp_path / "refused.md").run(LedgerAtShell(database, BEGINS))
