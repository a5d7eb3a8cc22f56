"""A course is pure: what it tells, what it calls right, and how it judges what is typed."""

import re
from collections import Counter
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.rules import refusals
from domain.rules.addresses import Shoe
from domain.rules.cards import points
from domain.rules.hands import play
from domain.rules.house_rules import RULE_SETS, named
from domain.rules.layout import Layout as Lying
from domain.rules.rulebook import RULEBOOK
from domain.rules.settlement import pay
from domain.rules.spots import OPPOSITE
from ops.commands import rule_files
from ops.kit.outcome import Outcome
from ops.now.shoe_now import ShoeNow
from ops.now.table_now import CoupNow, HandNow, SeatNow, TableNow
from ops.now.wagers_now import WagerNow
from ops.terminal.training.course import Course
from ops.terminal.training.faults import KINDS
from ops.terminal.training.moments import Betting, Dealing, Leaving, Paying
from ops.terminal.training.plan import Plan
from ops.typed.acts import Bets, Cards, Collect, NoMoreBets, Settle, Spoken, TakeBack
from ops.typed.grammar import parse
from tests.ops.terminal.training.trainee import always, attend, never, rightly, wagers_line
from tests.worlds.progressive_sheets import sheet

SEEDS = st.integers(0, 2**32)
RULES = st.sampled_from(sorted(RULE_SETS))
DRAGON = "dragon-bonus@1"


class Desk:
    """A course, and a table in memory that records whatever passes."""

    def __init__(self, rules=DRAGON, seed=7, coups=10, clock=lambda: 0.0):
        self.rules = named(rules)
        self.plan = Plan(seed, self.rules, coups)
        self.course = Course(self.plan, clock=clock)
        self.patrons = dict(self.plan.first_patrons)
        self.owed = Counter()
        self.number, self.phase, self.cards, self.wagers = 0, "settled", [], {}
        self.first = self.course.begin(self.now)

    @property
    def now(self):
        return TableNow(
            table="T1",
            rules=self.rules,
            seats=tuple(self._seat(number) for number in sorted(self.patrons)),
            shoe=ShoeNow(
                Shoe.parse("T1/2026-11-21/1"), "burned", True, 8, 400, 386, "dealer", "", None
            ),
            coup=self._coup() if self.number else None,
        )

    def _seat(self, number):
        lying = tuple(WagerNow(s, a) for (seat, s), a in self.wagers.items() if seat == number)
        return SeatNow(number, self.patrons[number], self.owed[number], number, lying)

    def _coup(self):
        dealt = play(self.cards).dealt
        player, banker = (
            HandNow(tuple(each.card for each in dealt if each.hand == hand))
            for hand in ("player", "banker")
        )
        return CoupNow(f"T1/2026-11-21/1/{self.number}", self.number, self.phase, player, banker)

    def say(self, typed):
        act = parse(typed)
        verdict = self.course.judge(act, self.now)
        if not verdict.passes:
            return Outcome("refused", verdict.words, verdict.rule, left=typed)
        outcome = self._record(act)
        told = self.course.answered(typed, act, outcome, self.now)
        self.patrons |= dict(self.course.arrivals())
        return replace(outcome, words=(*outcome.words, *told))

    def _record(self, act):
        match act:
            case Bets():
                return self._bet(act)
            case TakeBack(seats=(seat,), spot=spot) if self.phase == "betting":
                del self.wagers[seat, spot]
            case TakeBack():
                return Outcome("refused", ("The first card is out.",), "R-DEAL-2")
            case NoMoreBets():
                self.phase = "dealing"
            case Cards(cards=cards):
                self.cards += cards
            case Settle():
                self._settle()
            case Collect(seats=(seat,)):
                self.owed[seat] = 0
            case Spoken(name="table.leave", arguments=(seat,)):
                if self.owed[int(seat)]:
                    return Outcome("refused", ("Commission is owed.",), "R-COM-4")
                del self.patrons[int(seat)]
        return Outcome("done", ())

    def _bet(self, act):
        if self.phase not in ("betting", "settled") or (self.phase == "settled" and self.late):
            return Outcome("refused", ("The first card is out.",), "R-DEAL-2")
        tried = getattr(self.course.moment, "tried", None)
        laid = {(seat, each.spot): int(float(each.amount) * 100) for seat, each in act.wagers}
        if tried and (tried.seat, tried.spot) in laid and tried.spot != "tie":
            return Outcome("refused", ("It is not allowed.",), self.course.moment.fault.rule)
        if self.phase == "settled":
            self.number, self.phase, self.cards, self.wagers = self.number + 1, "betting", [], {}
        self.wagers |= laid
        return Outcome("done", ())

    @property
    def late(self):
        return not isinstance(self.course.moment, Betting)

    def _settle(self):
        result = play(self.cards).result
        for (seat, spot), stake in self.wagers.items():
            payment = pay(self.rules, spot, stake, result)
            if payment.commission_due == "deferred":
                self.owed[seat] += payment.commission_charged
        self.phase = "settled"

    def at(self, kind):
        """Goes on, without an error, to the moment with this mistake."""
        attend(self, rightly, until=lambda moment: bool(moment.fault and moment.fault.kind == kind))
        assert not self.course.over, f"no {kind} in this course"
        return self


