"""The rules of record by number: each in plain words, where it comes from, what enforces it.

Odds and limits belong to the rule set, so no rule here states them. Refusals, papers, lessons and
`sabot rule` cite a rule by its number and read its words here.

>>> rule_of("r-draw-2").sentence
'Player draws on 0 to 5 and stands on 6 and 7.'
>>> rule_of("R-DRAW-7")
Traceback (most recent call last):
    ...
domain.rules.refusals.UnknownRule: There is no rule R-DRAW-7. The nearest are R-DRAW-4, R-DRAW-3 \
and R-DRAW-2; `sabot rule` lists all.
"""

import difflib
import re
from collections.abc import Mapping

from domain.rules.refusals import UnknownRule
from domain.rules.rule import FAMILIES, Rule, rule

# Where rules come from. A seed is one of the five descriptions of the game that the rule sets
# classic@1, big-table@1, tie-eight@1, dragon-bonus@1 and electronic@1 are made from.
_TABLEAU = "58 Pa. Code 631a.11; N.J.A.C. 13:69F-3.9"
_FACE_UP = "seed 000_12146a3e"
_SQUEEZE = "seed 001_cfe116c2"
_DRAGON = "seed 003_c0d30843"
_ELECTRONIC = "seed 004_a379723b; 58 Pa. Code 605a.2; 9 NYCRR 5321.12"
_SEEDS = "all five seeds"
_OWN = "Sabot's own rule"

MOST_NEAR = 3  # numbers that a refusal suggests
LONGEST_SHOWN = 20  # characters of a number that there is not

