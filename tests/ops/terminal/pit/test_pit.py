"""The pit boss's terminal, driven by its keys on a real ledger; how each of its pages looks."""

import asyncio
import signal
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.text import Text

from domain.rules.permissions import ROLES
from ops.board.board import Board
from ops.board.rows import Alert
from ops.commands.authority import NOBODY, Token
from ops.commands.casino import Casino
from ops.commands.vocabulary import PERMISSIONS
from ops.handlers.dispatcher import Dispatcher
from ops.kit.lines import CHOSEN
from ops.ledger.database import LedgerLost, OutcomeUnknown
from ops.ledger.reading import head_of
from ops.ledger.recorder import Ledger
from ops.now.books import Books
from ops.terminal.dealer.journal import Journal
from ops.terminal.pit.acknowledger import FORCED, JOURNAL, Acknowledger
from ops.terminal.pit.app import PitApp
from ops.terminal.pit.sheet import listed
from ops.terminal.pit.sieve import Sieve
from tests.acceptance.channels import shell
from tests.ops.terminal.pit.seat import LARGE, SMALL, Told, at_the_pit, look, until
from tests.ops.terminal.real import ANOTHER_SCREEN, Terminal
from tests.worlds.closed_house import EVERY_ROLE, ClosedHouse, number
from tests.worlds.gaming_table import (
    BANKER_WINS,
    BEGINS,
    DAY,
    PLAYER_WINS,
    TIE,
    GamingTable,
    disputed,
    mouth_on,
    trouble,
)
from tests.worlds.six_tables import NOW, evening


def played(database):
    """Six tables, one of them at its cut card, and one at which much went wrong."""
    with mouth_on(database) as dispatcher:
        evening(dispatcher)
        disputed(trouble(GamingTable(dispatcher, "B07").open().prepare()))


def played_in_macau(database):
    """Names as wide as they are in Macau, a shoe that has ended, one of fourteen coups."""
    casino = Casino(Ledger(database))
    dispatcher = Dispatcher(casino, "test")
    named = {"command": "property.set", "name": "name", "value": "澳門皇宮娛樂場", "by": "M-1"}
    assert dispatcher.dispatch({**named, "at": BEGINS.isoformat()}).ok
    pit = GamingTable(dispatcher)
    pit.say(
        "table.open", rules="dragon-bonus@1", opener={"10000": 200}, day=DAY, **{"with": "S-11"}
    )
    for seat, patron in {1: "陳大文", 2: "王", 3: "歐陽小龍", 5: "Łukasz"}.items():
        pit.say("table.seat", seat=seat, patron=patron)
    pit.prepare()
    pit.play(TIE, (1, "tie", 25_00))
    pit.end_shoe()
    pit.prepare()
    for n in range(13):
        cards = (BANKER_WINS, PLAYER_WINS, BANKER_WINS, TIE)[n * n % 7 % 4]
        pit.play(
            in_other_suits(cards, n),
            (1, "banker", 100_00),
            (2, "player", 1_000_00),
            (3, "banker", 250_00),
        )
    pit.bet(5, "player", 500_00)
    pit.deal("9C 5S 7C")
    second = GamingTable(dispatcher, "B02").open().prepare()
    second.moment = BEGINS + timedelta(minutes=20)
    second.play(BANKER_WINS, (3, "banker", 500_00))
    casino.close()


def in_other_suits(cards, n):
    """The same ranks: eight of a card are in a shoe, and no more."""
    suits = "CDHS"
    return " ".join(rank + suits[(suits.index(suit) + n) % 4] for rank, suit in cards.split())


@pytest.fixture(scope="module")
def latin(server):
    """Nobody adds to it."""
    with server.database() as database:
        played(database)
        yield database


@pytest.fixture(scope="module")
def macau(server):
    """Nobody adds to it."""
    with server.database() as database:
        played_in_macau(database)
        yield database


@pytest.fixture
def busy(database):
    """The same evening, which a test may add to."""
    played(database)
    return database


def run(story):
    asyncio.run(story)