def with_mistake(kind, rules=DRAGON):
    """A desk at the moment with this mistake, in the first course that has one."""
    for seed in count():
        coups = list(Plan(seed, named(rules), 60).course())
        kinds = [each.fault.kind for coup in coups for each in coup.moments if each.fault]
        if kind in kinds:
            return Desk(rules, seed, 60).at(kind)
    raise AssertionError


# What is told.
def test_the_same_seed_is_the_same_course_and_another_is_another():
    told = [list(Plan(seed, named(DRAGON), 20).course()) for seed in (7, 7, 8)]

    assert told[0] == told[1]
    assert told[0] != told[2]


def test_a_course_has_as_many_coups_as_were_asked_for():
    assert [1, 2, 3] == [coup.number for coup in Plan(7, named(DRAGON), 3).course()]


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_one_shoe_has_sixty_coups_and_no_cut_card(rules):
    plan = Plan(7, named(rules), 60)
    cards = [card for coup in plan.course() for card in coup.cards]

    assert 60 == len(list(Plan(7, named(rules), 60).course()))
    assert len(cards) + 11 < 52 * plan.rules.decks - plan.rules.cut_card
    assert max(Counter(cards).values()) <= plan.rules.decks


def test_nobody_bets_on_a_spot_that_pays_from_a_meter():
    of_meters_only = sheet().replace("dragon-bonus@1", "classic@1")
    rules = rule_files.read(of_meters_only.encode(), named)
    coups = list(Plan(7, rules, 60).course())
    spots = {each.spot for coup in coups for each in coup.wagers}

    assert spots
    assert not spots & rules.progressives.keys()


def test_about_two_coups_in_five_have_one_mistake_and_none_has_two():
    counts = Counter(
        sum(1 for moment in coup.moments if moment.fault)
        for seed in range(20)
        for coup in Plan(seed, named(DRAGON), 60).course()
    )

    assert {0, 1} == set(counts)
    assert 0.3 < counts[1] / counts.total() < 0.5


@given(SEEDS)
@settings(max_examples=15)
def test_no_kind_of_mistake_comes_twice_before_each_that_had_room_came_once(seed):
    always_room = ("misread", "wrong-total", "wrong-outcome", "late-withdrawal")
    counts = Counter(dict.fromkeys(always_room, 0))
    for coup in Plan(seed, named(DRAGON), 60).course():
        counts.update(each.fault.kind for each in coup.moments if each.fault)
        told = [counts[kind] for kind in always_room]

        assert max(told) - min(told) <= 1


