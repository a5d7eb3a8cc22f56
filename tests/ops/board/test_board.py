"""`sabot board`: every open table now, once or live, and above them what needs a person."""

import io
import json
import signal
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest
from msgspec import structs, to_builtins
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Console

from domain.aggregates.coup import Coup as CoupPlayed
from domain.aggregates.shoe_steps import NEXT
from domain.rules.addresses import Coup
from ops.board import board as pit_board
from ops.board.alerts import URGENT
from ops.board.board import Board
from ops.board.folds import fold_name, fold_words, folds
from ops.board.lines import head, table_lines
from ops.cli.board import lost_page, page
from ops.commands.casino import Casino
from ops.commands.command import Command
from ops.handlers.desk import Desk
from ops.handlers.dispatcher import Dispatcher
from ops.kit.colours import LABEL
from ops.ledger.database import LedgerLost
from ops.ledger.recorder import Ledger
from ops.reports.ask import ask
from ops.reports.cells import detail_sentences
from ops.simulation.run import Plan
from ops.words.alerts import KINDS, alert_words
from ops.words.board import DUE
from ops.words.case_alerts import near_words
from projections import REPORTS
from projections.attention.alerts import BY_ITSELF, RAISED
from projections.attention.exception_kinds import AT_A_COUP, ELSEWHERE, OF_A_COMMAND
from projections.attention.passing import PASSING
from tests.acceptance.channels import shell
from tests.ops.terminal.real import ANOTHER_SCREEN, Terminal
from tests.pseudo import english_in, pseudo
from tests.worlds.gaming_table import BANKER_WINS, BEGINS, DAY, PLAYER_WINS, GamingTable
from tests.worlds.open_items import settle_all
from tests.worlds.six_tables import evening

TWO = {"with": "S-11"}
TABLE = (
    "table day rules limits differential dealer supervisor seats patrons shoe coup phase cards_left"
    " cut_card_shown coups_to_cut_card last_coup_of_shoe hands_per_hour target_pace drop win"
    " win_estimated tray owed owing due last_coup_at idle_minutes held_by open closed_at"
)


@pytest.fixture(scope="module")
def played(server):
    """The evening, which nobody adds to."""
    with server.database() as database:
        casino = Casino(Ledger(database))
        evening(Dispatcher(casino, "test"))
        casino.close()
        yield database


def look(database, table=None, minutes=24):
    board = Board(database, table, now=lambda: BEGINS + timedelta(minutes=minutes))
    try:
        return board.once()
    finally:
        board.close()


def drawn(shown, width):
    """As a terminal shows it that knows no colours."""
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False, emoji=False)
    console.print(shown)
    return "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().splitlines())


@pytest.mark.parametrize("width", [80, 120, 160])
def test_the_board_reads_at_a_glance_in_as_many_columns_as_there_are(played, golden, width):
    shown = drawn(page(look(played), width), width)
    stored = golden / f"board-{width}.txt"
    if not stored.exists():
        stored.write_text(shown)

    assert stored.read_text() == shown
    assert max(map(cell_len, shown.splitlines())) <= width


def test_as_json_everything_is_there_in_minor_units(played, golden):
    stored = golden / "board.json"
    told = json.dumps(look(played).as_dict(), indent=1, ensure_ascii=False) + "\n"
    if not stored.exists():
        stored.write_text(told)

    assert stored.read_text() == told


