"""Cases for analysts, as the other views are."""

from ops.ledger.schema import run_sql

revision = "0017_analysis_disputes"
down_revision = "0016_disputes"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
