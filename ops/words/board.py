"""The words of the board: its head, its columns, what is due, why a table needs somebody."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime

from domain.rules.wording import N_, Words, counted, listed, worded
from ops.words import show
from ops.words.language import _, day, minute, number, shown

UNKNOWN = "·"

# The columns; a second title is for wide screens.
TABLE = worded("column of the board", "table")
RULES = worded("column of the board: the rule set", "rules")
LIMITS = worded("column of the board", "limits")
SEATS = worded("column of the board: seats taken, of all", "seats")
COUP = worded("column of the board: number of the shoe and the coup", "coup")
SHOE_AND_COUP = worded("column of the board", "shoe/coup")
LEFT = worded("column of the board: cards left in the shoe", "left")
HANDS = worded("column of the board: hands an hour, three letters", "h/h")
HANDS_AN_HOUR = worded("column of the board", "hands/h")
IDLE = worded("column of the board: minutes without a coup", "idle")
DROP = worded("column of the board: the drop", "drop")
WIN = worded("column of the board: the house's win", "win")
WIN_ESTIMATED = worded("column of the board: the house's win, estimated", "win est.")
TRAY = worded("column of the board: what the tray should hold", "tray")
OWED = worded("column of the board: commission owed", "owed")
DEALER = worded("column of the board", "dealer")
PEOPLE = worded("column of the board: dealer and supervisor", "dealer · superv.")
NEXT = worded("column of the board: what is due", "next")
METERS = worded("line of the board: what the bets on a spot may win of all bets on it", "meters")

# What is due at a table, by the name of the command, in few letters.
DUE: Mapping[str, str] = {
    "shoe.load": N_("load the shoe"),
    "shoe.inspect": N_("inspect"),
    "shoe.shuffle": N_("shuffle"),
    "shoe.cut": N_("cut the shoe"),
    "shoe.burn": N_("burn"),
    "shoe.end": N_("end the shoe"),
    "commission.collect": N_("collect"),
    "dispute.decide": N_("decide a case"),
    "table.unlock": N_("unlock"),
    "open": N_("open a coup"),
    "bet": N_("bets"),
    "no-more-bets": N_("no more bets"),
    "settle": N_("settle"),
    "void": N_("void"),
}
# The same for a hand.
DUE_OF_A_HAND: Mapping[tuple[str, str], str] = {
    ("draw", "player"): N_("card: Player"),
    ("draw", "banker"): N_("card: Banker"),
    ("reveal", "player"): N_("turn: Player"),
    ("reveal", "banker"): N_("turn: Banker"),
}


def verified(position: int, events: int, ended: datetime | None) -> str:
    """How far the record is verified, and when the last whole round ended."""
    so_far = {"position": number(position), "events": number(events)}
    if ended is None:
        return _("Record: {position} of {events} events verified, in the first round.", **so_far)
    return _(
        "Record: {position} of {events} events verified; last whole round {at}.",
        at=minute(ended),
        **so_far,
    )


def due_words(action: str | None, hand: str | None = None) -> str:
    """The words for what is due at a table, or a dot if nothing is."""
    if action is None:
        return UNKNOWN
    template = DUE_OF_A_HAND.get((action, hand or "")) or DUE.get(action)
    return _(template) if template else action.replace(".", " ")


def head_parts(
    at: datetime,
    gaming_day: str,
    *,
    tables: tuple[int, int],
    only: str | None,
    patrons: int,
    win: int,
    estimated: bool,
    currency: str,
    wide: bool,
) -> Iterator[str]:
    """The parts of the head: time and totals; `tables`: how many are open, of how many."""
    yield f"{day(date.fromisoformat(gaming_day))} · {at:%H:%M}"
    is_open, placed = tables
    opened = number(is_open)
    if only:
        yield _("only {table}", table=only)
    elif wide:
        yield shown(
            counted(placed, "{open} of {n} table open", "{open} of {n} tables open", open=opened)
        )
    else:
        yield shown(counted(placed, "{open} of {n} table", "{open} of {n} tables", open=opened))
    yield shown(counted(patrons, "{n} patron", "{n} patrons"))
    (amount_won,) = show.whole([win], currency, signed=True)
    if wide and estimated:
        yield _("win est. {amount} {currency}", amount=amount_won, currency=currency)
    else:
        yield _("win {amount} {currency}", amount=amount_won, currency=currency)


def reasons(
    held_by: Sequence[str],
    *,
    near_cut_card: bool,
    coups_to_cut_card: int | None,
    last_coup: int | None,
    owing: int,
) -> str:
    """The sentences for why a table needs a person soon, or '' if it needs nobody."""
    some: list[Words] = []
    if held_by:
        some.append(Words("No further coup: {cases} must be decided first.", cases=listed(held_by)))
    if near_cut_card:
        some.append(_cut_card(coups_to_cut_card, last_coup))
    if near_cut_card and owing:
        some.append(counted(owing, "{n} patron owes commission.", "{n} patrons owe commission."))
    return " ".join(map(shown, some))


def _cut_card(coups: int | None, last_coup: int | None) -> Words:
    """The words for the coups up to the cut card, or for None: it has shown."""
    if coups is None:
        return Words("The cut card shows: coup {coup} is the last.", coup=last_coup)
    if not coups:
        return Words("The cut card is due now.")
    return counted(
        coups,
        "The cut card comes in about {n} coup.",
        "The cut card comes in about {n} coups.",
    )


def closed_word() -> str:
    """The word for a closed table, where others have what is due."""
    return _("closed")


def not_open(table: str | None) -> str:
    """The words instead of tables, when the table or no table at all is open."""
    return _("{table} is not open.", table=table) if table else _("No table is open.")


def more_words(many: int) -> str:
    """The words for alerts that have no room."""
    return shown(
        counted(
            many,
            "… and {n} more: `sabot report alerts`",
            "… and {n} more: `sabot report alerts`",
        )
    )


def and_more(many: int) -> str:
    """How many more of a list have no room."""
    return shown(counted(many, "and {n} more", "and {n} more"))


def acknowledge_words() -> str:
    """The words for how to acknowledge an alert at a shell."""
    return _("To acknowledge one: `sabot alert acknowledge ALERT`")


def leaving() -> str:
    """How to leave the board."""
    return _("Ctrl-C leaves.")


def trying_again() -> str:
    """The words while the ledger cannot be reached."""
    return _("Trying again every second.")


def as_of(at: datetime) -> str:
    """The words above the last board, while the ledger cannot be reached."""
    return _("The board at {time}:", time=f"{at:%H:%M:%S}")


def count_or_dot(value: int | None) -> str:
    """A number, or a dot if it is not known."""
    return UNKNOWN if value is None else number(value)
