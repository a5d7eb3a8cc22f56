"""Every act that a dealer may type, as hypothesis makes it up."""

from hypothesis import strategies as st

from domain.aggregates.shoe import DISPOSITIONS
from domain.rules.cards import DECK
from ops.typed.acts import (
    Bets,
    Cards,
    Collect,
    ColourChange,
    Correct,
    Drawn,
    Group,
    Help,
    Late,
    LetGo,
    Limits,
    Misdraw,
    NoMoreBets,
    Objection,
    Reveal,
    Settle,
    Spoken,
    TakeBack,
    Undo,
    Void,
    Wager,
    WhatTray,
    WhoOwes,
    spots_by_key,
)
from ops.typed.spoken import SPOKEN

SPOTS = st.sampled_from(sorted(spots_by_key().values()))
SEATS = st.lists(st.integers(0, 20), min_size=1, max_size=7, unique=True).map(tuple)
AMOUNTS = st.integers(1, 10**8).map(str) | st.decimals(
    "0.01", 99_999, places=2, allow_nan=False
).map("{:.2f}".format)
TEXTS = (
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)
    .filter(lambda text: not set("\"'") & set(text))
)  # fmt: skip
# Every blank is a plain one as soon as a line is read.
IN_QUOTES = st.characters(exclude_categories=["C", "Z"], include_characters=" ")
REASONS = st.lists(
    TEXTS | st.sampled_from(["as", "p", "500", "1k", "-", "a/b/c/d", "--with", "2"]),
    min_size=1,
    max_size=4,
).map(" ".join)
NAMES = REASONS
LAID = st.builds(
    Group,
    SEATS,
    st.lists(st.builds(Wager, SPOTS, AMOUNTS), min_size=1, max_size=3).map(tuple),
)

CHIPS = st.lists(
    st.tuples(AMOUNTS, st.integers(0, 999_999)), min_size=1, max_size=3
).map(tuple)  # fmt: skip


def each_once(act):
    places = [(seat, wager.spot) for seat, wager in act.wagers]
    return len(places) == len(set(places)) and (act.groups or act.repeats)


WHO = st.tuples(SEATS.map(lambda seats: seats[0]), st.just("")) | st.tuples(st.none(), NAMES)
ACTS = st.one_of(
    st.builds(
        Bets, st.lists(LAID, max_size=3).map(tuple), SEATS | st.just(()), st.booleans()
    ).filter(each_once),
    st.builds(TakeBack, SEATS, SPOTS | st.just("")),
    st.sampled_from([Undo(), NoMoreBets(), WhatTray(), WhoOwes()]),
    st.builds(
        Cards,
        st.lists(st.sampled_from(DECK), min_size=1, max_size=6).map(tuple),
        st.booleans(),
    ),
    st.builds(Drawn, st.integers(1, 6), st.booleans()),
    st.builds(
        Settle,
        st.dictionaries(st.integers(0, 20), AMOUNTS, max_size=4).map(
            lambda paid: tuple(paid.items())
        ),
    ),
    st.builds(Collect, SEATS),
    st.builds(Collect, SEATS.map(lambda seats: seats[:1]), amount=AMOUNTS),
    st.builds(Collect, patron=NAMES, amount=AMOUNTS | st.just("")),
    st.builds(Reveal, st.sampled_from(["player", "banker"]), st.none() | st.integers(1, 6)),
    st.builds(Void, REASONS, st.sampled_from(["", "B01/2026-11-21/1/17"])),
    st.builds(Correct, st.integers(0, 20), SPOTS, REASONS, AMOUNTS | st.just("")),
    st.builds(Correct, st.integers(0, 20), SPOTS, REASONS, as_spot=SPOTS),
    WHO.flatmap(
        lambda who: st.builds(
            LetGo,
            st.sampled_from(["waive", "walked"]),
            REASONS,
            st.just(who[0]),
            st.just(who[1]),
            AMOUNTS | st.just(""),
        )
    ),
    st.builds(Limits, AMOUNTS, AMOUNTS, SPOTS | st.just("main")),
    st.builds(ColourChange, CHIPS, CHIPS),
    st.builds(Misdraw, st.sampled_from(DECK), st.sampled_from(["", *DISPOSITIONS])),
    st.builds(Late, st.just("") | st.times().map("{:%H:%M}".format)),
    st.builds(Help, st.sampled_from(["", "bet", "x y"])),
    st.builds(Objection, REASONS | st.just("")),
    st.builds(
        Spoken,
        st.sampled_from(sorted(set(SPOKEN.values()) - {"shoe.cut", "shoe.pass"})),
        st.lists(st.text(IN_QUOTES, max_size=6), max_size=4).map(tuple),
    ),
)