# How it looks. Delete a picture and run twice to make it anew; then look at it.
TOUR = (
    ("main", ()),
    ("table", ("enter",)),
    ("shoe", ("enter",)),
    ("coup", ("end", "enter")),
    ("coup, its end", ("pagedown",)),
    ("alerts", ("escape", "escape", "escape", "a", "down", "down")),
    ("an alert is acknowledged", ("enter",)),
    ("commission", ("escape", "escape", "c")),
    ("help", ("?",)),
    ("only what needs a person", ("escape", "escape", "!")),
    ("a filter that nothing passes", ("escape", "/", "q", "x")),
)
STYLED = ("80-dark", "80-plain")  # kept with their styles; the others as text
PICTURES = [
    # name             ledger   size   theme    plain
    ("80-dark",        "latin", SMALL, "dark",  False),
    ("160-light",      "latin", LARGE, "light", False),
    ("80-plain",       "latin", SMALL, "dark",  True),
    ("80-light-zh",    "macau", SMALL, "light", False),
    ("160-dark-zh",    "macau", LARGE, "dark",  False),
    ("160-plain-zh",   "macau", LARGE, "dark",  True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "ledger", "size", "theme", "plain"), PICTURES, ids=[row[0] for row in PICTURES]
)
def test_every_page_looks_as_it_did_when_somebody_looked_at_it(
    name, ledger, size, theme, plain, request, golden, monkeypatch
):
    database = request.getfixturevalue(ledger)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if plain:
        monkeypatch.setenv("NO_COLOR", "1")
    seen = look(database)
    board = Told(seen)
    shown = []

    async def story():
        async with at_the_pit(database, board=board, size=size, theme=theme) as seat:
            for state, keys in TOUR:
                await seat.press(*keys)
                shown.append(f"=== {state}\n{seat.ansi}")
            await seat.press("escape")
            board.tell(LedgerLost("server closed the connection unexpectedly"))
            await seat.until("cannot be reached")
            shown.append(f"=== the ledger is lost\n{seat.ansi}")

    run(story())
    styled = "".join(shown)
    plain_text = "".join(f"{Text.from_ansi(line).plain.rstrip()}\n" for line in styled.splitlines())
    kept = name in STYLED
    picture = golden / "pit" / f"{name}.{'ansi' if kept else 'txt'}"
    text = styled if kept else plain_text
    if not picture.exists():
        picture.parent.mkdir(exist_ok=True)
        picture.write_text(text, encoding="utf-8")
        pytest.fail(f"{picture.name} was made: look at it, and run again.")

    assert picture.read_text(encoding="utf-8") == text
    lines = [line for line in styled.splitlines() if not line.startswith("===")]
    assert {Text.from_ansi(line).cell_len for line in lines} == {size[0]}
    assert "\x1b[1;" in styled
    assert plain == ("38;" not in styled) == ("48;" not in styled)


@pytest.mark.parametrize("size", [(10, 3), (34, 8), (79, 23)])
def test_on_a_screen_that_is_too_small_nothing_breaks(latin, size):
    async def story():
        async with at_the_pit(latin, size=size) as seat:
            for _, keys in TOUR:
                await seat.press(*keys)

    run(story())


# Into the pit and out again.
def test_enter_leads_from_the_pit_to_the_replay_of_a_coup_and_escape_back(latin):
    async def story():
        async with at_the_pit(latin) as seat:
            assert seat.crumbs == "Pit"
            assert "!B07" in seat.selected  # a payment disagreed
            await seat.press("down")
            assert "!B01" in seat.selected  # the cut card shows, and somebody owes
            await seat.press("enter")
            assert seat.crumbs == "Pit › B01"
            assert "dragon-bonus@1" in seat.text
            assert "grey-jacket  15.00" in seat.text
            assert "next  card: Banker R-DEAL-1" in seat.text
            await seat.press("enter")
            assert seat.crumbs == "Pit › B01 › shoe 1"
            assert "late bet" in seat.text
            await seat.press("down", "enter")
            assert seat.crumbs == "Pit › B01 › shoe 1 › coup 1"
            assert "Banker wins, 9 to 2" in seat.text
            await seat.press("pagedown")
            assert "Adjudicated again today: agrees, line by line." in seat.text
            await seat.press("escape")
            assert seat.crumbs == "Pit › B01 › shoe 1"
            await seat.press("left", "escape")
            assert seat.crumbs == "Pit"
            await seat.press("escape")
            assert seat.crumbs == "Pit"

    run(story())


