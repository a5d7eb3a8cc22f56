"""A regime for cash in words: as two people sign it, and as it is listed."""

from collections.abc import Iterator, Mapping
from datetime import date

from domain.rules.play_cards import Carded
from domain.rules.play_time import Rest
from domain.rules.regimes import Regime, Threshold, known
from domain.rules.wording import N_, Amount, Words, counted, listed, worded
from ops.words.durations import as_stated
from ops.words.event_values import Event, Values, Wording, run_on

_AMOUNTS = {  # by what is counted, and whether it is more than the amount or the amount itself
    ("day", True): N_("more than {amount} in a gaming day"),
    ("day", False): N_("{amount} or more in a gaming day"),
    ("one", True): N_("more than {amount} at once"),
    ("one", False): N_("{amount} or more at once"),
}
_WAYS = {"in": worded("cash", "in"), "out": worded("cash", "out")}
_DUE = {
    "report": N_("report"),
    "identity": N_("ID"),
    "log": N_("log"),
    "if-suspicious": N_("only if suspicious"),
}
AT_THE_TABLE = {
    "say": N_("Cash for which an ID is due is taken; what is due is shown before."),
    "hold": N_("Cash for which an ID is due waits until somebody confirms that the ID was seen."),
    "refuse": N_("Cash for which an ID is due is not taken at a table."),
}


_AT_THE_SEAT = {
    "say": N_("Where a patron should pause, the dealer is shown so, and play goes on."),
    "refuse": N_("Where a patron should pause, play is refused."),
}


def play_words(regime: Regime) -> list[Words]:
    """What the regime has for limits and breaks of patrons, in sentences."""
    return [
        counted(
            regime.raise_after,
            "A patron's own higher limit holds after {n} day.",
            "A patron's own higher limit holds after {n} days.",
        ),
        Words(_AT_THE_SEAT[regime.at_the_seat]),
    ]


def rest_words(rest: Rest) -> Words:
    """After how much play a patron rests."""
    after, within = as_stated(rest.after), rest.within and as_stated(rest.within)
    if not rest.rest:
        return Words("A patron plays at most {after} in {within}.", after=after, within=within)
    pause = as_stated(rest.rest)
    if not within:
        return Words("After {after} of play a patron rests {pause}.", after=after, pause=pause)
    return Words(
        "After {after} of play in {within} a patron rests {pause}.",
        after=after,
        within=within,
        pause=pause,
    )


def carded_words(carded: Carded, currency: str) -> Words:
    """What is played by card alone, and at which tables."""
    amount, tables = Amount(carded.above, currency), listed(carded.tables)
    if carded.tables and carded.asks_at_the_seat:
        words = Words("At {tables} patrons play by card or not at all", tables=tables)
    elif carded.tables:
        words = Words(
            "At {tables} patrons play above {amount} by card or not at all",
            tables=tables,
            amount=amount,
        )
    elif carded.asks_at_the_seat:
        words = Words("Patrons play by card or not at all")
    else:
        words = Words("Above {amount} patrons play by card or not at all", amount=amount)
    if carded.first_day != date.min:
        words = Words("{words}, from {text} on", words=words, text=carded.first_day)
    return Words("{sentence}.", sentence=words)


def threshold_words(threshold: Threshold, currency: str) -> Words:
    """One amount: `ctr: cash in and out, more than 10,000.00 in a gaming day: report and ID`."""
    words = Words(
        "{name}: cash {ways}, {amount}: {due}",
        name=threshold.name,
        ways=listed(_WAYS[each] for each in threshold.directions),
        amount=Words(
            _AMOUNTS[threshold.counts, threshold.over],
            amount=Amount(threshold.amount, currency),
        ),
        due=listed(Words(_DUE[each]) for each in threshold.due),
    )
    for template, text in _more(threshold):
        words = Words(template, words=words, text=text)
    return words


def files_words(regime: Regime) -> Iterator[Words]:
    """For how long a patron's file is stored, if the regime says so."""
    if regime.files_years:
        yield Words(
            "A patron's file is stored for {years} years after they were here last.",
            years=regime.files_years,
        )


def _more(threshold: Threshold) -> Iterator[tuple[str, str | date]]:
    if threshold.within:
        yield N_("{words}, within {text}"), threshold.within
    if threshold.first_day != date.min:
        yield N_("{words}, from {text} on"), threshold.first_day
    if threshold.last_day != date.max:
        yield N_("{words}, until {text}"), threshold.last_day


def _chosen(event: Event, values: Values) -> Words:
    regime: Regime = known(event["content"])
    return run_on(
        [
            Words(
                "From {day} on cash is counted by {regime}.",
                day=event["from_day"],
                regime=event["regime"],
            ),
            *(
                Words("{sentence}.", sentence=threshold_words(each, regime.currency))
                for each in regime.thresholds
            ),
            Words(AT_THE_TABLE[regime.at_the_table]),
            *map(rest_words, regime.rests),
            *(carded_words(each, regime.currency) for each in regime.carded),
            *play_words(regime),
            *files_words(regime),
        ]
    )


REGIMES: Mapping[str, Wording] = {
    "RegimeBegun": None,
    "RegimeChosen": _chosen,
}