def test_the_fields_of_the_json_are_the_contract_s(played):
    result = shell(played, "board", "--json")
    told = json.loads(result.stdout)

    fields = ["property", "gaming_day", "at", "position", "currency", "tables", "alerts", "round"]
    fields += ["meters", "past_alerts", "unsettled", "pauses"]
    assert fields == [*told]
    assert TABLE.split() == list(told["tables"][0])
    alert = {"at", "day", "table", "coup", "kind", "alert", "detail", "gravity", "rank"}
    assert alert <= told["alerts"][0].keys()
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_table_that_closed_today_comes_last_in_grey_and_with_the_word(played):
    seen = look(played)
    *others, last = seen.tables
    (alone,) = look(played, "B06").tables
    line = [text for row, lines in table_lines(seen, 80) if row is last for text in lines]

    assert (last.table, last.open, alone) == ("B06", False, last)
    assert all(each.open and each.closed_at is None for each in others)
    assert (last.due, last.idle_minutes, last.hands_per_hour) == (None, None, None)
    assert datetime.fromisoformat(last.closed_at) == BEGINS + timedelta(seconds=5)
    assert line[0].plain.endswith(" closed")
    assert {span.style for span in line[0].spans} == {LABEL}
    assert f"{len(others)} of {len(others) + 1} tables" in head(seen, 80).plain


def test_a_table_that_closed_on_an_earlier_day_is_not_on_the_board(pit, database):
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 200}, **TWO)
    later = look(database, "B01", minutes=24 * 60)

    assert look(database, "B01").tables[0].closed_at
    assert later.tables == []
    assert " B01 is not open.\n" in drawn(page(later, 80), 80)


def test_while_a_table_plays_on_after_the_day_s_start_its_day_s_closed_ones_stay(pit, database):
    GamingTable(pit.dispatcher, "B02").open()
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 200}, **TWO)

    assert [(each.table, each.open) for each in look(database, minutes=24 * 60).tables] == [
        ("B02", True),
        ("B01", False),
    ]


def test_the_win_at_the_head_is_the_day_s_also_of_closed_tables(pit, database):
    pit.play(PLAYER_WINS, (3, "banker", 100_00))
    before = head(look(database), 100).plain
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 201}, **TWO)

    assert "win est. +100 USD" in before
    assert "win est. +100 USD" in head(look(database), 100).plain
    assert look(database).tables[0].win == 100_00


def test_once_the_box_and_the_tray_are_counted_the_win_is_that_of_the_report(pit, database):
    pit.say("table.buy-in", seat=1, amount=900_00)
    pit.play(PLAYER_WINS, (1, "player", 100_00))
    pit.end_shoe()
    pit.say("incident.open", kind="goodwill", text="for a taxi", by="PB-1")
    money = {"incident": "IR-2026-0001", "amount": 50_00, "source": "tray", "into": "person"}
    pit.say("incident.money", **money, table="B01", reason="she lost a glove", by="PB-1", **TWO)
    open_yet = look(database).tables[0]
    pit.say("table.drop", amount=900_00)
    pit.say("table.close", closer={"10000": 199}, **TWO)
    closed = look(database)
    (reported,) = ask(database, REPORTS["table-win"]).rows

    assert (open_yet.win, open_yet.win_estimated) == (-100_00, True)
    assert closed.tables[0].win == reported["win"] != open_yet.win
    assert not closed.tables[0].win_estimated
    assert "win est." not in drawn(head(closed, 160), 160)


def test_one_table_may_be_asked_for_with_what_is_about_it(played):
    seen = look(played, "B02")

    assert [each.table for each in seen.tables] == ["B02"]
    assert {each.table for each in seen.alerts} == {"B02"}
    assert "· only B02 · 3 patrons ·" in drawn(page(seen, 80), 80)


def test_what_is_due_is_what_the_answer_to_the_last_command_said(dispatcher, database):
    said = (
        ("shoe.load", {"decks": 8}),
        ("shoe.inspect", {}),
        ("shoe.shuffle", {"method": "hand"}),
        ("shoe.cut", {"seat": 3}),
        ("shoe.burn", {"card": "3D"}),
        ("bet", {"seat": 3, "spot": "banker", "amount": 100_00}),
        *(("draw", {"card": card}) for card in BANKER_WINS.split()),
        ("settle", {}),
        ("shoe.cut-card", {}),
        ("bet", {"seat": 3, "spot": "banker", "amount": 100_00}),
        *(("draw", {"card": card}) for card in PLAYER_WINS.split()),
        ("settle", {}),
        ("commission.collect", {"seat": 3, "amount": 5_00}),
    )
    pit = GamingTable(dispatcher).open()
    board = Board(database)
    with database.session("sabot_projector") as connection:
        for command, fields in said:
            answer = pit.say(command, **fields)
            (table,) = board.look(connection).tables

            assert answer.body["due"] == to_builtins(table.due)
    board.close()


