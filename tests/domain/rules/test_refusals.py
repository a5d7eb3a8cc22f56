"""Every no of the floor, provoked once, with its exact words."""

from contextlib import suppress

import pytest

from domain.aggregates.commission import require_settled
from domain.aggregates.coupon import Coupon
from domain.aggregates.deck import Deck
from domain.aggregates.game_account import GameAccount
from domain.aggregates.patron import Patron
from domain.aggregates.slips import SlipBook
from domain.aggregates.staff import StaffMember
from domain.aggregates.table import Table
from domain.aggregates.ticket import Ticket
from domain.rules import cards, refusals
from domain.rules.addresses import Coup as CoupAddress
from domain.rules.addresses import Shoe as ShoeAddress
from domain.rules.addresses import parse_day
from domain.rules.house_rules import FreeHands, named
from domain.rules.pins import WRONG_PINS
from domain.rules.refusals import Refusal
from domain.rules.rulebook import rule_of
from ops.commands.read import decode, read
from ops.handlers.to_sign import ToSign
from tests.domain.cases import closed_case, late_bet, open_case
from tests.domain.floor import (
    BANKER_WINS,
    DAY,
    EVENING,
    OPENER,
    TIE,
    account,
    after_four,
    bet,
    collect,
    dealt,
    house,
    house_s_own,
    in_coup,
    loaded_shoe,
    on_terms,
    open_coup,
    open_table,
    ready_shoe,
    stay,
    won,
)

SHOE = ShoeAddress(DAY, 1)
COUP = CoupAddress(SHOE, 17)


def _refuse(refusal):
    """What only the ledger knows to refuse; `tests/ops` provokes it there."""
    raise refusal


def _open_twice():
    table = Table.place("B01", EVENING)
    table.open_day_of(DAY.day)
    table.open_day_of(DAY.day)


def _closed_table():
    table = open_table()
    table.close({}, house())
    table.seat(3, "P-3")


def _held():
    table = open_table()
    table.hold("C-2026-0007", "S-11")
    return table


def _locked_up():
    table = open_table()
    table.lock_up("operator", "", "a screen is dark", "S-11")
    return table


def _barred():
    patron = Patron.know("P-3", EVENING)
    patron.bar("counted cards")
    patron.require_welcome()


def _issued_twice():
    book = SlipBook.begin_year(2026, EVENING)
    slip = book.request("fill", str(DAY), OPENER, "S-11")
    book.issue(slip, "C-7")
    book.issue(slip, "C-7")


def _member():
    return StaffMember.enrol("D-204", "dealer", EVENING, code="c0de")


def _retired():
    member = _member()
    member.retire("left the house")
    return member


def _locked():
    member = _member()
    for _ in range(WRONG_PINS):
        with suppress(Refusal):
            member.sign_on("B01", "", right=False)
    return member


def _over_the_cut_card():
    shoe = in_coup(ready_shoe())
    shoe.show_cut_card()
    shoe.begin_coup()


def _too_far_apart():
    open_coup("big-table@1", bets=[(3, "player", 50_000_00), (5, "player", 100_00)]).close_betting()


def _game_account():
    table = open_table("electronic@1", seats=(3,))
    account = GameAccount.open(3, table.stay_at(3), table, at=EVENING)
    account.pay_in(3, 200_00, 7)
    return account


def _ticket():
    return Ticket.issue("T-1", 200_00, DAY, at=EVENING, here=True)


def _used_coupon():
    coupon = Coupon.issue("MP-1", "match-play", 25_00, "USD", at=EVENING)
    coupon.lay(COUP)
    coupon.collect(COUP)
    return coupon


def _owing():
    owing = account()
    won(100_00)(owing)
    return owing