def test_every_kind_of_mistake_comes():
    counts = Counter(
        moment.fault.kind
        for seed in range(10)
        for coup in Plan(seed, named(DRAGON), 60).course()
        for moment in coup.moments
        if moment.fault
    )

    assert set(KINDS) == set(counts)
    assert max(counts.values()) <= 25


@given(RULES, SEEDS)
@settings(max_examples=25)
def test_what_is_told_is_right_unless_it_is_a_mistake(rules, seed):
    rules = named(rules)
    for coup in Plan(seed, rules, 12).course():
        for moment in coup.moments:
            assert _as_the_domain_has_it(rules, coup, moment) == (moment.fault is None), moment


def _as_the_domain_has_it(rules, coup, moment):
    if moment.late:
        return False
    match moment:
        case Betting(wagers=wagers, tried=tried):
            _require_may_lie(rules, wagers)
            return tried is None
        case Dealing(cards=cards, call=call):
            return _call_is_right(cards, call)
        case Paying(cards=cards, paid=paid):
            result = play(cards).result
            assert cards == coup.cards
            assert [(e.seat, e.spot, e.stake) for e in paid] == [
                (e.seat, e.spot, e.stake) for e in coup.wagers
            ]
            return all(e.paid == pay(rules, e.spot, e.stake, result).paid for e in paid)
        case Leaving(forgotten=forgotten):
            return not forgotten
    raise AssertionError(moment)


def _call_is_right(cards, call):
    hands = play(cards)
    return (
        all(points(read) == points(card) for read, card in zip(call.read, cards, strict=True))
        and (call.player_total, call.banker_total) == (hands.player_total, hands.banker_total)
        and call.draws == (hands.due.hand if hands.due else None)
        and call.wins == (hands.result.outcome if hands.result else None)
        and call.laid == hands.dealt[-1].hand
    )


def _layout(rules):
    limits = {spot: rules.limit(spot) for spot in rules.spots}
    told = {spot: [limit.minimum, limit.maximum] for spot, limit in limits.items()}
    main = [rules.main.minimum, rules.main.maximum]
    return Lying({**told, "main": main}, rules.differential)


def _require_may_lie(rules, wagers):
    layout = _layout(rules)
    for each in wagers:
        layout.require(rules, each.seat, each.spot, each.stake)
        assert layout.at(each.seat, OPPOSITE.get(each.spot, "")) is None
        layout.place(each.seat, "", "", each.spot, each.stake)
    assert list(layout.broken(rules)) == []


@given(RULES, SEEDS)
@settings(max_examples=25)
def test_what_a_patron_tries_the_floor_refuses_by_the_same_rule(rules, seed):
    rules = named(rules)
    for coup in Plan(seed, rules, 12).course():
        betting = coup.moments[0]
        if betting.tried:
            assert betting.fault.rule == _refused_by(rules, betting)


def _refused_by(rules, betting):
    layout, tried = _layout(rules), betting.tried
    for each in betting.wagers:
        layout.place(each.seat, "", "", each.spot, each.stake)
    try:
        layout.require(rules, tried.seat, tried.spot, tried.stake)
    except refusals.Betting as refusal:
        return refusal.rule
    if layout.at(tried.seat, OPPOSITE.get(tried.spot, "")):
        return refusals.BothSides.rule
    layout.place(tried.seat, "", "", tried.spot, tried.stake)
    return next(layout.broken(rules)).refusal.rule


def test_nobody_thinks_of_another_card_when_banker_has_three():
    calls = [
        moment.call
        for seed in range(40)
        for coup in Plan(seed, named(DRAGON), 60).course()
        for moment in coup.moments
        if isinstance(moment, Dealing) and len(moment.hands.cards("banker")) == 3
    ]

    assert 200 < len(calls)
    assert {None} == {call.draws for call in calls}


