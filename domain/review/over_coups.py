"""The bets of a coup that go on, beside what its cards make of them (R-BET-9)."""

from collections.abc import Iterator
from typing import Any

from domain.review.replay import Disagreement, Line, Replay
from domain.review.stood import Stood
from domain.rules.over_coups import Score, judge_coups, line_at_end, score_with
from domain.rules.settlement import pay_by

Differs = tuple[str, object, object]  # what, as recorded, as it follows from the cards


def bets_over_coups_differ(replay: Replay) -> Iterator[Disagreement]:
    """Bets that went on although they were decided, or the other way; counts that do not follow."""
    for line in replay.undecided:
        yield from (Disagreement(*each) for each in _undecided(replay, line))
    over = [each.event for each in replay.payments if each.event.spot in replay.rules.over_coups]
    for event in over:
        stood = replay.stood[replay.settled.position] if replay.settled else Stood.now(replay.state)
        if stood.result and _now(replay, event, stood) is not None:
            what = f"seat {event.seat} {event.spot}"
            yield Disagreement(what, "settled", "not decided yet")
    for line in replay.ran_out:
        yield from (Disagreement(*each) for each in _ran_out(replay, line))


def _undecided(replay: Replay, line: Line) -> Iterator[Differs]:
    event, stood = line.event, replay.stood[line.position]
    what, place = f"seat {event.seat} {event.spot}", (event.seat, event.spot)
    run = stood.runs.get(place)
    now = _now(replay, event, stood)
    if now is None:
        yield what, "not decided yet", "decided"
        return
    pairs = (
        ("stake", event.stake, stood.stakes.get(place)),
        ("placed in", event.placed_in, run.placed_in if run else replay.state.address.number),
        ("counted", _text(event.score), _text(now)),
    )
    yield from ((f"{what}: {name}", was, rightly) for name, was, rightly in pairs if was != rightly)


def _now(replay: Replay, event: Any, stood: Stood) -> Score | None:
    """How a bet is doing after the coup; None if the coup decides it."""
    over = replay.rules.over_coups.get(event.spot)
    run = stood.runs.get((event.seat, event.spot))
    before = run.before if run else Score()
    if over is None:
        return None
    if replay.state.dummy or stood.result is None or _was_void(replay):
        return before
    now = score_with(over, stood.result, run)
    return None if judge_coups(over, replay.rules.spots[event.spot].pays, now) else now


def _was_void(replay: Replay) -> bool:
    """Whether the coup was voided before it was settled, so that it does not count."""
    return replay.voided is not None and replay.settled is None


def _ran_out(replay: Replay, line: Line) -> Iterator[Differs]:
    """The fields in which what the shoe's end made of a bet is another than the terms say."""
    event, stood = line.event, replay.stood[line.position]
    what, place = f"seat {event.seat} {event.spot}", (event.seat, event.spot)
    over, run = replay.rules.over_coups.get(event.spot), stood.runs.get(place)
    if over is None or run is None:
        yield what, "ran out", "no bet on several coups"
        return
    decided = line_at_end(over, replay.rules.spots[event.spot].pays, run.before)
    payment = pay_by(decided, replay.rules, event.spot, event.stake)
    fields = {"stake": stood.stakes.get(place), **payment.as_recorded()}
    for name, rightly in fields.items():
        if getattr(event, name) != rightly:
            yield f"{what}: {name}", getattr(event, name), rightly


def _text(now: Score) -> list[int]:
    """The coups counted, those won, and those won in a row."""
    return [now.counted, now.won, now.in_a_row]
