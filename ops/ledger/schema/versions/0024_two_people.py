"""How a second person is proved is read in reports; a recovery secret is kept as its digest."""

from ops.ledger.schema import run_sql

revision = "0024_two_people"
down_revision = "0023_locks"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
