"""What can be typed and what it does: a list of lines for each topic of help.

What is typed is English; what it does is said in the reader's language.
"""

from domain.rules.rulebook import RULEBOOK, nearest
from domain.rules.spots import SPOT
from domain.rules.wording import Words, listed
from ops.words.language import N_, _
from ops.words.rule import ABOUT, families

Lines = list[tuple[str, str]]
LONGEST_TOPIC = 16  # letters shown of a word that is no topic


def _spot_lines() -> Lines:
    """The keys of all spots, five in a line, each with its label."""
    spots = list(SPOT.values())
    return [
        (
            " ".join(spot.key for spot in some),
            listed((Words(spot.label) for spot in some), N_("{some}, {last}")),
        )
        for some in (spots[n : n + 5] for n in range(0, len(spots), 5))
    ]


_BET: Lines = [
    ("3 b 500 t 25", N_("seat 3 bets 500 on Banker and 25 on Tie")),
    ("1-4b100 5p1.5k", N_("several seats in one line; `k` is thousand, `m` million")),
    ("=", N_("everybody bets as in the last coup; `3 =` seat 3 as it last bet")),
    ("= 3b1k", N_("the same, but seat 3 bets 1,000 on Banker and nothing else")),
    *_spot_lines(),
    ("open", N_("opens the next coup before the first bet")),
]
_BACK: Lines = [
    ("3 -", N_("takes back all bets of seat 3")),
    ("3 b -", N_("takes back its Banker bet")),
    ("u", N_("takes back all of the last bet entered")),
]
CARD: Lines = [
    ("9h", N_("a card; ten is `th` or `10h`")),
    ("9c5s7cqd", N_("several, in the order dealt")),
    ("9c5s7cqd s", N_("the same, and then settle")),
    ("d", N_("the next card of a generated shoe; `dddd` several")),
    ("r p", N_("turns the Player hand; `r b 4` card 4 of the Banker hand")),
    ("misdraw 9h", N_("this card came when none was due")),
    ("move-card 4 banker", N_("card 4 was put on the wrong hand; it is Banker's")),
    ("card 4 = 9h REASON", N_("card 4 was typed wrong; two people")),
    ("? mistake", N_("whatever else was typed wrong")),
]
_TURN: Lines = [
    ("r p", N_("turns the Player hand; `r b` the Banker hand, `r b 4` its card 4")),
    ("s", N_("turns what is face down, and settles; a third card turns it too")),
    ("9h", N_("type the card when it is turned; a reading shoe enters it by itself")),
]
_SETTLE: Lines = [
    ("s", N_("pays and takes every bet")),
    ("s 3=195 5=1000", N_("seats 3 and 5 were paid this; all others what they are owed")),
]
_COMMISSION: Lines = [
    ("c", N_("who owes what")),
    ("c 3", N_("seat 3 pays all it owes; `c 1,3,5` each of them")),
    ("c 3 100", N_("seat 3 pays 100 of it; `c grey-jacket 100` by name")),
    ("waive 3 REASON", N_("the house waives it; `waive 3 100 REASON` waives 100")),
    ("walked 3 REASON", N_("the patron left without paying")),
    ("timing 3 as-it-wins", N_("seat 3 pays at each win; `timing 3 deferred` later")),
]
_CORRECT: Lines = [
    ("correct 3 b 500 REASON", N_("that bet is paid 500 in all, stake included")),
    ("correct 3 b stake 400 REASON", N_("400 lay there; what it is paid follows")),
    ("correct 3 b REASON", N_("that bet is paid what the cards say")),
    ("correct 3 b as p REASON", N_("that bet is paid as a Player bet")),
    ("coup move-wager 3 b REASON --to-seat 4", N_("that bet was seat 4's")),
]
_RIGHT: Lines = [
    ("void REASON", N_("returns all bets of this coup, or of the last one")),
    *_CORRECT,
    ("!", N_("in training: that is wrong")),
]
_MISTAKE: Lines = [
    ("card 6 = 5h REASON", N_("card 6 was typed wrong; payments follow, two people")),
    ("card 3 = 9c untyped REASON", N_("the cards after it were typed by mistake; or `stay`")),
    ("card 4 = ad then 3h kd REASON", N_("paid too early: 3h and kd are on the felt after it")),
    ("card B01/2026-11-21/1/1 3 = 8c REASON", N_("a card of an earlier coup")),
    ("void REASON", N_("the coup cannot stand: returns all bets, two people")),
    ("move-card 4 banker", N_("card 4 is on the wrong hand, and no card came since")),
    ("misdraw 9h", N_("a card came, none was due")),
    ("correct 3 b 500 REASON", N_("a bet paid wrong: 500 in all")),
    ("correct 3 b stake 400 REASON", N_("a wrong stake: 400 lay there")),
    ("correct 3 b as p REASON", N_("it lay on Player; once paid")),
    ("? late", N_("a bet was found late")),
    ("coup move-wager 3 b REASON --to-seat 4", N_("the bet was seat 4's")),
    ("money correct last REASON --amount 500", N_("a buy-in was typed wrong: it was 500")),
    ("? money", N_("other money and chips")),
]
_LOCKED_UP: Lines = [
    ("unlock return REASON", N_("after `lock-up REASON`: or `settle` by the cards drawn")),
]
_COLOUR: Lines = [
    ("colour 5=20 for 100=1", N_("20 chips of 5 come in, one of 100 goes out; the same worth")),
    ("colour 100=1 for 25=2 5=10", N_("the other way, and several kinds at once")),
    ("money correct last REASON --withdrawn", N_("it never was; two people")),
]
_MONEY: Lines = [
    ("money correct last REASON --amount 500", N_("the last cash or chips typed was 500")),
    ("money correct 48213 REASON --seat 4", N_("the money of event 48213 was seat 4's")),
    ("money correct last REASON --withdrawn", N_("it never was; `--chips 100=20` other chips")),
    ("table recount REASON --closer 100=199", N_("the closer was counted again")),
    ("drop-recount 4100 REASON", N_("the drop was counted again")),
    *_LOCKED_UP,
    ("shoe recount 30 --reason 'two stuck'", N_("the cards left were counted again")),
    ("reopen REASON --opener 100=200", N_("the closed table opens again on the same day")),
]
_CASE: Lines = [
    ("dispute open P-3 REASON", N_("a patron says the coup was paid wrong")),
    ("dispute hold CASE", N_("no further coup until the case is decided")),
    ("dispute decide CASE stand REASON", N_("two people decide: `stand`, `correct` or `void`")),
    ("dispute release CASE", N_("the table deals again, before or after the decision")),
    ("dispute tell CASE", N_("the patron knows the decision; `dispute notify CASE` the regulator")),
    ("dispute close CASE", N_("nothing is left to do in this case")),
]
_SLIP: Lines = [
    (
        "request fill --chips 100=20",
        N_("chips from the cage, with a supervisor; `request credit` to it"),
    ),
    ("slip issue SLIP", N_("the cage issues it; `slip carry SLIP` security carries it")),
    ("slip receive SLIP", N_("two people counted the chips here; `slip void SLIP` cancels it")),
    ("fill --chips 100=20 …", N_("all steps at once, with the runner's PIN; `credit` to the cage")),
]
SHOE: Lines = [
    ("load 8 --serials K-1", N_("eight decks come to the table")),
    ("inspect", N_("every card was there")),
    ("shuffle machine --device SH-2", N_("or `hand`, `pre-shuffled`, `generated`")),
    ("cut 3", N_("seat 3 cuts; `cut` alone: the dealer")),
    ("burn 3d", N_("the first card is shown and burned")),
    ("cut-card", N_("the cut card shows")),
    ("end", N_("ends the shoe; before the cut card shows `end REASON`")),
    ("reconcile 30", N_("30 cards were left; `discard 9h damaged` takes a card out of play")),
    ("pass --seat 3", N_("seat 3 holds the shoe; `pass` alone: the dealer")),
]
_SEAT: Lines = [
    ("seat 3 P-10417", N_("a patron sits down; a name with a blank needs quotes")),
    ("seat 1 P-1, 3 P-2", N_("several sit down, all or none")),
    ("leave 3", N_("the patron of seat 3 leaves; nothing may be owed")),
    ("move 3 5", N_("from seat 3 to seat 5, with what is owed")),
    ("buy-in 3 500", N_("cash for chips; `cash-out 3 500` chips for cash")),
    ("pay-in 3 200", N_("cash for a game account; `pay-out 3` or, by two, `hand-pay 3 REASON`")),
]
_TABLE: Lines = [
    (
        "table open RULES --opener 100=200",
        N_("opens the table; for `RULES` see `sabot rules list`"),
    ),
    ("limits b 25 10000", N_("limits of Banker; `limits 25 10000` of the main bets")),
    ("dealer D-205", N_("another dealer; `supervisor S-12` another supervisor")),
    ("close --closer 100=199", N_("closes the table with its tray counted")),
    ("roll-over --closer 100=199", N_("closes the table and opens it for the next day")),
    ("shift-count --chips 100=199", N_("the tray is counted at the end of a shift")),
    ("drop 4000", N_("the drop box was counted")),
    ("tray", N_("what the tray should hold")),
    ("look", N_("with `--plain`: the whole table, line by line")),
]
_LATE: Lines = [
    ("late 20:14", N_("what you enter next happened at 20:14; it is marked late")),
    ("late 20:20", N_("another time, for the lines that follow")),
    ("late off", N_("what you enter happens now again")),
]
_PEOPLE: Lines = [
    ("off", N_("you sign off, and the next dealer signs on")),
    ("dealer D-205", N_("who deals from the next coup on; `supervisor S-12`")),
    ("void REASON", N_("takes two: the second person types number and PIN here")),
]
TOPICS: dict[str, Lines] = {
    "bet": _BET,
    "back": _BACK,
    "card": CARD,
    "turn": _TURN,
    "settle": _SETTLE,
    "commission": _COMMISSION,
    "void": _RIGHT,
    "correct": _CORRECT,
    "mistake": _MISTAKE,
    "money": _MONEY,
    "colour": _COLOUR,
    "case": _CASE,
    "slip": _SLIP,
    "shoe": SHOE,
    "seat": _SEAT,
    "table": _TABLE,
    "late": _LATE,
    "people": _PEOPLE,
}
RULES_BY_NUMBER = ("? R-BET-1", N_("a rule by its number; `? rules` lists them all"))
_MEANT = {  # other words for a topic
    **dict.fromkeys(("wrong", "undo"), "mistake"),
    **dict.fromkeys(("stake", "payment", "paid"), "correct"),
    **dict.fromkeys(("buy-in", "cash", "drop"), "money"),
    **dict.fromkeys(("fill", "credit", "chip"), "slip"),
    **dict.fromkeys(("relief", "dealer", "sign-off"), "people"),
    **dict.fromkeys(("color", "colour-up"), "colour"),
}
JUDGING: Lines = [
    ("!", N_("the last call is wrong: a bet, a card, a payment")),
    ("n, 9h, s", N_("going on says that it is right; you are shown if it was not")),
]
_CLOSE_BETS = [("n", N_("no more bets; the first card closes them too"))]
# What is usually typed in each phase of the game.
USUAL: dict[str, Lines] = {
    "no shoe": [SHOE[0], *_SEAT[:2], _COMMISSION[1], _TABLE[3]],
    "betting": [*_BET[:3], *_BACK[::2], *_CLOSE_BETS],
    "after four": [*_BET[:1], *_BACK[::2], ("n", N_("no more bets; then type the card"))],
    "dealing": [*CARD[:3], *CARD[4:]],
    "turning": [*_TURN, *CARD[:1], _RIGHT[0]],
    "resulted": [*_SETTLE, CARD[4], _RIGHT[0]],
    "to void": [_RIGHT[0]],
    "over": [*_COMMISSION[:2], _COMMISSION[3], SHOE[6]],
    "held": _CASE[2:4],
    "locked up": _LOCKED_UP,
}