def test_every_rule_that_a_mistake_breaks_is_explained():
    cited = {
        moment.fault.rule
        for rules in RULE_SETS.values()
        for seed in range(5)
        for coup in Plan(seed, rules, 60).course()
        for moment in coup.moments
        if moment.fault
    }

    assert cited <= set(RULEBOOK)


def test_what_a_lesson_tells_holds_under_every_rule_set():
    """Odds and shares are the rule set's, so that no lesson tells them."""
    told = [
        each.sentence for rule, each in RULEBOOK.items() if rule.startswith(("R-PAY-2", "R-PAY-3"))
    ]

    assert [] == [words for words in told if re.search("[0-9]", words)]


# Who judges how.
@given(RULES, SEEDS)
@settings(max_examples=15)
def test_a_trainee_who_sees_every_mistake_has_no_error(rules, seed):
    desk = Desk(rules, seed, 8)
    attend(desk, rightly)
    score = desk.course.score

    assert 8 == score.coups
    assert (0, 0, 0) == (score.own.total(), score.missed.total(), score.false_alarms)
    assert _planted(desk) == score.caught


@given(RULES, SEEDS)
@settings(max_examples=15)
def test_a_trainee_who_lets_everything_pass_misses_every_mistake(rules, seed):
    desk = Desk(rules, seed, 8)
    attend(desk, lambda moment: isinstance(moment, Leaving) and rightly(moment))
    score = desk.course.score

    assert _planted(desk) == score.missed + score.caught
    assert set(score.caught) <= {"R-COM-4"}
    assert (0, 0) == (score.own.total(), score.false_alarms)


@given(SEEDS)
@settings(max_examples=15)
def test_a_trainee_who_objects_to_everything_is_wrong_as_often_as_all_was_right(seed):
    desk = Desk(seed=seed, coups=8)
    told = []
    attend(desk, lambda moment: told.append(moment) or True)

    assert sum(moment.fault is None for moment in told) == desk.course.score.false_alarms
    assert _planted(desk) == desk.course.score.caught


