"""A course: hands out what happens at the table, one moment after the other, and judges.

Pure, but for the clock that is handed in. What a trainee types is judged before it is said to the
ledger; what passes is recorded, and what came of it is told here again. Each moment makes one
claim: whoever objects to it judges it wrong, whoever records what is due lets it pass.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from domain.aggregates.due import NextAct
from domain.rules.cards import symbol
from domain.rules.spots import SPOTS
from ops.kit.outcome import Outcome
from ops.terminal.dealer.table_now import Asked, SeatNow, TableNow
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
CARD = NextAct("draw", "")  # whose it is, and whether one is, the trainee has to know

Seated = tuple[int, str]  # seat and patron


class Verdict(Struct, frozen=True):
    """Whether a line goes on to the ledger; if not, why, by which rule."""

    passes: bool
    words: tuple[str, ...] = ()
    rule: str = ""
    went_well: bool = False  # what does not pass: an objection that was right


PASSES = Verdict(passes=True)


class Course:
    """One trainee's way through a plan."""

    def __init__(
        self, plan: Plan, *, with_shoe: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.plan = plan
        self.score = Score(f"{plan.rules.name}, seed {plan.seed}", plan.coups)
        self.over = False
        self.moment: Moment
        self.coup: CoupPlanned | None = None
        self._clock = clock
        self._began = 0.0  # when the coup did
        self._pending = False  # whether a mistake waits to be found
        self._objected_to = False  # whether somebody did, and was told what is right
        self._arrived: list[Seated] = []
        self._explained: set[type[Moment]] = set()
        self._opened: tuple[str, ...] = ()  # which coup begins, and who sits down for it
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
        """What is told first."""
        self._next()
        return self._on(now)

    @property
    def asked(self) -> tuple[str, ...]:
        """What was told last, for whoever did not hear it."""
        return (*self._opened, *self._task)

    @property
    def task(self) -> tuple[str, ...]:
        """What is to be done now; once all is over, that it is, and how it went."""
        return self._task

    def arrivals(self) -> list[Seated]:
        """Who sits down now, once; somebody else seats them."""
        arrived, self._arrived = self._arrived, []
        return arrived

    def moved_on(self, now: TableNow) -> tuple[str, ...]:
        """What is told now, when the table went on by itself: a lost line was on record."""
        return self._on(now) if not self.over and self._is_over(now) else ()

    def _on(self, now: TableNow) -> tuple[str, ...]:
        """The next moment that is not over yet, in words."""
        while not self.over and self._is_over(now):
            self._next()
        if self.over:
            self._opened, self._task = (), (f"{OVER}.", *self.score.lines())
            return self._task
        self._opened, layout = tuple(self._opening()), self._layout(now)
        told = [self.moment.words(layout)]
        if type(self.moment) not in self._explained:
            self._explained.add(type(self.moment))
            told.append(self.moment.how(layout))
        self._task = tuple(filter(None, told))
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
        """The table, without what the trainee has to know until the claim is judged.

        A table in earnest shows what is to be paid, and who draws; here it is theirs to say.
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
        """Whether what was due at this moment is on record."""
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
        """Whether the table has opened the coup of this moment."""
        return bool(self.coup and now.coup and now.coup.number == self.coup.number)

    # What the trainee types, before it is said.
    def judge(self, act: Act, now: TableNow) -> Verdict:
        """Whether it is said to the ledger."""
        if self.over:
            return Verdict(passes=False, words=(f"{OVER}: nothing is recorded. F10 leaves.",))
        if isinstance(act, Objection):
            return self._objected(now)
        if not _is_ours(act):
            words = "That is not part of the course. Do what is asked, or type ! if it is wrong."
            return Verdict(passes=False, words=(words,))
        return self._judge_due(act, now)

    def _judge_due(self, act: Act, now: TableNow) -> Verdict:
        match self.moment, act:
            case Step(step="burned", card=card), Spoken(name="shoe.burn", arguments=arguments):
                return self._burning(card, arguments)
            case Betting(), NoMoreBets():
                return self._closing(now)
            case Betting(), Cards() | Drawn():
                words = "No card is out yet: close the betting with n."
                return Verdict(passes=False, words=(words,))
            case Dealing(), Cards():
                return self._dealing(act, now)
            case Leaving(seat=seat, patron=patron), Collect() if self._pending:
                if seat in act.seats or patron == act.patron:
                    self._judged(self.score.caught)  # who asks for it did not forget it
        return PASSES

    def _objected(self, now: TableNow) -> Verdict:
        fault, layout = self.moment.fault, self._layout(now)
        right = fault is not None and self._pending
        self._objected_to = True
        if fault and self._pending:
            self._judged(self.score.caught)
            told = [f"Caught: {fault.right} ({fault.rule}).", self.moment.mended(layout)]
        elif fault:
            self.score.false_alarms += 1
            told = [f"That is put right already: {fault.right}."]
        else:
            self.score.false_alarms += 1
            told = [f"Nothing is wrong: {self.moment.why(layout)}."]
        then = self.moment.then(layout)
        if then:
            self._opened, self._task = (), (then,)
        words = tuple(filter(None, [*told, then]))
        return Verdict(passes=False, words=words, went_well=right)

    def _judged(self, count: Counter[str]) -> None:
        assert self.moment.fault
        self._pending = False
        count[self.moment.fault.rule] += 1

    def _missed(self, now: TableNow) -> tuple[str, ...]:
        """Whoever goes on lets a mistake pass."""
        fault = self.moment.fault
        if fault is None or not self._pending:
            return ()
        self._judged(self.score.missed)
        return f"Missed: {fault.right} ({fault.rule}).", self.moment.mended(self._layout(now))

    def _wrong(self, rule: str, *words: str) -> Verdict:
        self.score.own[rule] += 1
        return Verdict(passes=False, words=words, rule=rule)

    def _burning(self, card: str, said: tuple[str, ...]) -> Verdict:
        if said[:1] and said[0].upper().replace("10", "T") != card:
            return self._wrong("R-SHOE-2", f"The first card is {symbol(card)}, and is burned.")
        return PASSES

    def _closing(self, now: TableNow) -> Verdict:
        """Betting closes when what is entered is what lies there; afterwards it is too late."""
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
            return {}  # what the table shows still lay in the coup before
        return {(seat.seat, each.spot): each.stake for seat in now.seats for each in seat.wagers}

    def _differences(self, moment: Betting, now: TableNow) -> Iterator[str]:
        lying = {(each.seat, each.spot): each.stake for each in moment.wagers}
        entered = self._entered(now)
        both = lying.keys() | entered.keys()
        for seat, spot in sorted(both, key=lambda each: (each[0], SPOTS.index(each[1]))):
            lies, written = lying.get((seat, spot), 0), entered.get((seat, spot), 0)
            if lies != written:
                has = f"{self._said(lies)} lies" if lies else "nothing lies"
                said = f"{self._said(written)} is entered" if written else "nothing is entered"
                yield f"Seat {seat}: {has} on {show.spot_called(spot)}, and {said}."

    def _said(self, amount: int) -> str:
        return show.chips(amount, self.plan.rules.currency)

    def _dealing(self, act: Cards, now: TableNow) -> Verdict:
        """The cards are those that the shoe gave, in its order."""
        assert isinstance(self.moment, Dealing)
        due = self.moment.cards[_dealt(now) :]
        if act.cards != due[: len(act.cards)]:
            shown = " ".join(symbol(card) for card in due)
            return self._wrong("R-DEAL-1", *self._missed(now), f"The shoe gave {shown}.")
        if act.settle:
            words = "Nothing is paid yet: enter the cards alone, and hear what the caller pays."
            return Verdict(passes=False, words=(words,))
        return PASSES

    # What came of it.
    def unreadable(self) -> None:
        """A line that says nothing."""
        self.score.own[""] += 1

    def answered(self, typed: str, act: Act, outcome: Outcome, now: TableNow) -> tuple[str, ...]:
        """What is told about it; last what is to be done now, which nothing pushes away."""
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
            return self._missed(now)
        self.score.own[outcome.rule] += 1
        return ()

    def _goes_on(self, act: Act) -> bool:
        """Whether it is what is due, so that the claim is taken as right."""
        match self.moment, act:
            case (Betting(), NoMoreBets()) | (Dealing(), Cards()) | (Paying(), Settle()):
                return True
            case Leaving(), Spoken(name="table.leave"):
                return True
        return False

    def _tries(self, act: Act) -> bool:
        """Whether it does what a patron, or the caller, tries and may not."""
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
    """The seats, without what is to be paid; what was paid everybody saw."""
    if now.coup is None or now.coup.phase != "resulted":
        return now.seats
    return tuple(
        replace(seat, wagers=tuple(replace(each, payment=None) for each in seat.wagers))
        for seat in now.seats
    )


def _dealt(now: TableNow) -> int:
    return len(now.coup.player.cards) + len(now.coup.banker.cards) if now.coup else 0
