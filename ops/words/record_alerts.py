"""Alerts about the record: what of it this program cannot read."""

from domain.rules.wording import Number, Words


def unreadable_words(table: str, position: int) -> Words:
    """The words for a table's record that cannot be read."""
    return Words(
        "{table}: the event at position {position} cannot be read. Somebody has altered it.",
        table=table,
        position=Number(position),
    )


def unknown_words(table: str, topic: str) -> Words:
    """The words for a table where a newer program recorded what this one does not know."""
    return Words(
        "{table}: a newer Sabot recorded {topic}, which this one does not know. Upgrade this "
        "program.",
        table=table,
        topic=topic,
    )


def stopped_words(projection: str, why: str) -> Words:
    """The words for a projection that stopped at an event that it cannot read."""
    return Words("{projection} stopped: {why}", projection=projection, why=why)
