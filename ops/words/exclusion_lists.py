"""Who of an exclusion list is here, row by row."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from domain.rules.exclusion_lists import WHY, Listed
from domain.rules.wording import N_, Words

_WHAT: Mapping[str, str] = {
    "bar": N_("Row {row}: {patron} is barred by it, because {why}."),
    "barred": N_("Row {row}: {patron} is barred already."),
    "asked": N_("Row {row}: look whether it is {patron}: {why}. `sabot patron bar` bars them."),
}
_SUMS = {  # by whether those were barred who are to be
    False: N_(
        "{bar} to bar, {barred} barred already, {asked} to be looked at, {nobody} not on file "
        "here, {wrong} wrong."
    ),
    True: N_(
        "{bar} by the list, {barred} barred before, {asked} to be looked at, {nobody} not on file "
        "here, {wrong} wrong."
    ),
}


def list_words(rows: Sequence[Listed], *, taken: bool) -> Iterator[Words]:
    """A line for each row that is somebody here, or is wrong, and how many there are of each."""
    for each in rows:
        for fault in each.faults:
            yield Words(
                "Row {row}, column {column}: {why}.",
                row=each.row, column=fault.column, why=fault.why,
            )  # fmt: skip
        if each.what in _WHAT:
            why = Words(WHY[each.why])
            yield Words(_WHAT[each.what], row=each.row, patron=each.patron, why=why)
    sums = Counter(each.what for each in rows)
    yield Words(
        _SUMS[taken],
        **{what: sums[what] for what in ("bar", "barred", "asked", "nobody", "wrong")},
    )
    if sums["bar"] and not taken:
        yield Words("Nobody was barred. Add `--yes` to bar them.")