def test_arrows_and_letters_move_as_far_as_the_list_goes(latin):
    async def story():
        async with at_the_pit(latin) as seat:
            await seat.press("k")
            assert "B07" in seat.selected
            await seat.press("j", "down")
            assert "B03" in seat.selected
            await seat.press("up")
            assert "B01" in seat.selected
            await seat.press("end")
            assert "B06" in seat.selected  # which closed today
            await seat.press("pagedown", "home")
            assert "B07" in seat.selected

    run(story())


def test_brackets_go_to_the_coup_before_and_after_and_say_where_there_is_none(latin):
    async def story():
        async with at_the_pit(latin) as seat:
            await seat.press("/", *"B07", "enter", "enter", "enter", "end", "enter")
            assert seat.crumbs.endswith("coup 1")
            await seat.press("right_square_bracket")
            assert seat.crumbs.endswith("coup 2")
            assert "Void: every wager is returned" in seat.text
            await seat.press("left_square_bracket", "left_square_bracket")
            assert seat.crumbs.endswith("coup 1")
            assert f"B07/{DAY}/1/1 is the first coup of its table's gaming day." in seat.text

    run(story())


def test_a_coup_shows_that_its_record_went_on_and_is_read_again_on_request(busy):
    async def story():
        board = Told(look(busy))
        async with at_the_pit(busy, board=board) as seat:
            await seat.press("/", *"B04", "enter", "enter", "enter", "enter")
            assert "bets are being taken" in seat.text
            pit_of(busy, "B04", minutes=23, seconds=30).say("draw", card="9C")
            board.tell(look(busy))
            await seat.until("Something was added to this coup")
            assert "9♣" not in seat.text
            await seat.press("r")
            assert "9♣ → Player" in seat.text
            assert "was added" not in seat.text

    run(story())


def pit_of(database, table, minutes, seconds=0):
    """Somebody at a table of this ledger."""
    pit = GamingTable(Dispatcher(Casino(Ledger(database)), "test"), table)
    pit.moment = BEGINS + timedelta(minutes=minutes, seconds=seconds)
    return pit


def test_a_page_follows_the_ledger(busy):
    async def story():
        board = Told(look(busy))
        async with at_the_pit(busy, board=board) as seat:
            await seat.press("/", *"B04", "enter", "enter")
            assert "P 100" in seat.text
            assert "P 300" not in seat.text
            pit_of(busy, "B04", 23, 30).say("bet", seat=3, spot="player", amount=300_00)
            board.tell(look(busy))
            await seat.until("P 300")

    run(story())


def test_what_has_face_down_is_on_no_page(database):
    pit = GamingTable(Dispatcher(Casino(Ledger(database)), "test")).open("big-table@1").prepare()
    pit.bet(1, "player", 1_000_00)
    pit.deal("9C 5S 8H KD")

    async def story():
        async with at_the_pit(database) as seat:
            for _ in ("table", "shoe", "coup"):
                await seat.press("enter")
                for hidden in ("9♣", "5♠", "8♥", "K♦", "Player wins", "natural"):
                    assert hidden not in seat.text

    run(story())


def test_nothing_is_written_by_looking(latin):
    def position():
        with latin.session("sabot_auditor") as connection:
            return head_of(connection)

    before = position()

    async def story():
        async with at_the_pit(latin) as seat:
            for _, keys in TOUR:
                await seat.press(*keys)

    run(story())
    assert before == position()


# Filters.
FILTERS = [
    # typed          tables that are left
    ("ez@1",         ["B05"]),
    ("classic",      ["B02"]),
    ("b0 no-coup",   []),
    ("no coup",      ["B07", "B03"]),
    ("CUT",          []),
    ("grey-jacket B04", ["B04"]),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "left"), FILTERS, ids=[row[0] for row in FILTERS])
def test_a_filter_leaves_what_has_all_its_words(latin, typed, left):
    async def story():
        async with at_the_pit(latin) as seat:
            await seat.press("/")
            await seat.write([{" ": "space"}.get(key, key) for key in typed])
            assert left == list(seat.app.view.keys(seat.app.sight))
            await seat.press("enter")
            assert f"/{typed}" in seat.lines[1]
            await seat.press("escape")
            assert len(seat.app.view.keys(seat.app.sight)) == 7

    run(story())


