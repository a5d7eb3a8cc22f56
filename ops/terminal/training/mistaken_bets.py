"""Mistakes of patrons: wagers that may not be placed, and chips that move too late."""

from msgspec.structs import replace

from domain.rules.spots import OPPOSITE, THE_TRADES
from ops.terminal.training.moments import Fault, Wager
from ops.terminal.training.scene import Moments, Scene
from ops.words import show


# What patrons try while bets are open (R-BET-1 to 3).
def _try_wager(scene: Scene, kind: str, wager: Wager, rule: str, right: str) -> Moments:
    fault = Fault(kind, rule, right)
    return scene.with_moment(scene.betting, replace(scene.betting, tried=wager, fault=fault))


def _on_idle_seat(scene: Scene, kind: str, spot: str, stake: int, right: str) -> Moments | None:
    if not scene.idle:
        return None
    wager = Wager(scene.random.choice(scene.idle), spot, stake)
    return _try_wager(scene, kind, wager, "R-BET-3", right)


def _main(scene: Scene) -> str:
    return scene.random.choice(("player", "banker"))


def under_minimum(scene: Scene, kind: str) -> Moments | None:
    """A main wager under the table's minimum."""
    least, step = scene.rules.main.minimum, scene.rules.increment
    if least <= step:
        return None
    stake = scene.random.randrange(step, least, step)
    right = f"{scene.amount(stake)} is under the minimum of {scene.amount(least)}"
    return _on_idle_seat(scene, kind, _main(scene), stake, right)


def over_maximum(scene: Scene, kind: str) -> Moments | None:
    """A main wager over the table's maximum."""
    most, step = scene.rules.main.maximum, scene.rules.increment
    stake = most + step * scene.random.randint(1, 20)
    right = f"{scene.amount(stake)} is over the maximum of {scene.amount(most)}"
    return _on_idle_seat(scene, kind, _main(scene), stake, right)


def no_increment(scene: Scene, kind: str) -> Moments | None:
    """A wager that is not a multiple of the table's increment."""
    least, step = scene.rules.main.minimum, scene.rules.increment
    stake = least + step * scene.random.randint(1, 20) + step // 2
    right = f"{scene.amount(stake)} is not a multiple of {scene.amount(step)}"
    return _on_idle_seat(scene, kind, _main(scene), stake, right)


def tie_alone(scene: Scene, kind: str) -> Moments | None:
    """A Tie without a main wager, under the table's minimum."""
    if "tie" not in scene.rules.spots:
        return None
    least, table = scene.rules.limit("tie").minimum, scene.rules.main.minimum
    step = scene.rules.increment
    first = -(-least // step) * step
    if first >= table:
        return None
    stake = scene.random.randrange(first, table, step)
    right = f"without a Player or Banker bet, a Tie must be {scene.amount(table)} or more"
    return _on_idle_seat(scene, kind, "tie", stake, right)


def both_sides(scene: Scene, kind: str) -> Moments | None:
    """Player and Banker at one seat."""
    main = [each for each in scene.betting.wagers if each.spot in OPPOSITE]
    if not main:
        return None
    placed = scene.random.choice(main)
    wager = Wager(placed.seat, OPPOSITE[placed.spot], placed.stake)
    right = f"seat {placed.seat} may have Player or Banker, not both"
    return _try_wager(scene, kind, wager, "R-BET-1", right)


def not_offered(scene: Scene, kind: str) -> Moments | None:
    """A spot that is not on this layout."""
    others = [spot for spot in THE_TRADES[2:7] if spot not in scene.rules.spots]
    if not others or not scene.idle:
        return None
    spot = scene.random.choice(others)
    wager = Wager(scene.random.choice(scene.idle), spot, scene.rules.main.minimum)
    right = f"this table has no {show.spot_called(spot)}"
    return _try_wager(scene, kind, wager, "R-BET-2", right)


# What patrons try after the first card (R-DEAL-2).
_TOO_LATE = "the first card is out: no wager may be placed, moved or taken back"


def _too_late(scene: Scene, kind: str, wager: Wager) -> Moments:
    after = scene.random.choice([*scene.dealings, scene.paying])
    return scene.with_moment(
        after, replace(after, late=wager, fault=Fault(kind, "R-DEAL-2", _TOO_LATE))
    )


def late_bet(scene: Scene, kind: str) -> Moments | None:
    """Chips that come after the first card."""
    if not scene.idle:
        return None
    wager = Wager(scene.random.choice(scene.idle), _main(scene), scene.rules.main.minimum)
    return _too_late(scene, kind, wager)


def late_withdrawal(scene: Scene, kind: str) -> Moments | None:
    """Chips that go after the first card."""
    placed = scene.random.choice(scene.betting.wagers)
    return _too_late(scene, kind, replace(placed, back=True))
