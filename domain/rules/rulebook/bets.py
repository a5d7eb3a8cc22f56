"""Wagers, their payment, meters and commission."""

from domain.rules.rulebook.rule import DRAGON, FACE_UP, OWN, SEEDS, rule

RULES = (
    rule(
        "R-BET-1",
        "A patron bets on Player or on Banker, never on both in one coup, unless the rule set "
        "allows it. A Tie may be bet with either, or alone.",
        DRAGON,
        *("rules.layout", "aggregates.coup"),
    ),
    rule(
        "R-BET-2",
        "Patrons bet only on the spots of the rule set. Each has limits and a pay table of its "
        "own.",
        DRAGON,
        "rules.wagers",
    ),
    rule(
        "R-BET-3",
        "A wager is a multiple of the increment, from the minimum to the maximum. A Tie alone "
        "must meet the table minimum.",
        DRAGON,
        "rules.layout",
    ),
    rule(
        "R-BET-4",
        "Where the table has a differential, total Player and total Banker wagers may differ by "
        "no more than that when betting closes.",
        OWN,
        *("rules.layout", "aggregates.coup"),
    ),
    rule(
        "R-BET-5",
        "A wager that is found outside its limits after the deal is settled whole, or reduced to "
        "the limit, as the rule set says. It is an exception either way.",
        OWN,
        *("rules.layout", "aggregates.coup"),
    ),
    rule(
        "R-BET-6",
        "A rule set may take a bet only beside another one of the same seat, only at some seats, "
        "or not in the first or last coups of a shoe.",
        OWN,
        *("rules.spot_terms", "rules.layout"),
    ),
    rule(
        "R-BET-7",
        "A rule set may say how many coups in a row are dealt without a bet, and how many at the "
        "beginning of a shoe.",
        OWN,
        *("rules.spot_terms", "aggregates.coup"),
    ),
    rule(
        "R-BET-8",
        "A rule set may take a bet on the first four cards, if a third is due, and up to a part of "
        "the bet beside it. No third card is drawn before these bets are closed.",
        "Wizard of Odds, Baccarat Insurance at Marina Bay Sands, 2019",
        *("rules.after_four", "rules.spot_terms", "rules.layout", "aggregates.coup"),
    ),
    rule(
        "R-BET-9",
        "A rule set may take a bet on the next coups of a shoe, which stays there until no coup to "
        "come can change it; a void one does not count. What is not decided when the shoe ends, "
        "or the table is rolled over, is returned or lost: the rule set says which.",
        "WSR 13-19-057; Wizard of Odds, Banker Streak, 2017",
        *("rules.over_coups", "aggregates.coup"),
    ),
    rule(
        "R-PAY-1",
        "Player pays 1 to 1, Banker 1 to 1 less commission or at its own odds, and Tie the odds "
        "of the layout. On a Tie, Player and Banker wagers are returned.",
        SEEDS,
        *("rules.wagers", "rules.settlement"),
    ),
    rule(
        "R-PAY-2",
        "Dragon Bonus pays when its hand wins with a natural, or by enough points: the more "
        "points, the more it pays. A natural Tie returns it.",
        DRAGON,
        "rules.wagers",
    ),
    rule(
        "R-PAY-3",
        "A pair bet pays when the first two cards of its hand have the same rank. Jack and queen "
        "are no pair.",
        OWN,
        "rules.wagers",
    ),
    rule(
        "R-PAY-4",
        "Where no commission is taken, some Banker wins pay less, or return the wager. Dragon 7, "
        "Panda 8, Lucky 6 and the Tiger bets pay by the winning hand.",
        OWN,
        "rules.wagers",
    ),
    rule(
        "R-PAY-5",
        "An amount that the table's chips cannot make is paid up to the next one that they can. "
        "The difference is recorded.",
        OWN,
        "rules.settlement",
    ),
    rule(
        "R-PAY-6",
        "A rule set may state the most that all bets on a spot win in one coup. They share it by "
        "what each would win, in chips; chips left go one each to the largest fractions, of equal "
        "ones to the lowest seat.",
        OWN,
        *("rules.pro_rata", "aggregates.coup"),
    ),
    rule(
        "R-PROG-1",
        "A rule set may give a side bet a meter, of its table, of a pit or of the house. The house "
        "puts the seed into it before the first bet.",
        OWN,
        *("rules.progressives", "aggregates.meter"),
    ),
    rule(
        "R-PROG-2",
        "Of each wager that is settled, won or lost, a share goes into the meter, and another one "
        "into its hidden reserve. Both are exact; a void coup takes them back.",
        OWN,
        *("rules.progressives", "aggregates.meter"),
    ),
    rule(
        "R-PROG-3",
        "A bet may win the meter, or a part of it, with the shares of its coup. "
        "Several bets of one coup share it by their stakes, in chips; what chips cannot make stays "
        "in the meter.",
        OWN,
        *("rules.pro_rata", "aggregates.coup"),
    ),
    rule(
        "R-PROG-4",
        "A meter that is below its seed gets the reserve, and what is still missing from the "
        "house. A payment that is taken back goes into the meter again, and the house and the "
        "reserve take back what they put in because of it.",
        OWN,
        *("rules.progressives", "aggregates.meter"),
    ),
    rule(
        "R-PROG-5",
        "A rule set may ask for two people, and a form, for what a meter pays above an amount.",
        OWN,
        "aggregates.forms",
    ),
    rule(
        "R-PROG-6",
        "A rule set may state an amount by which a meter must be won, at a point that a secret "
        "fixes before and that the record shows when it is reached. The coup whose shares bring "
        "the meter there wins all of it, whatever the cards, beside what its odds pay.",
        f"{OWN}; progressive limit of machines: N.J.A.C. 13:69E-1.39A(a)4. By N.J.A.C. "
        "13:69D-1.52(a)1 the progressive of a table game is won by an outcome of the game",
        *("rules.must_hit", "aggregates.meter"),
    ),
    rule(
        "R-PROMO-1",
        "A coupon is laid on the spots that the rule set names for its kind, one a seat: a match "
        "play beside a bet of at least its worth, a free bet alone. It goes back if that bet does.",
        f"58 Pa. Code 603a.21; {OWN}",
        *("rules.coupons", "aggregates.coup_coupons"),
    ),
    rule(
        "R-PROMO-2",
        "What a coupon wins is paid in chips, at the odds of its spot or as even money, its worth "
        "never. Its commission is none, or is taken off at once, and no account has it.",
        f"58 Pa. Code 603a.21; {OWN}",
        "rules.coupons",
    ),
    rule(
        "R-PROMO-3",
        "A coupon that won or lost goes into the drop box: it is used once in the whole house. "
        "Where its spot neither wins nor loses, or the coup is void, it may be laid again.",
        f"58 Pa. Code 603a.21; {OWN}",
        *("aggregates.coupon", "rules.coupons"),
    ),
    rule(
        "R-PROMO-4",
        "A coupon is no money: no drop, handle, win by wagers or rating has it. One that the house "
        "did not issue takes two people.",
        f"58 Pa. Code 603a.20; {OWN}",
        "events.coup_coupons",
    ),
    rule(
        "R-COM-1",
        "Commission is a share of what a Banker wager won; the rule set states the rate.",
        f"{FACE_UP}; {DRAGON}",
        "rules.settlement",
    ),
    rule(
        "R-COM-2",
        "Commission is taken at the payout, or owed until the patron leaves or the shoe ends: the "
        "rule set says which. A patron may pay any part of it earlier.",
        DRAGON,
        "aggregates.commission",
    ),
    rule(
        "R-COM-3",
        "Commission is rounded as the rule set says, per win or on collection, to what the "
        "table's chips can make.",
        OWN,
        "rules.money",
    ),
    rule(
        "R-COM-4",
        "No patron leaves and no shoe ends while commission is owed: it is collected, waived by a "
        "supervisor, or recorded as walked when the patron has left. What is owed when a table is "
        "rolled over is brought forward to the patron's next stay.",
        f"{DRAGON}; N.J.A.C. 13:69D-1.30 on commission not collected",
        "aggregates.commission",
    ),
    rule(
        "R-COM-5",
        "Commission belongs to the patron's stay at the table, not to the seat. It moves with the "
        "patron to another seat.",
        OWN,
        *("aggregates.commission", "aggregates.table_day"),
    ),
)