@pytest.mark.parametrize("lines", [40, 150, 290])
def test_the_rows_say_what_the_aggregates_know(casino, database, lines):
    """In the middle of a made-up evening, with its late bets, undue cards and collections."""
    said = Plan(tables=2, coups=20, seed=lines, trouble=0.2).lines((1, 2))
    casino = Casino(casino.ledger, made_up=True)
    dispatcher = Dispatcher(casino, "test")
    for line in islice(said, lines):
        dispatcher.dispatch(line)
    casino.begin(Command())
    desk = Desk(casino)
    tables = look(database).tables

    assert len(tables) == 2
    for table in tables:
        day = desk.table_day(table.table)
        shoe = desk.shoe(day)
        coups = [Coup(shoe.address, number) for number in range(1, shoe.coup + 1)]
        played = [casino.find(CoupPlayed, CoupPlayed.stream(each)) for each in coups]
        accounts = list(desk.stays.accounts(day))
        known = {
            "cards_left": shoe.cards_left,
            "coup": str(played[-1].address),
            "phase": played[-1].phase,
            "owed": sum(each.owed for each in accounts),
            "owing": sum(each.owed > 0 for each in accounts),
            "drop": day.cash_in,
            "win": sum(coup.won for coup in played) + sum(each.collected for each in accounts),
            "tray": day.tray + sum(c.won for c in played) + sum(a.collected for a in accounts),
            "limits": day.limits,
            "patrons": len(set(day.seats.values())),
        }

        assert known == {name: getattr(table, name) for name in known}
        assert {int(seat) for seat in table.seats.by} == day.seats.keys()


def test_an_empty_ledger_has_an_empty_board(database):
    seen = look(database)

    assert (seen.house, seen.position, seen.tables, seen.alerts) == ("Sabot", 0, [], [])
    shown = drawn(page(seen, 80), 80)
    assert "0 of 0 tables" in shown
    assert " No table is open.\n" in shown


def test_in_a_pipe_it_is_printed_once(played):
    result = shell(played, "board")

    assert (result.exit_code, result.stderr) == (0, "")
    assert "B01" in result.stdout
    assert "\x1b" not in result.stdout


def test_acknowledged_at_the_shell_an_alert_leaves_the_board(server):
    with server.database() as database:
        casino = Casino(Ledger(database))
        evening(Dispatcher(casino, "test"))
        casino.close()
        before = [each.alert for each in look(database).alerts]
        late = next(each for each in before if each.startswith("late-bet"))
        words = shell(database, "alert", "acknowledge", late, "told them", "--by", "S-11")
        after = [each.alert for each in look(database).alerts]

    assert (words.exit_code, words.stderr) == (0, "")
    assert f"{late} is acknowledged." in words.stdout
    assert words.stdout.endswith(" It is off the board.\n")
    assert before == [*after, late]


def test_no_more_is_shown_than_the_screen_has_lines_and_the_rest_is_counted(played):
    seen = look(played)
    *pressing, late = seen.alerts
    late_bets = [
        structs.replace(late, alert=f"late-bet/{n}", coup=f"B01/{DAY}/1/{n}") for n in range(40)
    ]
    many = replace(seen, alerts=[*pressing, *late_bets])

    assert "… and 33 more: `sabot report alerts`" in drawn(page(many, 80), 80)
    short = drawn(page(many, 80, height=22), 80).splitlines()
    assert len(short) < 22
    assert "… and 39 more" in "\n".join(short)
    assert "B05" in "\n".join(short)


def test_what_presses_is_shown_however_much_it_is(played):
    seen = look(played)
    cash = next(each for each in seen.alerts if each.kind == "cash near")
    near = [structs.replace(cash, alert=f"cash-near/{n}") for n in range(25)]
    shown = drawn(page(replace(seen, alerts=[*near, seen.alerts[-1]]), 120, height=20), 120)

    assert shown.count("500.00 short of it.") == 17  # as the screen has lines
    assert drawn(page(replace(seen, alerts=near), 120), 120).count("500.00 short of it.") == 25
    assert "late-bet" not in shown


