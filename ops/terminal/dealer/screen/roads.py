"""The roads of the shoe below the table, as many as fit."""

from collections.abc import Iterator
from itertools import islice, zip_longest

from rich.text import Text

from domain.rules.roads import Roads
from domain.rules.roads import roads as roads_of
from ops.kit.colours import LABEL, TITLE
from ops.kit.lines import fitted, ruled
from ops.now.table_now import TableNow
from ops.roads.text import NAMES, bead_plate, big_road, counted, derived
from ops.typed.acts import key_of
from ops.words.language import N_, _, shown
from ops.words.show import span

VIEWS = (N_("big road"), N_("bead plate"), N_("derived roads"))  # in the order of F9
TALL = 15  # lines with which more than one is shown
LIMITS = 24  # columns


def title(now: TableNow, view: str, height: int) -> Text:
    """The road's name, the counts of the shoe, and the key that shows another road."""
    name = _("roads") if height >= TALL else _(view)
    key = ("F9", TITLE if now.beads else LABEL)
    return Text.assemble(key, (f" {name}", LABEL), "  ", counted(roads_of(now.beads)))


def fits(now: TableNow, view: str, width: int) -> bool:
    """Whether the whole road fits into this width."""
    marks, room = roads_of(now.beads), width - 2
    if view == "big road":
        return not big_road(marks.big_road, room).cut
    return view == "bead plate" and not bead_plate(marks, room).cut


def roads(now: TableNow, view: str, width: int, height: int) -> list[Text]:
    """The chosen road; where there is room, all roads with the chosen one first, and the limits."""
    marks = roads_of(now.beads)
    lines = _one(marks, view, width) if height < TALL else _all(now, marks, view, width, height)
    return [Text(" ").append_text(line) for line in islice(lines, height)]


def _one(marks: Roads, view: str, width: int) -> Iterator[Text]:
    room = width - 2
    if view == "bead plate":
        yield from bead_plate(marks, room).lines
    elif view == "derived roads":
        yield from _derived(marks, room)
    else:
        yield from big_road(marks.big_road, room).lines


def _all(now: TableNow, marks: Roads, view: str, width: int, height: int) -> Iterator[Text]:
    """The roads one below the other, the chosen one first, as many as fit."""
    room = width - 2
    blocks = {
        "big road": [Text(_("Big Road"), LABEL), *big_road(marks.big_road, room).lines],
        "bead plate": _plate(now, marks, room),
        "derived roads": list(_derived(marks, room, titled=True)),
    }
    order = [view, *(each for each in ("big road", "derived roads", "bead plate") if each != view)]
    for each in order:
        block = blocks[each]
        height -= len(block) + (each != view)
        if height < 0:
            return
        if each != view:
            yield Text()
        yield from block


def _plate(now: TableNow, marks: Roads, room: int) -> list[Text]:
    """The bead plate with the limits beside it."""
    left = room - LIMITS
    plate = [Text(_("Bead Plate"), LABEL), *bead_plate(marks, left).lines]
    limits = list(_limits(now))
    lines = zip_longest(plate, limits, fillvalue=Text())
    return [fitted(line.copy(), left).append_text(limit) for line, limit in lines]


def _derived(marks: Roads, room: int, *, titled: bool = False) -> Iterator[Text]:
    """The three side by side."""
    third = (room - 4) // 3
    blocks = [
        [*([Text(_(NAMES[road]), LABEL)] if titled else []), *derived(road, own, third).lines]
        for road, own in marks.derived.items()
    ]
    for one, two, three in zip(*blocks, strict=True):
        line = fitted(one.copy(), third + 2).append_text(fitted(two.copy(), third + 2))
        yield line.append_text(three)


def _limits(now: TableNow) -> Iterator[Text]:
    """The limits of every spot, from the next coup on."""
    yield Text(_("Limits {currency}", currency=now.currency), LABEL)
    for spot in now.spots:
        limit = now.limits.get(spot, now.limits.get("main"))
        if limit:
            limits = shown(span(limit, now.currency))
            yield Text.assemble((f"{key_of(spot).upper():<3}", "bold"), limits)


def above(now: TableNow, view: str, width: int, split: int, height: int, right: Text) -> Text:
    """The line above the roads and the messages."""
    left = ruled(title(now, view, height), split).append("─", LABEL)
    return left.append_text(ruled(Text(), width - split - 1, right))
