"""`sabot dispute`: what a patron says of a coup, how it was decided, and what followed."""

from ops.cli.speak import noun

dispute = noun("dispute", "What a patron says of a coup, until it is settled (R-IRR-5).")
