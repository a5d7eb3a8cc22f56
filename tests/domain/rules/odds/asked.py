"""Conditions that the tests of the odds ask about."""

# Each looks at other things: totals, what cards count, ranks, suits, colours, and several of them.
SAID = [
    "banker wins on 6 with three cards",
    "first two player cards make 5",
    "second banker card counts at least 8",
    "player cards add up to at least 20",
    "the winner has a pair",
    "either hand has a suited pair",
    "exactly one of (player has a pair, banker has a pair)",
    "first two banker cards are a king and a queen",
    "first two player cards are 8 and an ace",
    "all cards are red",
    "at least 4 cards are hearts",
    "all player cards are of one suit and player wins",
    "first player card is a red",
    "third banker card is a face",
    "at least 3 cards are of one rank",
    "at least 3 cards are of one rank and at least 3 cards are of one suit",
    "at least two of (player has a pair, all banker cards are of one colour, tie on 6 to 9)",
    "no cards are faces",
    "exactly 1 third cards are 9s",
    "first two player cards are a pair of one colour",
]
