"""The first two lines: which table, by which rules, who is there; the shoe, and when it ends."""

from datetime import datetime

from rich.text import Text

from domain.aggregates.shoe import SOON
from ops.kit.colours import ALARM, LABEL, TRAINING
from ops.kit.lines import ends, ruled
from ops.terminal.dealer.table_now import ShoeNow, TableNow
from ops.words.show import chips, cut_card_words, span


def head(now: TableNow, clock: datetime, width: int, training: bool) -> list[Text]:
    """Both lines."""
    first = ends(_table(now, width, training=training), _people(now, clock), width)
    return [first, ruled(_shoe(now), width)]


def _table(now: TableNow, width: int, *, training: bool) -> Text:
    line = Text.assemble(" ", *((TRAINING, "  ") if training else ()), (now.table, "bold"))
    if now.rules:
        line.append("  ").append(now.rules.name)
    if "main" in now.limits:
        limits = span(now.limits["main"], now.currency)
        line.append("  ").append(f"{now.currency} ", LABEL).append(limits)
    if now.differential is not None and width >= 100:
        line.append("  apart ", LABEL).append(chips(now.differential, now.currency))
    if now.day and width >= 100:
        line.append("  day ", LABEL).append(now.day)
    return line


def _people(now: TableNow, clock: datetime) -> Text:
    people = " · ".join(each for each in (now.dealer, now.supervisor) if each)
    return Text.assemble("  ", people, "  ", (f"{clock:%H:%M}", "bold"), " ")


def _shoe(now: TableNow) -> Text:
    """Which shoe and coup, and how long the shoe still deals."""
    shoe = now.shoe
    if shoe is None:
        state = "closed" if now.closed else "no shoe"
        return Text(state if now.read else "", "bold")
    line = Text.assemble(("shoe ", LABEL), (str(shoe.number), "bold"))
    if now.coup:
        line.append(" · coup ", LABEL).append(str(now.coup.number), "bold")
    if not shoe.ready:
        return line.append(" · ", LABEL).append(shoe.step, "bold")
    line.append(" · ", LABEL).append(str(shoe.cards_left), "bold").append(" cards left", LABEL)
    return line.append(" · ", LABEL).append_text(_cut_card(shoe))


def _cut_card(shoe: ShoeNow) -> Text:
    if shoe.to_cut_card is None:
        last = f", coup {shoe.last_coup} is the last" if shoe.last_coup is not None else ""
        return Text(f"! the cut card shows{last}", ALARM)
    coups = shoe.coups_to_cut_card or 0
    if coups <= SOON:
        return Text(f"! {cut_card_words(coups)}", ALARM)
    return Text(cut_card_words(coups), LABEL)
