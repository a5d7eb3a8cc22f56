"""What an answer tells at the shell, of events that say more together, or beside an earlier one."""

from tests.acceptance.channels import shell
from tests.ops.commands.riverside import RIVERSIDE
from tests.worlds.gaming_table import GamingTable

OPEN = (
    "table",
    "open",
    "BT1",
    "big-table@1",
    "--opener",
    "1000=10",
    "--by",
    "D-1",
    "--with",
    "S-1",
)


def test_opening_a_table_says_that_its_rule_set_is_on_record(database):
    opened = shell(database, *OPEN, "--day", "2026-11-21").stdout.splitlines()

    assert "Rule set big-table@1 is on record; BT1 uses it." in opened
    assert not any("deals by" in line for line in opened)


def test_approving_a_rule_set_says_that_no_table_uses_it_yet(database, tmp_path):
    file = tmp_path / "riverside.toml"
    file.write_text(RIVERSIDE)
    told = shell(database, "rules", "approve", str(file), "--by", "A-1", "--with", "S-11").stdout

    recorded, approved = (line for line in told.splitlines() if "riverside@1" in line)

    assert recorded == "Rule set riverside@1 is on record."
    assert approved.startswith("riverside@1 is approved: tables may open under it. Player: the ")
    assert "What is not as in dragon-bonus@1: commission: 4%, not 5%;" in approved


def test_a_second_drop_says_which_amount_it_replaces(dispatcher, database):
    GamingTable(dispatcher).open()
    first, second = (
        shell(database, "table", "drop", "B01", drop, "--confirmed") for drop in ("4000", "4100")
    )

    assert "The drop is 4,000.00." in first.stdout.splitlines()
    assert "The drop is 4,100.00. It was counted as 4,000.00 before." in second.stdout.splitlines()
