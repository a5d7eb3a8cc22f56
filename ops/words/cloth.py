"""The words of an electronic table's page, where patrons click chips onto the cloth."""

from domain.rules.wagers import METER
from domain.rules.wording import N_, counted, worded
from ops.words.language import _, amount, shown

TITLE = worded("page: an electronic table, where a patron bets", "Your place")
BALANCE = worded("label: money on the game account", "Balance")
STAKED = worded("label: money on the cloth", "Staked")
CHIPS = worded("heading: the chips to click", "Chips")
CLOTH = worded("heading: where chips are put", "The cloth")
UNDO = worded("button: takes the last chip back", "Undo")
CLEAR = worded("button: takes every chip back", "Clear")
REPEAT = worded("button: the same bets as last", "Repeat")
DOUBLE = worded("button: doubles every bet", "Double")
DEAL_NOW = worded("button: closes the betting, for who sits alone", "Deal now")
SOUND = worded("button: a tone for each card and each result, off at first", "Sound")
ON_CLOTH = worded("page: before the bets that lie on the cloth", "On the cloth:")
EMPTY_CLOTH = worded("page: after a bet was refused", "The cloth is empty.")
OTHERS = worded("page: what other places have on a spot", "others {amount} ({n})")
WAITS = worded("page: nobody has bet yet", "Place your bets. The table waits for the first one.")
BETS_OPEN = worded("page: chips can be put", "Place your bets.")
BETS_CLOSED = worded("page: no chip can be put", "No more bets.")
NOT_DEALING = worded(
    "page: the clock ran out, and no card came",
    "Dealing has stopped. What you staked is on record; ask an attendant.",
)
AWAY = worded(
    "page: while there is no connection to the house",
    "No connection. What you staked is on record, and is dealt and paid meanwhile.",
)
SOON = worded("page: between two coups", "The next coup opens soon.")
HELD = worded(
    "page: a case holds the table", "No coup is dealt until a question at this table is decided."
)
OVER = worded("page: the table is closed", "This table is closed.")
LOCKED = worded(
    "page: the table failed",
    "The table is locked up. Two people settle your bets by the cards that were drawn, or return "
    "them.",
)
RETURNED_ALL = worded("page: the coup is void", "This coup is void. Every bet was returned.")
BY_THE_CARDS = worded(
    "page: a coup that was decided after a fault",
    "The table had failed. Two people settled this coup by the cards that were drawn.",
)
NO_SEAT = worded(
    "page: nobody has an account here",
    "An attendant opens this place: with cash or a ticket on its account.",
)
NO_MONEY = worded(
    "page: everything was lost",
    "There is no money on this account. An attendant pays cash or a ticket in.",
)
NOTHING_LEFT = worded(
    "page: play money was lost, and too little for a bet is left",
    "You have less than the smallest bet left.",
)
LAST_OF_SHOE = worded("page", "This is the last coup of the shoe.")
NEW_SHOE_SOON = worded(
    "page: after the last coup of a shoe", "The shoe has ended. A new one comes next."
)
NEW_SHOE = worded(
    "page: at the first coup of a shoe",
    "A new shoe. The order of the one before can be checked below.",
)
ASKED = worded("page: a bet was sent", "Being placed …")
IS_PLACED = worded("page: a bet is on record", "Placed.")
RETURNED = worded("page: a bet was refused", "It is back in the tray.")
NOT_YET = worded(
    "page: no answer came", "No answer yet. It is sent again, and counts once however often."
)
RECALL = worded("heading", "The last ten coups")
HOW = worded("heading", "Rules and limits")
RULES = worded(
    "page: the game in two sentences",
    "The hand nearer to 9 wins: tens and court cards count nothing, and of a total only the last "
    "digit. Third cards are drawn by fixed rules.",
)
BET = worded("column: a spot of the cloth", "Bet")
PAYS = worded("column: what a bet pays", "Pays")
CHANCE = worded("column: in how many coups of a hundred a bet wins", "Wins")
EDGE = worded("column: what the house earns of each stake in the long run", "House edge")
NO_COUPONS = worded(
    "page: promotional stakes", "Match plays and free bets are not taken at electronic tables."
)
EXACT = worded(
    "page: below the odds",
    "Counted over every deal of a full shoe, for the least bet and as it is paid.",
)
MAIN_BETS = worded("label: limits of Player and Banker, on the cloth", "Player, Banker")
SIDE_BETS = worded("label: limits of all other bets, on the cloth", "Side bets")
COMES_BACK = worded("page: what a bet that neither wins nor loses is", "returned")
HELP = worded("label: before the house's help line", "Help with gambling")
KEYS = worded(
    "page: what can be typed",
    "Keys: 1 to 5 a chip; P, B, T a bet; U undo, C clear, R repeat, D double; N deal now.",
)
SEALED = worded("label: before the code of a shoe's order", "The order of this shoe is sealed by")
CHECK = worded("button: checks a shoe that has ended", "Check the last shoe")
SEAL = worded("label: the code of a shoe that has ended", "Sealed by")
SECRET = worded("label: with which a shoe's seal is made again", "Secret")
COMPARED = worded("label: how many coups of a shoe this page has seen", "Coups seen here")
ORDER = worded("label: the file with the cards of a shoe in their order", "Order of the cards")
SAME_ORDER = worded(
    "page: a shoe was checked",
    "The order is the one that was sealed before, and each card seen here is in its place in it.",
)
OTHER_ORDER = worded(
    "page: a shoe was checked",
    "This is not what was sealed or seen here. Show this page to a supervisor.",
)
LAST_BET = worded(
    "page: what came of the last coup in which this place bet", "Coup {number}: {what}"
)
OF_COUP = worded("page: why a bet in a coup that is over came back", "Coup {number}: {why}")
NOT_SEEN = worded("page: no shoe to check", "No shoe that was seen here has ended yet.")
WATCHING = worded(
    "page: somebody watches a table on a telephone",
    "You watch this table. Bets are placed at its terminals only.",
)
NOT_YOURS = worded(
    "page: another machine asks for it",
    "This place has a terminal of its own; you can watch the table at {watch}. An administrator "
    "approves a terminal by its name: `sabot staff approve-terminal {terminal} {place}`.",
)
NO_PLACE = worded(
    "page: a terminal asks for the place that it has",
    "This terminal has no place at an electronic table. An administrator approves it for one: "
    "`sabot staff approve-terminal {terminal} B01/3`.",
)
PLACES = worded("heading: the places at electronic tables", "Places")
NO_PLACES = worded("page", "No electronic table is open.")


