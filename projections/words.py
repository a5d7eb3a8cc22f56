"""What the columns of the reports mean, and how it is known that somebody agreed to a command."""

from collections.abc import Mapping
from typing import Any

from projections.model import Event, Report

# A name that means different things in different reports has the report's name before it.
WORDS = {
    "accrued": "commission to the last fraction, before it is rounded",
    "amount": "how much cash changed hands",
    "approved_proved": (
        "how it is known that they agreed: PIN typed; signed on; named, not proved; named in open "
        "house"
    ),
    "average_wager": "handle for each coup that was bet on, all spots together",
    "banker_winnings": "what Banker wagers won, of which the rate is commission",
    "before": "what it came to before",
    "after": "what it comes to now",
    "brought_forward": "commission still owed from an earlier shoe",
    "buy_in": "what the stay bought chips for",
    "cash_out": "cash paid to patrons at the table",
    "changes_hands": (
        "what all decisions of the case bring the patrons; less than 0: what they take from them"
    ),
    "charged": "commission as it was rounded, and is owed",
    "closer": "the chips in the tray when the table closes",
    "collected": "commission that was paid",
    "commission_charged": "commission as it was rounded",
    "commission_exact": "commission to the last fraction",
    "corrections": "changes of what had been charged or paid already",
    "coups": "coups of those days, or of that stay, stint or shoe",
    "coups_per_hour": "coups settled in an hour; nothing for a stint under ten minutes",
    "credits": "chips that went back to the cage",
    "deadlines": "until when the regulator and the patron must hear, and the patron may go on",
    "difference": "what ought to be there less what is: 0, or somebody must look",
    "drop": "what was counted in the box",
    "effect": "what each decision came to, in their order",
    "fills": "chips that came from the cage",
    "frozen_at": "the ledger's last position when the case was opened",
    "handle": "all that was staked, won or lost",
    "hands_per_hour": (
        "coups settled in an hour, from the first that opened to the last that was settled; "
        "nothing under ten minutes"
    ),
    "holds": "whether no further coup is dealt for its sake",
    "hold": "win for each unit of drop",
    "hours": "from the opener to the closer",
    "in_dispute": "as the patron says, or the most that their wagers may be paid",
    "level": "who must hear of the variance: none, report, regulator",
    "occupancy": "which part of the time that all seats were there somebody had them",
    "opener": "the chips in the tray when the table opens",
    "outside_95": (
        "whether the win is further from the theoretical win than 1.96 standard deviations, coup "
        "by coup"
    ),
    "outstanding": "commission that is still owed",
    "paid": "what the wager was paid in all, its stake included",
    "proved": "how each person is known to have signed, as under approved proved",
    "rate": "the commission for each unit won",
    "replay": "whether the record agreed with the rules when the case was opened, or where not",
    "rounding": "charged less accrued",
    "same_period_last_year": "the win of the same days a year before",
    "signed_proved": "the same of who signed",
    "stake": "what lay there",
    "theoretical_win": "what the house's edge comes to on all that was staked",
    "total": "the chips or the cash together",
    "total_in": "cash in of that patron and day so far",
    "total_out": "cash out of that patron and day so far",
    "variance": "the closer less what it should have been",
    "verified_proved": "the same of who counted along",
    "waived": "commission that was let go for a patron's sake",
    "walked": "commission that a patron left without paying",
    "win": "the house's: drop + closer + credits - opener - fills - cash out, once all are known",
    "win_high": "the most that the win may be and not be outside 95",
    "win_loss": "the patron's result, less commission: + is what the patron won",
    "win_low": "the least",
}


PIN_TYPED = "PIN typed"
SIGNED_ON = "signed on"
NAMED = "named, not proved"
NAMED_IN_OPEN_HOUSE = "named in open house"


def how_proved(staff: str | None, actor: str, metadata: Mapping[str, Any]) -> str | None:
    """How it is known that somebody agreed to a command; None for nobody.

    `actor`: whose command it is. `metadata`: what else the record has of that command.
    """
    if not staff:
        return None
    if metadata.get("house") == "open":
        return NAMED_IN_OPEN_HOUSE
    if metadata.get("proved") == "pin" and metadata.get("with") == staff:
        return PIN_TYPED
    return SIGNED_ON if staff == actor and "device" not in metadata else NAMED


def proof_in(event: Event, staff: str | None) -> str | None:
    """How it is known that somebody agreed to the command of this event; None for nobody."""
    return how_proved(staff, event.actor, event.metadata)


def with_proof(staff: str, proved: str | None) -> str:
    """Somebody, with how that is known: `S-11 (PIN typed)`."""
    return f"{staff} ({proved})" if staff and proved else staff


def words_of(report: Report) -> dict[str, str]:
    """Those of the report's columns that are explained, in its order."""
    return {name: WORDS[name] for name in report.columns if name in WORDS}
