"""What stands beside the cards on pages: meters, and the bets after the first four cards."""

from domain.rules.wording import either
from ops.now.table_now import TableNow
from ops.words import cloth, coups
from ops.words.language import _, amount, shown


def meters_of(now: TableNow | None) -> list[tuple[str, str]]:
    """Each spot with a meter, and what is in it (R-PROG-1)."""
    inside = now.meters.items() if now else ()
    return [(coups.spot_name(spot), amount(each, now.currency)) for spot, each in inside if now]


def offers_of(now: TableNow | None) -> list[str]:
    """The bets that are taken after these four cards, each with its odds (R-BET-8)."""
    offers = now.coup.offers if now and now.coup else ()
    return [
        _(
            "{spot} pays {odds}",
            spot=coups.spot_name(each.spot),
            odds=shown(either([cloth.odds(odds) for odds in each.odds])),
        )
        if each.odds
        else coups.spot_name(each.spot)
        for each in offers
    ]
