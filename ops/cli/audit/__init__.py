"""`sabot audit`: checks of the record."""

from ops.cli.lazy import LazyGroup

audit = LazyGroup(
    "audit",
    "ops.cli.audit",
    (
        *("adjudicate", "again", "checkpoint", "export", "key", "program", "prove", "restored"),
        *("shoe", "verify"),
    ),
    help="Check the record: its chain of events, the cards of a shoe, every coup.",
)
