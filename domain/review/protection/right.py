"""Whether a patron is right more often than chance allows, with more money when they are.

Chance: of the coups that are no Tie, Banker wins 50.7% with eight full decks, and the cards that
are left move that by a few thousandths. So a wager on a side has at most the share in `AT_MOST`,
whatever the patron saw on the roads. Beside it a gambler copies the patron, with a part of what he
has: the larger their stake beside their largest so far, the larger the part. He is paid at fair
odds for that share, so by chance he never holds x units but in one of x patrons, however often one
looks (Ville's inequality, as in `following.py`). Who knows a part of the cards, marks them, or
bets when the cards are known is right beyond that; so is who is paid on wagers made late.
"""

from msgspec import Struct, field

from domain.rules.spots import OPPOSITE

BEGINS = 1 / 100  # of what is held, staked anew at each coup, for who begins to cheat today
ENDS = 1 / 200  # of a guess, taken off the table at each coup
BOLDNESS = (0.1, 0.3, 0.6, 0.9)  # the part of a guess that is staked beside the largest stake
LEFT = 52  # cards: with fewer, their order may say more than the share has room for
# The most that the cards left let a side win of the coups that are no Tie.
AT_MOST = {"banker": 0.517, "player": 0.503}


class Copied(Struct):
    """A gambler who copies one patron, after each coup on which they bet."""

    free: float = 0.5
    guesses: list[float] = field(default_factory=lambda: [0.5 / len(BOLDNESS)] * len(BOLDNESS))
    largest: int = 0  # stake, in minor units
    right: int = 0  # coups
    wrong: int = 0

    @property
    def held(self) -> float:
        """What the gambler holds, of the one unit that was staked."""
        return self.free + sum(self.guesses)

    def after(self, winner: str, on_winner: int, on_loser: int) -> "Copied":
        """What he holds after a coup that was no Tie; the patron's stakes in minor units.

        >>> Copied().after("banker", 100_00, 0).held > 1 > Copied().after("player", 0, 5_00).held
        True
        >>> Copied().after("banker", 100_00, 100_00) == Copied()
        True
        """
        net = on_winner - on_loser
        if net == 0:
            return self
        largest = max(self.largest, abs(net))
        share = AT_MOST[winner if net > 0 else OPPOSITE[winner]]
        gain = (1 / share - 1 if net > 0 else -1) * abs(net) / largest
        new = self.free * BEGINS / len(BOLDNESS)
        return Copied(
            free=self.free * (1 - BEGINS) + sum(self.guesses) * ENDS,
            guesses=[
                (guess * (1 - ENDS) + new) * (1 + bold * gain)
                for guess, bold in zip(self.guesses, BOLDNESS, strict=True)
            ],
            largest=largest,
            right=self.right + (net > 0),
            wrong=self.wrong + (net < 0),
        )
