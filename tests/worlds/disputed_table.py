"""A table of which patrons say that a coup was wrong."""

from tests.worlds.gaming_table import DAY, GamingTable

COUP, NEXT = f"B01/{DAY}/1/1", f"B01/{DAY}/1/2"
FIRST, SECOND = "C-2026-0001", "C-2026-0002"
TWO = {"with": "PB-2"}
SAYS = {"coup": COUP, "patron": "P-10417", "complaint": "I was not paid"}
STAND = {"case": FIRST, "decision": "stand", "reason": "the camera", **TWO}
VOID = {**STAND, "decision": "void"}
CORRECT = {**STAND, "decision": "correct", "seat": 3, "spot": "banker"}


class DisputedTable(GamingTable):
    """A table, and patrons who complain."""

    def claims(self, **fields):
        """A patron says something of the first coup."""
        return self.say("dispute.open", **{**SAYS, **fields}).body