def test_escape_lets_the_filter_be_that_was_there_before(latin):
    async def story():
        async with at_the_pit(latin) as seat:
            await seat.press("/", *"B0", "enter", "/", *"7x", "escape")
            assert seat.app.view.sieve == Sieve("B0")

    run(story())


def test_an_exclamation_mark_leaves_what_needs_a_person_on_each_page(latin):
    async def story():
        async with at_the_pit(latin) as seat:
            await seat.press("!")
            assert list(seat.app.view.keys(seat.app.sight)) == ["B07", "B01", "B03", "B02"]
            await seat.press("down", "enter", "enter", "!")
            assert list(seat.app.view.keys(seat.app.sight)) == [f"B01/{DAY}/1/2"]
            await seat.press("escape", "a", "!")
            kinds = {key.partition("/")[0] for key in seat.app.view.keys(seat.app.sight)}
            assert kinds == {"commission-owed"}

    run(story())


def test_alerts_are_filtered_by_patron_kind_and_dealer(latin):
    async def story():
        async with at_the_pit(latin) as seat:
            await seat.press("a", "/", *"cash", "enter")
            assert [key.partition("/")[0] for key in seat.app.view.keys(seat.app.sight)] == [
                "cash-near"
            ]
            await seat.press("escape", "/", *"D-204", "enter")
            assert len(seat.app.view.keys(seat.app.sight)) == 13

    run(story())


# Commission.
def test_what_must_be_collected_now_comes_first_and_leads_to_its_table(macau, latin):
    async def story(database, *expected):
        async with at_the_pit(database) as seat:
            await seat.press("c")
            for words in expected:
                assert words in seat.text
            await seat.press("enter")
            assert seat.crumbs == "Pit › commission › B01"

    run(story(latin, "B01  ! collect now: the cut card shows", "P-10417", "27.50 USD"))


def test_at_a_table_only_its_own_debts_and_alerts_are_told(latin):
    async def story():
        async with at_the_pit(latin) as seat:
            await seat.press("/", *"B03", "enter", "enter", "c")
            assert "No patrons who owe." in seat.text
            await seat.press("escape", "a")
            assert [key.partition("/")[0] for key in seat.app.view.keys(seat.app.sight)] == [
                "no-coup"
            ]

    run(story())


# Alerts are acknowledged.
def keys_of(seat):
    return list(seat.app.view.keys(seat.app.sight))


def test_an_alert_is_acknowledged_with_a_note_by_whoever_looks(busy):
    async def story():
        board = Told(look(busy))
        async with at_the_pit(busy, board=board) as seat:
            await seat.press("a", "/", *"late-bet", "enter")
            name = keys_of(seat)[0]
            await seat.press("enter")
            assert f"Acknowledge {name}. A note, or only Enter:" in seat.text
            await seat.write(["t", "o", "l", "d", "space", "t", "h", "e", "m"])
            await seat.press("enter")
            assert "It is off the board." in seat.text
            board.tell(look(busy))
            await until(seat.pilot, lambda: name not in keys_of(seat))
            return name

    asyncio.run(story())
    [row] = alerts_in_hand(busy)
    assert row == ("late bet", "told them", "S-11", "pit")


def alerts_in_hand(database):
    """Kind, note, by whom and through which channel."""
    with database.session("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT convert_from(state, 'UTF8')::jsonb, actor, metadata::jsonb "
            "FROM ledger.events WHERE topic LIKE 'alert.%' ORDER BY position"
        ).fetchall()
    return [
        (state["kind"], state["text"], actor, metadata["mouth"]) for state, actor, metadata in rows
    ]


def test_with_a_plus_the_older_ones_are_acknowledged_too(busy):
    async def story():
        async with at_the_pit(busy) as seat:
            await seat.press("a", "/", *"corrected", "enter")
            assert keys_of(seat)[0].endswith("+")
            await seat.press("enter", "enter")
            assert (
                "is acknowledged. 1 older alert is acknowledged with it. They are off" in seat.words
            )

    run(story())
    assert alerts_in_hand(busy) == [("payment corrected", "", "S-11", "pit")] * 2