@pytest.fixture
def misfired(pit):
    """A coup that nobody settles, and what came instead: four cards and two late bets refused."""
    pit.bet(3, "banker", 100_00)
    pit.say("draw", card="KC")
    for seat in (1, 5):
        pit.ask("bet", seat=seat, spot="player", amount=25_00)
    pit.deal("9S 2C QD")
    for card in ("KH", "4D", "4S", "9D"):
        pit.ask("draw", card=card)
    pit.say("table.buy-in", seat=1, amount=9_600_00)
    return pit


def test_what_was_refused_at_one_coup_is_one_line_behind_what_presses(misfired, database):
    seen = look(database, minutes=16)
    undue, late = (
        [each.alert for each in seen.alerts if each.kind == kind]
        for kind in ("undue card", "late bet")
    )
    shown = [line.split() for line in drawn(page(seen, 200), 200).splitlines()[2:6]]

    assert [each.gravity for each in seen.alerts] == ["pressing"] * 2 + ["refused"] * 6
    assert [line[-1].partition("/")[0] for line in shown[:2]] == ["no-coup", "cash-near"]
    assert " ".join(shown[2]) == (
        "20:00 B01 1/1 4 cards REFUSED: the coup is not settled. Put them aside and call the "
        f"supervisor: `shoe misdraw` {undue[0]}+"
    )
    assert " ".join(shown[3]) == (
        "20:00 B01 1/1 2 late bets REFUSED, the newest: seat 5 grey-jacket, Player 25.00. "
        f"The chips go back. {late[0]}+"
    )


def test_late_bets_and_late_withdrawals_are_two_lines_and_acknowledged_apart(misfired, database):
    for _ in range(2):
        misfired.ask("withdraw", seat=3, spot="banker")
    seen = look(database)
    late = [each.alert for each in seen.alerts if each.kind == "late bet"]
    told = [(fold_words(each, seen), fold_name(each)) for each in folds(seen.alerts)]

    assert [each for each in told if each[1].startswith("late-bet")] == [
        (
            "2 late withdrawals REFUSED, the newest: seat 3 P-10417, Banker 100.00. "
            "The wager stays until the coup is settled.",
            late[0],  # the same withdrawal twice is one alert
        ),
        (
            "2 late bets REFUSED, the newest: seat 5 grey-jacket, Player 25.00. The chips go back.",
            f"{late[1]}+",
        ),
    ]
    said = shell(database, "alert", "acknowledge", late[0], "--by", "S-11")
    left = [each.alert for each in look(database).alerts if each.kind == "late bet"]
    assert (said.exit_code, left) == (0, late[1:])


@pytest.mark.parametrize("width", [80, 100, 120])
def test_a_reason_for_which_there_is_no_room_goes_on_below(misfired, database, width):
    shown = drawn(page(look(database, minutes=16), width), width)

    assert "…" not in shown
    for words in ("`shoe misdraw`", "The chips go back.", "short of it.", "is not settled."):
        assert all(word in shown for word in words.split())
    assert max(map(len, shown.splitlines())) <= width


def test_with_a_plus_the_older_ones_of_a_kind_at_the_same_coup_are_acknowledged(misfired, database):
    before = [each.alert for each in look(database).alerts]
    newest, second, *older = (each for each in before if each.startswith("undue-card"))
    assert shell(database, "alert", "acknowledge", older[0], "--by", "S-11").exit_code == 0
    said = shell(database, "alert", "acknowledge", f"{second}+", "put aside", "--by", "S-11")
    left = [each.alert for each in look(database).alerts]

    assert said.stdout.splitlines()[:-1] == [
        f"{each} is acknowledged." for each in (second, older[1])
    ]
    assert said.stdout.endswith(" They are off the board.\n")
    assert left == [each for each in before if each not in (second, *older)]
    assert newest in left
    told = shell(database, "report", "alerts", "--json").stdout
    assert told.count('"put aside"') == 2


