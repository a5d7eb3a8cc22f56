"""The pack on paper: all that `ops/words/templates/pack.typ` sets, made of the file's own content.

Nothing is read here but what stands in the JSON file, so the paper says no more than it does.
"""

from collections.abc import Iterator
from typing import Any

from domain.rules.cards import points
from domain.rules.spots import ROWS, SPOT
from ops.pack import case_sections as pack_case
from ops.pack import sections as pack_sections
from ops.pack.content import Layout, PackContent
from ops.pack.words import NOTHING, Said, face, place, places
from ops.replay.coup_story import CoupStory
from ops.words import differences
from ops.words.show import spot_called
from projections.words import with_proof

_RESULTS = {"win": "wins", "lose": "loses", "push": "returned"}
_PHASES = {
    "betting": "Bets are being taken",
    "dealing": "Cards are due",
    "resulted": "Not settled yet",
    "settled": "Settled",
    "voided": "Every wager was returned",
}
_ENDED = {"coup.resulted": "Last card", "coup.settled": "Settled", "coup.voided": "Void"}
_ROOMY = 10  # seats, beside each other; where there are more, no two spots share a row
_LETTERS = 140  # of patrons' names in a row under the seats


def copy_for_patron(content: PackContent) -> dict[str, Any]:
    """The same for one patron, of content that names nobody else: without what only a file proves.

    It has no hash, for there is no file with it.
    """
    whole = paper(content)
    position = place(content.last_position)
    return {
        **whole,
        "title": "Patron's copy",
        "heading": f"Patron's copy: {whole['heading'][:1].lower()}{whole['heading'][1:]}",
        "proof": [
            ["Last event told", position],
            ["Left out", "names of other patrons, reasons that may name them, what they owe"],
        ],
        "signatures": ["For the house", "Patron: has received it"],
    }


def paper(content: PackContent) -> dict[str, Any]:
    """What the template sets, in order."""
    said = Said(content)
    table, day, shoe, coup = content.coup.split("/")
    case = content.case
    return {
        "title": f"Case {case.case}" if case else "Record of a coup",
        "address": content.coup,
        "heading": f"Table {table}, coup {coup} of shoe {shoe}",
        "day": f"Gaming day {day}, times of {content.property.zone}",
        "house": content.property.name,
        "called": "Void" if said.story.void else said.called(),
        "phase": _phase(said),
        "gist": pack_case.gist(said, case) if case else [],
        "verdict": _verdict(said),
        "summary": list(_summary(said)),
        "layout": _layout(said, content.layout) if content.layout else None,
        "placard": _placard(said),
        "sections": [
            *pack_sections.sections(said),
            *(pack_case.sections(said, case) if case else ()),
            pack_sections.on_duty(said),
        ],
        "proof": list(_proof(said)),
        "signatures": list(_signatures(said)),
        "footer": (
            f"As the record stood at position {content.last_position:,}. Times of "
            f"{content.property.zone}. Amounts in {content.currency}."
        ),
    }


def _phase(said: Said) -> str:
    """How far it came; of a void coup what its cards came to, which no longer counts."""
    words = _PHASES.get(said.story.phase or "", "Its record makes no sense any more")
    if said.story.void and said.story.outcome:
        words += f"; the cards came to: {said.called()}"
    return words


def _verdict(said: Said) -> dict[str, Any]:
    """Whether the record agrees with the rules and the chain is whole."""
    agrees, whole = said.story.agrees, said.content.chain.good
    rules = (
        "Adjudicated again from the cards and the wagers: the record agrees, line by line."
        if agrees
        else "Adjudicated again from the cards and the wagers: THE RECORD DOES NOT AGREE."
    )
    chain = (
        "The chain of hashes is good."
        if whole
        else "THE CHAIN OF HASHES IS BROKEN: something was altered after it was recorded."
    )
    return {
        "good": agrees and whole,
        "words": " ".join([rules, chain, *_beyond_the_cards(said)]),
        "lines": [
            [
                each.what,
                *(
                    differences.value(each.what, value, said.content.currency)
                    for value in (each.recorded, each.adjudicated)
                ),
            ]
            for each in said.story.disagreements
        ],
    }


def _beyond_the_cards(said: Said) -> Iterator[str]:
    """That two people decided what the cards do not say, which no adjudication tells."""
    beyond = [
        f"seat {each.seat} {spot_called(each.spot)}, by the cards {said.money(each.by_cards)}, "
        f"decided {said.money(each.now)}"
        for each in pack_sections.decided(said)
        if each.by_cards is not None and each.now != each.by_cards
    ]
    if beyond:
        yield f"Two people decided otherwise than the cards say: {'; '.join(beyond)}."


