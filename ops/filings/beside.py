"""What cash a report to a regulator does not have, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.rules.addresses import parse_day
from domain.rules.wording import N_, Amount, Words
from ops.filings.sar import Cash
from ops.words.language import day

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


def apart_words(cash: Cash, currency: str) -> Words:
    """Cash of somebody whom a case is about that its report has not."""
    return Words(
        _APART[cash.direction],
        patron=cash.patron,
        amount=Amount(cash.amount, currency),
        table=cash.table,
        day=day(cash.day),
        position=cash.position,
    )


def before_words(rows: Sequence[Mapping[str, Any]], amends: str, currency: str) -> Iterator[Words]:
    """That cash was reported already, and what came since; `rows`: of the report `ctr`."""
    for row in rows:
        if row["reference"] and row["reference"] != amends:
            yield Words(
                "It was reported on {day}, number {reference}. What corrects that has `--amends`.",
                day=day(parse_day(str(row["filed_on"]))),
                reference=row["reference"],
            )
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
