"""Whether a coup takes bets: before its first card, and after the first four (R-BET-8).

Nothing here changes the coup.
"""

from datetime import datetime

from domain.events import coup as events
from domain.rules import refusals
from domain.rules.house_rules import HouseRules, of
from domain.rules.spots import spot_label
from domain.rules.wording import listed


class SecondBets(events.State):
    """The two times at which bets are taken."""

    @property
    def rules(self) -> HouseRules:
        """The rule set by which this coup is dealt and paid."""
        return of(self.rules_name, self.rules_digest)

    @property
    def over(self) -> bool:
        """Whether the coup is settled, void or left unused: nothing more is dealt or paid."""
        return self.phase in events.OVER

    def takes(self, spot: str) -> bool:
        """Whether bets on a spot are taken now (R-DEAL-2, R-BET-8)."""
        if spot in self.rules.after_four:
            return self.takes_second_bets and spot in self.offered
        return self.phase == "betting"

    def took(self, spot: str, moment: datetime) -> bool:
        """Whether bets on a spot were taken at this moment of the coup."""
        if spot not in self.rules.after_four:
            return self.first_card_at is None or moment < self.first_card_at
        opened, ended = self.second_opened_at, self.third_card_at
        began = opened is not None and opened <= moment and spot in self.offered
        return began and (ended is None or moment < ended)

    @property
    def takes_second_bets(self) -> bool:
        """Whether bets are taken after the first four cards, and no other is dealt (R-BET-8)."""
        return self.second == "open" and self.phase == "dealing" and not self.irregular

    @property
    def why_second_bets_stay_open(self) -> refusals.Refusal | None:
        """Why the bets after the first four cards cannot be closed; None if they can."""
        for broken in self.layout.not_taken(self.rules):
            if broken.wager and self.takes(broken.wager.spot):
                return broken.refusal
        return None

    def require_second_bets_closed(self) -> None:
        """Refuses a third card while bets are taken: BetsStillOpen."""
        if self.takes_second_bets:
            raise refusals.BetsStillOpen(spots=listed(map(spot_label, self.offered)))