def test_nobody_acknowledges_without_a_staff_number(busy):
    async def story():
        async with at_the_pit(busy, by="") as seat:
            await seat.press("a", "enter")
            assert "only Enter:" not in seat.text
            assert "✗ READ ONLY: nobody is signed on" in seat.words
            assert "sabot pit --by S-11" in seat.words

    run(story())
    assert alerts_in_hand(busy) == []


def test_escape_acknowledges_nothing(busy):
    async def story():
        async with at_the_pit(busy) as seat:
            await seat.press("a", "enter", *"no", "escape")
            assert "Acknowledge" not in seat.text

    run(story())
    assert alerts_in_hand(busy) == []


def test_a_refusal_is_told_in_words(busy):
    async def story():
        async with at_the_pit(busy) as seat:
            await seat.press("a", "/", *"late-bet", "enter")
            assert (
                shell(busy, "alert", "acknowledge", keys_of(seat)[0], "--by", "S-9").exit_code == 0
            )
            await seat.press("enter", "enter")
            assert "✗" in seat.text
            assert "S-9" in seat.text
            await seat.press("down")
            assert "✗" not in seat.text

    run(story())


def test_an_alert_that_leaves_by_itself_cannot_be_acknowledged(latin):
    seen = look(latin)
    behind = Alert(
        kind="projections behind",
        alert="projections-behind/7",
        detail={"behind": {"wagers": 20_000}},
        gravity=seen.alerts[0].gravity,
        rank=2,
        acknowledgeable=False,
    )

    async def story():
        board = Told(replace(seen, alerts=[behind]))
        async with at_the_pit(latin, board=board) as seat:
            await seat.press("a", "enter")
            assert "This alert cannot be acknowledged" in seat.text
            await seat.press("o")
            assert "This alert is about no coup." in seat.text

    run(story())


class Breaking(Dispatcher):
    """Loses the answer of the first line, after it was recorded."""

    lost = 1

    def dispatch(self, line, proof=None):
        answer = super().dispatch(line, proof)
        if self.lost:
            self.lost -= 1
            raise OutcomeUnknown("the line is dead")
        return answer


def test_a_line_whose_answer_was_lost_is_sent_again_and_counts_once(busy):
    casino = Casino(Ledger(busy), now=lambda: NOW)
    acknowledger = Acknowledger(Breaking(casino, "pit"), "S-11", new_id=lambda: "pit:1")

    async def story():
        board = Told(look(busy))
        async with at_the_pit(busy, board=board, acknowledger=acknowledger) as seat:
            await seat.press("a", "enter", "enter")
            assert "It is not known whether payment-disagrees" in seat.words
            await seat.press("down")
            assert "It is not known whether" in seat.words  # until it is known
            await seat.press("enter", "enter")
            assert "Wait: it is not known yet" in seat.words
            board.tell(LedgerLost("the line is dead"))
            await seat.until("The ledger cannot be reached: the line is dead.")
            board.tell(look(busy))
            await seat.until("It is off the board.")
            assert "cannot be reached" not in seat.text

    run(story())
    casino.close()
    assert alerts_in_hand(busy) == [("payment disagrees", "", "S-11", "pit")]


class Killed(BaseException):
    """As if the process was."""


class Killing(Dispatcher):
    """The terminal is killed at its first line, before it is recorded or after."""

    after = False

    def dispatch(self, line, proof=None):
        if self.after:
            super().dispatch(line, proof)
        raise Killed