def test_what_was_told_at_no_coup_is_acknowledged_one_by_one(misfired, database):
    near = next(each.alert for each in look(database).alerts if each.kind == "cash near")
    said = shell(database, "alert", "acknowledge", f"{near}+", "--by", "S-11")

    assert (said.exit_code, said.stdout) == (1, "")
    assert "is not about a coup, so there are no older ones" in said.stderr
    assert near in [each.alert for each in look(database).alerts]


def test_a_table_at_which_only_something_was_refused_needs_nobody(misfired, database):
    misfired.say("settle")
    alerts = [each for each in look(database).alerts if each.gravity == "refused"]
    shown = drawn(page(replace(look(database), alerts=alerts), 80), 80)

    assert "the coup had all its cards. Put them" in drawn(page(look(database), 120), 120)
    elsewhere = replace(look(database), tables=[])  # advice would come too late
    assert "Put them" not in drawn(page(elsewhere, 120), 120)
    assert not any(line.startswith("!") for line in shown.splitlines())


def test_alerts_of_closed_gaming_days_are_only_counted(misfired, database):
    misfired.say("settle")
    misfired.say("commission.collect", seat=3, amount=5_00)
    misfired.end_shoe()
    misfired.say("table.drop", amount=9_600_00)
    misfired.say("table.close", closer={"10000": 104, "500": 1}, **TWO)
    tomorrow = look(database, minutes=24 * 60)
    shown = drawn(page(tomorrow, 80), 80)
    today = drawn(page(look(database), 80), 80)

    (missing,) = tomorrow.alerts
    assert (missing.kind, missing.gravity) == ("closer variance", "pressing")
    past = Counter({each.kind: each.many for each in tomorrow.past})
    assert past == Counter(each.kind for each in look(database).alerts if each != missing)
    assert tomorrow.about("B02").past == [] != tomorrow.past
    many = past.total()
    counted = f"{many} alerts of closed gaming days (1 × cash near): `sabot report alerts`"
    assert f"   {counted}\n" in shown
    assert "REFUSED" not in shown
    assert "REFUSED" in today


def test_a_table_that_the_house_never_had_is_not_found(played):
    result = shell(played, "board", "--table", "XX", "--once")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "NotFound: The ledger has no table XX.\n"


def test_who_deals_is_shown_where_there_is_room(played):
    seen = look(played)

    assert "dealer" not in drawn(page(seen, 99), 99)
    assert "D-204" in drawn(page(seen, 100), 100)


def test_values_for_which_a_column_has_no_room_go_on_below_their_table(played):
    seen = look(played)
    tables = [structs.replace(each, drop=1_234_567_89, win=-1_234_567_89) for each in seen.tables]
    shown = drawn(page(replace(seen, tables=tables), 80), 80)

    assert "   tray 17,260 · seats 3/9 · drop 1,234,567.89\n" in shown
    assert "   tray 20,075 · seats 3/9 · drop 1,234,567.89\n" in shown
    assert "−1,234,567.89" in shown
    assert "no more bets" in shown
    assert max(map(cell_len, shown.splitlines())) <= 80


def test_a_column_without_any_value_goes_first_and_leaves_no_line(played):
    seen = look(played)
    tables = [structs.replace(each, drop=0, win=-1_234_567_89) for each in seen.tables]
    shown = drawn(page(replace(seen, tables=tables), 80), 80)

    assert "drop" not in shown
    assert " table  seats  coup " in shown


def test_the_help_tells_every_column(database):
    told = shell(database, "board", "--help").stdout

    for title in (
        "seats",
        "coup",
        "left",
        "h/h",
        "idle",
        "drop",
        "win",
        "tray",
        "owed",
        "limits",
        "next",
    ):
        assert f"\n  {title} " in told
    assert "idle_minutes" in told


