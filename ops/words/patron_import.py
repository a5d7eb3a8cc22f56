"""What an import of patrons would do, or did, row by row."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from domain.rules.patron_import import ASKED, MADE, MERGED, SAME, WHO, WHY, WRONG, Planned
from domain.rules.wording import N_, Words, counted, listed
from ops.words.patron_files import part_called

_IF_NOT = {  # by whether the numbers look the same
    True: N_("If it is somebody else, two people say so first: `patron tell-apart`."),
    False: N_("If it is somebody else, add `--apart {patron}`."),
}
_WRITTEN = {  # by whether an event was recorded; a name alone is in none
    True: N_("Written: {rows}, up to #{position}."),
    False: N_("Written: {rows}."),
}
_SUMS = (MADE, MERGED, SAME, ASKED, WRONG)


class Taken(Struct, frozen=True):
    """What was written of a file's rows: how many, up to which event, and what was refused."""

    written: int
    position: int | None
    refused: Mapping[int, str | None]

    def words(self) -> Words:
        """How much was written."""
        rows = counted(self.written, "{n} row", "{n} rows")
        return Words(_WRITTEN[self.position is not None], rows=rows, position=self.position)


def import_words(rows: Sequence[Planned], *, taken: bool) -> Iterator[Words]:
    """A line for each row, and how many there are of each kind."""
    for each in rows:
        yield from _row_words(each)
    sums = Counter(each.what for each in rows)
    yield Words(
        "{made} new, {merged} into files that are there, {same} the same, {asked} to be asked "
        "about, {wrong} wrong.",
        **{name: sums[name] for name in _SUMS},
    )
    if not taken and sums[MADE] + sums[MERGED]:
        yield Words("Nothing was written. Add `--yes` to write it.")


def _row_words(planned: Planned) -> Iterator[Words]:
    row, patron = planned.row, planned.patron
    adds = listed(part_called(each) for each in planned.adds if each not in ("number", "issuer"))
    match planned.what:
        case "wrong":
            for fault in planned.faults:
                yield Words("Row {row}, column {column}: {why}.", row=row, column=fault.column,
                            why=fault.why)  # fmt: skip
        case "asked":
            who = Words(WHO[planned.why], other=planned.other)
            yield Words(
                "Row {row}: {patron} may be {other}: {who}.",
                row=row, patron=patron, other=planned.other, who=who,
            )  # fmt: skip
            yield Words(_IF_NOT[planned.why == "looks"], patron=patron, other=planned.other)
        case "made":
            yield Words("Row {row}: {patron} is new: {parts}.", row=row, patron=patron, parts=adds)
        case "merged":
            yield Words(
                "Row {row}: into the file of {patron}, because {why}: {parts}.",
                row=row, patron=patron, why=Words(WHY[planned.why]), parts=adds,
            )  # fmt: skip
    if planned.stays:
        yield counted(
            len(planned.stays),
            "Row {row}: the file of {patron} has another {parts}, and it stays.",
            "Row {row}: the file of {patron} has others, and they stay: {parts}.",
            row=row,
            patron=patron,
            parts=listed(part_called(each) for each in planned.stays),
        )
