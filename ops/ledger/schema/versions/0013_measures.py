"""What the business is measured by: master, ratings, dealers, measures."""

from ops.ledger.schema import run_sql

revision = "0013_measures"
down_revision = "0012_board"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
