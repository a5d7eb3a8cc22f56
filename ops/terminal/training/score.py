"""A trainee's score: speed, errors, and which rules to read again."""

from collections import Counter
from collections.abc import Iterator
from statistics import median

from msgspec import Struct, field

from domain.rules.rulebook import RULEBOOK


class Score(Struct):
    """The counts of a course.

    `own` and `missed` count by rule; '' is a line that could not be read.
    """

    course: str  # the rule set and the seed
    planned: int  # in coups
    seconds: list[float] = field(default_factory=list)  # for each coup that was finished
    keystrokes: int = 0  # of accepted lines, each with its Enter
    own: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    false_alarms: int = 0

    @property
    def coups(self) -> int:
        """The number of coups that were finished."""
        return len(self.seconds)

    @property
    def planted(self) -> int:
        """The number of mistakes that the trainee met."""
        return self.caught.total() + self.missed.total()

    @property
    def to_read_again(self) -> list[tuple[str, int]]:
        """Rules that the trainee broke, or did not see broken, the most frequent first."""
        counts = self.own + self.missed
        rules = [(rule, times) for rule, times in counts.items() if rule]
        return sorted(rules, key=lambda each: (-each[1], each[0]))

    def lines(self) -> Iterator[str]:
        """The score as lines of text."""
        yield f"{self.course}: {self.coups} of {self.planned} coups."
        if self.coups:
            typed = round(self.keystrokes / self.coups)
            yield f"Speed: {median(self.seconds):.0f} seconds and {typed} keystrokes a coup."
        yield (
            f"Mistakes of others: {self.planted}, of which you caught {self.caught.total()} and "
            f"missed {self.missed.total()}. False alarms: {self.false_alarms}."
        )
        yield f"Your own errors: {self.own.total()}."
        if self.to_read_again:
            yield "Rules to read again:"
        for rule, times in self.to_read_again:
            how_often = "once" if times == 1 else f"{times} times"
            yield f"{rule}, {how_often}. {RULEBOOK[rule].sentence}".rstrip()

    def as_dict(self) -> dict[str, object]:
        """The score as JSON fields."""
        return {
            "course": self.course,
            "coups": self.coups,
            "planned": self.planned,
            "seconds_a_coup": round(median(self.seconds), 1) if self.coups else None,
            "keystrokes_a_coup": round(self.keystrokes / self.coups, 1) if self.coups else None,
            "planted": self.planted,
            "caught": self.caught.total(),
            "missed": self.missed.total(),
            "false_alarms": self.false_alarms,
            "own_errors": self.own.total(),
            "rules": [
                {"rule": rule, "times": times, "says": RULEBOOK[rule].sentence}
                for rule, times in self.to_read_again
            ],
        }
