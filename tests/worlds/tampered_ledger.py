"""A ledger whose record somebody with every right changes."""

from ops.replay.readjudicate import Range, walk


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
