"""A ledger whose record somebody with every right changes."""

from ops.ledger.chain import canonical_beginning
from ops.ledger.reading import read_events
from ops.ledger.seals import command_digest, event_digest, sealed, sealing_key
from ops.replay.readjudicate import walk
from ops.replay.shoes_of_range import Range


class TamperedLedger:
    """What is recorded rightly, until somebody changes a word."""

    def __init__(self, database, connection):
        self.database, self.run = database, connection.execute

    def change(self, topic, old, new, where="true"):
        """The first of these events that tells the old."""
        done = self.run(
            "UPDATE ledger.events SET state = "
            "convert_to(replace(convert_from(state, 'UTF8'), %s, %s), 'UTF8') WHERE position = ("
            " SELECT min(position) FROM ledger.events WHERE topic = %s"
            f" AND position(%s IN convert_from(state, 'UTF8')) > 0 AND {where})",
            (old, new, topic, old),
        )
        assert done.rowcount == 1

    def delete(self, topic, table):
        """The first event of a table of this kind."""
        done = self.run(
            "DELETE FROM ledger.events WHERE position = (SELECT min(position) FROM ledger.events"
            " WHERE topic = %s AND table_code = %s)",
            (topic, table),
        )
        assert done.rowcount == 1

    def walked(self, asked=Range()):  # noqa: B008  (frozen)
        return walk(self.database, asked)[1]

    def found(self):
        """Every line that disagrees."""
        return {
            (where, each.what): (each.recorded, each.adjudicated)
            for where, disagreements in self.walked().disagreeing
            for each in disagreements
        }


def seal_anew(superuser):
    """Seals every command again, as whoever has the pepper could."""
    key = sealing_key(anew=False)
    events = {}
    for each in read_events(superuser, after=0, limit=10_000):
        digest = event_digest(
            canonical_beginning(
                (each.gaming_day, each.table_code), (each.actor, each.command_id, each.metadata)
            ),
            each.originator_id, each.originator_version, each.topic, each.state,
        )  # fmt: skip
        events[each.command_id] = events.get(each.command_id, b"") + digest
    for of, *said in superuser.execute(
        "SELECT command_id, content, answer, sent_at FROM ledger.commands"
    ).fetchall():
        seal = sealed(key, command_digest(of, *said), events.get(of, b""))
        superuser.execute("UPDATE ledger.commands SET seal = %s WHERE command_id = %s", (seal, of))