@pytest.mark.parametrize("after", [False, True])
def test_an_acknowledgement_that_a_kill_left_without_an_answer_is_told_at_the_next_start(
    busy, tmp_path, monkeypatch, after
):
    monkeypatch.setenv("SABOT_HOME", str(tmp_path))
    casino = Casino(Ledger(busy), now=lambda: NOW)
    alert = next(each.alert for each in look(busy).alerts if each.kind == "late bet")
    killed = Killing(casino, "pit")
    killed.after = after
    journal = Journal.at(busy, JOURNAL)
    with pytest.raises(Killed):
        Acknowledger(killed, "S-11", journal=journal).acknowledge(alert, "seen")
    journal.release()
    again = Acknowledger(Dispatcher(casino, "pit"), "S-11", journal=Journal.at(busy, JOURNAL))

    assert again.unanswered == alert
    assert again.acknowledge(alert).kind == "refused"

    async def story():
        async with at_the_pit(busy, acknowledger=again) as seat:
            outcome = "It is off the board." if after else "Acknowledge it again."
            await until(seat.pilot, lambda: alert in seat.words and outcome in seat.words)

    run(story())
    again.close()
    casino.close()

    assert alerts_in_hand(busy) == [("late bet", "seen", "S-11", "pit")] * after
    assert Journal.at(busy, JOURNAL).last is None


def test_in_open_house_whoever_signed_on_need_not_say_so_again(busy):
    casino = Casino(Ledger(busy), now=lambda: NOW)
    acknowledger = Acknowledger(Dispatcher(casino, "pit", token=Token("S-9", "secret")))

    async def story():
        async with at_the_pit(busy, acknowledger=acknowledger) as seat:
            await seat.press("a", "/", *"late-bet", "enter", "enter", "enter")
            assert "It is off the board." in seat.words

    run(story())
    casino.close()
    assert alerts_in_hand(busy) == [("late bet", "", "S-9", "pit")]


# Who may only look.
@pytest.fixture(scope="module")
def closed(server):
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            pit = GamingTable(dispatcher).open().prepare()
            pit.bet(3, "banker", 100_00)
            pit.say("draw", card="9C")
            pit.ask("bet", seat=1, spot="player", amount=25_00)
        house = ClosedHouse(database, EVERY_ROLE)
        yield house
        house.close()


def acknowledger_of(database, token=NOBODY, **how):
    return Acknowledger(Dispatcher(Casino(Ledger(database)), "pit", token=token), **how)


@pytest.mark.parametrize("role", [*(each for each in ROLES if each != "device"), None])
def test_whoever_may_not_acknowledge_reads_only(closed, role):
    may = role in PERMISSIONS["alert.acknowledge"].roles
    token = closed.token(number(role)) if role else NOBODY

    async def story():
        async with at_the_pit(
            closed.database, acknowledger=acknowledger_of(closed.database, token)
        ) as seat:
            await seat.press("a")
            assert ("READ ONLY" in seat.lines[1]) is not may
            assert ("acknowledge" in seat.lines[-1]) is may
            await seat.press("enter")
            assert ("only Enter:" in seat.text) is may
            assert ("✗ READ ONLY:" in seat.text) is not may

    run(story())
    assert alerts_in_hand(closed.database) == []


def test_a_pit_boss_may_ask_to_read_only(closed):
    async def story():
        token = closed.token(number("pit-boss"))
        acknowledger = acknowledger_of(closed.database, token, read_only=FORCED)
        async with at_the_pit(closed.database, acknowledger=acknowledger) as seat:
            assert "READ ONLY" in seat.lines[1]
            await seat.press("?")
            assert "--read-only was given" in seat.text

    run(story())


# The ledger is lost, and comes back.
def test_what_was_seen_last_stays_dimmed_with_its_time_until_the_ledger_is_back(latin):
    async def story():
        seen = look(latin)
        board = Told(seen)
        async with at_the_pit(latin, board=board) as seat:
            board.tell(LedgerLost("connection refused"))
            await seat.until("The ledger cannot be reached: connection refused.")
            assert "The pit at 20:24:00." in seat.lines[2]
            assert "!B01" in seat.text
            dimmed = seat.ansi
            board.tell(replace(seen, at=seen.at + timedelta(minutes=1)))
            await seat.until("20:25")
            assert "cannot be reached" not in seat.text
            assert dimmed.splitlines()[4] != seat.ansi.splitlines()[4]

    run(story())


def test_a_ledger_that_cannot_be_reached_at_first_is_waited_for(latin):
    async def story():
        board = Told(LedgerLost("connection refused"))
        async with at_the_pit(latin, board=board) as seat:
            assert "The ledger cannot be reached: connection refused." in seat.text
            assert "Trying again every second." in seat.text
            await seat.press("enter", "a", "c", "/", "escape", "escape", "?")
            board.tell(look(latin))
            await seat.until("6 of 7 tables")

    run(story())


