"""A pack's table of the shoe: its decks, its inspection and its preparation."""

from collections.abc import Callable, Mapping

from domain.rules.cards import symbol
from domain.rules.refusals import SENSELESS
from domain.rules.wording import Words, counted
from ops.ledger.chain import Fields
from ops.ledger.streams import decoded
from ops.pack.content import PackEvent
from ops.pack.printed import Row, Section
from ops.pack.words import Wording, place, stated
from ops.words import coups
from ops.words.event_values import separated
from ops.words.language import _
from ops.words.terms import shuffle_called
from projections.proofs import how_proved


def the_shoe(wording: Wording) -> Section:
    """The table of the shoe: its decks, its inspection and its preparation."""
    events = [(each, stated(each)) for each in wording.content.events if each.about == "shoe"]
    rows = [
        Row([wording.moment(each.at), words, place(each.position)])
        for each, event in events
        if event and (words := _of_the_shoe(each.topic.partition(".")[2], event, each))
    ]
    coup = wording.content.coup.rpartition("/")[2]
    head = [_("Moment"), "", _("Record")]
    note = _("This was coup {coup} of the shoe.", coup=coup)
    return Section(_("The shoe"), head, "rlr", rows, wide=1, note=note)


def _of_the_shoe(what: str, event: Fields, pack_event: PackEvent) -> str:
    """The words of an event of preparation, or '' for other events or unreadable ones."""
    words = _PREPARED.get(what)
    if what == "inspected":
        event = {**event, "verified_by": _verified(event, pack_event)}
    try:
        return words(event) if words else ""
    except SENSELESS:
        return ""


def _verified(event: Fields, pack_event: PackEvent) -> str:
    """The second person of the inspection, with the proof."""
    staff = event.get("verified_by") or ""
    return coups.proved(staff, how_proved(staff, pack_event.actor, decoded(pack_event.metadata)))


def _loaded(event: Fields) -> str:
    made_of: list[str] = [counted(event["decks"], "{n} deck", "{n} decks")]
    if event["serials"]:
        serials = ", ".join(map(str, event["serials"]))
        made_of.append(Words("serials {serials}", serials=serials))
    if event["batch"]:
        made_of.append(Words("batch {batch}", batch=event["batch"]))
    if event["colour"]:
        made_of.append(Words("colour {colour}", colour=event["colour"]))
    return _("Loaded: {decks}", decks=separated(made_of))


def _shuffled(event: Fields) -> str:
    how = [shuffle_called(event["method"])]
    if event["device"]:
        how.append(Words("device {device}", device=event["device"]))
    if event.get("commitment"):
        how.append(Words("commitment {commitment}", commitment=event["commitment"]))
    return _("Shuffled: {how}", how=separated(how))


def _cut(event: Fields) -> str:
    return _(
        "Cut by {staff}; the cut card {cards} from the back",
        staff=coups.holder(event["cut_by"] or "") or _unnamed(),
        cards=event["cut_card"],
    )


def _burned(event: Fields) -> str:
    cards = {"card": symbol(event["card"]), "face_down": event["face_down"]}
    return _("Burned: {card}, and {face_down} face down", **cards)


def _unnamed() -> str:
    return _("a person not named")


_PREPARED: Mapping[str, Callable[[Fields], str]] = {
    "loaded": _loaded,
    "inspected": lambda event: _(
        "Inspected, and verified by {staff}", staff=event["verified_by"] or _unnamed()
    ),
    "shuffled": _shuffled,
    "cut": _cut,
    "burned": _burned,
    "passed": lambda event: _("Passed to {holder}", holder=coups.holder(event["holder"])),
    "cut-card-shown": lambda event: _(
        "The cut card came out, {cards} cards left", cards=event["cards_left"]
    ),
}
