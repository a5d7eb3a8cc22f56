"""A sheet with bets on several coups, and what they are paid by its words alone (R-BET-9)."""

from dataclasses import dataclass, field

from tests.worlds.gaming_table import GamingTable

# Three Banker wins in a row, as in WSR 13-19-057, and three of four Player wins without ties.
SHEET = """
name = "riverside@1"
source = "an example"
based_on = "dragon-bonus@1"

[spots.next-three]
key = "nt"
pays = {"won 3" = "8:1"}

[terms.next-three]
over = {coups = 3, wins = "banker wins"}

[spots.player-run]
key = "pr"
pays = {"won 4" = "6:1", "won 3" = "1:1"}

[terms.player-run]
over = {coups = 4, wins = "player wins", skips = "tie", at_end = "lost"}
"""
CARDS = {"B": "6C 7S KC QD", "P": "7C 6S KH JD", "T": "9C 9S KD TD"}
TO_PLAYER = {"n": 1, "card": "8C"}  # Player's 6 to Banker's 7 was an 8
TO_BANKER = {"n": 2, "card": "8S"}  # Banker's 6 to Player's 7 was an 8


def coup(n: int) -> str:
    """The address of a coup of the first shoe."""
    return f"B01/2026-11-21/1/{n}"


def play(pit: GamingTable, coups: str) -> None:
    """Deals coups, each as its letter says: B, P or T."""
    for each in coups:
        pit.ask("open")  # refused where it is open
        pit.deal(CARDS[each], settle=True)


def times(spot: str, coups: str) -> int | None:
    """How many times the stake is paid after these coups; None: that is not known yet."""
    if spot == "next-three":
        first = coups[:3]
        return 0 if set(first) - {"B"} else 9 if len(first) == 3 else None
    first = coups.replace("T", "")[:4]
    lost, won = first.count("B"), first.count("P")
    if lost > 1:
        return 0
    return {(4, 0): 7, (3, 1): 2}.get((won, lost))


@dataclass
class Bet:
    """One bet, where it lies or was decided, and what it was paid; None: it goes on."""

    seat: int
    spot: str
    stake: int
    placed: int
    at: int
    paid: int | None = None
    void: bool = False
    until: int = 0  # the coups that had been dealt when it was counted anew

    def worth(self, coups: str) -> int:
        """What it is paid if no coup comes any more."""
        known = times(self.spot, coups)
        at_end = 1 if self.spot == "next-three" else 0
        return self.stake * (at_end if known is None else known)


@dataclass
class Model:
    """A shoe, by the words of the rule: its coups by letter, a void one by `-`."""

    coups: list[str] = field(default_factory=list)
    bets: list[Bet] = field(default_factory=list)

    @property
    def going_on(self) -> list[Bet]:
        return [each for each in self.bets if each.paid is None]

    def since(self, bet: Bet) -> str:
        """The coups that count for a bet: those dealt by now, or by when it was counted anew."""
        until = bet.until or len(self.coups)
        return "".join(self.coups[bet.placed - 1 : until]).replace("-", "")

    def settle(self, letter: str) -> None:
        self.coups.append(letter)
        for bet in self.going_on:
            known = times(bet.spot, self.since(bet))
            bet.at = len(self.coups)
            bet.paid = None if known is None else known * bet.stake

    def void_now(self) -> None:
        """The coup in play is void: what was placed in it goes back, the others go on."""
        self.coups.append("-")
        for bet in self.going_on:
            bet.at = len(self.coups)
            if bet.placed == bet.at:
                bet.paid, bet.void = bet.stake, True

    def put_right(self, number: int, letter: str) -> None:
        """A coup was another one, or is void: `-`."""
        self.coups[number - 1] = letter
        for bet in self.bets:
            if bet.void or bet.placed > number or bet.paid is None:
                continue
            if letter == "-" and bet.at == number:
                bet.paid, bet.void = bet.stake, True
            elif max(bet.at, bet.until) >= number:
                now = bet.worth(self.since(bet))
                if now != bet.paid:
                    bet.paid, bet.until = now, bet.until or len(self.coups)

    def end(self) -> None:
        for bet in self.going_on:
            bet.paid = bet.worth(self.since(bet))

    @property
    def won(self) -> int:
        """What the house won."""
        return sum(each.stake - each.paid for each in self.bets if each.paid is not None)

    @property
    def handle(self) -> int:
        """What was staked and decided."""
        return sum(each.stake for each in self.bets if each.paid is not None and not each.void)