def _planted(desk):
    plan = Plan(desk.plan.seed, desk.rules, desk.plan.coups)
    return Counter(
        moment.fault.rule for coup in plan.course() for moment in coup.moments if moment.fault
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_mistake_is_caught(kind):
    desk = with_mistake(kind)
    fault = desk.course.moment.fault
    before = desk.course.score.caught.total()
    answer = desk.say("!")

    assert answer.words[0] == f"Caught: {fault.right} ({fault.rule})."
    assert before + 1 == desk.course.score.caught.total()
    assert (0, 0) == (desk.course.score.missed.total(), desk.course.score.false_alarms)

    attend(desk, rightly)

    assert 0 == desk.course.score.own.total()


@pytest.mark.parametrize("kind", KINDS)
def test_a_mistake_is_missed(kind):
    desk = with_mistake(kind)
    fault, moment = desk.course.moment.fault, desk.course.moment
    if kind == "commission-forgotten":
        heard = [desk.say(f"leave {moment.seat}")]
    else:
        heard = [
            answer for _, answer in attend(desk, never, until=lambda other: other is not moment)
        ]

    assert f"Missed: {fault.right} ({fault.rule})." in heard[-1].words
    assert Counter({fault.rule: 1}) == desk.course.score.missed
    assert (0, 0) == (desk.course.score.own.total(), desk.course.score.false_alarms)


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_objection_to_the_same_mistake_is_a_false_alarm(kind):
    desk = with_mistake(kind)
    desk.say("!")

    assert desk.say("!").words[0].startswith("That is corrected already: ")
    assert 1 == desk.course.score.false_alarms


# What may not be entered, and is.
ATTEMPTS = ["under-minimum", "over-maximum", "no-increment", "both-sides", "not-offered"]


@pytest.mark.parametrize("kind", ATTEMPTS)
def test_whoever_enters_what_may_not_lie_there_has_missed_it(kind):
    desk = with_mistake(kind)
    moment = desk.course.moment
    answer = desk.say(wagers_line([moment.tried]))

    assert "refused" == answer.kind
    assert Counter({moment.fault.rule: 1}) == desk.course.score.missed
    assert 0 == desk.course.score.own.total()


def test_a_tie_alone_that_was_entered_is_missed_when_betting_closes_and_taken_back():
    desk = with_mistake("tie-alone")
    moment = desk.course.moment
    desk.say(wagers_line([*moment.wagers, moment.tried]))
    answer = desk.say("n")

    assert ("refused", "R-BET-3") == (answer.kind, answer.rule)
    assert answer.words[0].startswith(
        "Missed: without a Player or Banker bet, a Tie must be 25 or more"
    )
    assert " has no bet on Tie; you entered " in answer.words[-1]
    assert 0 == desk.course.score.own.total()

    desk.say(f"{moment.tried.seat} t -")

    assert "done" == desk.say("n").kind


@pytest.mark.parametrize("kind", ["late-bet", "late-withdrawal"])
def test_a_bet_or_a_withdrawal_after_the_first_card_is_missed_by_whoever_enters_it(kind):
    desk = with_mistake(kind)
    late = desk.course.moment.late
    desk.say(f"{late.seat} -" if late.back else wagers_line([late]))

    assert Counter({"R-DEAL-2": 1}) == desk.course.score.missed
    assert 0 == desk.course.score.own.total()


def test_whoever_asks_for_forgotten_commission_has_seen_the_mistake():
    desk = with_mistake("commission-forgotten")
    before = desk.course.score.caught["R-COM-4"]
    desk.say(f"c {desk.course.moment.seat}")

    assert before + 1 == desk.course.score.caught["R-COM-4"]


# The trainee's own errors.
def test_betting_closes_only_when_what_is_entered_lies_there():
    desk = Desk()
    desk.say("2 b 250 4 b 500 6 t 5")
    answer = desk.say("n")

    assert answer.words == (
        "Seat 4 has 50 on Banker; you entered 500.",
        "Seat 6 has no bet on Tie; you entered 5.",
        "You have not entered seat 2's 5 on Dragon Banker, seat 4's 5 on Dragon Banker, "
        "seat 5's 25 on Player, seat 5's 10 on Tie, seat 5's 5 on Dragon Player and "
        "seat 6's 250 on Player.",
    )
    assert ("refused", "R-DEAL-2", "n") == (answer.kind, answer.rule, answer.left)
    assert Counter({"R-DEAL-2": 1}) == desk.course.score.own
    assert [("R-DEAL-2", 1)] == desk.course.score.to_read_again


def test_what_lay_in_the_coup_before_is_not_taken_for_entered():
    desk = Desk(seed=4)
    attend(desk, until=lambda moment: desk.number == 1 and isinstance(moment, Betting))
    answer = desk.say("n")

    (words,) = answer.words
    assert words.startswith("You have not entered ")
    assert len(desk.course.moment.wagers) == words.count("seat ")


def test_a_card_that_the_shoe_did_not_give_is_not_recorded():
    desk = Desk()
    for line in lines_of_first_bets(desk):
        desk.say(line)
    right = "".join(desk.course.moment.cards).lower()
    answer = desk.say(right[:-2] + "9h")

    assert ("refused", "R-DEAL-1") == (answer.kind, answer.rule)
    assert "The shoe gave Q♦ 8♦ 10♣ 2♦." == answer.words[-1]
    assert [] == desk.cards

    desk.say(right[:2])
    desk.say(right[2:])

    assert ["QD", "8D", "TC", "2D"] == desk.cards
    assert Counter({"R-DEAL-1": 1}) == desk.course.score.own


def lines_of_first_bets(desk):
    return [wagers_line(desk.course.moment.wagers), "n"]


@pytest.mark.parametrize("typed", ["9c", "d", "void a torn card", "misdraw 9h", "limits 5 10"])
def test_what_is_not_asked_for_is_neither_recorded_nor_an_error(typed):
    desk = Desk()

    assert "refused" == desk.say(typed).kind
    assert (0, 0) == (desk.course.score.own.total(), desk.number)


def test_cards_do_not_settle_before_it_is_heard_what_is_paid():
    desk = Desk()
    attend(desk, until=lambda moment: isinstance(moment, Dealing))

    assert "refused" == desk.say("qd8dtc2d s").kind
    assert [] == desk.cards
    assert 0 == desk.course.score.own.total()


# The score.
def test_the_score_tells_speed_errors_and_what_to_read_again():
    ticks = count(0, 12.0)
    desk = Desk(coups=2, clock=lambda: next(ticks))
    desk.say("!")
    typed = sum(len(line) + 1 for line, _ in attend(desk, never))

    assert [*desk.course.score.lines()] == [
        "dragon-bonus@1, seed 7: 2 of 2 coups.",
        f"Speed: 12 seconds and {round(typed / 2)} keystrokes a coup.",
        "Mistakes of others: 1, of which you caught 0 and missed 1. False alarms: 1.",
        "Your own errors: 0.",
        "Rules to read again:",
        f"R-BET-1, once. {RULEBOOK['R-BET-1'].sentence}",
    ]
    assert {
        "course": "dragon-bonus@1, seed 7",
        "coups": 2,
        "planned": 2,
        "seconds_a_coup": 12.0,
        "keystrokes_a_coup": typed / 2,
        "planted": 1,
        "caught": 0,
        "missed": 1,
        "false_alarms": 1,
        "own_errors": 0,
        "rules": [{"rule": "R-BET-1", "times": 1, "says": RULEBOOK["R-BET-1"].sentence}],
    } == desk.course.score.as_dict()


def test_an_objection_that_is_right_went_well_and_a_false_alarm_did_not():
    desk = with_mistake("both-sides")

    assert [True, False] == [desk.course.judge(parse("!"), desk.now).went_well for _ in "12"]


def test_whoever_leaves_early_is_told_how_it_went_so_far():
    desk = Desk()
    attend(desk, until=lambda moment: isinstance(moment, Paying))

    assert [*desk.course.score.lines()][:2] == [
        "dragon-bonus@1, seed 7: 0 of 10 coups.",
        "Mistakes of others: 0, of which you caught 0 and missed 0. False alarms: 0.",
    ]


def test_after_the_last_coup_nothing_more_is_recorded():
    desk = Desk(coups=1)
    heard = attend(desk)

    assert heard[-1][1].words[-5] == "The course is over."
    assert desk.say("2 b 100").words == ("The course is over: nothing is recorded. F10 leaves.",)
    assert desk.say("!").words == ("The course is over: nothing is recorded. F10 leaves.",)


def test_after_an_objection_it_is_told_again_what_is_to_be_entered():
    desk = Desk()

    assert desk.say("!").words[-1] == (
        "The bets are: Seat 2: 250 on Banker, 5 on Dragon Banker. "
        "Seat 4: 50 on Banker, 5 on Dragon Banker. "
        "Seat 5: 25 on Player, 10 on Tie, 5 on Dragon Player. Seat 6: 250 on Player. "
        "Enter them, then n."
    )

    attend(desk, until=lambda moment: isinstance(moment, Dealing))
    desk.say("qd8d")

    assert "Enter 10♣ 2♦." == desk.say("!").words[-1]


def test_an_objection_to_everything_is_told_why_it_is_right():
    desk = Desk()
    told = [answer.words[0] for line, answer in attend(desk, always) if line == "!"]

    assert "Nothing is wrong: all bets are allowed." == told[0]
    assert "Nothing is wrong: Player draws on 0 (R-DRAW-2)." == told[1]
    assert (
        "Nothing is wrong: Banker draws on 0: Player's third card counts 9 (R-DRAW-4)." == told[2]
    )
