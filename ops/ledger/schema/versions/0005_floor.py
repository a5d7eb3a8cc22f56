"""What the floor reports: table win, inventories, slips, cash, access, who an alias was."""

from ops.ledger.schema import run_sql

revision = "0005_floor"
down_revision = "0004_people"


def upgrade() -> None:
    """Runs the SQL file of the same name."""
    run_sql(revision)