def test_a_projection_that_stopped_is_said_first_and_the_rows_stay(dispatcher, database, superuser):
    GamingTable(dispatcher).open()
    before = look(database)
    superuser.execute(
        "INSERT INTO ledger.events SELECT gen_random_uuid(), 1, 'table-day.drop-counted', "
        '\'{"at": "2026-11-21T20:00:00+00:00"}\', position + 1, recorded_at, gaming_day, '
        "table_code, actor, command_id, metadata, hash "
        "FROM ledger.events ORDER BY position DESC LIMIT 1"
    )
    seen = look(database)
    first = seen.alerts[0]

    assert first.kind == "projection stopped"
    assert first.alert == f"projection-stopped/{before.position + 1}"
    assert not first.acknowledgeable
    assert (seen.position, len(seen.tables)) == (before.position, 1)
    assert "! " in drawn(page(seen, 80), 80)


def test_reports_that_would_have_to_wait_for_their_rows_are_an_alert(played, monkeypatch):
    monkeypatch.setattr("ops.board.reading.BEHIND", 10)
    *_, last = (each for each in look(played).alerts if each.gravity == "notable")

    assert (last.kind, last.acknowledgeable) == ("projections behind", False)
    assert last.detail["behind"]["coups"] > 10
    assert "tables_now" not in last.detail["behind"]


def test_who_follows_hears_that_the_ledger_is_lost_and_then_sees_again(
    dispatcher, database, superuser, monkeypatch
):
    GamingTable(dispatcher).open()
    monkeypatch.setattr(pit_board, "POLL", 0.01)
    board = Board(database)
    seen = board.follow()
    first = next(seen)
    superuser.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    lost = next(each for each in seen if isinstance(each, LedgerLost))
    again = next(each for each in seen if not isinstance(each, LedgerLost))
    shown = drawn(lost_page(lost, first, 80, 24), 80)
    seen.close()
    board.close()

    assert shown.startswith(" ! The ledger cannot be reached: ")
    assert "B01" in shown
    assert "B01" not in drawn(lost_page(lost, None, 80, 24), 80)
    assert first.tables == again.tables


def test_live_it_follows_the_pit_and_leaves_the_terminal_as_it_was(dispatcher, database):
    pit = GamingTable(dispatcher).open().prepare()
    board = "--database", database.url, "board"
    with Terminal(*board, surroundings={"NO_COLOR": "1"}, size=(80, 40)) as terminal:
        terminal.wait_for("bet")
        terminal.wait_for("1 of 1 table · 3 patrons")
        assert ANOTHER_SCREEN in terminal.modes
        pit.bet(3, "banker", 100_00)
        terminal.wait_for("no more bets")
        assert not terminal.colours

        assert terminal.end(signal.SIGINT) == 0
        assert ANOTHER_SCREEN not in terminal.modes
        assert not any("Traceback" in line for line in terminal.lines)


@pytest.fixture
def troubled(pit, dispatcher):
    """In one evening: a slip of the keys, an open case, a table that waits, and what is missing."""
    pit.bet(3, "banker", 100_00)
    pit.deal("KC 9S 2C QD")
    pit.ask("settle", paid={"3": 195_00})
    pit.say("settle")
    case = {"coup": f"B01/{DAY}/1/1", "patron": "P-10417", "complaint": "was paid too little"}
    line = {"command": "dispute.open", **case, "by": "S-11", "at": pit.moment.isoformat()}
    assert dispatcher.dispatch(line).ok
    pit.say("commission.collect", seat=3, amount=5_00)
    pit.end_shoe()
    pit.say("shoe.reconcile", remaining=400)
    other = GamingTable(dispatcher, "B02").open()
    other.say("table.drop", amount=0)
    other.say("table.close", closer={"10000": 31}, **TWO)
    return pit


GRAVEST = ["closer variance", "shoe not reconciled"]


