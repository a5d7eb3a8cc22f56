"""Ranks: every kind of alert has one, and a slip of the keys is known as one by what follows."""

from functools import partial

from ops.board.board import Board
from ops.words.alerts import KINDS
from projections import REPORTS
from projections.attention import alerts, exception_kinds
from projections.ranks import RANKS
from tests.acceptance.channels import rows_of, shell
from tests.worlds.gaming_table import PLAYER_WINS

rows = partial(rows_of, report=REPORTS["exceptions"])
TWO = {"with": "S-11"}
MENDED = (("late entry", 3), ("undue card", 3))


def every_kind():
    """All kinds that an event, a table's state or the reader of the ledger raises."""
    yield from exception_kinds.AT_A_COUP.values()
    yield from exception_kinds.ELSEWHERE.values()
    yield from exception_kinds.OF_A_COMMAND
    yield "differential"
    yield from alerts.RAISED.values()
    yield alerts.LINE_MISSING
    yield from alerts.PASSING
    yield from alerts.BY_ITSELF
    yield "record unreadable"


def test_every_kind_has_a_rank_and_every_rank_a_kind():
    assert set(every_kind()) == RANKS.keys()
    assert set(KINDS) == RANKS.keys()
    assert set(RANKS.values()) == {1, 2, 3}


def refused_card(pit, card="4H"):
    """A card that was refused, because the coup has all of its cards."""
    pit.bet(3, "player", 25_00)
    pit.deal("KC 9S 2C QD")
    assert pit.ask("draw", card=card).body["error"] == "CardNotDue"


def test_a_refused_card_was_a_slip_once_the_shoe_goes_on_without_it(pit, database):
    refused_card(pit)
    pit.say("settle")

    assert rows(database, "kind", "rank") == [("undue card", 2)]
    pit.bet(3, "player", 25_00)
    assert rows(database, "kind", "rank") == [("undue card", 3)]


def test_a_refused_card_that_was_in_the_shoe_was_no_slip(pit, database):
    refused_card(pit)
    pit.say("settle")
    pit.say("shoe.misdraw", card="4H", disposition="burn", **TWO)
    pit.play(PLAYER_WINS, (3, "player", 25_00))

    assert rows(database, "kind", "rank") == [("undue card", 2), ("undue card", 2)]


def test_a_ninth_card_of_a_kind_was_no_slip_once_it_is_found_foreign(pit, database):
    for _ in range(8):
        pit.say("shoe.misdraw", card="5H", disposition="burn", **TWO)
    pit.bet(3, "player", 25_00)
    assert pit.ask("draw", card="5H").body["error"] == "CardNotInShoe"
    pit.say("shoe.discard", card="5H", reason="foreign")
    pit.say("void", coup="B01/2026-11-21/1/1", reason="a card too many", **TWO)
    pit.play(PLAYER_WINS, (3, "player", 25_00))

    refused, found = rows(database, "kind", "rank")[-3:-1]
    assert (refused, found) == (("undue card", 2), ("exposed or foreign card", 1))


def test_a_late_bet_that_mends_the_coup_in_play_is_a_slip_a_late_card_is_none(pit, database):
    pit.bet(3, "player", 25_00)
    pit.say("bet", seat=3, spot="tie", amount=25_00, late=True)
    assert rows(database, "kind", "rank") == [("late entry", 3)]

    pit.moment = pit.moment.replace(hour=22)
    pit.say("draw", card="KC", late=True)
    assert rows(database, "kind", "rank")[-1] == ("late entry", 2)


def test_both_reports_and_the_view_have_the_rank(troubled):
    for report in ("alerts", "exceptions"):
        for kind, rank in rows_of(troubled, "kind", "rank", report=REPORTS[report]):
            assert rank == RANKS[kind] or (kind, rank) in MENDED
    with troubled.connect("sabot_analyst") as connection:
        ranks = connection.execute("SELECT DISTINCT rank FROM analysis.exceptions ORDER BY 1")
        assert ranks.fetchall() == [(1,), (2,), (3,)]


def test_slips_of_the_keys_are_counted_for_the_dealer_of_that_time(pit, database):
    refused_card(pit)
    pit.say("settle")
    pit.say("table.dealer", staff="D-205", by="S-11")
    pit.bet(3, "player", 25_00)
    pit.deal("KC 9S")
    pit.say("move-card", n=2, hand="banker")

    found = rows_of(database, "staff", "slips_of_the_keys", report=REPORTS["dealers"])
    assert found == [("D-204", 1), ("D-205", 1)]


def test_the_rows_computed_again_are_the_same(pit, database):
    refused_card(pit)
    pit.say("settle")
    assert rows(database, "rank") == [(2,)]  # read before the shoe goes on
    pit.bet(3, "player", 25_00)
    grown = rows(database, "at", "kind", "rank", "detail")
    assert shell(database, "projections", "rebuild", "exceptions").exit_code == 0

    assert rows(database, "at", "kind", "rank", "detail") == grown


def test_a_slip_is_last_on_the_board(pit, database):
    refused_card(pit)
    pit.say("settle")
    pit.bet(3, "player", 25_00)
    board = Board(database, now=lambda: pit.moment)
    (alert,) = board.once().alerts
    board.close()

    assert (alert.rank, alert.is_slip, alert.rings, alert.gravity) == (3, True, False, "refused")
