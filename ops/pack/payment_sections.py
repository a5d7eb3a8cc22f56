"""A pack's tables of payments: as settled, with each computation, and as two people decided."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct, convert

from domain.rules.house_rules import Commission
from domain.rules.spots import in_order
from ops.pack.printed import Row, Section
from ops.pack.words import NOTHING, Wording, by_seat, place, stated
from ops.replay.coup_story import Payment
from ops.words import cloth, coups
from ops.words.event_values import run_on
from ops.words.language import N_, _, marked, shown

# How commission is rounded, by mode and by moment; and when it is due.
_ROUNDED: Mapping[tuple[str, str], str] = {
    ("up", "per-win"): N_("It is rounded up to {unit} for each win."),
    ("up", "on-collection"): N_("It is rounded up to {unit} when it is collected."),
    ("down", "per-win"): N_("It is rounded down to {unit} for each win."),
    ("down", "on-collection"): N_("It is rounded down to {unit} when it is collected."),
    ("nearest", "per-win"): N_("It is rounded to the nearest {unit} for each win."),
    ("nearest", "on-collection"): N_("It is rounded to the nearest {unit} when it is collected."),
}


_DUE: Mapping[str, str] = {
    "at-payout": N_("It is taken off when the wager is paid (R-COM-2)."),
    "deferred": N_("It is owed until it is collected (R-COM-2)."),
}


def payments(wording: Wording) -> Section:
    """The table of payments as they were settled, with the computation of each."""
    paid = wording.story.payments
    positions = {
        (str(fields.get("seat")), str(fields.get("spot"))): place(each.position)
        for each in wording.of_the_coup("coup.wager-settled")
        if (fields := stated(each))
    }
    rows = [
        Row(
            [
                _("Seat {seat}", seat=each.seat) if first else "",
                coups.spot_name(each.spot),
                wording.money(each.stake),
                f"{_computation(wording, each)} ({', '.join(each.rules)})",
                wording.money(each.paid),
                positions.get((str(each.seat), each.spot), NOTHING),
            ],
            begins=first,
            wrong=wording.disagrees(f"seat {each.seat} {each.spot}"),
        )
        for each, first in by_seat(paid)
    ]
    stakes = wording.money(sum(each.stake for each in paid))
    total = wording.money(sum(each.paid for each in paid))
    rows.append(Row([_("All"), "", stakes, "", total, ""], total=True))
    head = ["", _("Spot"), _("Wager"), _("Computation"), _("Paid"), _("Record")]
    title = _("The payments, as they were settled") if decided(wording) else _("The payments")
    return Section(title, head, "llrlrr", rows, wide=3, note=_terms(wording))


class Decided(Struct, frozen=True):
    """A wager whose payment two people decided."""

    seat: int
    patron: str
    spot: str
    settled: int | None  # None: it was not settled
    by_cards: int | None  # as settled, or None if the record disagrees with the rules
    now: int
    commission: int  # additional commission owed; below 0: less

    @property
    def hands(self) -> int:
        """The amount paid by decision, without a stake returned before the payment."""
        return 0 if self.settled is None else self.now - self.settled


def decided(wording: Wording) -> list[Decided]:
    """Every wager that was corrected or returned, with its last payment."""
    story = wording.story
    settled = {(each.seat, each.spot): each for each in story.payments}
    last = {
        (each["seat"], each["spot"]): each
        for each in story.afterwards
        if each["event"] in ("PaymentCorrected", "WagerReturned")
    }
    lines = []
    for (seat, spot), each in sorted(last.items(), key=lambda wager: _in_order(*wager[0])):
        first = settled.get((seat, spot))
        paid = first.paid if first else None
        void = each["event"] == "WagerReturned"
        doubtful = void or wording.disagrees(f"seat {seat} {spot}")
        lines.append(
            Decided(
                seat=seat,
                patron=each["patron"],
                spot=spot,
                settled=paid,
                by_cards=None if doubtful else paid,
                now=each["stake"] if void else each["paid"],
                commission=_owed(each.get("commission_due"), each.get("commission_charged"))
                - (_owed(first.commission_due, first.commission_charged) if first else 0),
            )
        )
    return lines


def _in_order(seat: int, spot: str) -> tuple[int, tuple[int, str]]:
    """The sort key: by seat, then by spot."""
    return seat, in_order(spot)


def _owed(due: str | None, charged: int | None) -> int:
    """The commission of a payment that is still owed: 0 unless deferred."""
    return charged or 0 if due == "deferred" else 0


def paid_now(wording: Wording) -> Section:
    """The table of payments as settled and as decided, with the difference for each patron."""
    lines = decided(wording)
    rows: list[Row] = []
    seat = None
    for each in lines:
        first, seat = each.seat != seat, each.seat
        cells = [
            _("Seat {seat}", seat=seat) if first else "",
            shown(each.patron) if first else "",
            coups.spot_name(each.spot),
            NOTHING if each.settled is None else wording.money(each.settled),
            wording.money(each.now),
            *_worth(wording, [each]),
        ]
        rows.append(Row(cells, begins=first))
    patrons = list(dict.fromkeys(each.patron for each in lines))
    for patron in patrons if len(patrons) < len(lines) else ():
        own = [each for each in lines if each.patron == patron]
        cells = ["", shown(patron), _("together"), "", "", *_worth(wording, own)]
        rows.append(Row(cells, begins=patron == patrons[0]))
    rows.append(Row([_("All"), "", "", "", "", *_worth(wording, lines)], total=True))
    head = [
        *("", _("Patron"), _("Spot"), _("Settled"), _("Paid now"), _("Difference")),
        *(_("Commission"), _("Net to patron")),
    ]
    return Section(_("What is paid by decision"), head, "lllrrrrr", rows, wide=1)


def _worth(wording: Wording, lines: Sequence[Decided]) -> list[str]:
    """The cells of these wagers together: paid, commission, net to the patron."""
    hands, commission = sum(e.hands for e in lines), sum(e.commission for e in lines)
    return [wording.more(each) for each in (hands, commission, hands - commission)]


def _terms(wording: Wording) -> str:
    """The sentences on how commission is computed, or '' if no wager can owe any."""
    rules = wording.content.rules
    if rules is None or all(each.spot != "banker" for each in wording.story.payments):
        return ""
    terms = convert(rules.terms["commission"], Commission)
    if not terms.rate[0]:
        return _("No commission is taken of what Banker wins.")
    if terms.timing == "in-the-odds":
        return _("The odds of Banker have the commission in them (R-COM-1).")
    rounding = terms.rounding
    rate = marked(f"{float(Fraction(*terms.rate) * 100):g}")
    sentences = [_("Commission is {rate}% of what Banker wins (R-COM-1).", rate=rate)]
    if rounding.mode == "exact":
        sentences.append(_("It is exact, to the minor unit."))
    else:
        rounded = _ROUNDED[rounding.mode, rounding.moment]
        sentences.append(_(rounded, unit=wording.money(rounding.unit)))
    if rounding.minimum:
        sentences.append(_("It is at least {amount}.", amount=wording.money(rounding.minimum)))
    return shown(run_on([*sentences, _(_DUE[terms.timing])]))


def _computation(wording: Wording, payment: Payment) -> str:
    """Stake times odds less commission, as one computes it with a pencil."""
    if payment.result == "push":
        return _("neither wins nor loses: the wager is returned")
    if payment.result == "lose":
        return _("loses")
    stake, winnings = wording.money(payment.stake), wording.money(payment.winnings)
    product = _times(stake, payment.odds) if payment.odds else ""
    if not product:  # two people decided the amount
        won = _("wins {winnings}", winnings=winnings)
    elif payment.by_meter:
        part = cloth.of_meter(payment.odds or "")
        won = _("wins {part}: {winnings}", part=part, winnings=winnings)
    elif payment.is_share:
        won = _(
            "wins {product}, of which {winnings} is its share of the most that is paid",
            product=product,
            winnings=winnings,
        )
    else:
        won = _("wins {product} = {winnings}", product=product, winnings=winnings)
    deducted = payment.commission_charged if payment.commission_due == "at-payout" else 0
    terms = [f"{stake} + {winnings}"]
    if deducted:
        terms.append(f"− {wording.money(deducted)}")
    if payment.paid_up:
        up = wording.money(payment.paid_up)
        terms.append(_("+ {amount} rounded up to chips", amount=up))
    comes_to = payment.stake + payment.winnings - deducted + payment.paid_up
    total = f"{' '.join(terms)} = {wording.money(comes_to)}"
    if not payment.commission_due:
        return _("{won}; {total}", won=won, total=total)
    commission = _commission(wording, payment)
    return _("{won}, {commission}; {total}", won=won, commission=commission, total=total)


def _times(stake: str, odds: str) -> str:
    """`100.00 × 8`, or `100.00 × 19 ÷ 20`."""
    to, _colon, each = odds.partition(":")
    return f"{stake} × {to}" if each == "1" else f"{stake} × {to} ÷ {each}"


def _commission(wording: Wording, payment: Payment) -> str:
    """The commission of a payment, and when it is due."""
    exact = wording.exactly(payment.commission_exact)
    charged = wording.money(payment.commission_charged)
    if payment.commission_charged == 0:
        return _("commission {exact} is owed and rounded when it is collected", exact=exact)
    if payment.commission_due == "deferred":
        if exact == charged:
            return _("commission {charged} is owed", charged=charged)
        values = {"exact": exact, "charged": charged}
        return _("commission {exact}, rounded {charged}, is owed", **values)
    if exact == charged:
        return _("commission {charged}", charged=charged)
    return _("commission {exact}, rounded {charged}", exact=exact, charged=charged)
