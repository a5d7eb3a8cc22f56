"""Rests after play (R-PLAY-4), against a model that goes minute by minute."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.rules.play_time import NOTICE, AtMost, Rest, Sitting

BEGINS = datetime(2026, 11, 21, 20, tzinfo=UTC)
RULES = [  # minutes: after, within, rest
    (180, None, 15),
    (720, 1440, 1440),
    (2160, 10_080, None),
    (20, 60, 30),
    (20, 60, None),
    (20, None, 60),
    (1, 2, 3),
]


def at(minute):
    return BEGINS + timedelta(minutes=minute)


def rule(after, within, rest):
    times = {"after": after, "within": within, "rest": rest}
    texts = {name: f"{minutes} minutes" for name, minutes in times.items() if minutes}
    return Rest(**texts, source="")


def is_due(played, after, within, rest, now):
    """Whether a rest is due at a minute, going forward minute by minute."""
    counts, away, reached = [], 0, False
    for minute in range(now):
        if minute in played:
            counts, away = [*counts, minute], 0
        else:
            away += 1
        if rest and away == rest:
            counts, reached = [], False
        so_far = [each for each in counts if not within or minute + 1 - each <= within]
        reached = (bool(rest) and reached) or len(so_far) >= after
    return reached


def sittings(spans):
    return [Sitting(at(begun), None if long is None else at(begun + long)) for begun, long in spans]


def minutes_of(spans, now):
    ends = ((begun, now if long is None else begun + long) for begun, long in spans)
    return {minute for begun, end in ends for minute in range(begun, min(end, now))}


SPANS = st.lists(
    st.tuples(st.integers(0, 200), st.one_of(st.none(), st.integers(0, 60))), max_size=8
)


@pytest.mark.parametrize("stated", [each for each in RULES if each[0] <= 20], ids=str)
@given(spans=SPANS, now=st.integers(0, 260))
@example(spans=[(0, 20)], now=75)
@example(spans=[(0, 30), (40, 10)], now=60)
def test_r_play_4_a_rest_is_due_and_ends_as_a_model_says(stated, spans, now):
    played, rest = minutes_of(spans, now), rule(*stated)
    ends = rest.ends(sittings(spans), at(now))

    assert (ends is not None) == is_due(played, *stated, now)
    if ends is not None:
        last = (ends - BEGINS) // timedelta(minutes=1)
        assert is_due(played, *stated, last - 1)
        assert not is_due(played, *stated, last + 1)


@pytest.mark.parametrize("stated", RULES, ids=str)
def test_r_play_4_who_plays_on_is_paused_at_the_minute_and_noticed_before(stated):
    after, _, _ = stated
    rest, sat = rule(*stated), [Sitting(BEGINS, None)]

    assert rest.ends(sat, at(after) - timedelta(seconds=1)) is None
    assert rest.ends(sat, at(after))
    near = min(after, NOTICE // timedelta(minutes=1))
    assert rest.minutes_left(sat, at(after - near)) == near
    if after > near:
        assert rest.minutes_left(sat, at(after - near) - timedelta(minutes=1)) is None
    assert rest.minutes_left(sat, at(after)) is None


@given(spans=SPANS, now=st.integers(0, 260), since=st.integers(0, 100), most=st.integers(1, 90))
def test_r_play_1_a_limit_of_time_counts_the_minutes_between_its_moments(spans, now, since, most):
    limit = AtMost(most, at(since), at(300))
    left = most - len([each for each in minutes_of(spans, now) if each >= since])

    assert limit.ends(sittings(spans), at(now)) == (at(300) if left <= 0 else None)
    assert limit.minutes_left(sittings(spans), at(now)) == (left if 0 < left <= 15 else None)


def test_r_play_4_two_tables_at_once_count_once():
    both = [Sitting(at(0), at(100)), Sitting(at(50), at(150)), Sitting(at(60), at(70))]
    rest = Rest(after="150 minutes", rest="1 hour", source="")

    assert rest.ends(both, at(150)) == at(210)
    assert rest.ends(both, at(149)) is None


def test_r_play_4_the_rest_of_a_day_lasts_a_day_though_the_play_is_further_back():
    rest = Rest(after="12 hours", within="24 hours", rest="24 hours", source="")
    sat = [Sitting(at(0), at(12 * 60))]

    assert rest.ends(sat, at(35 * 60)) == at(36 * 60)
    assert rest.ends(sat, at(36 * 60)) is None


@pytest.mark.parametrize("stated", [each for each in RULES if each[0] <= 20], ids=str)
@given(spans=SPANS, now=st.integers(0, 260))
@example(spans=[(0, 30), (40, 10)], now=60)
def test_r_play_4_since_when_a_rest_is_due_is_as_a_model_says(stated, spans, now):
    played = minutes_of(spans, now)
    due = (rule(*stated).due_at(sittings(spans), at(now)) - BEGINS) // timedelta(minutes=1)

    assert (due <= now) == is_due(played, *stated, now)
    if due <= now:
        assert is_due(played, *stated, due)
        _, within, _ = stated
        assert within or not is_due(played, *stated, due - 1)
