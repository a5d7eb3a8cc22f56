"""What is open on the board after a restore, and what two people say about it."""

from ops.reports.ask import ask
from projections import REPORTS

TWO = {"by": "A-1", "with": "S-11", "reason": "the disk failed"}


def alerts(database):
    """The kinds of alerts that are open."""
    ask(database, REPORTS["alerts"])
    with database.session("sabot_auditor") as connection:
        rows = connection.execute(
            "SELECT kind FROM alerts WHERE acknowledged_at IS NULL AND ended_at IS NULL"
        )
        return [kind for (kind,) in rows]
