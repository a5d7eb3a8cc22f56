"""The pack on paper: what `ops/words/templates/pack.typ` prints, from the file's own content.

Only the content of the JSON file is read here, so the paper cannot contain more than the file. It
is in the reader's language; a pack for the regulator is always made in English.
"""

from collections.abc import Iterator, Mapping
from datetime import date

from msgspec.structs import replace

from domain.rules.cards import points
from domain.rules.spots import SPOT, rows
from domain.rules.wording import Number, Words
from ops.ledger.installed import label
from ops.pack import case_sections, payment_sections, sections
from ops.pack.content import Layout, PackContent
from ops.pack.printed import (
    Chip,
    Hand,
    HandCard,
    PackPaper,
    Seat,
    Spot,
    TableLayout,
    ThirdCard,
    Verdict,
)
from ops.pack.words import NOTHING, Wording, face, place, places
from ops.replay.coup_story import CoupStory
from ops.words import coups, differences, language
from ops.words.event_values import run_on, separated
from ops.words.language import N_, _, shown
from ops.words.record_events import key_id
from ops.words.show import count
from ops.words.terms import spot_called

_RESULTS: Mapping[str, str] = {"win": N_("wins"), "lose": N_("loses"), "push": N_("returned")}
_PHASES: Mapping[str, str] = {
    "betting": N_("Bets are being taken"),
    "dealing": N_("Cards are due"),
    "resulted": N_("Not settled yet"),
    "settled": N_("Settled"),
    "voided": N_("Every wager was returned"),
    "unused": N_("Ended without a bet and without a card"),
}
_ENDED: Mapping[str, str] = {
    "coup.resulted": N_("Last card"),
    "coup.settled": N_("Settled"),
    "coup.voided": N_("Void"),
}
_ROOMY = 10  # seats side by side; with more, each spot has a row of its own
_CELLS = 140  # cells for patrons' names in a row under the seats


def copy_for_patron(content: PackContent) -> PackPaper:
    """The template's values for a patron's copy, without hash and proof.

    The content must name nobody else. There is no hash, because there is no file with it.
    """
    table, _day, shoe, coup = content.coup.split("/")
    where = {"table": table, "coup": coup, "shoe": shoe}
    left_out = _("other patrons, with their seats, wagers and payments; reasons that may name them")
    return replace(
        paper(content),
        title=_("Patron's copy"),
        heading=_("Patron's copy: table {table}, coup {coup} of shoe {shoe}", **where),
        proof=[
            [_("Last event here"), place(content.last_position)],
            [_("Left out"), left_out],
        ],
        signatures=[_("For the house"), _("Patron: has received it")],
    )


def paper(content: PackContent) -> PackPaper:
    """The template's values."""
    wording = Wording(content)
    table, day, shoe, coup = content.coup.split("/")
    case = content.case
    where = {"table": table, "coup": coup, "shoe": shoe}
    when = {"day": date.fromisoformat(day), "zone": content.property.zone}
    return PackPaper(
        labels=labels(),
        title=f"Case {case.case}" if case else _("Record of a coup"),
        address=content.coup,
        heading=_("Table {table}, coup {coup} of shoe {shoe}", **where),
        day=_("Gaming day {day}, times of {zone}", **when),
        house=content.property.name,
        called=_("Void") if wording.story.void else wording.called(),
        phase=_phase(wording),
        gist=case_sections.gist(wording, case) if case else [],
        verdict=_verdict(wording),
        summary=list(_summary(wording)),
        layout=_layout(wording, content.layout) if content.layout else None,
        placard=_placard(wording),
        sections=[
            *sections.sections(wording),
            *(case_sections.sections(wording, case) if case else ()),
            sections.on_duty(wording),
        ],
        proof=list(_proof(wording)),
        signatures=list(_signatures(wording)),
        footer=_footer(content),
    )


def _footer(content: PackContent) -> str:
    last = Number(content.last_position)
    sentences = [
        _("The record up to position {position}.", position=last),
        _("Times of {zone}.", zone=content.property.zone),
        _("Amounts in {currency}.", currency=content.currency),
        f"{label()}.",
    ]
    return shown(run_on(sentences))