def test_the_alerts_come_by_rank_missing_money_and_cards_first(troubled, database):
    troubled.prepare().bet(3, "banker", 100_00)
    troubled.deal("KC 9S")
    troubled.say("move-card", n=2, hand="banker")
    alerts = look(database, minutes=20).alerts
    kinds = [each.kind for each in alerts]

    assert sorted(kinds[:2]) == GRAVEST
    assert kinds[2:] == ["payment disagrees", "no coup", "dispute open", "card moved"]
    assert [each.rank for each in alerts] == [1, 1, 1, 2, 2, 3]
    assert [each.gravity for each in alerts] == [*["pressing"] * 4, "notable", "refused"]


def test_a_box_that_lacks_cash_is_missing_money_when_the_day_is_closed_too(pit, database):
    pit.say("box.attach", box="X-1")
    pit.say("table.buy-in", seat=1, amount=900_00)
    pit.end_shoe()
    pit.say("table.close", closer={"10000": 191}, **TWO)
    people = {"by": "R-1", "with": "S-11"}
    pit.say("box.remove", box="X-1", **people)
    pit.say("box.carry", box="X-1", **people)
    pit.say("box.count", box="X-1", amount=800_00, third="C-3", **people)
    (missing, *_) = look(database, minutes=24 * 60).alerts

    assert ("box difference", "pressing") == (missing.kind, missing.gravity)


def test_a_payment_that_disagrees_is_pressing_also_when_its_coup_is_settled(pit, database):
    pit.bet(3, "banker", 100_00)
    pit.deal("KC 9S 2C QD")
    pit.ask("settle", paid={"3": 195_00})
    (before,) = (each for each in look(database).alerts if each.kind == "payment disagrees")
    pit.say("settle")
    (after,) = (each for each in look(database).alerts if each.kind == "payment disagrees")

    assert (before.rank, before.gravity, before.rings) == (1, "pressing", True)
    assert after == before


def test_what_is_missing_is_looked_for_a_week_though_the_day_is_closed(troubled, database):
    troubled.say("table.drop", amount=0)
    troubled.say("table.close", closer={"10000": 200}, **TWO)

    def missing(days):
        seen = look(database, minutes=days * 24 * 60)
        shown = {each.kind: each.gravity for each in seen.alerts if each.kind in GRAVEST}
        return shown, {each.kind for each in seen.past if each.kind in GRAVEST}

    assert missing(7) == (dict.fromkeys(GRAVEST, "pressing"), set())
    assert missing(8) == ({}, {*GRAVEST})


def test_what_is_left_open_with_a_patron_stays_though_the_day_is_closed(misfired, database):
    misfired.say("settle")
    misfired.say("commission.collect", seat=3, amount=5_00)
    misfired.say("table.leave", seat=3)
    misfired.say("void", coup=f"B01/{DAY}/1/1", reason="torn", **TWO)
    misfired.end_shoe()
    misfired.say("table.close", closer={"10000": 200}, **TWO)
    later = look(database, minutes=9 * 24 * 60)

    assert {"bet left open", "commission left open"} <= {each.kind for each in later.alerts}
    assert {"coup voided"} <= {each.kind for each in later.past}


def test_what_somebody_has_seen_is_shown_until_it_is_closed_or_settled(misfired, database):
    misfired.say("settle")
    misfired.say("commission.collect", seat=3, amount=5_00)
    misfired.say("table.leave", seat=3)
    misfired.say("void", coup=f"B01/{DAY}/1/1", reason="torn", **TWO)
    case = {"coup": f"B01/{DAY}/1/1", "patron": "P-10417", "complaint": "was paid too little"}
    misfired.say("dispute.open", **case, by="S-11")
    matters = {"bet left open", "commission left open", "dispute open"}

    def noticed(alerts):
        return {each.kind for each in alerts} & matters

    before = look(database)
    for each in before.alerts:
        if each.kind in matters:
            misfired.say("alert.acknowledge", alert=each.alert, text="seen", by="PB-1")
    after = look(database)

    assert (noticed(before.alerts), before.unsettled) == (matters, [])
    assert (noticed(after.alerts), noticed(after.unsettled)) == (set(), matters)
    assert "Open still" in drawn(page(after, 100), 100)
    assert noticed(look(database, table="B01").unsettled) == matters
    assert len(after.as_dict()["unsettled"]) == len(matters)
    settle_all(misfired, misfired.dispatcher.desk.named_day("B01", DAY))
    assert noticed(look(database).unsettled) == {"dispute open"}
    exceptions = ask(database, REPORTS["exceptions"]).rows
    sentences = [str(each) for row in exceptions for each in detail_sentences(row, "USD")]
    assert [each for each in sentences if "settled" in each] == [
        "P-10417 had left and was owed 5.00 commission, which is settled.",
        "P-10417 had left and owed 100.00 for bets, which is settled.",
    ]