def test_a_page_that_could_not_be_read_is_read_when_the_ledger_is_back(latin):
    class Once(Books):
        asked = 0

        def table(self, code, day):
            Once.asked += 1
            if Once.asked == 1:
                raise LedgerLost("gone")
            return super().table(code, day)

    async def story():
        seen = look(latin)
        board = Told(seen)
        async with at_the_pit(latin, board=board, books=Once(latin)) as seat:
            await seat.press("enter")
            assert "Reading the record" in seat.text
            board.tell(replace(seen, at=seen.at + timedelta(seconds=1)))
            await seat.until("grey-jacket")

    run(story())


def test_what_nobody_there_can_mend_ends_it_and_is_raised(latin):
    class Broken(Told):
        def follow(self):
            yield look(latin)
            raise ZeroDivisionError

    async def story():
        app = PitApp(Broken(), Books(latin), acknowledger_of(latin))
        async with app.run_test() as pilot:
            await until(pilot, lambda: app._exit)
        return app.return_value

    assert isinstance(asyncio.run(story()), ZeroDivisionError)


def test_a_real_board_is_followed(busy):
    async def story():
        board = Board(busy, now=lambda: NOW)
        async with at_the_pit(busy, board=board) as seat:
            await seat.press("/", *"B04", "enter", "enter")
            pit_of(busy, "B04", 23, 30).say("bet", seat=3, spot="player", amount=300_00)
            await seat.until("P 300")

    run(story())


# Its own pieces.
@given(st.lists(st.integers(1, 4), min_size=1, max_size=40), st.data(), st.integers(1, 30))
def test_whatever_is_selected_is_shown_and_no_more_than_there_is_room(heights, data, height):
    keys = [str(n) for n in range(len(heights))]
    selected = data.draw(st.sampled_from(keys))
    lines = listed(
        keys, selected, lambda key: [Text(f" {key}.{n}") for n in range(heights[int(key)])], height
    )
    whole = [f"{key}.{n}" for key in keys for n in range(heights[int(key)])]
    shown = [line.plain[1:] for line in lines]

    assert len(lines) == min(height, len(whole))
    assert f"{selected}.0" in shown
    at = whole.index(shown[0])
    assert whole[at : at + len(shown)] == shown
    assert all(line.plain.startswith("›") == (line.plain == f"›{selected}.0") for line in lines)
    assert all(
        (line.style == CHOSEN) == (line.plain[1:].startswith(f"{selected}.")) for line in lines
    )


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_sieve_lets_through_what_has_its_words_whatever_the_case(words, more):
    assert Sieve(words).lets(f"{more} {words} {more}", needs=False)
    assert Sieve(words.swapcase()).lets(words, needs=False) or words.casefold() != (
        words.swapcase().casefold()
    )
    assert not Sieve(words, only_needs=True).lets(words, needs=False)


# The command.
def test_without_a_screen_the_board_is_pointed_to(latin):
    result = shell(latin, "pit")

    assert result.exit_code == 2
    assert "sabot board" in result.stderr
    assert result.stdout == ""


def pit_terminal(database, **surroundings):
    arguments = "--database", database.url, "pit"
    return Terminal(*arguments, surroundings=surroundings)


def test_in_a_real_terminal_it_opens_leads_in_and_leaves_as_it_came(latin):
    with pit_terminal(latin) as terminal:
        terminal.wait_for("tables")
        assert ANOTHER_SCREEN in terminal.modes
        terminal.type("?")
        terminal.wait_for("opens this page, or closes it")
        terminal.type("q")

        assert terminal.ends() == 0
        assert ANOTHER_SCREEN not in terminal.modes


def test_whoever_ends_the_program_has_the_terminal_back_as_it_was(latin):
    with pit_terminal(latin) as terminal:
        terminal.wait_for("tables")

        assert terminal.end(signal.SIGTERM) == 128 + signal.SIGTERM
        assert ANOTHER_SCREEN not in terminal.modes


def test_a_dumb_terminal_is_no_screen(latin):
    with pit_terminal(latin, TERM="dumb") as terminal:
        assert terminal.ends() == 2
        terminal.wait_for("sabot board")