_RULES = (
    rule(
        "R-CARD-1",
        "An ace counts 1, cards 2 to 9 their number, and ten, jack, queen and king 0.",
        _SEEDS,
        "rules.cards",
    ),
    rule(
        "R-CARD-2",
        "A hand's total is the last digit of the sum of its cards.",
        _SEEDS,
        "rules.cards",
    ),
    rule(
        "R-CARD-3",
        "A shoe holds each of the 52 cards once for every deck. One card more cannot have come "
        "from it.",
        _OWN,
        "rules.cards",
    ),
    rule(
        "R-DEAL-1",
        "Cards leave the shoe Player, Banker, Player, Banker. Then come Player's third card and "
        "Banker's third card, if they are due.",
        _TABLEAU,
        *("rules.hands", "aggregates.coup"),
    ),
    rule(
        "R-DEAL-2",
        "No wager is placed, moved or taken back after the first card of the coup is out. What is "
        "on the layout is entered before.",
        f"{_FACE_UP}; {_SQUEEZE}; {_DRAGON}",
        "aggregates.coup",
    ),
    rule(
        "R-DEAL-3",
        "In a squeeze the first four cards are dealt face down. The seat with the largest Player "
        "wager looks at the Player hand and gives it back, then the dealer turns both hands, the "
        "Player hand first.",
        _SQUEEZE,
        "aggregates.coup",
    ),
    rule(
        "R-DEAL-4",
        "It is recorded who deals from the shoe: the dealer, or a patron to whom it was passed.",
        _FACE_UP,
        "aggregates.shoe",
    ),
    rule(
        "R-DEAL-5",
        "When cards are dealt face down, the dealer turns both hands after the fourth card, the "
        "Player hand first. No display shows a card before it is turned.",
        _DRAGON,
        "aggregates.coup",
    ),
    rule(
        "R-DEAL-6",
        "Where no dealer deals, a clock does: it waits for the first bet, closes the betting, "
        "gives each card its time, and limits the coups of an hour. Who sits alone, and has bet, "
        "may have the betting closed at once.",
        _ELECTRONIC,
        "rules.pace",
    ),
    rule(
        "R-DRAW-1",
        "When either hand has 8 or 9 on two cards, a natural, nobody draws. A natural 9 beats a "
        "natural 8.",
        _TABLEAU,
        *("rules.hands", "rules.tableau"),
    ),
    rule("R-DRAW-2", "Player draws on 0 to 5 and stands on 6 and 7.", _TABLEAU, "rules.tableau"),
    rule(
        "R-DRAW-3",
        "When Player stands, Banker draws on 0 to 5 and stands on 6 and 7.",
        _TABLEAU,
        "rules.tableau",
    ),
    rule(
        "R-DRAW-4",
        "When Player draws, Player's third card decides. Banker draws on 0 to 2 always, on 3 "
        "unless that card is an 8, on 4 if it is 2 to 7, on 5 if it is 4 to 7, on 6 if it is 6 or "
        "7, and never on 7.",
        _TABLEAU,
        *("rules.tableau", "rules.hands"),
    ),
    rule("R-WIN-1", "The hand nearer to 9 wins. Equal totals are a Tie.", _SEEDS, "rules.hands"),
    rule(
        "R-BET-1",
        "A patron bets on Player or on Banker, never on both in one coup, unless the rule set "
        "allows it. A Tie may be bet with either, or alone.",
        _DRAGON,
        *("rules.layout", "aggregates.coup"),
    ),
    rule(
        "R-BET-2",
        "Patrons bet only on the spots of the rule set. Each spot has limits of its own.",
        _DRAGON,
        "rules.wagers",
    ),
    rule(
        "R-BET-3",
        "A wager is a multiple of the increment, from the minimum to the maximum. A Tie alone "
        "must meet the table minimum.",
        _DRAGON,
        "rules.layout",
    ),
    rule(
        "R-BET-4",
        "Where the table has a differential, total Player and total Banker wagers may differ by "
        "no more than that when betting closes.",
        _OWN,
        *("rules.layout", "aggregates.coup"),
    ),
    rule(
        "R-BET-5",
        "A wager that is found outside its limits after the deal is settled whole, or reduced to "
        "the limit, as the rule set says. It is an exception either way.",
        _OWN,
        *("rules.layout", "aggregates.coup"),
    ),
    rule(
        "R-BET-6",
        "A rule set may take a bet only beside another one of the same seat, only at some seats, "
        "or not in the first or last coups of a shoe.",
        _OWN,
        *("rules.spot_terms", "rules.layout"),
    ),
    rule(
        "R-BET-7",
        "A rule set may say how many coups in a row are dealt without a bet, and how many at the "
        "beginning of a shoe.",
        _OWN,
        *("rules.spot_terms", "aggregates.coup"),
    ),
    rule(
        "R-PAY-1",
        "Player pays 1 to 1, Banker 1 to 1 less commission or at its own odds, and Tie the odds "
        "of the layout. On a Tie, Player and Banker wagers are returned.",
        _SEEDS,
        *("rules.wagers", "rules.settlement"),
    ),
    rule(
        "R-PAY-2",
        "Dragon Bonus pays when its hand wins with a natural, or by enough points: the more "
        "points, the more it pays. A natural Tie returns it.",
        _DRAGON,
        "rules.wagers",
    ),
    rule(
        "R-PAY-3",
        "A pair bet pays when the first two cards of its hand have the same rank. Jack and queen "
        "are no pair.",
        _OWN,
        "rules.wagers",
    ),
    rule(
        "R-PAY-4",
        "Where no commission is taken, some Banker wins pay less, or return the wager. Dragon 7, "
        "Panda 8, Lucky 6 and the Tiger bets pay by the winning hand.",
        _OWN,
        "rules.wagers",
    ),
    rule(
        "R-PAY-5",
        "An amount that the table's chips cannot make is paid up to the next one that they can. "
        "The difference is recorded.",
        _OWN,
        "rules.settlement",
    ),
    rule(
        "R-PAY-6",
        "A rule set may state the most that all bets on a spot win in one coup. They share it by "
        "what each would win, in chips; chips left go one each to the largest fractions, of equal "
        "ones to the lowest seat.",
        _OWN,
        *("rules.pro_rata", "aggregates.coup"),
    ),
    rule(
        "R-PROG-1",
        "A rule set may give a side bet a meter, of its table, of a pit or of the house. The house "
        "puts the seed into it before the first bet.",
        _OWN,
        *("rules.progressives", "aggregates.meter"),
    ),
    rule(
        "R-PROG-2",
        "Of each wager that is settled, won or lost, a share goes into the meter, and another one "
        "into its hidden reserve. Both are exact; a void coup takes them back.",
        _OWN,
        *("rules.progressives", "aggregates.meter"),
    ),
    rule(
        "R-PROG-3",
        "A bet may win the meter, or a part of it, with the shares of its coup. "
        "Several bets of one coup share it by their stakes, in chips; what chips cannot make stays "
        "in the meter.",
        _OWN,
        *("rules.pro_rata", "aggregates.coup"),
    ),
    rule(
        "R-PROG-4",
        "A meter that is below its seed gets the reserve, and what is still missing from the "
        "house. A payment that is taken back goes into the meter again, and the house and the "
        "reserve take back what they put in because of it.",
        _OWN,
        *("rules.progressives", "aggregates.meter"),
    ),
    rule(
        "R-COM-1",
        "Commission is a share of what a Banker wager won; the rule set states the rate.",
        f"{_FACE_UP}; {_DRAGON}",
        "rules.settlement",
    ),
    rule(
        "R-COM-2",
        "Commission is taken at the payout, or owed until the patron leaves or the shoe ends: the "
        "rule set says which. A patron may pay any part of it earlier.",
        _DRAGON,
        "aggregates.commission",
    ),
    rule(
        "R-COM-3",
        "Commission is rounded as the rule set says, per win or on collection, to what the "
        "table's chips can make.",
        _OWN,
        "rules.money",
    ),
    rule(
        "R-COM-4",
        "No patron leaves and no shoe ends while commission is owed: it is collected, waived by a "
        "supervisor, or recorded as walked when the patron has left. What is owed when a table is "
        "rolled over is brought forward to the patron's next stay.",
        f"{_DRAGON}; N.J.A.C. 13:69D-1.30 on commission not collected",
        "aggregates.commission",
    ),
    rule(
        "R-COM-5",
        "Commission belongs to the patron's stay at the table, not to the seat. It moves with the "
        "patron to another seat.",
        _OWN,
        *("aggregates.commission", "aggregates.table_day"),
    ),
    rule(
        "R-SHOE-1",
        "A shoe is loaded, inspected, shuffled, cut and burned, in this order, before its first "
        "coup. No step is left out or repeated.",
        _OWN,
        "aggregates.shoe_steps",
    ),
    rule(
        "R-SHOE-2",
        "The first card is shown and burned. As many more are burned face down as it counts, or "
        "as the rule set says.",
        _OWN,
        "aggregates.shoe_steps",
    ),
    rule(
        "R-SHOE-3",
        "When the cut card shows, the coup is finished and one more is dealt. When it shows as a "
        "coup's first card, that coup is the last.",
        _OWN,
        "aggregates.shoe",
    ),
    rule(
        "R-SHOE-4",
        "At the end the cards drawn, burned, discarded and left over must add up to the decks of "
        "the shoe.",
        _OWN,
        "aggregates.shoe_steps",
    ),
    rule(
        "R-SHOE-5",
        "At the shuffle of a generated shoe a commitment to its order is recorded, and at the end "
        "the order itself. Anybody can check one against the other.",
        _OWN,
        "rules.order",
    ),
    rule(
        "R-IRR-1",
        "A card that is drawn when none is due cannot go back into the shoe. The rule set says "
        "whether it begins the next coup, is burned, or begins a coup without bets.",
        _OWN,
        *("aggregates.shoe", "aggregates.coup"),
    ),
    rule(
        "R-IRR-2",
        "A card on the wrong hand is moved to the right one, if no card was drawn after it.",
        _OWN,
        "aggregates.coup",
    ),
    rule(
        "R-IRR-3",
        "A card found face up in the shoe is discarded, recorded, and never used.",
        _OWN,
        "aggregates.shoe",
    ),
    rule(
        "R-IRR-4",
        "When too few cards are left, a device fails, or a card is missing or foreign, the coup "
        "is void. Every wager is returned.",
        _OWN,
        *("aggregates.coup", "aggregates.shoe"),
    ),
    rule(
        "R-IRR-5",
        "A coup is voided and a payment corrected by two people, one of them a supervisor, with a "
        "reason. Nothing that was recorded is changed.",
        _OWN,
        *("aggregates.coup", "aggregates.corrections", "rules.permissions"),
    ),
    rule(
        "R-IRR-6",
        "When an electronic table fails, it is locked up. Two people then settle the coup by the "
        "cards that were drawn, or return every stake; there is no third way.",
        _ELECTRONIC,
        *("aggregates.table_day", "rules.permissions"),
    ),
    rule(
        "R-ACC-1",
        "A game account pays for a wager when it is placed, and is credited when the coup is "
        "settled. It never goes below zero.",
        _ELECTRONIC,
        "aggregates.game_account",
    ),
    rule("R-ACC-2", "A ticket is taken once, for what it is worth.", _OWN, "aggregates.ticket"),
)
RULEBOOK: Mapping[str, Rule] = {rule.number: rule for rule in _RULES}


