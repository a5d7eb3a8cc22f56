"""The alerts that there are, as who may learn of all of them reads them."""

from ops.commands.rights import OF_OPEN_HOUSE, read_by
from ops.reports.ask import ask
from projections import REPORTS


def alerts_of(database, kind):
    """The rows of the report of alerts of a kind."""
    with read_by(OF_OPEN_HOUSE):
        rows = ask(database, REPORTS["alerts"]).rows
    return [row for row in rows if row["kind"] == kind]
