"""Cards, the deal, third cards and the result."""

from domain.rules.rulebook.rule import (
    DRAGON,
    ELECTRONIC,
    FACE_UP,
    OWN,
    SEEDS,
    SQUEEZE,
    TABLEAU,
    rule,
)

RULES = (
    rule(
        "R-CARD-1",
        "An ace counts 1, cards 2 to 9 their number, and ten, jack, queen and king 0.",
        SEEDS,
        "rules.cards",
    ),
    rule(
        "R-CARD-2",
        "A hand's total is the last digit of the sum of its cards.",
        SEEDS,
        "rules.cards",
    ),
    rule(
        "R-CARD-3",
        "A shoe holds each of the 52 cards once for every deck. One card more cannot have come "
        "from it.",
        OWN,
        "rules.cards",
    ),
    rule(
        "R-DEAL-1",
        "Cards leave the shoe Player, Banker, Player, Banker. Then come Player's third card and "
        "Banker's third card, if they are due.",
        TABLEAU,
        *("rules.hands", "aggregates.coup"),
    ),
    rule(
        "R-DEAL-2",
        "No wager is placed, moved or taken back after the first card of the coup is out, but for "
        "those of R-BET-8. What is on the layout is entered before.",
        f"{FACE_UP}; {SQUEEZE}; {DRAGON}",
        "aggregates.coup",
    ),
    rule(
        "R-DEAL-3",
        "In a squeeze the first four cards are dealt face down. The seat with the largest Player "
        "wager looks at the Player hand and gives it back, then the dealer turns both hands, the "
        "Player hand first.",
        SQUEEZE,
        "aggregates.coup",
    ),
    rule(
        "R-DEAL-4",
        "It is recorded who deals from the shoe: the dealer, or a patron to whom it was passed.",
        FACE_UP,
        "aggregates.shoe",
    ),
    rule(
        "R-DEAL-5",
        "When cards are dealt face down, the dealer turns both hands after the fourth card, the "
        "Player hand first. No display shows a card before it is turned.",
        DRAGON,
        "aggregates.coup",
    ),
    rule(
        "R-DEAL-6",
        "Where no dealer deals, a clock does: it waits for the first bet, gives everybody as long "
        "from then on, closes the betting, gives each card its time, and limits the coups of an "
        "hour. Who sits alone, and has bet, "
        "may have the betting closed at once.",
        ELECTRONIC,
        "rules.pace",
    ),
    rule(
        "R-DRAW-1",
        "When either hand has 8 or 9 on two cards, a natural, nobody draws. A natural 9 beats a "
        "natural 8.",
        TABLEAU,
        *("rules.hands", "rules.tableau"),
    ),
    rule("R-DRAW-2", "Player draws on 0 to 5 and stands on 6 and 7.", TABLEAU, "rules.tableau"),
    rule(
        "R-DRAW-3",
        "When Player stands, Banker draws on 0 to 5 and stands on 6 and 7.",
        TABLEAU,
        "rules.tableau",
    ),
    rule(
        "R-DRAW-4",
        "When Player draws, Player's third card decides. Banker draws on 0 to 2 always, on 3 "
        "unless that card is an 8, on 4 if it is 2 to 7, on 5 if it is 4 to 7, on 6 if it is 6 or "
        "7, and never on 7.",
        TABLEAU,
        *("rules.tableau", "rules.hands"),
    ),
    rule("R-WIN-1", "The hand nearer to 9 wins. Equal totals are a Tie.", SEEDS, "rules.hands"),
)
