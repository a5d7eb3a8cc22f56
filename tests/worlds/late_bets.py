"""Bets that are entered while cards are out, or once the coup is decided."""

TWO = {"with": "S-11"}
OPEN, THIRD = "9C 5S 7C QD", "9S"  # after four cards both draw; Player wins, 6 to 4


def coup_with(pit, change, *, before=(), after=False, settled=False):
    """A coup that Player wins, with a change once four cards are out, or once it is decided.

    `settled`: once it is settled.
    """
    pit.bet(1, "banker", 100_00)
    for seat, spot, amount in before:
        pit.bet(seat, spot, amount)
    placed_at = pit.moment.isoformat()
    pit.deal(OPEN)
    if not after:
        change(placed_at)
    pit.deal(THIRD)
    if after and not settled:
        change(placed_at)
    pit.say("settle")
    if settled:
        change(placed_at)


def entered_late(pit, seat, spot, amount):
    def change(placed_at):
        line = {"seat": seat, "spot": spot, "amount": amount, "at": placed_at, "late": True}
        pit.say("bet", **line, **TWO)

    return change


def late_bets(pit):
    """A coup with a late bet, one with a bet after it is decided, and one that still runs."""
    late = entered_late(pit, 3, "player", 100_00)
    coup_with(pit, late)
    coup_with(pit, late, before=[(5, "player", 100_00)], after=True)
    placed_at = pit.moment.isoformat()
    pit.bet(1, "banker", 100_00)
    pit.deal(OPEN)
    late(placed_at)
