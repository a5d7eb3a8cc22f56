"""Tables in every state that the screen has words for, as values."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.aggregates.due import NextAct
from domain.events.slip_book import Slip
from domain.rules.addresses import Shoe
from domain.rules.cards import points
from domain.rules.hands import Hand, Hands, play
from domain.rules.house_rules import HouseRules, named
from domain.rules.roads import Bead
from domain.rules.settlement import pay
from ops.now.shoe_now import ShoeNow
from ops.now.table_now import (
    CoupNow,
    HandNow,
    SeatNow,
    TableNow,
    TrayNow,
)
from ops.now.wagers_now import WagerNow

RULES = named("dragon-bonus@1")
ROAD = "BBBPBPPBTBBBBBBBPPTBPBPPPBBTPBPBBPPPPPPPPBBPBTBPBBPPBBBPTBPPBB"
# Patron, commission owed, and what lies by spot in minor units.
FOUR: Mapping[int, tuple[str, int, dict[str, int]]] = {
    1: ("P-10411", 25_00, {"banker": 500_00}),
    3: ("P-10417", 12_50, {"banker": 100_00, "tie": 25_00}),
    5: ("grey-jacket", 0, {"player": 500_00, "dragon-player": 50_00}),
    8: ("P-10502", 50_00, {"banker": 1_000_00}),
}
NINE: Mapping[int, tuple[str, int, dict[str, int]]] = {
    1: ("王小明", 25_00, {"banker": 500_00}),
    2: ("P-10412", 0, {"player": 10_000_00}),
    3: ("陳大文先生與夫人", 1_012_50, {"banker": 100_00, "tie": 25_00}),
    4: ("P-10414", 0, {"player": 75_00, "dragon-player": 25_00, "dragon-banker": 5_00}),
    5: ("grey-jacket-by-the-window", 0, {"player": 500_00, "dragon-player": 50_00}),
    6: ("李", 5_00, {}),
    7: ("P-10416", 37_50, {"tie": 1_000_00}),
    8: ("P-10502", 50_00, {"banker": 1_000_00, "dragon-banker": 500_00}),
    9: ("P-10503", 0, {"banker": 9_995_00}),
}


def beads(letters: str) -> tuple[Bead, ...]:
    sides = {"B": "banker", "P": "player", "T": "tie"}
    return tuple(
        Bead(sides[each], n % 11 == 3, n % 13 == 5, n % 4 == 1) for n, each in enumerate(letters)
    )


def hand(hands: Hands, side: Hand, *, hidden: bool) -> HandNow:
    cards = hands.cards(side)
    if hidden:
        return HandNow((None,) * len(cards))
    return HandNow(tuple(cards), sum(map(points, cards)) % 10 if cards else None)


def coup(phase: str, cards: str = "", number: int = 17, *, hidden: bool = False, **more) -> CoupNow:
    hands = play(cards.split())
    result = None if hidden else hands.result
    return CoupNow(
        address=f"B01/2026-11-21/1/{number}",
        number=number,
        phase=phase,
        player=hand(hands, "player", hidden=hidden),
        banker=hand(hands, "banker", hidden=hidden),
        outcome=result.outcome if result else None,
        natural=bool(result and result.natural),
        steps=() if hidden else hands.steps,
        face_down=("player", "banker") if hidden else (),
        **more,
    )


def seats(who, cards: str = "", rules: HouseRules = RULES, *, bets: bool = True):
    """The seats; with all cards of a coup as they are paid."""
    result = play(cards.split()).result if cards else None
    return tuple(
        SeatNow(
            seat,
            patron,
            owed,
            seat,
            tuple(
                WagerNow(spot, stake, pay(rules, spot, stake, result) if result else None)
                for spot, stake in wagers.items()
            )
            if bets
            else (),
            tuple(wagers.items()),
            in_last_coup=bool(wagers),
        )
        for seat, (patron, owed, wagers) in who.items()
    )


def backs(who, cards: str = ""):
    """The seats of a void coup; with all its cards of one that was settled."""
    return tuple(
        replace(
            without,
            back=sum(
                each.stake - (each.payment.paid if each.payment else 0) for each in seat.wagers
            ),
        )
        for seat, without in zip(seats(who, cards), seats(who, bets=False), strict=True)
    )


def shoe(step: str = "burned", left: int = 329, to_cut: int | None = 306, **more) -> ShoeNow:
    told = {"holder": "dealer", "commitment": "", "last_coup": None} | more
    ready = step in ("burned", "ended", "reconciled") and step == "burned"
    return ShoeNow(Shoe.parse("B01/2026-11-21/1"), step, ready, 8, left, to_cut, **told)


def table(due: NextAct | None, who=FOUR, **more) -> TableNow:
    told = {
        "table": "B01",
        "position": 48_200,
        "day": "2026-11-21",
        "closed": False,
        "rules": RULES,
        "limits": {
            "main": [25_00, 10_000_00],
            "tie": [5_00, 1_000_00],
            "dragon-player": [5_00, 500_00],
            "dragon-banker": [5_00, 500_00],
        },
        "dealer": "D-204",
        "supervisor": "S-11",
        "seats": seats(who, bets=False),
        "shoe": shoe(),
        "due": due,
        "beads": beads(ROAD[:16]),
    }
    return TableNow(**told | more)


BET = NextAct("bet", "R-BET-1")
CLOSE = NextAct("no-more-bets", "R-DEAL-2")
SETTLE = NextAct("settle", "R-PAY-1")


def drawing(cards: str, who=FOUR, rules: HouseRules = RULES, **more) -> TableNow:
    """In the middle of a coup, as far as these cards."""
    due = play(cards.split()).due
    return table(
        NextAct("draw", due.rule, due.hand),
        seats=seats(who, rules=rules),
        rules=rules,
        coup=coup("dealing", cards),
        **more,
    )


def over(cards: str, who=FOUR, phase: str = "resulted", **more) -> TableNow:
    """All cards are out."""
    due = SETTLE if phase == "resulted" else BET
    told = {"due": due, "seats": seats(who, cards), "coup": coup(phase, cards)} | more
    return table(**told)


def betting(who=FOUR, **more) -> TableNow:
    placed = coup("betting", placed_last=(8, "banker"))
    return table(CLOSE, seats=seats(who), coup=placed, **more)


def squeeze(cards: str):
    """A big table, whose cards lie face down; seat 5 looks at Player's."""
    rules = named("big-table@1")
    return {
        "rules": rules,
        "limits": {
            spot: [limit.minimum, limit.maximum]
            for spot, limit in (("main", rules.main), ("tie", rules.limit("tie")))
        },
        "seats": seats({5: ("grey-jacket", 0, {"player": 500_00})}, rules=rules),
        "coup": coup("dealing", cards, hidden=True, holds=(("player", "seat 5"),)),
    }