def labels() -> dict[str, str]:
    """The template's own words."""
    return {
        "page": _("page {page} of {pages}"),
        "wins": _("wins"),
        "no_card": _("no card"),
        "dealer": _("DEALER"),
        "legend": _legend(),
        "placard": _("The table of Banker's third card (R-DRAW-3, R-DRAW-4)"),
        "placard_corner": _("Banker \\ Player's third"),
        "stood": _("stood"),
        "line": _("In which line"),
        "recorded": _("The record says"),
        "adjudicated": _("The rules say"),
        "record": _("The record"),
        "signatures": _("Signatures"),
        "signed": _("date and time"),
    }


def _legend() -> str:
    sentences = [
        _("On grey: the spot wins with these cards; framed: so did the wager on it."),
        _("A dashed chip: a wager when betting closed."),
        _("Under each card: as which it left the shoe."),
    ]
    return shown(run_on(sentences))


def _phase(wording: Wording) -> str:
    """The coup's phase; for a void coup also the outcome that no longer counts."""
    if wording.story.void and wording.story.outcome:
        return _("Every wager was returned; the cards came to: {outcome}", outcome=wording.called())
    return _(_PHASES.get(wording.story.phase or "", N_("The record of the coup cannot be read")))


def _verdict(wording: Wording) -> Verdict:
    """Whether the record agrees with the rules, and whether the chain is good."""
    agrees, whole = wording.story.agrees, wording.content.chain.good
    rules = (
        _("Adjudicated again from the cards and the wagers: the record agrees, line by line.")
        if agrees
        else _("Adjudicated again from the cards and the wagers: THE RECORD DOES NOT AGREE.")
    )
    chain = (
        _("The chain of hashes is good.")
        if whole
        else _("THE CHAIN OF HASHES IS BROKEN: something was altered after it was recorded.")
    )
    currency = wording.content.currency
    return Verdict(
        good=agrees and whole,
        words=shown(run_on([rules, chain, *_beyond_the_cards(wording)])),
        lines=[
            [
                differences.about(each.what),
                differences.value(each.what, each.recorded, currency),
                differences.value(each.what, each.adjudicated, currency),
            ]
            for each in wording.story.disagreements
        ],
    )


def _beyond_the_cards(wording: Wording) -> Iterator[str]:
    """A sentence on wagers that two people paid differently, which adjudication cannot show."""
    different = [
        Words(
            "seat {seat} {spot}, by the cards {by_cards}, decided {now}",
            seat=each.seat,
            spot=spot_called(each.spot),
            by_cards=wording.money(each.by_cards),
            now=wording.money(each.now),
        )
        for each in payment_sections.decided(wording)
        if each.by_cards is not None and each.now != each.by_cards
    ]
    if different:
        yield _("Two people decided against the cards: {wagers}.", wagers=separated(different))


def _summary(wording: Wording) -> Iterator[list[str]]:
    story, duty, rules = wording.story, wording.content.on_duty, wording.content.rules
    if rules:
        yield [_("Rule set"), rules.name]
        if not rules.source.startswith("seed "):  # a seed has no sheet to look up
            yield [_("Its source"), rules.source]
    yield [_("Dealer"), duty.dealer or NOTHING]
    yield [_("Supervisor"), duty.supervisor or NOTHING]
    if story.limits:
        least, most = map(wording.money, story.limits["main"])
        yield [_("Limits"), _("{least} to {most}", least=least, most=most)]
    yield [_("Opened"), wording.dated(wording.of_the_coup()[0].at)]
    if story.cards:
        yield [_("First card"), wording.moment(story.cards[0].at)]
    for topic, name in _ENDED.items():
        for each in wording.of_the_coup(topic):
            yield [_(name), wording.moment(each.at)]