def rule_of(number: str) -> Rule:
    """The rule of this number, however it is capitalised. Refuses: UnknownRule."""
    rule = RULEBOOK.get(number.strip().upper())
    if rule is None:
        *others, last = nearest(number)
        raise UnknownRule(number=_shown(number), near=f"{', '.join(others)} and {last}")
    return rule


def nearest(number: str) -> tuple[str, ...]:
    """The numbers that somebody may have meant: of the same family, else of one spelled alike."""
    family, last = _parts(number)
    alike = difflib.get_close_matches(family, FAMILIES, n=1, cutoff=0.3) or [*FAMILIES][:1]
    of_family = [each for each in RULEBOOK if each.split("-")[1] == alike[0]]
    of_others = [each for each in RULEBOOK if each not in of_family]
    by_distance = sorted(of_family, key=lambda each: abs(int(each.rpartition("-")[2]) - last))
    return tuple([*by_distance, *of_others][:MOST_NEAR])


def _parts(number: str) -> tuple[str, int]:
    """The family and the last number as they were typed: `R-IRR-9` is IRR and 9."""
    letters = re.findall("[A-Z]{2,}", number.upper())
    digits = re.findall("[0-9]{1,3}", number)
    return letters[0] if letters else number.upper(), int(digits[-1]) if digits else 1


def _shown(number: str) -> str:
    """A number as a refusal repeats it: printable, and cut where it is too long to be one."""
    text = "".join(each if each.isprintable() else "?" for each in number.strip().upper())
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"
