"""The words for cases of disputes: what is open, and who must be notified by when."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from domain.rules.wording import N_, Words
from ops.words.durations import duration
from ops.words.event_values import Detail
from ops.words.language import _, month_day

# Who must be notified of a case: before the deadline, and after it.
_DUE: Mapping[str, tuple[str, str]] = {
    "notify": (
        N_("Notify the regulator by {moment}: {time} left."),
        N_("The regulator should have been notified by {moment}."),
    ),
    "tell": (
        N_("Inform the patron by {moment}: {time} left."),
        N_("Inform the patron: the deadline was {moment}."),
    ),
}


def case_words(case: Detail, now: datetime) -> str:
    """The words for the status of an open case, with its notices and their deadlines."""
    return " ".join(_case(case, now))


def overdue_words(detail: Detail) -> Words:
    """The words for a case of which the regulator or the patron should have been notified."""
    if detail["notify"] == "regulator":
        return Words(
            "{case}: the regulator should have been notified already.", case=detail["case"]
        )
    return Words(
        "{case}: the patron should have been informed of the decision already.", case=detail["case"]
    )


def near_words(moment: datetime, now: datetime) -> str:
    """The time of day, or the date if that is more than a day away."""
    if abs(now - moment) < timedelta(days=1):
        return f"{moment:%H:%M}"
    return month_day(moment)


def _case(case: Detail, now: datetime) -> Iterator[str]:
    name = case["case"]
    if case["decision"] is None:
        yield _("{case} is open.", case=name)
    elif case["tell_by"]:
        yield _("{case} is decided.", case=name)
    elif case["notify_by"]:
        yield _("{case} is decided, and the patron has been informed.", case=name)
    else:
        yield _("{case} is decided and the patron has been informed: close it.", case=name)
    for by, who in sorted((case[f"{each}_by"], each) for each in _DUE if case[f"{each}_by"]):
        moment = datetime.fromisoformat(by).astimezone(now.tzinfo)
        left = moment - now
        in_time, too_late = _DUE[who]
        if left < timedelta(0):
            yield _(too_late, moment=near_words(moment, now))
        else:
            minutes = left - left % timedelta(minutes=1)
            yield _(in_time, moment=near_words(moment, now), time=duration(minutes))