def before_shoe(step: str, action: str) -> TableNow:
    return table(
        NextAct(action, "R-SHOE-1"), coup=None, beads=(), shoe=shoe(step, 416, 402)
    )  # fmt: skip


BANKER_DRAWS = "9C 5S 7C QD"
PLAYER_WINS = "9C 5S 7C QD 9S"
BANKER_NATURAL = "2C 9S KC QD"
TIE = "6C 6S KH QD"
END = {"shoe": shoe(left=12, to_cut=None, last_coup=17), "beads": beads(ROAD)}

CARRIED = Slip(
    kind="fill",
    table_day="B01/2026-11-21",
    chips={"2500": 40, "10000": 20, "500": 0},
    step="carried",
    people={"requested": "S-11", "issued": "C-1", "carried": "R-1"},
)
ASKED = Slip("credit", "B01/2026-11-21", {"10000": 5}, "requested", {"requested": "S-11"})

TABLES: Mapping[str, TableNow] = {
    "tray-low": betting(tray=TrayNow(95_00, 100_00, needs_fill=True)),
    "tray-below-zero": over(PLAYER_WINS, NINE, tray=TrayNow(-1_234_567_00, 100_00, True)),
    "nothing-read": TableNow("B01"),
    "never-opened": TableNow("B01", position=5),
    "closed": table(None, {}, closed=True, shoe=None, beads=(), dealer="", supervisor=""),
    "no-shoe": table(NextAct("shoe.load", "R-SHOE-1"), shoe=None, beads=()),
    "inspect": before_shoe("loaded", "shoe.inspect"),
    "shuffle": before_shoe("inspected", "shoe.shuffle"),
    "cut": before_shoe("shuffled", "shoe.cut"),
    "burn": before_shoe("cut", "shoe.burn"),
    "first-bets": table(BET, beads=()),
    "betting": betting(),
    "too-far-apart": table(
        NextAct("bet", "R-BET-4"), seats=seats(FOUR), coup=coup("betting"), differential=500_00
    ),
    "first-card": drawing("9C"),
    "player-draws": drawing("2C 5S 3C QD"),
    "banker-draws": drawing(BANKER_DRAWS),
    "nine-seats": drawing(BANKER_DRAWS, NINE),
    "face-down": table(
        NextAct("reveal", "R-DEAL-5", "player"),
        seats=seats(FOUR),
        coup=coup("dealing", BANKER_DRAWS, hidden=True),
    ),
    "squeeze-card": table(NextAct("draw", "R-DEAL-1", "banker"), **squeeze("9C")),
    "squeeze-turn": table(NextAct("reveal", "R-DEAL-3", "player"), **squeeze(BANKER_DRAWS)),
    "player-wins": over(PLAYER_WINS),
    "nine-paid": over(PLAYER_WINS, NINE),
    "nine-paid-end": over("2C 9S TH 7D 5H", NINE, beads=beads(ROAD)),
    "natural": over(BANKER_NATURAL),
    "tie": over("6C 6S KH QD"),
    "settled": over(PLAYER_WINS, phase="settled"),
    "void": table(BET, coup=coup("voided", "9C 5S", gave_back=2_175_00), seats=backs(FOUR)),
    "void-after-settled": over(
        PLAYER_WINS,
        seats=backs(FOUR, PLAYER_WINS),
        coup=coup("voided", PLAYER_WINS, gave_back=1_625_00, took_back=450_00),
        due=BET,
    ),
    "only-to-void": table(
        NextAct("void", "R-IRR-4"),
        seats=seats(FOUR),
        coup=coup("dealing", "9C 5S 7C", only_to_void=True),
    ),
    "held": over(
        PLAYER_WINS,
        phase="settled",
        due=NextAct("dispute.decide", "R-IRR-5"),
        held_by=("C-2026-0007",),
    ),
    "slip-carried": betting(slips={"2026-000017": CARRIED}),
    "slips": betting(slips={"2026-000017": CARRIED, "2026-000018": ASKED}),
    "near-the-cut-card": betting(shoe=shoe(left=31, to_cut=17), beads=beads(ROAD)),
    "last-coup": drawing(BANKER_DRAWS, shoe=shoe(left=12, to_cut=None, last_coup=17)),
    "waiting-card": table(BET, shoe=shoe(waiting=("9S",), holder="seat 3")),
    "commission-due": over(
        PLAYER_WINS,
        phase="settled",
        due=NextAct("commission.collect", "R-COM-4"),
        **END,
    ),
    "end-the-shoe": over(PLAYER_WINS, phase="settled", due=NextAct("shoe.end", "R-SHOE-3"), **END),
    "dummy": table(NextAct("open", "R-IRR-1"), beads=beads(ROAD[:3])),
}
