"""What stands beside the cards on pages: meters, late bets, and chips that are on their way."""

from domain.rules.wording import either
from ops.now.table_now import TableNow
from ops.words import cloth, coups
from ops.words.language import _, amount, shown
from ops.words.slips import slip_words


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


def slips_of(now: TableNow | None) -> list[tuple[str, str]]:
    """The number of each fill and credit under way, and how far it is."""
    slips = now.slips.items() if now else ()
    return [
        (serial, shown(slip_words(serial, each, now.currency))) for serial, each in slips if now
    ]