def about(word: str) -> Lines:
    """The lines of a topic or of a rule; a word that is neither gets the list of topics."""
    one = word.removesuffix("s")
    known = TOPICS.get(_MEANT.get(one, one)) or TOPICS.get(word)
    if known:
        return known
    if one == "rule" or word.startswith("r-"):
        return _about_rule(word)
    topics = [*((f"? {each}", _first_of(each)) for each in TOPICS), RULES_BY_NUMBER]
    if one == "topic":
        return topics
    return [(f"? {_shown(word)}", N_("is no topic; these are:")), *topics]


def _about_rule(word: str) -> Lines:
    """A rule of record by its number, or the nearest if there is no such number; else all."""
    if rule := RULEBOOK.get(word.upper()):
        return [(f"? {rule.number}", rule.sentence), (_(ABOUT), rule.family)]
    if not word.startswith("r-"):
        return [*families(), RULES_BY_NUMBER]
    near = [(f"? {each}", RULEBOOK[each].sentence) for each in nearest(word)]
    return [(f"? {_shown(word)}", N_("is no rule; the nearest are:")), *near]


def _shown(word: str) -> str:
    return word if len(word) <= LONGEST_TOPIC else f"{word[: LONGEST_TOPIC - 1]}…"


def _first_of(topic: str) -> Words:
    """The first lines of a topic, which are the same in every language."""
    return Words("{lines}", lines=", ".join(f"`{keys}`" for keys, _ in TOPICS[topic][:3]))