# Each with its rule, where the rules of record have one.
EXAMPLES = {
    "BadLine": (
        None,
        lambda: decode("[1, 2]", 7),
        "Line 7 cannot be read: it is not a JSON object. Send one JSON object a line.",
    ),
    "UnknownCommand": (
        None,
        lambda: read({"command": "setle"}),
        "There is no command 'setle'. Did you mean 'settle'?",
    ),
    "UnknownField": (
        None,
        lambda: read({"command": "settle", "table": "B01", "payed": {}}),
        "settle has no field 'payed'. Its fields are table, paid, at, late, by, with, id.",
    ),
    "MissingField": (
        None,
        lambda: loaded_shoe(batch="B-77").inspect(),
        "A sealed batch is inspected by two people. Name the second as `verified_by`.",
    ),
    "BadValue": (
        None,
        lambda: parse_day("21.11.2026"),
        "day cannot be '21.11.2026': write YYYY-MM-DD, as in `2026-11-21`.",
    ),
    "UnknownCard": (
        "R-CARD-1",
        lambda: cards.card("11H"),
        "'11H' is no card: write rank then suit, A 2-9 T J Q K and C D H S, as in `9C` or `TH`.",
    ),
    "UnknownRule": (
        None,
        lambda: rule_of("R-IRR-9"),
        "There is no rule R-IRR-9. The nearest are R-IRR-6, R-IRR-5 and R-IRR-4; "
        "`sabot rule` lists all.",
    ),
    "SpotNotOffered": (
        "R-BET-2",
        lambda: bet(3, "tie", 10_00)(open_coup("classic@1")),
        "classic@1 has no spot Tie. Its spots are Player and Banker.",
    ),
    "BothSides": (
        "R-BET-1",
        lambda: bet(3, "player", 25_00)(open_coup(bets=[(3, "banker", 100_00)])),
        "A patron bets on Player or on Banker, and seat 3 has 100.00 on Banker. Take that back "
        "first, or bet on it again.",
    ),
    "NotAnIncrement": (
        "R-BET-3",
        lambda: bet(3, "player", 27_50)(open_coup()),
        "27.50 is no multiple of 5.00. Bet 25.00 or 30.00.",
    ),
    "UnderMinimum": (
        "R-BET-3",
        lambda: bet(3, "player", 20_00)(open_coup()),
        "Seat 3's 20.00 on Player is under the minimum of 25.00. Raise it, or take it back.",
    ),
    "OverMaximum": (
        "R-BET-3",
        lambda: bet(3, "tie", 1_005_00)(open_coup()),
        "Seat 3's 1,005.00 on Tie is over the maximum of 1,000.00. Lower it.",
    ),
    "DifferentialExceeded": (
        "R-BET-4",
        _too_far_apart,
        "Player and Banker wagers differ by 50,100.00, and at most 50,000.00 is allowed. "
        "Change a bet, then close the betting.",
    ),
    "OnlyBeside": (
        "R-BET-6",
        lambda: bet(3, "dragon-player", 25_00)(on_terms(beside=("player", "tie"))),
        "Seat 3's bet on Dragon Player is taken only beside one on Player or Tie. Bet on that "
        "first, or in the same line.",
    ),
    "OverPart": (
        "R-BET-8",
        lambda: bet(3, "lucky-6", 75_00)(after_four("5C 2D KS 4H")),
        "Seat 3's 75.00 on Lucky 6 is over 50.00, the most beside its other bet. Lower it.",
    ),
    "SpotNotOnCards": (
        "R-BET-8",
        lambda: bet(3, "lucky-6", 25_00)(after_four("5C 2D KS KH")),
        "Lucky 6 takes no bets on these four cards. Bet on it when they are others.",
    ),
    "BetsStillOpen": (
        "R-BET-8",
        lambda: after_four("5C 2D KS 4H").require_second_bets_closed(),
        "Bets on Lucky 6 are still taken. Close them with `no-more-bets`, then draw the card.",
    ),
    "SpotNotAtSeat": (
        "R-BET-6",
        lambda: bet(3, "dragon-player", 25_00)(on_terms(seats=(1, 2))),
        "Dragon Player is not taken at seat 3, only at 1 and 2. Bet on another spot.",
    ),
    "SpotNotInCoup": (
        "R-BET-6",
        lambda: bet(3, "dragon-player", 25_00)(on_terms(not_in_first=2)),
        "Dragon Player is not taken in the first 2 coups of a shoe. Bet on it from coup 3 on.",
    ),
    "FreeHand": (
        "R-BET-7",
        lambda: open_coup(house_s_own(free_hands=FreeHands(in_a_row=0))).close_betting(),
        "B01/2026-11-21/1/1 has no bet, and at most 0 coups in a row are dealt without one. Take a "
        "bet, or end the shoe with a supervisor.",
    ),
    "NoWager": (
        "R-BET-1",
        lambda: open_coup().withdraw(3, stay(3), "banker"),
        "Seat 3 has no bet on Banker to take back.",
    ),
    "BettingClosed": (
        "R-DEAL-2",
        lambda: bet(3, "banker", 25_00)(dealt(open_coup(), "9C")),
        "Betting is closed on B01/2026-11-21/1/1: the first card is out. "
        "The chips go back; bet on the next coup.",
    ),
    "CardNotInShoe": (
        "R-CARD-3",
        lambda: in_coup(ready_shoe(), " ".join(["9S"] * 9)),
        "All 8 of 9S are out of the shoe already. Look at the card again; if it is one too many, "
        "call the supervisor and discard it as foreign, with `shoe discard`.",
    ),
    "OrderLost": (
        "R-SHOE-5",
        lambda: _refuse(refusals.OrderLost(shoe="B01/2026-11-21/1", why="it is no longer stored")),
        "The order of shoe B01/2026-11-21/1 cannot be opened: it is no longer stored. Repair"
        " that, or void the coup in play and end the shoe with a supervisor and a reason, "
        "which leaves its order unknown.",
    ),
    "CardNotDue": (
        "R-IRR-1",
        lambda: _refuse(in_coup(ready_shoe()).refuse_card("9C", coup_complete=True)),
        "9C is not due: B01/2026-11-21/1/1 has all its cards. If it left the shoe, put it aside, "
        "call the supervisor, and enter it with `shoe misdraw`; this is on record.",
    ),
    "BurnDue": (
        "R-SHOE-6",
        lambda: in_coup(
            in_coup(ready_shoe(house_s_own(burn_between="or-coup-void")), BANKER_WINS)
        ).require_burned(),
        "A card is burned face down before coup B01/2026-11-21/1/2. Burn it, with `shoe burn`; if "
        "the coup was begun without it, `shoe burn --left-out`.",
    ),
    "ShoeNotReady": (
        "R-SHOE-1",
        lambda: loaded_shoe().begin_coup(),
        "Shoe B01/2026-11-21/1 is not ready to deal. Next comes `shoe inspect`.",
    ),
    "ShoeStepOutOfOrder": (
        "R-SHOE-1",
        lambda: loaded_shoe().shuffle("hand"),
        "Shoe B01/2026-11-21/1 is only loaded. Next comes `shoe inspect`.",
    ),
    "CutCardOut": (
        "R-SHOE-3",
        _over_the_cut_card,
        "The cut card has shown, and B01/2026-11-21/1/1 was the last coup of this shoe. End "
        "the shoe.",
    ),
    "CoupNotFinished": (
        "R-DEAL-1",
        lambda: dealt(open_coup(), BANKER_WINS).require_finished(),
        "B01/2026-11-21/1/1 is not finished: it has its result, so settle it.",
    ),
    "CoupOver": (
        "R-WIN-1",
        lambda: [coup.settle() for coup in [dealt(open_coup(), TIE)] * 2],
        "B01/2026-11-21/1/1 is already settled. To change a payment, use `correct`.",
    ),
    "PaymentDisagrees": (
        "R-PAY-1",
        lambda: dealt(open_coup(bets=[(3, "banker", 100_00)]), BANKER_WINS).settle({3: 195_00}),
        "In coup B01/2026-11-21/1/1 seat 3 was paid 195.00 but is owed 200.00. Correct the "
        "payment on the table, then settle again.",
    ),
    "AlreadyOpen": (None, _open_twice, "B01/2026-11-21 is already open: close it first."),
    "TableClosed": (
        None,
        _closed_table,
        "B01/2026-11-21 is not open. Open it first, with `table open`.",
    ),
    "SeatTaken": (
        "R-BET-1",
        lambda: open_table(seats=(3,)).seat(3, "P-5"),
        "Seat 3 is taken by P-3. Choose another seat.",
    ),
    "SeatEmpty": (
        "R-BET-1",
        lambda: open_table().stay_at(3),
        "Nobody sits at seat 3. Seat the patron first, with `table seat`.",
    ),
    "UnknownSeat": (
        None,
        lambda: open_table().seat(12, "P-3"),
        "B01 has no seat 12. Its seats are 1, 2, 3, 4, 5, 6, 7, 8 and 9.",
    ),
    "PatronBarred": (
        None,
        _barred,
        "P-3 may not play: the house barred them. Call the supervisor, and do not take the bet.",
    ),
    "AccountsNotOffered": (
        "R-ACC-1",
        lambda: _refuse(refusals.AccountsNotOffered(rules="dragon-bonus@1")),
        "With dragon-bonus@1 patrons bet with chips, not from game accounts. Use `table buy-in`.",
    ),
    "NoAccount": (
        "R-ACC-1",
        lambda: _refuse(refusals.NoAccount(seat=3)),
        "Seat 3 has no game account. Open one with `account pay-in`.",
    ),
    "AccountShort": (
        "R-ACC-1",
        lambda: _game_account().pay_out(3, 200_01, 8),
        "Seat 3 has 200.00 on its game account, less than 200.01. Take less, or pay in first.",
    ),
    "AccountNotEmpty": (
        "R-ACC-1",
        lambda: _game_account().require_empty(),
        "P-3 has 200.00 on a game account. Pay it out first, with `account pay-out`.",
    ),
    "CouponRefused": (
        "R-PROMO-3",
        lambda: _used_coupon().require_usable(DAY, None, None),
        f"Coupon MP-1 is not taken: it was used in {COUP}. Call the supervisor.",
    ),
    "TicketRefused": (
        "R-ACC-2",
        lambda: _ticket().take(200_01, DAY, "B01/2026-11-21/stay-2", "USD"),
        "Ticket T-1 is not taken: it is worth 200.00. Call the cage.",
    ),
    "SlipReused": (
        None,
        _issued_twice,
        "Slip 2026-000001 is already issued. Take the next number, and call the pit boss.",
    ),
    "SerialReused": (
        "R-SHOE-1",
        lambda: _refuse(Deck.load("deck", "K-88121", SHOE, EVENING).refuse_reuse(SHOE)),
        "Deck K-88121 was already used in shoe B01/2026-11-21/1. Take another deck, and call "
        "the pit boss.",
    ),
    "ConfirmationNeeded": (
        None,
        lambda: open_table().close({"10000": 1}, house(), confirmed=False),
        "The tray of B01/2026-11-21 has 29,900.00 less than it should. Check it, then confirm it "
        "with `confirmed` if it is right.",
    ),
    "CashNotTaken": (
        "R-CASH-2",
        lambda: _refuse(
            refusals.CashNotTaken(
                rule="R-CASH-2",
                so="With this 4,000.00 P-7 passes 10,000.00 of cash in today: ID is due",
            )
        ),
        "With this 4,000.00 P-7 passes 10,000.00 of cash in today: ID is due. Send the patron to "
        "the cage: no table takes or pays it.",
    ),
    "PlayPaused": (
        None,
        lambda: _refuse(refusals.PlayPaused(seat=3, until="21:40")),
        "Seat 3 takes a break until 21:40.",
    ),
    "CommissionOwed": (
        "R-COM-4",
        lambda: require_settled([_owing()]),
        "P-3 owes 5.00. Collect the commission, or a supervisor waives it, or writes it off "
        "if the patron left.",
    ),
    "OverCollected": (
        "R-COM-4",
        lambda: collect(5_01)(_owing()),
        "P-3 owes 5.00, less than 5.01. Collect 5.00 or less.",
    ),
    "UnknownRules": (
        None,
        lambda: named("classic@2"),
        "There is no rule set 'classic@2'. The nearest are classic@1, no-commission@1 and "
        "golden-talons-c@1; `sabot rules list` lists all.",
    ),
    "AlreadyAcknowledged": (
        None,
        lambda: _refuse(late_bet(by="S-11").refuse_again()),
        "S-11 has already acknowledged alert late-bet/48213. Nothing more is to be done about it.",
    ),
    "TableHeld": (
        "R-IRR-5",
        lambda: _held().require_not_held(),
        "B01 is held by C-2026-0007: no further coup is dealt. Decide that with `dispute "
        "decide`, or release the table with `dispute release`.",
    ),
    "TableLockedUp": (
        "R-IRR-6",
        lambda: _locked_up().require_not_locked_up(),
        "B01 is locked up. Two people settle its coup, or return every stake, with `table unlock`.",
    ),
    "CaseClosed": (
        "R-IRR-5",
        lambda: closed_case().note("one thing more", [], "S-11"),
        "C-2026-0007 is closed, and nothing can be added to it. Open another case about "
        "B01/2026-11-21/1/1.",
    ),
    "CaseUnfinished": (
        "R-IRR-5",
        lambda: open_case().close("S-11"),
        "C-2026-0007 is not finished. Decide it first, with `dispute decide`.",
    ),
    "SecondPersonNeeded": (
        "R-SHOE-3",
        lambda: ready_shoe().end(reason="torn card"),
        "Ending a shoe before its cut card shows takes two people. Name a supervisor as the "
        "second.",
    ),
    "ChangedSince": (
        "R-IRR-5",
        lambda: ToSign().require_same([{"type": "Unbarred"}], "S-11"),
        "Nothing was recorded: the record has changed since this was shown. Look again, then sign.",
    ),
    "NotSignedOn": (
        None,
        lambda: _member().sign_off(),
        "D-204 is not signed on. Sign on first, with `sabot staff sign-on D-204`.",
    ),
    "NotPermitted": (
        None,
        lambda: _retired().sign_on("B01", "", right=True),
        "D-204 may not sign on: the number is retired.",
    ),
    "WrongPin": (
        None,
        lambda: _member().sign_on("B01", "", right=False),
        "That is not the PIN of D-204. Check the number, then type both again.",
    ),
    "PinsSlowed": (
        None,
        lambda: _refuse(refusals.PinsSlowed(wait="30 seconds")),
        "Too many wrong PINs were typed on this machine. Wait 30 seconds, then try again.",
    ),
    "WeakPin": (
        None,
        lambda: _refuse(refusals.WeakPin(why="shorter than 6 digits")),
        "The new PIN is shorter than 6 digits. Choose another.",
    ),
    "PinLocked": (
        None,
        lambda: _locked().sign_on("B01", "", right=True),
        "D-204 is locked after 10 wrong PINs. An administrator enrols it again, with a new code.",
    ),
    "NotRecovered": (
        None,
        lambda: house().recover("A-1", "recovery-secret", right=False, others=(), secret=""),
        "That is not the recovery secret. Try again in 1 minute.",
    ),
    "IdReused": (
        None,
        lambda: _refuse(refusals.IdReused(id="0192f0c1")),
        "The id '0192f0c1' was used for another command. Send this one with a new id.",
    ),
    "NumberReused": (
        None,
        lambda: _refuse(refusals.NumberReused(n=17, device="X-1", next=21)),
        "Number 17 of X-1 was used for another line. Go on with 21.",
    ),
    "GivenUp": (
        None,
        lambda: _refuse(refusals.GivenUp(id="k-7")),
        "The outcome of command k-7 was unknown, so it was given up: it is not on record and "
        "never will be. Send it again with a new id.",
    ),
    "NotFound": (
        None,
        lambda: _refuse(refusals.NotFound(what="coup at B01 yet")),
        "The ledger has no coup at B01 yet.",
    ),
    "Conflict": (
        None,
        lambda: _refuse(refusals.Conflict(times=5)),
        "Nothing was recorded: others changed the same thing 5 times. Send it again.",
    ),
    "ClockOff": (
        None,
        lambda: _refuse(refusals.ClockOff(off="3 minutes 20 seconds", way="behind")),
        "Nothing was recorded: this machine's clock is not the ledger's. Set the clock, best "
        "over the network, then send it again.",
    ),
}


LEAVES = {
    name: kind
    for name, kind in vars(refusals).items()
    if isinstance(kind, type) and issubclass(kind, Refusal) and not kind.__subclasses__()
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_refusal_says_what_is_wrong_and_what_to_do_next(name):
    rule, act, text = EXAMPLES[name]
    with pytest.raises(Refusal) as refused:
        act()
    expected = (name, text, rule)

    assert expected == (refused.value.error, str(refused.value), refused.value.rule)


def test_every_refusal_has_its_example_and_no_example_is_left_over():
    assert LEAVES.keys() == EXAMPLES.keys()
