"""The first two lines: the table, its rules and people; the shoe, and how soon it ends."""

from collections.abc import Iterable
from datetime import datetime

from rich.text import Text

from domain.aggregates.shoe import SOON
from domain.rules.wording import counted
from ops.kit.colours import ALARM, LABEL, late_mark, training_mark
from ops.kit.lines import ends, ruled
from ops.now.shoe_now import ShoeNow
from ops.now.table_now import TableNow
from ops.words.language import N_, _, amount, shown
from ops.words.show import chips, cut_card_words, span
from ops.words.terms import spot_called

_STEPS = {
    "loaded": N_("loaded"),
    "inspected": N_("inspected"),
    "shuffled": N_("shuffled"),
    "cut": N_("cut"),
    "burned": N_("burned"),
    "ended": N_("ended"),
    "reconciled": N_("reconciled"),
}


def head(now: TableNow, clock: datetime, width: int, training: bool, late: str = "") -> list[Text]:
    """Both lines; `late`: the mark of late entry, or ''."""
    marks = [*([training_mark()] if training else ()), *([late_mark(late)] if late else ())]
    first = ends(_table(now, width, marks), _people(now, clock), width)
    return [first, ruled(_shoe(now), width)]


def _table(now: TableNow, width: int, marks: Iterable[tuple[str, str]]) -> Text:
    line = Text(" ")
    for mark in marks:
        line.append(*mark).append("  ")
    line.append(now.table, "bold")
    if now.rules:
        line.append("  ").append(now.rules.name)
    if "main" in now.limits:
        limits = shown(span(now.limits["main"], now.currency))
        line.append("  ").append(f"{now.currency} ", LABEL).append(limits)
    if now.differential is not None and width >= 100:
        line.append(f"  {_('max difference')} ", LABEL)
        line.append(chips(now.differential, now.currency))
    if now.day and width >= 100:
        line.append(f"  {_('day')} ", LABEL).append(now.day)
    return line


def _people(now: TableNow, clock: datetime) -> Text:
    people = " · ".join(each for each in (now.dealer, now.supervisor) if each)
    return Text.assemble("  ", people, "  ", (f"{clock:%H:%M}", "bold"), " ")


def _shoe(now: TableNow) -> Text:
    """The shoe, the coup, and how many cards and coups are left."""
    shoe = now.shoe
    if shoe is None:
        state = _("closed") if now.closed else _("no shoe")
        return Text(state if now.read else "", "bold")
    line = Text.assemble((f"{_('shoe')} ", LABEL), (str(shoe.number), "bold"))
    if now.coup:
        line.append(f" · {_('coup')} ", LABEL).append(str(now.coup.number), "bold")
    if not shoe.ready:
        return line.append(" · ", LABEL).append(_(_STEPS[shoe.step]), "bold")
    left = counted(shoe.cards_left, "{n} card left", "{n} cards left")
    line.append(" · ", LABEL).append(shown(left), LABEL)
    line.append(" · ", LABEL).append_text(_cut_card(shoe))
    for spot, inside in now.meters.items():
        line.append(" · ", LABEL).append(f"{shown(spot_called(spot))} ", LABEL)
        line.append(amount(inside, now.currency), "bold")
    return line


def _cut_card(shoe: ShoeNow) -> Text:
    if shoe.to_cut_card is None:
        if shoe.last_coup is None:
            return Text(f"! {_('the cut card shows')}", ALARM)
        last = _("the cut card shows, coup {coup} is the last", coup=shoe.last_coup)
        return Text(f"! {last}", ALARM)
    coups = shoe.coups_to_cut_card or 0
    if coups <= SOON:
        return Text(f"! {shown(cut_card_words(coups))}", ALARM)
    return Text(shown(cut_card_words(coups)), LABEL)
