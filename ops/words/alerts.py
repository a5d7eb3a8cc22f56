"""The words for alerts, by kind: on the board, in the pit and at the dealer's terminal.

An alert without a sentence of its own has the sentence of the event that raised it. Amounts come in
minor units.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta

from domain.rules.wording import N_, Amount, Number, Words, as_words, counted, listed
from ops.words.durations import duration
from ops.words.event_values import Detail
from ops.words.events import sentences
from ops.words.game_alerts import late_words, pace_words, undue_words
from ops.words.language import _, shown
from ops.words.pauses import barred_words
from ops.words.record_alerts import ABOUT_THE_RECORD
from ops.words.terms import counted_with_called, people_called

Sentences = Iterator[str]

KINDS: Mapping[str, str] = {
    "late bet": N_("late bet"),
    "wager found late": N_("wager found late"),
    "over or under limit": N_("over or under limit"),
    "differential": N_("differential"),
    "wager reduced": N_("wager reduced"),
    "undue card": N_("undue card"),
    "exposed or foreign card": N_("exposed or foreign card"),
    "card moved": N_("card moved"),
    "burn left out": N_("burn left out"),
    "cut card passed": N_("cut card passed"),
    "payment disagrees": N_("payment disagrees"),
    "payment corrected": N_("payment corrected"),
    "stake corrected": N_("stake corrected"),
    "card corrected": N_("card corrected"),
    "wager moved": N_("wager moved"),
    "money corrected": N_("money corrected"),
    "counted again": N_("counted again"),
    "table reopened": N_("table reopened"),
    "alias separated": N_("alias separated"),
    "names told apart": N_("names told apart"),
    "missing id withdrawn": N_("missing ID withdrawn"),
    "coup voided": N_("coup voided"),
    "disagreement on re-adjudication": N_("disagreement on re-adjudication"),
    "commission walked or waived": N_("commission walked or waived"),
    "commission left open": N_("commission left open"),
    "bet left open": N_("bet left open"),
    "slip or serial reused": N_("slip or serial reused"),
    "ticket refused": N_("ticket refused"),
    "earlier coup put right": N_("earlier coup put right"),
    "order untold": N_("order untold"),
    "closer variance": N_("closer variance"),
    "shift variance": N_("shift variance"),
    "box difference": N_("box difference"),
    "shoe not reconciled": N_("shoe not reconciled"),
    "late entry": N_("late entry"),
    "clock behind": N_("clock behind"),
    "clock ahead": N_("clock ahead"),
    "cash near": N_("cash near"),
    "cash over": N_("cash over"),
    "little play": N_("little play"),
    "cash split": N_("cash split"),
    "uncarded play": N_("uncarded play"),
    "report to amend": N_("report to amend"),
    "opener differs": N_("opener differs"),
    "account short": N_("account short"),
    "money left on account": N_("money left on account"),
    "number locked": N_("number locked"),
    "administrator recovered": N_("administrator recovered"),
    "device gap": N_("device gap"),
    "commission owed": N_("commission owed"),
    "no coup": N_("no coup"),
    "too slow": N_("too slow"),
    "too fast": N_("too fast"),
    "fill needed": N_("fill needed"),
    "tray below zero": N_("tray below zero"),
    "tray exceeded": N_("tray exceeded"),
    "barred at seat": N_("barred at seat"),
    "box not counted": N_("box not counted"),
    "dispute deadline": N_("dispute deadline"),
    "dispute open": N_("dispute open"),
    "witness refused": N_("witness refused"),
    "verification failed": N_("verification failed"),
    "house distrusted": N_("house distrusted"),
    "record restored": N_("record restored"),
    "line missing": N_("line missing"),
    "backup failing": N_("backup failing"),
    "backup overdue": N_("backup overdue"),
    "checkpoint overdue": N_("checkpoint overdue"),
    "verification overdue": N_("verification overdue"),
    "signing key lost": N_("signing key lost"),
    "ledger cut": N_("ledger cut"),
    "standby away": N_("standby away"),
    "record unreadable": N_("record unreadable"),
    "projection stopped": N_("projection stopped"),
    "projections behind": N_("projections behind"),
}


def kind_name(kind: str) -> str:
    """The name of a kind of alert."""
    return _(KINDS[kind]) if kind in KINDS else kind


def alert_words(kind: str, detail: Detail, currency: str) -> str:
    """The words for one alert, in one or more sentences."""
    if kind not in _BY_KIND and "why" in detail and "type" not in detail:
        return shown(detail["why"])
    return " ".join((*_BY_KIND.get(kind, _of_events)(detail, currency), *_made_again(detail)))


def _made_again(detail: Detail) -> Sentences:
    """How often the same person made the same slip of the keys, if more than once."""
    if (times := detail.get("times", 1)) > 1:
        yield _("This was entered {n} times.", n=Number(times))


def alike_words(
    kind: str,
    details: Sequence[Detail],
    currency: str,
    *,
    unsettled: bool = False,
    in_play: bool = True,
) -> str:
    """The words for alerts of one kind at one coup, the newest first, as one.

    `unsettled`: the coup has its result and is not settled. `in_play`: no later coup was opened.
    """
    newest, many = details[0], len(details)
    if newest.get("type") == "UndueCardRefused":
        return " ".join(undue_words(details, unsettled=unsettled, in_play=in_play))
    if newest.get("type") == "LateBetRefused":
        return late_words(newest, currency, sum(each.get("times", 1) for each in details))
    if kind == "no coup" and unsettled:
        minutes = timedelta(minutes=newest["minutes"])
        return _("No coup for {time}, and the last one is not settled.", time=duration(minutes))
    words = alert_words(kind, newest, currency)
    if many == 1:
        return words
    return _(
        "{many} × {kind}, the newest: {sentence}",
        many=Number(many),
        kind=kind_name(kind),
        sentence=words,
    )


def closed_days_words(many: int, pressing: Mapping[str, int]) -> str:
    """The words for the alerts left of closed gaming days; `pressing`: the urgent ones by kind."""
    some = [
        Words("{many} × {kind}", many=Number(count), kind=Words(KINDS.get(kind, kind)))
        for kind, count in pressing.items()
        if count
    ]
    if not some:
        return shown(
            counted(
                many,
                "{n} alert of closed gaming days: `sabot report alerts`",
                "{n} alerts of closed gaming days: `sabot report alerts`",
            )
        )
    return shown(
        counted(
            many,
            "{n} alert of closed gaming days ({pressing}): `sabot report alerts`",
            "{n} alerts of closed gaming days ({pressing}): `sabot report alerts`",
            pressing=listed(some),
        )
    )


def stretch_words(detail: Detail) -> Iterator[Words]:
    """How many commands were entered late one after the other, before the words of the first."""
    if detail.get("commands", 1) > 1:
        yield counted(
            detail["commands"],
            "{n} entry, #{first} to #{last}; the first:",
            "{n} entries, #{first} to #{last}; the first:",
            first=detail["first_position"],
            last=detail["last_position"],
        )


def _of_events(detail: Detail, currency: str) -> Sentences:
    """The sentence of the event that raised the alert, or of its command, without suspicions."""
    facts, alone = detail.get("facts", [detail] if "type" in detail else []), "facts" not in detail
    yield from map(shown, sentences(facts, currency, marked=False, suspicions=alone))


def _late_entry(detail: Detail, currency: str) -> Sentences:
    yield _("Recorded late.")
    yield from map(shown, stretch_words(detail))
    yield from _of_events(detail, currency)


def _clock_behind(detail: Detail, currency: str) -> Sentences:
    time = duration(timedelta(seconds=float(detail["seconds"])))
    if "machine" in detail:
        yield _(
            "The clock of {machine} is {time} behind the record, and the entry has the record's "
            "time.",
            machine=detail["machine"],
            time=time,
        )
    else:
        yield _("The entry is dated {time} in the future.", time=time)
    yield from _of_events(detail, currency)


def _clock_ahead(detail: Detail, currency: str) -> Sentences:
    time = duration(timedelta(seconds=float(detail["seconds"])))
    if "machine" in detail:
        yield _(
            "The clock of {machine} is {time} ahead of the ledger's.",
            machine=detail["machine"],
            time=time,
        )
    else:
        yield _("The clock is {time} ahead of the ledger's.", time=time)
    yield from _of_events(detail, currency)


def _cash_near(detail: Detail, currency: str) -> Sentences:
    """The sentence for `cash near`, by direction: cash in and cash out are counted apart."""
    fields = {
        "patron": people_called(detail),
        "total": Amount(detail["total"], currency),
        "short": Amount(detail["reporting_amount"] - detail["total"], currency),
    }
    if detail.get("threshold"):
        yield _near_threshold(detail, fields)
    elif detail["direction"] == "in":
        yield _(
            "{patron} is near the reporting amount: cash in {total}, {short} short of it.", **fields
        )
    else:
        yield _(
            "{patron} is near the reporting amount: cash out {total}, {short} short of it.",
            **fields,
        )
    yield from map(shown, counted_with_called(detail))


def _near_threshold(detail: Detail, fields: Mapping[str, object]) -> str:
    """The same where the house chose a regime: what is due from its amount on."""
    template = (
        N_("{patron} has brought {total} in cash today, {short} short of a {paper}.")
        if detail["direction"] == "in"
        else N_("{patron} was paid {total} in cash today, {short} short of a {paper}.")
    )
    return _(template, paper=detail["paper"], **fields)


def _uncarded_play(detail: Detail, currency: str) -> Sentences:
    """The sentence of the table, and what it does not say there."""
    yield from _of_events(detail, currency)
    if apart := detail.get("apart_from"):
        yield _("They were told apart from {others}.", others=listed(apart))


def _no_coup(detail: Detail, _currency: str) -> Sentences:
    yield _("No coup for {time}.", time=duration(timedelta(minutes=detail["minutes"])))


def _fill_needed(detail: Detail, currency: str) -> Sentences:
    if "tray" not in detail:  # an acknowledged alert has no amounts
        yield _("The tray needed a fill.")
        return
    yield _("The tray should hold {tray}. Ask for a fill.", tray=Amount(detail["tray"], currency))
    if few := detail["chips"]:
        yield _(
            "Few are left of {chips}.",
            chips=listed(
                as_words(Amount(int(each), currency, short=True)) for each in sorted(few, key=int)
            ),
        )


def _below_zero(detail: Detail, currency: str) -> Sentences:
    if "tray" not in detail:
        yield _("By the record the tray held less than nothing.")
        return
    yield _(
        "By the record the tray holds {tray}, less than nothing: count it, and put right what "
        "was typed wrong.",
        tray=Amount(detail["tray"], currency),
    )


def _box_not_counted(detail: Detail, _currency: str) -> Sentences:
    if "hours" not in detail:
        yield _("A drop box was not counted in time.")
        return
    time = duration(timedelta(hours=detail["hours"]))
    if detail["carried"]:
        yield _(
            "Box {box} was taken off {time} ago, and is in the count room, not counted.",
            box=detail["box"],
            time=time,
        )
    else:
        yield _(
            "Box {box} was taken off {time} ago, and did not come to the count room.",
            box=detail["box"],
            time=time,
        )


def _commission_owed(detail: Detail, currency: str) -> Sentences:
    if "owing" not in detail:  # an acknowledged alert does not name the debtors
        yield from _of_events(detail, currency)
        return
    owing = detail["owing"]
    yield _(
        "The cut card shows, and {total} is owed: {patrons}.",
        total=Amount(sum(each["owed"] for each in owing), currency),
        patrons=listed(
            Words(
                "{patron} {amount}",
                patron=each["patron"],
                amount=Amount(each["owed"], currency),
            )
            for each in owing
        ),
    )


def _undue_card(detail: Detail, currency: str) -> Sentences:
    """The sentences for a card that was refused, or entered as misdrawn."""
    if detail.get("type") == "UndueCardRefused":
        yield from undue_words([detail], unsettled=False, in_play=False)
    else:
        yield from _of_events(detail, currency)


_BY_KIND: Mapping[str, Callable[[Detail, str], Sentences]] = {
    "late bet": lambda detail, currency: iter((late_words(detail, currency, 1),)),
    "undue card": _undue_card,
    "late entry": _late_entry,
    "clock behind": _clock_behind,
    "clock ahead": _clock_ahead,
    "cash near": _cash_near,
    "uncarded play": _uncarded_play,
    "commission owed": _commission_owed,
    "no coup": _no_coup,
    "too slow": pace_words,
    "too fast": pace_words,
    "fill needed": _fill_needed,
    "tray below zero": _below_zero,
    "barred at seat": barred_words,
    "box not counted": _box_not_counted,
    **ABOUT_THE_RECORD,
}
