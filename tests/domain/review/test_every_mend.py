"""No mend can escape: whatever was typed wrong, and whenever it was put right, all readings agree.

Random coups with random slips, each put right at some moment: before, between and after the cards,
before and after the payment, after the shoe's end, twice. After everything that is typed, replay
and adjudication agree with the record, and so does the stranger's script; in the end the coup is
the one without a slip, and its money is that of a model which knows nothing of Sabot.
"""

from datetime import UTC
from random import Random

import msgspec
import pytest

from domain.review.adjudication import adjudicate
from domain.review.difference import Played
from domain.review.what_if.question import Around, what_if
from domain.review.what_if.wagers import Table
from domain.rules.house_rules import RULE_SETS, SpotTerms
from ops.commands.corrections import OfCoup
from ops.ledger.mapper import fields_of
from tests.domain.floor import house_s_own
from tests.faults import FULL, SEED
from tests.worlds.felt import Mended

COUPS = 2_000 if FULL else 100
RULES = sorted(RULE_SETS)


class Script:
    """`scripts/verify_pack` on a coup that is still being put right."""

    def __init__(self, module):
        self.module = module

    def says(self, felt):
        """What it finds wrong with the coup as it stands."""
        events = [self._recorded(line) for line in felt.lines]
        own = [each for each in events if each["topic"].startswith("coup.")]
        about = {"coup": str(felt.coup.address), "events": events}
        terms = msgspec.json.decode(felt.rules.stated)
        found = self.module.Findings()
        _, result = self.module.check_cards(about, found, own)
        self.module.check_money(about, found, own, terms, result)
        return found.bad

    def _recorded(self, line):
        event = line.event
        fields = {"at": event.timestamp.astimezone(UTC).isoformat(), **fields_of(event)}
        return {
            "position": line.position,
            "topic": event.TOPIC,
            "state": msgspec.json.encode(fields).decode(),
        }


def all_agree(script):
    def check(mended):
        felt = mended.felt
        judged = adjudicate(str(felt.coup.address), felt.own, felt.around)
        played = Played.of(felt.coup.address, judged.replay)

        assert judged.disagreements == []
        assert judged.replay.state.cards == felt.coup.cards
        if not felt.coup.face_down:  # before, no pack is made
            assert script.says(felt) == 0
        if played.phase == "settled" and not mended.mispaid:
            assert changes(felt, played) == []

    return check


def changes(felt, played):
    """The seats whose money a question about nothing would change."""
    table = Table(felt.coup.layout.limits, felt.coup.layout.differential)
    answer = what_if(played, [], table, Around(felt.rules.decks))
    rows = [(row.staked, row.paid, row.commission_exact) for row in answer.difference]
    return [row for row in rows if row != (0, 0, 0)]


# Banker's commission by rule set: its hundredth parts, the cents to which it is rounded up, and
# whether it is taken off the payment. Where a Banker win on 6 pays half, there is none.
BY_HAND = {
    "classic@1": (5, 1, True),
    "big-table@1": (5, 1, True),
    "pairs@1": (5, 1, True),
    "dragon-bonus@1": (5, 1, False),
    "dollar-up@1": (5, 100, False),
    "four-percent@1": (4, 5, False),
    "no-commission@1": None,
}


def money_by_hand(mended):
    """What every seat is paid and owes, by a model that knows three spots and nothing of Sabot."""
    terms = BY_HAND.get(mended.felt.rules.name, "unknown")
    known = {"player", "banker", "tie"}
    if terms == "unknown" or not {spot for _, spot in mended.bets} <= known or mended.void:
        return mended.felt.money
    hands = [[], []]
    for n, card in enumerate(mended.cards):
        hands[hand_of(n, mended.cards)].append(worth(card))
    player, banker = (sum(hand) % 10 for hand in hands)
    won = "tie" if player == banker else "player" if player > banker else "banker"
    paid, owed = {}, {}
    for (seat, spot), stake in mended.bets.items():
        if spot == "tie":
            paid[seat, spot] = 9 * stake if won == "tie" else 0
        elif won == "tie":
            paid[seat, spot] = stake
        elif spot != won:
            paid[seat, spot] = 0
        elif spot == "player":
            paid[seat, spot] = 2 * stake
        elif terms is None:
            half = -(-stake // 2_00) * 1_00  # no coin at the table: up to the next 1.00
            paid[seat, spot] = stake + (half if banker == 6 else stake)
        else:
            percent, step, at_once = terms
            commission = -(-stake * percent // (100 * step)) * step
            paid[seat, spot] = 2 * stake - commission * at_once
            owed[seat] = commission * (not at_once)
    return paid, {seat: amount for seat, amount in owed.items() if amount}


def worth(card):
    return "A23456789".find(card[0]) + 1


def hand_of(n, cards):
    """0 for Player's, 1 for Banker's: by turns, and the third card to who draws it."""
    if n < 4:
        return n % 2
    player = (worth(cards[0]) + worth(cards[2])) % 10
    return 1 if n == 5 or player >= 6 else 0


@pytest.mark.parametrize("number", range(COUPS))
def test_every_reading_of_a_coup_agrees_whatever_is_put_right_and_when(number, stranger):
    random = Random(SEED + number)
    rules = random.choice(RULES)
    mended = Mended(rules, random, all_agree(Script(stranger))).play()

    assert mended.felt.ends == mended.twin.ends
    assert mended.felt.money == money_by_hand(mended)


SHARED = {
    "player": SpotTerms(most_won=55_00),
    "banker": SpotTerms(most_won=35_00),
    "tie": SpotTerms(most_won=100_00),
    "dragon-player": SpotTerms(most_won=15_00),
    "dragon-banker": SpotTerms(most_won=0),
}


@pytest.mark.parametrize("number", range(COUPS))
def test_r_pay_6_every_reading_agrees_where_bets_share_the_most_that_they_win(number, stranger):
    rules = house_s_own(terms=SHARED)
    mended = Mended(rules, Random(SEED + number), all_agree(Script(stranger))).play()
    paid = mended.felt.money[0]

    assert mended.felt.ends == mended.twin.ends
    for spot, terms in SHARED.items() if not mended.void else ():
        bets = {place: stake for place, stake in mended.bets.items() if place[1] == spot}
        assert sum(max(paid[place] - bets[place], 0) for place in bets) <= terms.most_won


def test_every_command_that_puts_a_coup_right_is_among_them():
    played = set()
    for number in range(60):
        played |= Mended("dragon-bonus@1", Random(number), lambda _: None).play().commands

    every = {each.__struct_config__.tag for each in OfCoup.__subclasses__()}
    assert played >= every - {"coupon.correct"}  # no coupon is in these: see `test_coupons.py`
