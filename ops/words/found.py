"""The words for what somebody looks for: its kinds, and that there is nothing."""

from collections.abc import Mapping

from domain.rules.wording import Words, worded
from ops.words import pages

FIND = worded("field and button: looks for everything", "Find")
PATRON = worded("kind of what is looked for", "patron")
COUP = worded("kind of what is looked for", "coup")
COUP_AT = worded("kind of what is looked for", "coup at a time")
CARD = worded("kind of what is looked for", "coups with a card")
SHOE = worded("kind of what is looked for", "shoe")
TABLE = worded("kind of what is looked for", "table")
STAY = worded("kind of what is looked for", "stay")
DAY = worded("kind of what is looked for", "gaming day")
STAFF = worded("kind of what is looked for", "staff number")
CASE = worded("kind of what is looked for", "case")
AML_CASE = worded("kind of what is looked for", "case of money laundering")
INCIDENT = worded("kind of what is looked for", "incident")
INQUIRY = worded("kind of what is looked for", "inquiry")
SLIP = worded("kind of what is looked for", "fill or credit")
COUPON = worded("kind of what is looked for", "coupon")
TICKET = worded("kind of what is looked for", "ticket")
ALERT = worded("kind of what is looked for", "alert")
POSITION = worded("kind of what is looked for", "event")
REPORT = worded("kind of what is looked for", "report")
RULE = worded("kind of what is looked for", "rule")
TOPIC = worded("kind of what is looked for", "manual")
COMMAND = worded("kind of what is looked for", "command")
KINDS: Mapping[str, Words] = {
    "patron": PATRON,
    "coup": COUP,
    "shoe": SHOE,
    "table": TABLE,
    "stay": STAY,
    "day": DAY,
    "staff": STAFF,
    "case": CASE,
    "inquiry": INQUIRY,
    "incident": INCIDENT,
    "aml_case": AML_CASE,
    "slip": SLIP,
    "coupon": COUPON,
    "ticket": TICKET,
    "alert": ALERT,
    "alerts": worded("kind of what is looked for: all alerts of a kind", "alerts"),
    "form": worded("kind of what is looked for: for commission that is not paid", "form"),
    "position": POSITION,
    "report": REPORT,
    "rule": RULE,
    "topic": TOPIC,
    "command": COMMAND,
    "page": worded("kind of what is looked for: a page that everybody finds in the head", "page"),
}
_CALLED, _ASKED = (
    "what people call it, with commas between",
    "what people ask, with commas between",
)
CALLED: Mapping[str, Words] = {  # by kind, before its number
    "case": worded(_CALLED, "case, dispute, complaint"),
    "inquiry": worded(_CALLED, "inquiry"),
    "incident": worded(_CALLED, "incident"),
    "slip": worded(_CALLED, "slip, fill, credit"),
    "table": worded(_CALLED, "table"),
}
ASKED_OF_REPORTS: Mapping[str, Words] = {  # the report that answers it
    "commission": worded(_ASKED, "who owes, owing, owed, debt, unpaid, vig"),
    "slips": worded(_ASKED, "fill, credit"),
    "table-win": worded(_ASKED, "who won, profit, hold, drop"),
    "cash-log": worded(_ASKED, "cash, cash in, buy-in, buy in, cash-out, cash out"),
    "ratings": worded(_ASKED, "average bet, rating, who played"),
    "statement": worded(_ASKED, "activity statement, statement"),
    "disputes": worded(_ASKED, "complaint, overpaid, underpaid, not paid, paid wrong"),
    "dealers": worded(_ASKED, "who dealt, pace"),
    "exceptions": worded(_ASKED, "what went wrong, mistake, overpaid, underpaid"),
    "unfinished": worded(_ASKED, "what is left, open items"),
    "shoe-log": worded(_ASKED, "burn, shuffle, cut card"),
}
LISTS: Mapping[str, Words] = {  # of everything that has a page below an address
    "/tables": worded("page: all tables of the house", "Tables"),
    "/days": worded("list of pages", "Gaming days"),
    "/shoes": worded("list of pages", "Shoes"),
    "/coups": worded("list of pages", "Coups"),
    "/patrons": worded("list of pages", "Patrons"),
    "/stays": worded("list of pages", "Stays"),
    "/staff": worded("list of pages", "Staff"),
    "/rules": worded("list of pages: of the rulebook", "Rules"),
}
PAGES: Mapping[str, Words] = {  # by words of their titles
    "/cases": pages.CASES,
    "/slips": pages.SLIPS,
    "/incidents": pages.INCIDENTS,
    "/inquiries": pages.INQUIRIES,
    "/coupons": pages.COUPONS,
    "/alerts": pages.ALERT_LIST,
    **LISTS,
}
ALL_OF_THEM = worded("heading: links to lists of everything of a kind", "Lists of everything")
WHAT = worded("heading: what can be looked for", "What you can look for")


def more_names(shown: int) -> Words:
    """That only some of the names are shown."""
    return Words("There are more than {shown} such names: type more of the name.", shown=shown)


def nothing(text: str) -> Words:
    """That nothing was found which may be opened here."""
    return Words("There is no {text} here that you may open.", text=f"“{text}”")


NEAR = worded("heading: nothing has the name that was typed; these are one key away", "Near to it")