def _summary(said: Said) -> Iterator[list[str]]:
    story, duty, rules = said.story, said.content.on_duty, said.content.rules
    if rules:
        yield ["Rule set", rules.name]
        if not rules.source.startswith("seed "):  # the sheet of a game that nobody can look up
            yield ["Its source", rules.source]
    yield ["Dealer", duty.dealer or NOTHING]
    yield ["Supervisor", duty.supervisor or NOTHING]
    if story.limits:
        least, most = map(said.money, story.limits["main"])
        yield ["Limits", f"{least} to {most}"]
    yield ["Opened", said.dated(said.of_the_coup()[0].at)]
    if story.cards:
        yield ["First card", said.moment(story.cards[0].at)]
    for topic, name in _ENDED.items():
        for each in said.of_the_coup(topic):
            yield [name, said.moment(each.at)]


def _layout(said: Said, layout: Layout) -> dict[str, Any]:
    """The table as it lay when betting closed, and what the cards made of it."""
    told, story = layout, said.story
    lying = {(each.seat, each.spot): each for each in story.wagers}
    results = {(each.seat, each.spot): each.result for each in story.payments}
    if said.story.void:
        results = dict.fromkeys(lying, "push")
    seats = sorted({*told.seats, *(seat for seat, _ in lying)})
    offered = [[spot for spot in row if spot in told.spots] for row in ROWS]
    if len(seats) > _ROOMY:
        offered = [[spot] for row in offered for spot in row]
    return {
        "rows": [
            [
                {
                    "spot": spot,
                    "label": SPOT[spot].printed,
                    "wins": told.spots[spot] == "win" and not said.story.void,
                }
                for spot in row
            ]
            for row in filter(None, offered)
        ],
        "seats": [
            {
                "seat": str(seat),
                "patron": _shortened(_patron_at(story, seat), _LETTERS // len(seats)),
                "lies": {
                    spot: {
                        "amount": _on_a_chip(said.money(wager.stake)),
                        "result": _RESULTS.get(results.get((seat, spot), ""), ""),
                    }
                    for (own, spot), wager in lying.items()
                    if own == seat
                },
            }
            for seat in seats
        ],
        "hands": [_hand(story, hand) for hand in ("player", "banker")],
    }


def _patron_at(story: CoupStory, seat: int) -> str:
    return next((each.patron for each in story.wagers if each.seat == seat), "")


def _shortened(text: str, letters: int) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def _on_a_chip(amount: str) -> str:
    """Without minor units, where there are none."""
    whole, point, parts = amount.partition(".")
    return whole if not parts.strip("0") else f"{whole}{point}{parts}"


def _hand(story: CoupStory, hand: str) -> dict[str, Any]:
    cards = [each for each in story.cards if each.hand == hand]
    total = story.total(hand)
    return {
        "name": hand.title(),
        "cards": [{**face(each.card or ""), "n": str(each.n)} for each in cards],
        "total": str(total) if cards and total is not None else "",
        "wins": story.outcome == hand and not story.void,
    }


def _placard(said: Said) -> dict[str, Any] | None:
    """The table of third cards, and its cell that decided the Banker's."""
    steps = {each.position: each for each in said.story.steps}
    decided = steps.get("banker-third")
    if decided is None or decided.rule == "R-DRAW-1":
        return None
    values = [points(each.card or "") for each in said.story.cards]
    drew = steps["player-third"].draws
    return {
        "rows": said.content.tableau.banker,
        "at": [(values[1] + values[3]) % 10, values[4] if drew else 10],
        "why": f"{decided.why} ({decided.rule})",
    }


def _proof(said: Said) -> Iterator[list[str]]:
    """Where all of this stands, and how a stranger checks it."""
    content, story = said.content, said.story
    chain = content.chain
    first, last = chain.walked
    counted = f"{len(story.cards)} cards, {len(story.payments)} payments"
    yield ["Adjudicated again", counted]
    yield ["The coup", f"positions {first:,} to {last:,} of the ledger"]
    yield ["In the JSON file", f"{len(content.events)} events whole, each with its hash"]
    yield ["Last event told", place(chain.head.position)]
    yield ["Its hash", chain.head.hash]
    if chain.broken:
        yield ["Hashes that are wrong", places(chain.broken)]
    if content.rules:
        yield ["Digest of the rules", content.rules.digest]
    yield ["To check both files", "scripts/verify_pack FILE.json: Python, and nothing else"]


def _signatures(said: Said) -> Iterator[str]:
    duty, case = said.content.on_duty, said.content.case
    yield f"Dealer {duty.dealer or ''}".strip()
    yield f"Supervisor {duty.supervisor or ''}".strip()
    for each in case.decisions[-1:] if case else ():
        yield f"Decided by {each.decided_by}"
        yield f"With {with_proof(each.approved_by, each.approved_proved)}"
    yield "Surveillance"
    yield "Patron: has seen it, and agrees or does not"
