"""Which wager of a seat is its Banker win: one may be paid as if it had lain elsewhere."""

from ops.ledger.schema import run_sql

revision = "0018_paid_as"
down_revision = "0017_analysis_disputes"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
