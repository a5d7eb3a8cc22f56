"""The numbered forms: commission that a patron left owing, its later payment, jackpots."""

from collections.abc import Iterator, Mapping

from domain.aggregates.commission import CommissionAccount
from domain.aggregates.forms import Debt, FormBook, Jackpot
from domain.aggregates.slips import gaming_year
from domain.aggregates.table_day import TableDay
from domain.rules import addresses
from domain.rules.refusals import NotFound
from domain.rules.wording import Words
from ops.commands.command import Command
from ops.handlers.desk import Desk

YEARS = 6  # of which the open forms are searched when a patron comes back


def issue_uncollected(
    desk: Desk, account: CommissionAccount, before: Mapping[str, int], reason: str, command: Command
) -> None:
    """Issues the form for what was written off since `before`."""
    day = account.table_day
    debt = _debt(desk, account, _less(account.walked, before), str(day), command)
    _begun(desk, gaming_year(day.day)).issue_uncollected(debt, reason)


def issue_recovery(
    desk: Desk,
    day: TableDay,
    account: CommissionAccount,
    before: Mapping[str, int],
    command: Command,
) -> None:
    """Issues the form for what a patron paid at this table of what was written off `before`."""
    recovered = _less(before, account.walked)
    if not recovered:
        return
    debt = _debt(desk, account, recovered, str(day.address), command, day.dealer)
    book = _begun(desk, gaming_year(day.address.day))
    earlier = _book(desk, gaming_year(account.table_day.day)) or book
    by_form = earlier.parts(account.stay, debt.amount)
    earlier.recover(by_form, book.issue_recovery(debt, earlier, by_form))


def issue_jackpot(desk: Desk, jackpot: Jackpot) -> None:
    """Issues the form for what a meter pays above the rule set's amount."""
    year = gaming_year(addresses.TableDay.parse(jackpot.table_day).day)
    _begun(desk, year).issue_jackpot(jackpot)


def adjust(
    desk: Desk, account: CommissionAccount, before: Mapping[str, int], coup: addresses.Coup
) -> None:
    """Takes what a corrected coup no longer charges off the forms of the stay."""
    gone = _less(before, account.walked)
    book = _book(desk, gaming_year(account.table_day.day)) if gone else None
    if book:
        book.adjust(account.stay, gone, str(coup))


def with_open_form(desk: Desk, day: TableDay, patron: str) -> Iterator[CommissionAccount]:
    """The accounts of a patron's open forms, of any table and day; the oldest first."""
    this_year = gaming_year(day.address.day)
    for year in range(this_year - YEARS, this_year + 1):
        book = _book(desk, year)
        for form in book.open.values() if book else ():
            if desk.names.same(form.patron, patron):
                yield desk.stays.account(form.stay)


def book_of(desk: Desk, form: addresses.Form) -> FormBook:
    """The book that a form is in. Refuses: NotFound."""
    book = _book(desk, form.year)
    if book is None:
        raise NotFound(what=Words("form {form}", form=form))
    return book


def _debt(
    desk: Desk,
    account: CommissionAccount,
    by_shoe: Mapping[str, int],
    table_day: str,
    command: Command,
    dealer: str = "",
) -> Debt:
    return Debt(
        table_day=table_day,
        patron=account.patron,
        stay=account.stay,
        by_shoe=by_shoe,
        currency=account.currency,
        prepared_by=desk.casino.actor or dealer,
        approved_by=desk.second(command),
    )


def _less(more: Mapping[str, int], less: Mapping[str, int]) -> dict[str, int]:
    """By how much each shoe's amount is more; shoes with the same amount are left out."""
    differences = {shoe: amount - less.get(shoe, 0) for shoe, amount in more.items()}
    return {shoe: amount for shoe, amount in differences.items() if amount > 0}


def _book(desk: Desk, year: int) -> FormBook | None:
    return desk.casino.find(FormBook, FormBook.stream(year))


def _begun(desk: Desk, year: int) -> FormBook:
    """The book of a year; the year's first form begins it."""
    return _book(desk, year) or desk.casino.make(FormBook.begin_year(year, desk.casino.moment))
