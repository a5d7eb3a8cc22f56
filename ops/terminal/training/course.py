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
from domain.rules.house_rules import HouseRules
from ops.kit.outcome import Outcome
from ops.now.table_now import Asked, TableNow
from ops.terminal.training.entered import (
    dealt,
    differences,
    is_recorded,
    unpaid,
    wagers_entered,
)
from ops.terminal.training.moments import (
    Betting,
    Collecting,
    Dealing,
    Layout,
    Leaving,
    Moment,
    Step,
)
from ops.terminal.training.plan import CoupPlanned, Plan
from ops.terminal.training.score import Score
from ops.terminal.training.trainee_acts import accepts, enters_mistake, is_of_the_course
from ops.typed.acts import Act, Cards, Collect, Drawn, NoMoreBets, Objection, Spoken

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


def planned(seed: int, rules: HouseRules, coups: int, *, with_shoe: bool = False) -> "Course":
    """A course through a plan of its own."""
    return Course(Plan(seed, rules, coups), with_shoe=with_shoe)


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
        self._moments = _all_moments(plan, with_shoe=with_shoe)

    # What happens at the table.
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
        return self._on(now) if not self.over and self._is_recorded(now) else ()

    def _on(self, now: TableNow) -> tuple[str, ...]:
        """The words of the next moment that is still to be done."""
        while not self.over and self._is_recorded(now):
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
        if not self._task or (self._objected_to and not self._is_recorded(now)):
            return now
        asked = Asked(self.moment.headline, self.moment.short, self._task)
        due = CARD if isinstance(self.moment, Dealing) else now.due
        return replace(now, seats=unpaid(now), due=due, asked=asked)

    def _opening(self) -> Iterator[str]:
        if self.coup and isinstance(self.moment, Betting):
            yield f"Coup {self.coup.number} of {self.plan.coups}."
            for seat, patron in self.coup.sits_down:
                yield f"{patron} sits down at seat {seat}."

    @property
    def _number(self) -> int:
        """The number of the coup, or 0 before the first and after the last."""
        return self.coup.number if self.coup else 0

    def _is_recorded(self, now: TableNow) -> bool:
        return is_recorded(self.moment, self._number, now)

    def _layout(self, now: TableNow) -> Layout:
        owing = {seat.seat: seat.owed for seat in now.seats}
        return Layout(self.plan.rules.currency, owing, dealt(now))

    # What the trainee types, before it is sent.
    def judge(self, act: Act, now: TableNow) -> Verdict:
        """Judges what was typed, before it is sent to the ledger."""
        if self.over:
            return Verdict(passes=False, words=(f"{OVER}: nothing is recorded. F10 leaves.",))
        if isinstance(act, Objection):
            return self._objected(now)
        if not is_of_the_course(act):
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
        wrong = list(differences(self.moment, self._number, now))
        tried = self.moment.tried if self._pending else None
        if tried and (tried.seat, tried.spot) in wagers_entered(self._number, now):
            assert self.moment.fault
            words = (*self._missed(now), *wrong)
            return Verdict(passes=False, words=words, rule=self.moment.fault.rule)
        return self._wrong("R-DEAL-2", *wrong) if wrong else PASSES

    def _dealing(self, act: Cards, now: TableNow) -> Verdict:
        """Passes cards that are those of the shoe, in its order."""
        assert isinstance(self.moment, Dealing)
        due = self.moment.cards[dealt(now) :]
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
        missed = self._missed(now) if accepts(self.moment, act) else ()
        return (*missed, *(self._on(now) if self._is_recorded(now) else self._task))

    def _refused(self, act: Act, outcome: Outcome, now: TableNow) -> tuple[str, ...]:
        if self._pending and enters_mistake(self.moment, act):
            return (*self._missed(now), *self._task)
        self.score.own[outcome.rule] += 1
        return ()


def _all_moments(plan: Plan, *, with_shoe: bool) -> Iterator[tuple[CoupPlanned | None, Moment]]:
    """Every moment of a plan with its coup, and last the collecting of commission."""
    if with_shoe:
        for step in plan.steps:
            yield None, step
    for coup in plan.course():
        for moment in coup.moments:
            yield coup, moment
    yield None, Collecting()
