"""What cash a report to a regulator does not have, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from domain.rules.addresses import parse_day
from domain.rules.wording import N_, Amount, Words
from ops.filings.sar import Cash
from ops.words.language import day

if TYPE_CHECKING:
    from ops.replay.aml_case import AmlFile

_APART = {
    "in": N_(
        "{patron} bought in {amount} at {table} on {day}, which is no evidence of the case and not "
        "in the report: #{position}"
    ),
    "out": N_(
        "{patron} cashed out {amount} at {table} on {day}, which is no evidence of the case and "
        "not in the report: #{position}"
    ),
}


_OF_OTHERS = {
    "in": N_(
        "{patron} bought in {amount} at {table} on {day}, which is in the report, and the case is "
        "not about them. Name them, with `aml subject`, or correct the report: #{position}"
    ),
    "out": N_(
        "{patron} cashed out {amount} at {table} on {day}, which is in the report, and the case is "
        "not about them. Name them, with `aml subject`, or correct the report: #{position}"
    ),
}


def of_others_words(cash: Cash, currency: str) -> Words:
    """Cash of somebody whom a case is not about that its report has."""
    return _cash_words(_OF_OTHERS, cash, currency)


def apart_words(cash: Cash, currency: str) -> Words:
    """Cash of somebody whom a case is about that its report has not."""
    return _cash_words(_APART, cash, currency)


def _cash_words(templates: Mapping[str, str], cash: Cash, currency: str) -> Words:
    return Words(
        templates[cash.direction],
        patron=cash.patron,
        amount=Amount(cash.amount, currency),
        table=cash.table,
        day=day(cash.day),
        position=cash.position,
    )


def unreported_words(case: "AmlFile") -> Iterator[Words]:
    """That two people decided against the report that is made, or did not decide yet."""
    if not case.decided:
        yield Words(
            "{case} is not decided yet. Two people decide it before the report is sent: `aml "
            "decide`.",
            case=case.opened.aml_case,
        )
    elif case.decided.decision != "report":
        yield Words(
            "Two people decided that {case} is not reported. Decide anew before you file it: `aml "
            "decide`.",
            case=case.opened.aml_case,
        )


def filed_words(case: "AmlFile", amends: str) -> Iterator[Words]:
    """That a report of a case was filed already, which a second one corrects."""
    if case.filed and case.filed[-1].reference != amends:
        newest = case.filed[-1]
        yield _was_reported(newest.filed_on, newest.reference)


def _was_reported(filed_on: object, reference: str) -> Words:
    return Words(
        "It was reported on {day}, number {reference}. What corrects that has `--amends`.",
        day=day(parse_day(str(filed_on))),
        reference=reference,
    )


def before_words(rows: Sequence[Mapping[str, Any]], amends: str, currency: str) -> Iterator[Words]:
    """That cash was reported already, and what came since; `rows`: of the report `ctr`."""
    for row in rows:
        if row["reference"] and row["reference"] != amends:
            yield _was_reported(row["filed_on"], row["reference"])
            break
    for row in rows:
        if since := row["since_filed"]:
            yield Words(_SINCE[row["direction"], since > 0], amount=Amount(abs(since), currency))


_SINCE = {
    ("in", True): N_("{amount} of cash in came after it was reported: an amended report is due."),
    ("out", True): N_("{amount} of cash out came after it was reported: an amended report is due."),
    ("in", False): N_("{amount} of cash in was reported too much: an amended report is due."),
    ("out", False): N_("{amount} of cash out was reported too much: an amended report is due."),
}
