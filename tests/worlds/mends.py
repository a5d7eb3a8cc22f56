"""What was typed wrong, and what puts it right at some moment."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.worlds.night_by_hand import Deal

# A mend of a coup waits for those before it: what is paid by the cards needs the right cards.
ORDER = ("stake", "late", "seat", "card", "spot", "pay", "case", "void")


@dataclass(eq=False)
class Mend:
    """What puts a slip right, at the latest when this happens: `coup`, `count` or `collect`."""

    kind: str
    how: Callable[[], object]
    deal: Deal | None = None  # the coup of which it is
    until: str = "never"

    def waits_for(self, other: "Mend") -> bool:
        """Whether another one comes first. What was collected limits what can be collected."""
        if self.deal is other.deal is not None:
            return ORDER.index(other.kind) < ORDER.index(self.kind)
        return other.kind == "collection" != self.kind


class Mends:
    """The slips of a night that are not put right yet."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.mends: list[Mend] = []

    def chance(self, of_ten: float) -> bool:
        return self.random.random() * 10 < of_ten

    def choose(self, *what):
        return self.random.choice(what)

    def slip(self, mend: Mend) -> None:
        """Something was typed wrong; perhaps it is put right at once."""
        self.mends.append(mend)
        if self.chance(4):
            self.put_right(mend)

    def put_right(self, mend: Mend) -> None:
        """Puts a slip right, and first what it waits for."""
        for each in [each for each in self.mends if mend.waits_for(each)]:
            if each in self.mends:
                self.put_right(each)
        self.mends.remove(mend)
        mend.how()

    def now_and_then(self) -> None:
        """Something older is put right, perhaps."""
        if self.mends and self.chance(1):
            self.put_right(self.choose(*self.mends))

    def require_right(self, *until: str) -> None:
        """What cannot be put right later is put right."""
        while due := [each for each in self.mends if each.until in until]:
            self.put_right(due[0])

    def right_of(self, deal: Deal) -> None:
        """All of a coup is put right."""
        while due := [each for each in self.mends if each.deal is deal]:
            self.put_right(due[0])

    def all_right(self) -> None:
        self.random.shuffle(self.mends)
        while self.mends:
            self.put_right(self.mends[0])
