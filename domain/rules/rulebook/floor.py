"""The shoe, irregularities and game accounts."""

from domain.rules.rulebook.rule import ELECTRONIC, OWN, rule

RULES = (
    rule(
        "R-SHOE-1",
        "A shoe is loaded, inspected, shuffled, cut and burned, in this order, before its first "
        "coup. No step is left out or repeated.",
        OWN,
        "aggregates.shoe_steps",
    ),
    rule(
        "R-SHOE-2",
        "The first card is shown and burned. As many more are burned face down as it counts, or "
        "as the rule set says.",
        OWN,
        "aggregates.shoe_steps",
    ),
    rule(
        "R-SHOE-3",
        "When the cut card shows, the coup is finished and one more is dealt. When it shows as a "
        "coup's first card, that coup is the last.",
        OWN,
        "aggregates.shoe",
    ),
    rule(
        "R-SHOE-4",
        "At the end the cards drawn, burned, discarded and left over must add up to the decks of "
        "the shoe.",
        OWN,
        "aggregates.shoe_steps",
    ),
    rule(
        "R-SHOE-5",
        "At the shuffle of a generated shoe a commitment to its order is recorded, and at the end "
        "the order itself. Anybody can check one against the other.",
        OWN,
        "rules.order",
    ),
    rule(
        "R-SHOE-6",
        "Where the rule set says so, a card is burned face down between one coup and the next. A "
        "coup that was begun without it counts, or is void, as the rule set says.",
        OWN,
        "aggregates.shoe",
    ),
    rule(
        "R-IRR-1",
        "A card that is drawn when none is due cannot go back into the shoe. The rule set says "
        "whether it begins the next coup, is burned, or begins a coup without bets.",
        OWN,
        *("aggregates.shoe", "aggregates.coup"),
    ),
    rule(
        "R-IRR-2",
        "A card on the wrong hand is moved to the right one, if no card was drawn after it.",
        OWN,
        "aggregates.coup",
    ),
    rule(
        "R-IRR-3",
        "A card found face up in the shoe is discarded, recorded, and never used.",
        OWN,
        "aggregates.shoe",
    ),
    rule(
        "R-IRR-4",
        "When too few cards are left, a device fails, or a card is missing or foreign, the coup "
        "is void. Every wager is returned.",
        OWN,
        *("aggregates.coup", "aggregates.shoe"),
    ),
    rule(
        "R-IRR-5",
        "A coup is voided and a payment corrected by two people, one of them a supervisor, with a "
        "reason. Nothing that was recorded is changed.",
        OWN,
        *("aggregates.coup", "aggregates.corrections", "rules.permissions"),
    ),
    rule(
        "R-IRR-6",
        "When an electronic table fails, it is locked up. Two people then settle the coup by the "
        "cards that were drawn, or return every stake; there is no third way.",
        ELECTRONIC,
        *("aggregates.table_day", "rules.permissions"),
    ),
    rule(
        "R-ACC-1",
        "A game account pays for a wager when it is placed, and is credited when the coup is "
        "settled. It never goes below zero.",
        ELECTRONIC,
        "aggregates.game_account",
    ),
    rule("R-ACC-2", "A ticket is taken once, for what it is worth.", OWN, "aggregates.ticket"),
    rule(
        "R-CASH-1",
        "A patron's cash of a gaming day counts together over all tables and names, in and out "
        "apart. The regime of that day says from which amount what is due, and by when.",
        "31 CFR 1021.311 and 1021.313; the regimes name their own sources",
        *("rules.regimes.model", "aggregates.cash", "aggregates.regime"),
    ),
    rule(
        "R-CASH-2",
        "What cash brings about is shown before it is taken or paid. Where an ID is due, the house "
        "only shows that, holds the cash until somebody saw it, or refuses it at a table.",
        OWN,
        "rules.regimes.model",
    ),
    rule(
        "R-FLOOR-1",
        "What happens on the floor and is no dispute about a payment is an incident. It has a "
        "number without a gap, names nobody but by number, and is closed with its outcome.",
        OWN,
        "aggregates.incident",
    ),
    rule(
        "R-PLAY-1",
        "A patron, or the house, limits what they deposit or lose at tables, or how long they "
        "play, in a day, a week or a month. A lower limit holds at once, a patron's own higher one "
        "after the regime's days.",
        "after the 24 hours of UK Gambling Commission RTS 12B, which is for remote gambling",
        *("rules.play_limits", "aggregates.patron"),
    ),
    rule(
        "R-PLAY-2",
        "In a break a patron takes no seat, no chips for cash and no bet. It is never made "
        "shorter.",
        OWN,
        "aggregates.patron",
    ),
    rule(
        "R-PLAY-3",
        "At the seat the dealer is shown one line without name or amount. The house refuses play "
        "then, or only shows the line and records that the patron played on.",
        OWN,
        "rules.regimes.model",
    ),
    rule(
        "R-PLAY-4",
        "Time at tables counts together, at all of them and under every name of a patron. After so "
        "much of it as the regime states, play pauses for the rest that it states.",
        "after the play periods of Crown Melbourne, State of Victoria (reported)",
        "rules.play_time",
    ),
    rule(
        "R-PLAY-5",
        "Above the regime's amount a patron plays by card or not at all: what they have on one "
        "coup, and the cash that they bring in a gaming day. What is entered late or corrected is "
        "noted.",
        "after carded play in New South Wales and Victoria (reported)",
        "rules.play_cards",
    ),
)
