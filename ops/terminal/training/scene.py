"""A correct coup of a course, which a mistake is put into."""

from collections.abc import Mapping
from random import Random

from msgspec import Struct

from domain.rules.hands import Result, play
from domain.rules.house_rules import HouseRules
from domain.rules.settlement import Payment, pay
from ops.terminal.training.moments import Betting, Dealing, Moment, Paying
from ops.words import show

Moments = tuple[Moment, ...]


class Scene(Struct, frozen=True):
    """A correct coup, and the patrons at the table, betting or not."""

    rules: HouseRules
    random: Random
    patrons: Mapping[int, str]
    moments: tuple[Moment, ...]

    @property
    def betting(self) -> Betting:
        """The wagers."""
        return next(each for each in self.moments if isinstance(each, Betting))

    @property
    def dealings(self) -> list[Dealing]:
        """The first four cards, then each further one."""
        return [each for each in self.moments if isinstance(each, Dealing)]

    @property
    def paying(self) -> Paying:
        """The payments."""
        return next(each for each in self.moments if isinstance(each, Paying))

    @property
    def result(self) -> Result:
        """The result of all cards."""
        result = play(self.paying.cards).result
        assert result
        return result

    @property
    def idle(self) -> list[int]:
        """Seats that bet nothing."""
        betting = {each.seat for each in self.betting.wagers}
        return [seat for seat in self.patrons if seat not in betting]

    def amount(self, amount: int) -> str:
        """An amount as it is called over the table."""
        return show.chips(amount, self.rules.currency)

    def with_moment(self, old: Moment, new: Moment) -> tuple[Moment, ...]:
        """The coup with one moment replaced."""
        return tuple(new if each is old else each for each in self.moments)

    def payment(self, spot: str, stake: int) -> Payment:
        """What a wager of so many minor units is owed by the result."""
        return pay(self.rules, spot, stake, self.result)