@pytest.mark.parametrize("width", [80, 100])
def test_a_tray_alone_takes_no_line_from_tables_and_alerts(played, width):
    seen = look(played)
    lines = [text.plain for row, texts in table_lines(seen, width) if row for text in texts]
    own = [line for line in lines if not line.startswith("   !")]

    assert len(own) == len(seen.tables)
    assert "tray" not in "".join(lines)


def names_of(seen):
    """What is the same in every language: codes, names, rule sets, alerts."""
    tables = [
        each
        for table in seen.tables
        for each in (table.table, table.rules, table.dealer, table.supervisor)
    ]
    return [seen.house, seen.currency, "grey-jacket", *tables, *(a.alert for a in seen.alerts)]


@pytest.mark.parametrize("width", [80, 120, 160])
@pytest.mark.parametrize("wide", [False, True])
def test_in_another_language_nothing_on_the_board_is_english(played, width, wide):
    seen = look(played)
    with pseudo(wide=wide):
        shown = drawn(page(seen, width), width)

    assert english_in(shown, *names_of(seen)) == []
    assert max(map(cell_len, shown.splitlines())) <= width
    assert "…" not in "".join(shown.splitlines()[1:])


@pytest.mark.parametrize("world", ["troubled", "misfired"])
def test_in_another_language_what_troubles_a_table_is_not_english(world, database, request):
    request.getfixturevalue(world)
    seen = look(database, minutes=20)
    tomorrow = look(database, minutes=24 * 60 * 2)
    with pseudo():
        for each in (seen, tomorrow):
            shown = drawn(page(each, 120), 120)
            assert english_in(shown, *names_of(each)) == []
        gone = drawn(lost_page(LedgerLost("connection refused"), seen, 80, 40), 80)
    assert english_in(gone.splitlines()[0], "connection refused") == []


def test_a_date_far_away_is_in_the_order_of_the_language():
    moment = datetime(2026, 11, 20, 20, tzinfo=UTC)

    assert near_words(moment, BEGINS + timedelta(days=7)) == "11-20"


@pytest.mark.parametrize(
    ("kind", "detail", "words"),
    [
        (
            "clock behind",
            {"seconds": 2390388.228, "facts": []},
            "The entry is dated 27 days 15 hours in the future.",
        ),
        (
            "clock ahead",
            {"seconds": 75.5, "machine": "pit-3", "facts": []},
            "The clock of pit-3 is 1 minute 15 seconds ahead of the ledger's.",
        ),
        ("no coup", {"minutes": 1440}, "No coup for 1 day."),
        (
            "projections behind",
            {"behind": {"wagers": 20_619}},
            "Reports are up to 20,619 events behind: `sabot projections run`",
        ),
    ],
)
def test_an_alert_says_how_long_and_how_much(kind, detail, words):
    assert alert_words(kind, detail, "USD") == words


def test_every_kind_of_alert_has_a_name_in_every_language():
    raised = {*AT_A_COUP.values(), *ELSEWHERE.values(), *OF_A_COMMAND, *RAISED.values()}

    assert raised | {"differential", *PASSING, *BY_ITSELF, *URGENT} == KINDS.keys()


def test_every_command_that_may_be_due_has_words():
    due = {*NEXT.values(), "shoe.load", "shoe.end", "commission.collect", "dispute.decide"}
    due |= {"open", "bet", "no-more-bets", "settle", "void"}

    assert due <= DUE.keys()