def take_again(amount_given: str) -> str:
    """The button with which who is broke takes more: `Take another 1,000 of play money`."""
    return _("Take another {amount} of play money", amount=amount_given)


def less_than(least: str) -> str:
    """Why somebody with a little money cannot bet."""
    return _(
        "This is less than the smallest bet, {least}. An attendant pays cash or a ticket in, or "
        "pays it out.",
        least=least,
    )


def until_new_shoe(coups: int) -> str:
    """How much is left of a shoe whose cut card is out, after this coup."""
    return shown(
        counted(
            coups,
            "The cut card is out. {n} more coup after this one, then a new shoe.",
            "The cut card is out. {n} more coups after this one, then a new shoe.",
        )
    )


def pays(odds: str) -> str:
    """What a spot pays: `pays 19 to 20`."""
    return _("pays {odds}", odds=odds)


def odds(text: str) -> str:
    """Odds in words: `19 to 20` for `19:20`, or what is paid of a meter."""
    if METER in text:
        return of_meter(text)
    won, staked = text.split(":")
    return _("{won} to {staked}", won=won, staked=staked)


def short_odds(text: str) -> str:
    """The same where there is little room: `30` for `30:1`, `3:2` as it is."""
    return odds(text) if METER in text else text.removesuffix(":1")


def for_what(when: str, paid: str) -> str:
    """For what odds are paid: `by 9: 30`."""
    return _("{when}: {odds}", when=when, odds=paid)


def from_to(least: str, most: str) -> str:
    """The least and the most of a bet: `5–1,000`."""
    return f"{least}–{most}"


def rounding(smallest: str, *, of_chips: bool) -> str:
    """How a payment is rounded; `of_chips`: because the chips make no smaller amount."""
    if of_chips:
        return _(
            "A payment that is no multiple of {chip} is rounded up to the next one.", chip=smallest
        )
    return _("Payments are made to {chip}; a smaller part is not paid.", chip=smallest)


def of_meter(text: str) -> str:
    """What is paid of a meter: `the meter`, `10% of the meter`, `5 to 1 and the meter`."""
    beside, _plus, rest = text.partition(" + ")
    if rest:
        return _("{odds} and the meter", odds=odds(beside))
    part, _of, whole = text.partition(" of ")
    return _("{part} of the meter", part=part) if whole else _("the meter")


def net(amount_won: int, text: str) -> str:
    """What a coup brought the patron in all, as in `You won 9.50`."""
    if amount_won > 0:
        return _("You won {amount}.", amount=text)
    if amount_won < 0:
        return _("You lost {amount}.", amount=text)
    return _("You neither won nor lost.")


def back(stake: str, paid: str, name: str, why: str = "") -> str:
    """What came of a bet that was returned: `Banker 10.00: 10.00 back (tie: returned)`."""
    if why:
        return _(
            "{spot} {stake}: {paid} back ({why}: returned)",
            spot=name,
            stake=stake,
            paid=paid,
            why=why,
        )
    return _("{spot} {stake}: {paid} back", spot=name, stake=stake, paid=paid)


def lost(stake: str, name: str) -> str:
    """What came of a bet that lost: `Tie 1.00 loses`."""
    return _("{spot} {stake} loses", spot=name, stake=stake)


def won(stake: str, paid: str, name: str, at: str, *, is_share: bool = False) -> str:
    """What came of a bet that won: `Banker 10.00 wins 19 to 20: 19.50 back`."""
    how = odds(at)
    if is_share:
        return _(
            "{spot} {stake} wins {how}, its share of the most that is paid: {paid} back",
            spot=name,
            stake=stake,
            how=how,
            paid=paid,
        )
    return _("{spot} {stake} wins {how}: {paid} back", spot=name, stake=stake, how=how, paid=paid)


def void_before(coup: int, back: int, currency: str) -> str:
    """That the coup before was voided after it was paid, and how the balance changed by it."""
    words = N_("Coup {coup} was voided after it was paid: {amount} is back on your account.")
    if back < 0:
        words = N_("Coup {coup} was voided after it was paid: {amount} was taken off your account.")
    return _(words, coup=coup, amount=amount(abs(back), currency))
