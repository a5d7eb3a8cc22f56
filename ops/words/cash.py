"""What cash brings about, in words, before it is taken or paid."""

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from domain.rules.regimes import Direction, Threshold
from domain.rules.wording import N_, Amount, Words, listed

# By direction, what is counted, and whether it is more than the amount or the amount itself.
_PASSES = {
    ("in", "day", True): N_("With this {amount} {patron} passes {limit} of cash in today: {due}"),
    ("in", "day", False): N_("With this {amount} {patron} reaches {limit} of cash in today: {due}"),
    ("out", "day", True): N_("With this {amount} {patron} passes {limit} of cash out today: {due}"),
    ("out", "day", False): N_(
        "With this {amount} {patron} reaches {limit} of cash out today: {due}"
    ),
    ("in", "one", True): N_("{patron} brings {amount} at once, more than {limit}: {due}"),
    ("in", "one", False): N_("{patron} brings {amount} at once, {limit} or more: {due}"),
    ("out", "one", True): N_("{patron} is paid {amount} at once, more than {limit}: {due}"),
    ("out", "one", False): N_("{patron} is paid {amount} at once, {limit} or more: {due}"),
}

# The same, where it was passed or reached before.
_PASSED = {
    ("in", True): N_(
        "{patron} has passed {limit} of cash in today already, and no ID was seen: {due}"
    ),
    ("in", False): N_(
        "{patron} has reached {limit} of cash in today already, and no ID was seen: {due}"
    ),
    ("out", True): N_(
        "{patron} has passed {limit} of cash out today already, and no ID was seen: {due}"
    ),
    ("out", False): N_(
        "{patron} has reached {limit} of cash out today already, and no ID was seen: {due}"
    ),
}

# The same, where the ID was seen or is not due.
_PASSED_BEFORE = {
    ("in", True): N_("{patron} has passed {limit} of cash in today already: {due}"),
    ("in", False): N_("{patron} has reached {limit} of cash in today already: {due}"),
    ("out", True): N_("{patron} has passed {limit} of cash out today already: {due}"),
    ("out", False): N_("{patron} has reached {limit} of cash out today already: {due}"),
}


class Ahead(Struct, frozen=True):
    """What cash brings about that is taken or paid now; `total` is the day's with it."""

    patron: str
    day: date
    direction: Direction
    amount: int
    total: int
    alike: tuple[str, ...]
    agents: tuple[str, ...]
    thresholds: tuple[Threshold, ...]  # one or more
    identity_seen: bool  # today, before this
    currency: str
    on_file: Words | None = None  # whether an ID is on file; it is in nothing that is stored

    @property
    def words(self) -> Words:
        """One sentence without its full stop: which amount is passed, and what is due."""
        weighty = [each for each in self.thresholds if each.alerts] or self.thresholds
        highest = max(weighty, key=lambda each: each.amount)
        passes = Words(
            self._template(highest),
            amount=Amount(self.amount, self.currency),
            patron=self.patron,
            limit=Amount(highest.amount, self.currency),
            due=listed(self._due()),
        )
        for names, template in (
            (self.alike, N_("{sentence}; counted with {names}, whose names look the same")),
            (self.agents, N_("{sentence}; counted with {names}: they play for one person")),
        ):
            if names:
                passes = Words(template, sentence=passes, names=listed(names))
        return passes

    def _template(self, highest: Threshold) -> str:
        before = highest.counts == "day" and highest.is_reached_by(self.total - self.amount)
        if not before:
            return _PASSES[self.direction, highest.counts, highest.over]
        unseen = self._asks_for_id and not self.identity_seen
        return (_PASSED if unseen else _PASSED_BEFORE)[self.direction, highest.over]

    @property
    def _asks_for_id(self) -> bool:
        return any("identity" in each.due for each in self.thresholds)

    @property
    def words_on_file(self) -> Words:
        """The same with whether an ID is on file, if one is due: only to be shown."""
        if self.on_file is None:
            return self.words
        return Words("{sentence}; {on_file}", sentence=self.words, on_file=self.on_file)

    @property
    def sentence(self) -> Words:
        """The words as a whole sentence."""
        return Words("{sentence}.", sentence=self.words)

    @property
    def alerts(self) -> bool:
        """Whether somebody has to do something; a log is kept by itself."""
        return any(each.alerts for each in self.thresholds)

    def _due(self) -> Iterator[Words]:
        if self._asks_for_id:
            yield Words("ID was seen today" if self.identity_seen else "ID is due")
        for each in self.thresholds:
            if "report" in each.due:
                yield report_due(each.paper, each.last_day_due(self.day))
            if "log" in each.due:
                yield Words("it goes into the {paper}", paper=each.paper)

    def as_dict(self) -> dict[str, object]:
        """The fields of an answer in JSON; amounts in minor units."""
        return {
            "patron": self.patron,
            "direction": self.direction,
            "amount": self.amount,
            "total": self.total,
            "alike": list(self.alike),
            "agents": list(self.agents),
            "brings": [_as_dict(each, self.day) for each in self.thresholds],
            "identity_seen": self.identity_seen,
            "message": self.sentence,
        }


def _as_dict(threshold: Threshold, day: date) -> dict[str, object]:
    last_day = threshold.last_day_due(day)
    return {
        "threshold": threshold.name,
        "paper": threshold.paper,
        "amount": threshold.amount,
        "over": threshold.over,
        "counts": threshold.counts,
        "due": list(threshold.due),
        "due_by": last_day.isoformat() if last_day else None,
    }


def report_due(paper: str, last_day: date | None) -> Words:
    """That a report is due, and by when if that is known."""
    if last_day is None:
        return Words("a {paper} is due", paper=paper)
    return Words("a {paper} is due by {day}", paper=paper, day=last_day)


_ANSWERS = {
    "refused": N_("they would not show it"),
    "without": N_("they had none with them"),
    "left": N_("they went away"),
}


_NOT_SHOWN = {
    "in": N_("ID was asked of {name} for {amount} of cash in, and not shown: {answer}."),
    "out": N_("ID was asked of {name} for {amount} of cash out, and not shown: {answer}."),
}


def not_shown_words(name: str, direction: str, amount: int, answer: str, currency: str) -> Words:
    """That somebody was asked for their ID, for so much cash, and what they did."""
    answered = Words(_ANSWERS[answer])
    return Words(_NOT_SHOWN[direction], name=name, amount=Amount(amount, currency), answer=answered)


def due_words(due: list[str], paper: str, due_by: str) -> Words:
    """What is due, as an event has it."""
    parts = [Words("ID is due")] if "identity" in due else []
    if "report" in due:
        parts.append(report_due(paper, date.fromisoformat(due_by) if due_by else None))
    return listed(parts)
