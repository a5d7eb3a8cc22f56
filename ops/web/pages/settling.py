"""Money left open with a patron who has left: what comes next, and the forms that settle it."""

from collections import Counter

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from domain.rules.open_items import FROM_PATRON, TO_PATRON
from ops.commands.reader import Asked
from ops.commands.rights import Rights
from ops.finding.opening import page_about
from ops.reports.ask import ask
from ops.web.pages import acts
from ops.web.pages.command_forms import NOTHING_NEXT, CommandForm, Next, form_of, typed
from ops.web.pages.desk import Desk
from ops.web.pages.forms import read_form
from ops.web.pages.visitor import Visitor
from ops.words import settling as words
from ops.words.language import amount, shown
from projections import REPORTS
from projections.attention.exception_kinds import OWED_STILL

COMMAND = "patron.settle"
LEFT_OPEN = REPORTS["left-open"]
_ALERTS = tuple(f"{kind.replace(' ', '-')}/" for kind in OWED_STILL)


def is_about_it(alert: str) -> bool:
    """Whether an alert, by its name, is about money that is left open."""
    return alert.startswith(_ALERTS)


def page_to_settle(patron: str) -> str:
    """The address of the forms that settle what is open with a patron."""
    return f"{page_about('patron', patron)}#next"


async def next_with(desk: Desk, who: Visitor, patron: str) -> Next:
    """How what is open with a patron is settled, in words, and with forms for who may do it."""
    if not who.rights.may_read(Asked(f"report {LEFT_OPEN.name}", about={"patron": patron})):
        return NOTHING_NEXT
    counted = await desk.counted([LEFT_OPEN])
    answer = await desk.in_thread(
        lambda: ask(desk.database, LEFT_OPEN, counted=counted, patron=patron)
    )
    owes = Counter[tuple[str, str]]()
    for row in answer.rows:
        if row["settled_at"]:
            continue
        owes[row["table"], row["day"]] += row["owes"]
    steps = [shown(words.next_step(table, day, patron, net)) for (table, day), net in owes.items()]
    forms = [
        _form(patron, table, day, net, answer.house.currency, who.rights)
        for (table, day), net in owes.items()
        if who.rights.may_give(COMMAND)
    ]
    return Next(" ".join(steps), forms)


def _form(
    patron: str, table: str, day: str, owes: int, currency: str, rights: Rights
) -> CommandForm:
    """The form that settles what is open of one gaming day; `owes`: below 0 it is owed to them."""
    ways = FROM_PATRON if owes > 0 else TO_PATRON if owes else (*FROM_PATRON, *TO_PATRON)
    button = shown(words.settle(table, day, amount(abs(owes), currency)))
    made = form_of(
        COMMAND,
        f"{page_about('patron', patron)}/settle",
        button,
        rights,
        without=("table", "patron", "day"),
        choices={
            "how": [(way, shown(words.HOW[way])) for way in ways],
            "place": [(place, shown(called)) for place, called in words.PLACES.items()],
        },
    )
    return replace(made, hidden={"table": table, "day": day})


async def settle(desk: Desk, request: Request, who: Visitor) -> Response:
    """Settles what is open with a patron; their page has what is left of it."""
    patron = request.path_params["patron"]
    form = {**await read_form(request), "patron": patron}
    then = page_about("patron", patron)
    currency = desk.house.settings.currency if desk.house.settings else ""
    asked = acts.read(COMMAND, typed(COMMAND, form, currency), form, who)
    answer = await acts.act(desk, request, who, asked, form, then)
    return acts.go_on(answer, then)
