"""A course: the events at the table, one moment after the other, and their judge.

Pure, except for the clock, which is an argument. Each line that a trainee types is judged before it
is sent to the ledger. A line that passes is recorded, and its outcome comes back here. Each moment
makes one claim: an objection calls the claim wrong, the entry that is due accepts it.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.aggregates.due import NextAct
from domain.rules.cards import symbol
from domain.rules.spots import SPOTS
from domain.rules.wording import listed
from ops.kit.outcome import Outcome
from ops.now.table_now import Asked, SeatNow, TableNow
from ops.terminal.training.moments import (
    Betting,
    Collecting,
    Dealing,
    Layout,
    Leaving,
    Moment,
    Paying,
    Step,
)
from ops.terminal.training.plan import CoupPlanned, Plan
from ops.terminal.training.score import Score
from ops.typed.acts import (
    Act,
    Bets,
    Cards,
    Collect,
    Drawn,
    Help,
    NoMoreBets,
    Objection,
    Reveal,
    Settle,
    Spoken,
    TakeBack,
    Undo,
    WhoOwes,
)
from ops.words import show

STEPS = ("loaded", "inspected", "shuffled", "cut", "burned")
OWN_ACTS = (
    *(Bets, TakeBack, Undo, NoMoreBets, Cards, Drawn, Settle, Collect, Reveal, Help, WhoOwes),
    Objection,
)
OWN_COMMANDS = (
    *("shoe.load", "shoe.inspect", "shoe.shuffle", "shoe.cut", "shoe.burn"),
    *("table.leave", "open"),
)

OVER = "The course is over"
CARD = NextAct("draw", "")  # the trainee has to know whether a card is due, and for whom

Seated = tuple[int, str]  # seat and patron


class Verdict(Struct, frozen=True):
    """Whether a line goes on to the ledger; if not, the words and the rule."""

    passes: bool
    words: tuple[str, ...] = ()
    rule: str = ""
    went_well: bool = False  # for a line that does not pass: it was a right objection


PASSES = Verdict(passes=True)


class Course:
    """One trainee's course through a plan."""

    def __init__(
        self, plan: Plan, *, with_shoe: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.plan = plan
        self.score = Score(f"{plan.rules.name}, seed {plan.seed}", plan.coups)
        self.over = False
        self.moment: Moment
        self.coup: CoupPlanned | None = None
        self._clock = clock
        self._began = 0.0  # the start of the coup
        self._pending = False  # whether a mistake is still to be caught
        self._objected_to = False  # whether the trainee objected and was shown the right claim
        self._arrived: list[Seated] = []
        self._explained: set[type[Moment]] = set()
        self._opened: tuple[str, ...] = ()  # the coup that begins, and who sits down
        self._task: tuple[str, ...] = ()
        self._moments = self._all_moments(with_shoe=with_shoe)

    # What happens at the table.
    def _all_moments(self, *, with_shoe: bool) -> Iterator[tuple[CoupPlanned | None, Moment]]:
        if with_shoe:
            for step in self.plan.steps:
                yield None, step
        for coup in self.plan.course():
            for moment in coup.moments:
                yield coup, moment
        yield None, Collecting()

    def begin(self, now: TableNow) -> tuple[str, ...]:
        """The first moment, in words."""
        self._next()
        return self._on(now)

    @property
    def asked(self) -> tuple[str, ...]:
        """The words shown last."""
        return (*self._opened, *self._task)

    @property
    def task(self) -> tuple[str, ...]:
        """The words for what to do now; after the last coup, for the end, with the score."""
        return self._task

    def arrivals(self) -> list[Seated]:
        """Returns the patrons who sit down now, once; the session seats them."""
        arrived, self._arrived = self._arrived, []
        return arrived

    def moved_on(self, now: TableNow) -> tuple[str, ...]:
        """The next moment, if the table went on by itself because a lost line was recorded."""
        return self._on(now) if not self.over and self._is_over(now) else ()

    def _on(self, now: TableNow) -> tuple[str, ...]:
        """The words of the next moment that is still to be done."""
        while not self.over and self._is_over(now):
            self._next()
        if self.over:
            self._opened, self._task = (), (f"{OVER}.", *self.score.lines())
            return self._task
        self._opened, layout = tuple(self._opening()), self._layout(now)
        words = [self.moment.words(layout)]
        if type(self.moment) not in self._explained:
            self._explained.add(type(self.moment))
            words.append(self.moment.how(layout))
        self._task = tuple(filter(None, words))
        return self.asked

    def _next(self) -> None:
        coup, moment = next(self._moments, (None, None))
        if self.coup and coup is not self.coup:
            self.score.seconds.append(self._clock() - self._began)
        if coup and coup is not self.coup:
            self._began = self._clock()
            self._arrived += coup.sits_down
        self.coup = coup
        if moment is None:
            self.over = True
            return
        self.moment = moment
        self._objected_to = False
        self._pending = moment.fault is not None

    def as_shown(self, now: TableNow) -> TableNow:
        """The table without the answer, until the trainee has judged the claim.

        A real table shows what is paid and who draws; here the trainee must know it.
        """
        if self.over:
            return replace(now, due=None, asked=Asked("THE COURSE IS OVER", "F10 leaves"))
        if not self._task or (self._objected_to and not self._is_over(now)):
            return now
        asked = Asked(self.moment.headline, self.moment.short, self._task)
        due = CARD if isinstance(self.moment, Dealing) else now.due
        return replace(now, seats=_unpaid(now), due=due, asked=asked)

    def _opening(self) -> Iterator[str]:
        if self.coup and isinstance(self.moment, Betting):
            yield f"Coup {self.coup.number} of {self.plan.coups}."
            for seat, patron in self.coup.sits_down:
                yield f"{patron} sits down at seat {seat}."

    def _layout(self, now: TableNow) -> Layout:
        owing = {seat.seat: seat.owed for seat in now.seats}
        return Layout(self.plan.rules.currency, owing, _dealt(now))

    def _is_over(self, now: TableNow) -> bool:
        """Whether what was due at this moment is recorded."""
        match self.moment:
            case Step(step=step):
                return now.shoe is not None and _reached(now.shoe.step, step)
            case Betting():
                return self._in_play(now) and now.coup.phase != "betting"  # type: ignore[union-attr]
            case Dealing(cards=cards):
                return _dealt(now) >= len(cards)
            case Paying():
                return now.coup is not None and now.coup.over
            case Leaving(seat=number, patron=patron):
                seat = now.seat(number)
                return seat is None or seat.patron != patron
            case _:
                return now.owed == 0

    def _in_play(self, now: TableNow) -> bool:
        """Whether the coup of this moment is open at the table."""
        return bool(self.coup and now.coup and now.coup.number == self.coup.number)

    # What the trainee types, before it is sent.
    def judge(self, act: Act, now: TableNow) -> Verdict:
        """Judges what was typed, before it is sent to the ledger."""
        if self.over:
            return Verdict(passes=False, words=(f"{OVER}: nothing is recorded. F10 leaves.",))
        if isinstance(act, Objection):
            return self._objected(now)
        if not _is_ours(act):
            words = "That is not part of the course. Do what is shown, or type ! if it is wrong."
            return Verdict(passes=False, words=(words,))
        return self._judge_due(act, now)

    def _judge_due(self, act: Act, now: TableNow) -> Verdict:
        match self.moment, act:
            case Step(step="burned", card=card), Spoken(name="shoe.burn", arguments=arguments):
                return self._burning(card, arguments)
            case Betting(), NoMoreBets():
                return self._closing(now)
            case Betting(), Cards() | Drawn():
                words = "No card is dealt yet: close the betting with n."
                return Verdict(passes=False, words=(words,))
            case Dealing(), Cards():
                return self._dealing(act, now)
            case Leaving(seat=seat, patron=patron), Collect() if self._pending:
                if seat in act.seats or patron == act.patron:
                    self._judged(self.score.caught)  # collecting it shows that the trainee noticed
        return PASSES

    def _objected(self, now: TableNow) -> Verdict:
        fault, layout = self.moment.fault, self._layout(now)
        right = fault is not None and self._pending
        self._objected_to = True
        if fault and self._pending:
            self._judged(self.score.caught)
            result = [f"Caught: {fault.right} ({fault.rule}).", self.moment.mended(layout)]
        elif fault:
            self.score.false_alarms += 1
            result = [f"That is corrected already: {fault.right}."]
        else:
            self.score.false_alarms += 1
            result = [f"Nothing is wrong: {self.moment.why(layout)}."]
        then = self.moment.then(layout)
        if then:
            self._opened, self._task = (), (then,)
        words = tuple(filter(None, [*result, then]))
        return Verdict(passes=False, words=words, went_well=right)

    def _judged(self, count: Counter[str]) -> None:
        assert self.moment.fault
        self._pending = False
        count[self.moment.fault.rule] += 1

    def _missed(self, now: TableNow) -> tuple[str, ...]:
        """The words for the mistake that was missed."""
        fault = self.moment.fault
        if fault is None or not self._pending:
            return ()
        self._judged(self.score.missed)
        if then := self.moment.then(self._layout(now)):
            self._opened, self._task = (), (then,)
        return f"Missed: {fault.right} ({fault.rule}).", self.moment.mended(self._layout(now))

    def _wrong(self, rule: str, *words: str) -> Verdict:
        self.score.own[rule] += 1
        return Verdict(passes=False, words=words, rule=rule)

    def _burning(self, card: str, words: tuple[str, ...]) -> Verdict:
        if words[:1] and words[0].upper().replace("10", "T") != card:
            return self._wrong("R-SHOE-2", f"The first card is {symbol(card)}, and is burned.")
        return PASSES

    def _closing(self, now: TableNow) -> Verdict:
        """Passes the closing of bets if the entered wagers are those on the layout."""
        assert isinstance(self.moment, Betting)
        differences = list(self._differences(self.moment, now))
        tried = self.moment.tried
        if tried and self._pending and (tried.seat, tried.spot) in self._entered(now):
            words = (*self._missed(now), *differences)
            return Verdict(passes=False, words=words, rule=self._rule)
        return self._wrong("R-DEAL-2", *differences) if differences else PASSES

    @property
    def _rule(self) -> str:
        return self.moment.fault.rule if self.moment.fault else ""

    def _entered(self, now: TableNow) -> dict[tuple[int, str], int]:
        if not self._in_play(now):
            return {}  # the table still shows the wagers of the coup before
        return {(seat.seat, each.spot): each.stake for seat in now.seats for each in seat.wagers}

    def _differences(self, moment: Betting, now: TableNow) -> Iterator[str]:
        on_layout = {(each.seat, each.spot): each.stake for each in moment.wagers}
        entered = self._entered(now)
        both = on_layout.keys() | entered.keys()
        missing = []
        for seat, spot in sorted(both, key=lambda each: (each[0], SPOTS.index(each[1]))):
            placed, typed = on_layout.get((seat, spot), 0), entered.get((seat, spot), 0)
            if placed == typed:
                continue
            name = show.spot_called(spot)
            if not typed:
                missing.append(f"seat {seat}'s {self._amount(placed)} on {name}")
            elif not placed:
                yield f"Seat {seat} has no bet on {name}; you entered {self._amount(typed)}."
            else:
                yield (
                    f"Seat {seat} has {self._amount(placed)} on {name}; "
                    f"you entered {self._amount(typed)}."
                )
        if missing:
            yield f"You have not entered {listed(missing)}."

    def _amount(self, amount: int) -> str:
        return show.chips(amount, self.plan.rules.currency)

    def _dealing(self, act: Cards, now: TableNow) -> Verdict:
        """Passes cards that are those of the shoe, in its order."""
        assert isinstance(self.moment, Dealing)
        due = self.moment.cards[_dealt(now) :]
        if act.cards != due[: len(act.cards)]:
            shown = " ".join(symbol(card) for card in due)
            return self._wrong("R-DEAL-1", *self._missed(now), f"The shoe gave {shown}.")
        if act.settle:
            words = "Enter only the cards: the caller has not paid yet."
            return Verdict(passes=False, words=(words,))
        return PASSES

    # After the outcome.
    def unreadable(self) -> None:
        """Counts a line that cannot be read."""
        self.score.own[""] += 1

    def answered(self, typed: str, act: Act, outcome: Outcome, now: TableNow) -> tuple[str, ...]:
        """The words after an outcome; the last are what to do now."""
        if outcome.kind == "refused":
            return self._refused(act, outcome, now)
        if outcome.kind == "answered":
            return self._task
        if outcome.kind != "done":
            return ()
        if self.coup:
            self.score.keystrokes += len(typed) + 1
        missed = self._missed(now) if self._goes_on(act) else ()
        return (*missed, *(self._on(now) if self._is_over(now) else self._task))

    def _refused(self, act: Act, outcome: Outcome, now: TableNow) -> tuple[str, ...]:
        if self._pending and self._tries(act):
            return (*self._missed(now), *self._task)
        self.score.own[outcome.rule] += 1
        return ()

    def _goes_on(self, act: Act) -> bool:
        """Whether the trainee enters what is due, and so accepts the claim."""
        match self.moment, act:
            case (Betting(), NoMoreBets()) | (Dealing(), Cards()) | (Paying(), Settle()):
                return True
            case Leaving(), Spoken(name="table.leave"):
                return True
        return False

    def _tries(self, act: Act) -> bool:
        """Whether the trainee enters a mistake of a patron or of the caller."""
        tried = self.moment.late
        if isinstance(self.moment, Betting):
            tried = self.moment.tried
        match act:
            case Bets() if tried:
                return (tried.seat, tried.spot) in {(s, each.spot) for s, each in act.wagers}
            case TakeBack(seats=seats) if tried:
                return tried.back and tried.seat in seats
            case Undo() if tried:
                return tried.back
            case Spoken(name="table.leave"):
                return isinstance(self.moment, Leaving)
            case Settle():
                return isinstance(self.moment, Paying) and bool(act.paid)
        return False


def _is_ours(act: Act) -> bool:
    return isinstance(act, OWN_ACTS) or (isinstance(act, Spoken) and act.name in OWN_COMMANDS)


def _reached(step: str, wanted: str) -> bool:
    return step in STEPS and STEPS.index(step) >= STEPS.index(wanted)


def _unpaid(now: TableNow) -> tuple[SeatNow, ...]:
    """The seats, without the payments."""
    if now.coup is None or now.coup.phase != "resulted":
        return now.seats
    return tuple(
        replace(seat, wagers=tuple(replace(each, payment=None) for each in seat.wagers))
        for seat in now.seats
    )


def _dealt(now: TableNow) -> int:
    return len(now.coup.player.cards) + len(now.coup.banker.cards) if now.coup else 0
