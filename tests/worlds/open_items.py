"""What the record has open with patrons who left, and who settles it."""

from domain.rules.seating import Stay

PEOPLE = {"by": "C-1", "with": "S-11"}


def open_with(desk, day):
    """What is open with each stay of a day, by item; more than 0: the patron owes it."""
    found = {}
    for account in desk.stays.accounts(day):
        money = desk.stays.open_money(account)
        game = desk.stays.game_account(Stay(account.patron, account.stay))
        here = account.stay in {stay.address for stay in day.seats.values()}
        items = {
            "bets": money.balance if money else 0,
            "commission": account.balance,
            "account": -game.balance if game and not here else 0,
        }
        if any(items.values()):
            found[account.stay] = (account.patron, items)
    return found


def settle_all(table, day, place="cage", **only):
    """Everything that is open with the patrons of a day is settled, one stay after the other."""
    desk = table.dispatcher.desk
    moved = {}
    for patron, items in open_with(desk, day).values():
        if only and patron not in only["patrons"]:
            continue
        net = sum(items.values())
        how = "received" if net > 0 else "paid"
        about = {"patron": patron, "day": str(day.address.day), "place": place}
        table.say("patron.settle", how=how, reason="came by", **about, **PEOPLE)
        moved[patron] = moved.get(patron, 0) + net
    return moved
