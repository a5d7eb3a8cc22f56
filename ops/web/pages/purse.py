"""What a place at an electronic table has: its balance, and play money for who has none left."""

from ops.handlers.answer import Answer
from ops.now.follow import Follower
from ops.now.table_now import SeatNow, TableNow
from ops.web.callers import Caller
from ops.web.house import House
from ops.web.pages.render import part
from ops.words import cloth
from ops.words.language import amount, shown


def drawn(now: TableNow, mine: SeatNow | None, play_money: int) -> str:
    """The part of the page with the balance, and what to do where it is too little for a bet."""
    return part(
        "play_parts.html",
        "money",
        now=now,
        mine=mine,
        staked=_staked(now, mine),
        why=_too_little(now, mine, play_money),
        offers=amount(play_money, now.currency, short=True)
        if play_money and mine and is_broke(now, mine)
        else "",
    )


def is_broke(now: TableNow, mine: SeatNow) -> bool:
    """Whether a place has too little for any bet, and nothing that may still win."""
    return mine.balance is not None and mine.balance < _least(now) and not _staked(now, mine)


def _least(now: TableNow) -> int:
    """The least that may be bet on any spot."""
    return min((least for least, _ in now.limits.values()), default=1)


def _staked(now: TableNow, mine: SeatNow | None) -> int:
    """What lies on the cloth: also while a result is shown that is not paid yet."""
    if mine is None or now.coup is None or now.coup.over:
        return 0
    return sum(each.stake for each in mine.wagers)


def _too_little(now: TableNow, mine: SeatNow | None, play_money: int) -> str:
    """Why this place cannot bet; '' if it can."""
    if mine is None or mine.balance is None:
        return shown(cloth.NO_SEAT)
    if not is_broke(now, mine):
        return ""
    if play_money:
        return shown(cloth.NOTHING_LEFT)
    if not mine.balance:
        return shown(cloth.NO_MONEY)
    return cloth.less_than(amount(_least(now), now.currency))


def paid_in(house: House, caller: Caller, table: str, seat: int) -> Answer | None:
    """Pays play money in for who has too little for a bet; None: they have enough, or sit nowhere.

    Two requests at once are for `Desk.turn` to keep apart.
    """
    with house.database.session("sabot_auditor") as connection:
        now = Follower(connection, table).now
    mine = now.seat(seat)
    if not house.play_money or mine is None or not is_broke(now, mine):
        return None
    line = {"command": "account.pay-in", "table": table, "seat": seat, "amount": house.play_money}
    return house.lines.answer(caller, line)