def _layout(wording: Wording, layout: Layout) -> TableLayout:
    """The wagers when betting closed, each with its result."""
    story = wording.story
    lying = {(each.seat, each.spot): each for each in story.wagers}
    results = {(each.seat, each.spot): each.result for each in story.payments}
    if story.void:
        results = dict.fromkeys(lying, "push")
    seats = sorted({*layout.seats, *(seat for seat, _ in lying)})
    offered = rows(layout.spots)
    if len(seats) > _ROOMY:
        offered = [[spot] for row in offered for spot in row]
    return TableLayout(
        rows=[
            [
                Spot(
                    spot=spot,
                    label=_(SPOT[spot].printed),
                    wins=layout.spots[spot] == "win" and not story.void,
                )
                for spot in row
            ]
            for row in offered
        ],
        seats=[
            Seat(
                seat=str(seat),
                patron=_shortened(_patron_at(story, seat), _CELLS // len(seats)),
                wagers={
                    spot: Chip(
                        amount=_on_a_chip(wager.stake, wording.content.currency),
                        result=_result(results.get((seat, spot))),
                    )
                    for (own, spot), wager in lying.items()
                    if own == seat
                },
            )
            for seat in seats
        ],
        hands=[_hand(story, hand) for hand in ("player", "banker")],
    )


def _result(result: str | None) -> str:
    return _(_RESULTS[result]) if result else ""


def _patron_at(story: CoupStory, seat: int) -> str:
    return shown(next((each.patron for each in story.wagers if each.seat == seat), ""))


def _shortened(text: str, cells: int) -> str:
    """A name shortened to so many cells; an East Asian letter takes two."""
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= cells else f"{set_cell_size(text, cells - 1).rstrip()}…"


def _on_a_chip(amount: int, currency: str) -> str:
    """The amount on a chip, without zero minor units."""
    return language.amount(amount, currency, short=True)


def _hand(story: CoupStory, hand: str) -> Hand:
    cards = [each for each in story.cards if each.hand == hand]
    total = story.total(hand)
    faces = [(face(each.card or ""), str(each.n)) for each in cards]
    return Hand(
        name=coups.spot_name(hand),
        cards=[HandCard(each.rank, each.suit, each.red, n) for each, n in faces],
        total=str(total) if cards and total is not None else "",
        wins=story.outcome == hand and not story.void,
    )


def _placard(wording: Wording) -> ThirdCard | None:
    """The table of third cards, with the cell that decided for Banker."""
    steps = {each.position: each for each in wording.story.steps}
    decided = steps.get("banker-third")
    if decided is None or decided.rule == "R-DRAW-1":
        return None
    values = [points(each.card or "") for each in wording.story.cards]
    drew = steps["player-third"].draws
    why = {"reason": shown(decided.why), "rule": decided.rule}
    return ThirdCard(
        rows=wording.content.tableau.banker,
        at=[(values[1] + values[3]) % 10, values[4] if drew else 10],
        why=_("{reason} ({rule}): the framed cell. D draws, S stands.", **why),
    )


def _proof(wording: Wording) -> Iterator[list[str]]:
    """Where the events are in the ledger, and how a stranger checks them."""
    content, story = wording.content, wording.story
    chain = content.chain
    first, last = chain.walked
    counts = f"{count(len(story.cards), 'card')}, {count(len(story.payments), 'payment')}"
    yield ["Adjudicated again", counts]
    yield ["The coup", f"positions {first:,} to {last:,} of the ledger"]
    yield ["In the JSON file", f"{count(len(content.events), 'whole event')}, each with its hash"]
    yield ["Last event here", place(chain.head.position)]
    yield ["Its hash", chain.head.hash]
    if chain.broken:
        yield ["Hashes that are wrong", places(chain.broken)]
    if content.rules:
        yield ["Digest of the rules", content.rules.digest]
    if signed := content.checkpoint:
        yield ["Signed checkpoint", f"{signed.size:,} events, by {key_id(signed.key)}"]
        yield ["Its root", signed.root]
    yield ["To check both files", "scripts/verify_pack FILE.json: Python, and nothing else"]


def _signatures(wording: Wording) -> Iterator[str]:
    duty, case = wording.content.on_duty, wording.content.case
    yield f"Dealer {duty.dealer or ''}".strip()
    yield f"Supervisor {duty.supervisor or ''}".strip()
    for each in case.decisions[-1:] if case else ():
        yield f"Decided by {each.decided_by}"
        yield f"With {coups.proved(each.approved_by, each.approved_proved)}"
    yield "Surveillance"
    yield "Patron: has seen it, and agrees or does not"
