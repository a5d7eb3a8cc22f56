"""Names that look the same as others: asked about once, refused for the barred, and remembered.

Which names look the same is decided here, once; the events say what was answered, so that no
newer table of look-alikes changes a replay.
"""

from domain.aggregates.patron import Patron
from domain.aggregates.table_day import TableDay
from domain.rules.addresses import TableDay as Address
from domain.rules.likeness import alike
from domain.rules.refusals import BadValue, ConfirmationNeeded, NotFound, PatronBarred
from domain.rules.wording import Words
from ops.handlers.desk import Desk
from ops.handlers.known_names import not_here
from ops.reports.names import KnownName, names_like
from ops.words.event_values import separated


def patron_of(desk: Desk, name: str) -> Patron:
    """The record of a name, begun if the house never recorded anything about it."""
    desk.house()  # its clock gives the gaming day of a patron's first event
    known = desk.casino.find(Patron, Patron.stream(name))
    return known or desk.casino.make(Patron.know(name, desk.casino.moment))


def take_name(
    desk: Desk, name: str, *, confirmed: bool, same: str = "", here: TableDay | None = None
) -> None:
    """Takes a patron's name as it is typed; one that looks like another's is asked about once.

    `confirmed`: it is somebody else, and that is remembered. `same`: a name of the same
    patron from now on. `here`: the table where they sit down. Refuses: ConfirmationNeeded.
    """
    undecided = [
        each
        for each in _others_like(desk, name, here)
        if not (same and desk.names.same(each.name, same))
    ]
    if undecided and not confirmed:
        raise ConfirmationNeeded(
            so=Words(
                "{standing}, and {patron} looks the same. If this is the same person, use "
                "{other}; if not, {patron} is somebody else",
                standing=separated(_standing(desk, each) for each in undecided),
                patron=name,
                other=undecided[0].name,
            )
        )
    for each in undecided:
        patron_of(desk, name).tell_apart(each.name)


def require_not_like_barred(desk: Desk, name: str) -> None:
    """Refuses a name that looks like a barred patron's, unless they were told apart: PatronBarred.

    Whoever sits down with it cannot answer that; a pit boss can.
    """
    for other in _others_like(desk, name):
        if (known := desk.names.record(other.name)) and known.barred:
            raise PatronBarred(
                message=Words(
                    "{other} may not play, and {patron} looks the same. Call the supervisor, and "
                    "do not take the bet; if it is somebody else, two people say so with "
                    "`patron tell-apart`.",
                    other=other.name,
                    patron=name,
                )
            )


def tell_apart(desk: Desk, name: str, other: str, reason: str) -> None:
    """Records that two names that look the same are two patrons'. Refuses: BadValue."""
    if not alike(name, other) or name == other:
        words = Words("{name} and {other} do not look the same.", name=name, other=other)
        raise BadValue(message=words)
    if desk.names.same(name, other):
        raise BadValue(
            message=Words(
                "{name} and {other} are the same patron on record. End that first, with "
                "`patron separate`.",
                name=name,
                other=other,
            )
        )
    if _are_apart(desk, name, other):
        words = Words("{name} is somebody else than {other} already.", name=name, other=other)
        raise BadValue(message=words)
    patron_of(desk, name).tell_apart(other, reason)


def require_as_recorded(desk: Desk, name: str) -> None:
    """Refuses a name that nothing is recorded about, if another looks the same: NotFound."""
    if desk.casino.find(Patron, Patron.stream(name)) is None:
        for other in _others_like(desk, name):
            raise not_here(name, [other.name], Words("{name} is not on record.", name=name))


def require_known(desk: Desk, name: str) -> None:
    """Refuses a name that nobody was ever here under, and writes nothing about it: NotFound."""
    require_as_recorded(desk, name)
    with desk.casino.ledger.connection() as connection:
        if name not in names_like(connection, name):
            raise NotFound(what=Words("patron {patron}", patron=name))


def _others_like(desk: Desk, name: str, here: TableDay | None = None) -> list[KnownName]:
    """The names of other patrons that look the same and were not told apart from this one.

    Those of a table with this line's own patrons, who are not on record yet.
    """
    with desk.casino.ledger.connection() as connection:
        known = names_like(connection, name)
    if here:
        seated = {stay.patron for stay in here.seats.values() if alike(stay.patron, name)}
        known |= {each: KnownName(each, here.address.table, here.address.day) for each in seated}
    return [
        each
        for other, each in known.items()
        if other != name and not desk.names.same(name, other) and not _are_apart(desk, name, other)
    ]


def _are_apart(desk: Desk, name: str, other: str) -> bool:
    """Whether somebody said that these two are two patrons, whichever was named first."""
    for one, two in ((name, other), (other, name)):
        known = desk.casino.find(Patron, Patron.stream(one))
        if known and two in known.apart:
            return True
    return False


def _standing(desk: Desk, known: KnownName) -> Words:
    """Where a name was last, as the question says it."""
    if known.day is None:
        return Words("{name} is on record", name=known.name)
    stream = TableDay.stream(Address(known.table, known.day))
    day = desk.casino.find(TableDay, stream, rely=False)
    if day and not day.closed and any(stay.patron == known.name for stay in day.seats.values()):
        return Words("{name} sits at {table}", name=known.name, table=known.table)
    return Words(
        "{name} sat at {table} on {day}",
        name=known.name,
        table=known.table,
        day=known.day.isoformat(),
    )
