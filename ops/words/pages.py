"""The words of the pages in a browser."""

from collections.abc import Mapping, Sequence

from domain.rules.house_rules import Pace
from domain.rules.wording import N_, counted, worded
from ops.words import show
from ops.words.language import _, number, shown

SABOT = "Sabot"
PIT = worded("page: every table of the pit", "Pit")
TABLES = worded("heading: the tables of the pit", "Tables")
ALERTS = worded("heading: what needs somebody", "Needs somebody")
UNLIKELY = worded("heading: what is on record that chance does not explain", "Not by chance?")
ALERT_LIST = worded("page and link: alerts that are open, and those before", "All alerts")
GRAVITIES: Mapping[int, str] = {  # by the rank of an alert
    1: N_("Money, cards or the record are wrong"),
    2: N_("Somebody has to decide"),
    3: N_("A slip of the keys"),
}
EVERY_KIND = worded("choice: of a list that is narrowed", "every kind")
OPEN = worded("state of an alert", "open")
ENDED = worded("state of an alert that is not true any more", "ended by itself")
NO_ALERTS = worded("page", "Nothing needs anybody now.")
OPEN_STILL = worded("page and board: cases, money and incidents not closed", "Open still")
NO_TABLES = worded("page", "No table is open on this gaming day.")
OPEN_TABLE = worded("state of a table", "open")
CLOSED = worded("state of a table", "closed")
BETS_OPEN = worded("state of a table", "bets open")
AFTER_FOUR = worded("state of a table: bets that four cards offer", "bets after four cards")
METER = worded("label: what the bets on a spot may win of all bets on it", "meter")
FACE_DOWN = worded("card", "a card face down")
NO_ROAD = worded("road", "no coup yet")
SIGN_ON = worded("button", "Sign on")
SIGN_OFF = worded("button", "Sign off")
STAFF_NUMBER = worded("field", "Staff number")
PIN_OR_CODE = worded("field", "PIN, or one-time code")
CODE = worded("field", "One-time code")
SIGN_OFF_THERE = worded("field: to tick, for who is signed on elsewhere", "Sign off there first")
AT_TABLE = worded("to unfold: a dealer signs on at a table, others at none", "I deal at a table")
NEW_PIN = worded("field", "New PIN")
SIGN = worded("button: the second person signs", "Sign")
TO_SIGN = worded("heading: above what a second person signs", "Not done yet: this is to be signed")
SECOND_PERSON = worded("field", "Second person")
LANGUAGE = worded("field", "Language")
SEARCH = worded("field: filters the tables of the pit", "Filter")
SORT = worded("field: the order of the tables of the pit", "Order")
AS_IT_IS = worded("choice: the order of a report's rows, unless another is chosen", "as usual")
SORTS: Mapping[str, str] = {
    "need": N_("by need"),
    "table": N_("by table"),
    "idle": N_("idle longest"),
    "owed": N_("most owed"),
    "win": N_("lowest win"),
}
SHOW = worded("button: shows what was asked for", "Show")
ACKNOWLEDGE = worded("button: takes an alert off the board", "Acknowledge")
BY_TWO = worded("heading: a second person types their PIN", "With a second person")
PAGES = worded("list of links: the pages of the house", "Pages")
BACK = worded("link: to where one was before", "Back")
NEW_PIN_AGAIN = worded("field", "New PIN again")
CHOOSE_PIN = worded(
    "page", "Choose a PIN of your own: type the one-time code again, then the new PIN twice."
)
NOTHING_DONE = worded("heading", "Nothing was done")
NOT_DONE = {  # the heading of a page that says why something is not shown or done, by its status
    401: worded("heading", "Sign on first"),
    403: worded("heading", "Not for whoever is signed on here"),
    404: worded("heading", "Not found"),
    405: worded("heading", "Not found"),
    500: worded("heading", "A mistake in the program"),
    503: worded("heading", "The ledger cannot be asked now"),
}
NOT_THEIR_PIN = N_("That is not the PIN of {staff}. Type it again.")
SHOWN_TO_ANOTHER = N_(
    "This page was shown to {one}, and {other} is signed on here now. Send it if it is your own."
)
NOT_LET_IN = worded("heading: of a browser or terminal", "Not let in")
NO_PAGE = worded(
    "page",
    "There is no page at this address. Go back and follow a link, or begin at the first page.",
)
MISTAKE = worded("page", "The house server made a mistake at this page. Its log has the details.")
REPORTS = worded("page: the list of reports", "Reports")
COUPONS = worded("page: the match plays and free bets of the house", "Coupons")
EACH_COUPON = worded(
    "page: after its name", "each with all that happened to it; where one is issued or made void"
)
INCIDENTS = worded("page: what happened that is no dispute about a payment", "Incidents")
EACH_INCIDENT = worded("page: after its name", "each with who was in it; where one is opened")
INQUIRIES = worded("page: what surveillance looks into", "Inquiries")
EACH_INQUIRY = worded("page: after its name", "each with its evidence; where one is opened")
SLIPS = worded("page: fills and credits, by their slips", "Fills and credits")
CASES = worded("page: the list of disputes", "Cases")
LEDGER = worded("page: the events of the record", "Ledger")
WALL = worded("page: the display for patrons", "Display")
MANUAL = worded("page: how everything is done", "Manual")
MANUAL_IS_ENGLISH = worded("page: above the manual", "The manual is in English.")
IN_MANUAL = worded("field: words that are looked for in the manual", "In the manual")
RULE_SET = worded("label: the rules of a table", "rules")
SOURCE = worded("label: where a rule comes from", "source")
SHOE = worded("label", "shoe")
EARLIER_SHOES = worded("label: earlier shoes of the gaming day", "earlier shoes")
TABLE = worded("label: a gaming table", "table")
CARDS = worded("label: the cards of the coup", "Cards")
LAYOUT = worded("heading: the wagers as they lie", "Layout")
EVENTS = worded("label: the events of a coup, one by one", "Events")
FIRST = worded("button: the first event", "First event")
PREVIOUS = worded("button: the event before", "Event before")
NEXT = worded("button: the next event", "Next event")
LAST = worded("button: the last event", "Last event")
WAGERS = worded("heading", "Wagers and payments")
SEAT = worded("column", "seat")
PATRON = worded("column", "patron")
SPOT = worded("column: what was bet on", "bet")
STAKE = worded("column", "stake")
PLACED = worded("column: when a wager was placed", "placed")
COMPUTED = worded("column: how a payment was computed", "computation")
PAID = worded("column", "paid")
EXCEPTIONS = worded("heading: what went against the rules", "Exceptions")
AFTERWARDS = worded("heading: what came after the coup", "Afterwards")
CHECKED = worded("heading: the record was judged again", "Checked again now")
WHAT_IF = worded("heading", "What if this had been different? Nothing is recorded.")
WHAT_IF_CHANGE = worded("field: a change, as in card 5 = KH", "Change")
COPIES = worded("heading", "Copies")
WHOLE = worded("link: the page with all patrons", "with all patrons")
PACK = worded("link: the file that a stranger can check", "pack")
TOTAL = worded("row: the sums of a report", "total")
YES = worded("value of a report", "yes")
NO = worded("value of a report", "no")
VOID = worded("value of a report: a coup without an outcome", "void")
NOT_COUNTED = worded("page: none of these rows is counted so far", "Not counted yet.")
WHOLE_REPORT = worded("link: a report with all of its rows", "Whole report")
NO_ROWS = worded("page", "There are no rows.")
EACH_ONCE = worded(
    "list: before a report's title", "Each is listed once, by its newest row. All rows:"
)
NO_REPORTS = worded("page", "There is no report for whoever is signed on here.")
COLUMNS = worded("heading: what the columns of a report mean", "What the columns mean")
FROM = worded("field: the first gaming day", "from")
TO = worded("field: the last gaming day", "to")
DAY = worded("field: a gaming day", "gaming day")
RESULT = worded("field: win, lose, push or void", "result")
ROWS = worded("box: of a report that compares people", "also who is not named")
SINCE = worded("field: the first moment", "since")
UNTIL = worded("field: the last moment", "until")
AS_OF = worded("field: a moment in the past", "as it was at")
NARROWED: Mapping[str, str] = {
    "table": TABLE,
    "day": DAY,
    "from": FROM,
    "to": TO,
    "shoe": SHOE,
    "patron": PATRON,
    "seat": SEAT,
    "staff": worded("column", "staff"),
    "kind": worded("column", "kind"),
    "question": worded("column", "question"),
    "result": RESULT,
    "rows": ROWS,
    "since": SINCE,
    "until": UNTIL,
    "as_of": AS_OF,
}
OPEN_CASE = worded("heading and button: a patron disputes a coup", "Open a case")
COMPLAINT = worded("field: what a patron says", "Complaint")
AMOUNT = worded("field: the amount in dispute", "Amount in dispute")
MONEY_AMOUNT = worded("field: money that is moved", "Amount")
HOLD_TABLE = worded("field: no coup at the table meanwhile", "Hold the table until it is decided")
ADD_NOTE = worded("heading and button: on a case", "Add a note")
TEXT = worded("field: the words of a note", "Note")
EVIDENCE = worded("field: a camera and its moment", "Camera and moment")
CHIPS_OF_TABLE = worded("heading: forms about the chips of a table", "Chips of the tray")
CASE_BEGINS = worded("page", "A case is opened on the page of its coup.")
REQUESTED_AT_TABLES = worded("page", "A fill or a credit is requested on the page of its table.")
REQUEST_SLIP = worded("heading and button", "Request a fill or a credit")
ISSUE_SLIP = worded("button: the cage issues a fill, or expects a credit", "Issue")
CARRY_SLIP = worded("button: a security officer carries the chips", "Carry the chips")
RECEIVE_SLIP = worded("button: two people counted the chips", "Receive the chips, counted")
NEXT_IS_ISSUED = worded("page of a slip", "Next the cage issues it.")
NEXT_IS_CARRIED = worded("page of a slip", "Next security carries its chips.")
NEXT_IS_RECEIVED = worded("page of a slip", "Next two people at the table count its chips.")
VOID_SLIP = worded("button: the slip is not used", "Cancel the slip")
COUNT_SHIFT = worded("heading and button: by who leaves and who takes over", "Count a shift's tray")
KINDS_OF_SLIP: Mapping[str, str] = {
    "fill": worded("kind of a slip", "fill: chips from the cage to the table"),
    "credit": worded("kind of a slip", "credit: chips from the table to the cage"),
}
OPEN_INCIDENT = worded("heading and button: something happened on the floor", "Open an incident")
KIND_OF_INCIDENT, OF_TABLE = worded("field: of an incident", "Kind"), worded("field", "Table")
WHAT_HAPPENED = worded("field: of an incident; no names", "What happened (no names)")
PATRONS_IN_IT = worded("field: of an incident, with commas between", "Patrons")
STAFF_IN_IT = worded("field: of an incident, with commas between", "Staff")
GUESTS_IN_IT = worded("field: of an incident: references, no names", "Others (no names)")
MOVE_MONEY = worded("heading and button: of an incident", "Move money")
MONEY_FROM, MONEY_TO = worded("field: where money is", "From"), worded("field: where it goes", "To")
CLOSE_INCIDENT = worded("heading and button", "Close the incident")
REOPEN_INCIDENT = worded("heading and button", "Reopen the incident")
OPEN_INQUIRY = worded("heading and button: surveillance begins to look into it", "Open an inquiry")
ABOUT = worded("field: a coup, a shoe, a patron or a dealer", "About")
SUBJECT = worded("field: which coup, shoe, patron or dealer", "Which")
SUSPICION = worded("field: why surveillance looks into it", "Why")
QUESTION = worded("field: of a row of the report `protection`", "Row of protection")
DAY_OF_ROW = worded("field: the gaming day of a patron's or a dealer's row", "Its gaming day")
BESIDE_WHOM = worded(
    "field: the other patron or the dealer of a row that names two people", "Beside"
)
SEEN_BY = worded("field: the position of the event by which a row was seen", "Seen by #")
ATTACH = worded("heading and button: of an inquiry", "Attach evidence")
OUTCOME = worded("field: of an inquiry", "Outcome")
CLOSE_INQUIRY = worded("heading and button", "Close the inquiry")
PACK_OF_IT = worded("button: makes the file of a case, for a stranger to check", "Pack")
REOPEN_INQUIRY = worded("heading and button", "Reopen the inquiry")
ISSUE_COUPON = worded("heading and button", "Issue a coupon")
VOID_COUPON = worded("heading and button: nobody takes the coupon any more", "Void the coupon")
COUPON = worded("label: before the number of a match play or free bet", "coupon")
COUPON_NUMBER = worded("field: of a coupon", "Number")
COUPON_KIND = worded("field: match play or free bet", "Kind")
WORTH = worded("field: of a coupon", "Worth")
LAST_DAY = worded("field: the last gaming day on which a coupon is taken", "Last day")
BECAME = worded("column: how a coupon ended", "Result")
REASON = worded("field", "Reason")
STATUS: Mapping[str, str] = {
    "open": N_("open"),
    "decided": N_("decided"),
    "told": N_("decided, and the patron was informed"),
    "closed": N_("closed"),
}
BAND = worded("key of a plot: the band of a value", "95 of 100 such values lie here")
OUTSIDE = worded("key of a plot: a value", "! outside of it")
PLOT_MASTER = worded("plot", "Win of each table and period")
PLOT_WIN = worded("plot", "Win of each table and day")
PLOT_HOLD = worded("plot", "Hold of each table: the win in percent of the drop")
CURVE_WIN = worded("plot", "Win by day")
CURVE_PACE = worded("plot", "Hands an hour, by hour")
CURVE_OWED = worded("plot", "Commission owed over the gaming day")
PLOT_PACE = worded("plot", "Hands an hour")
PLOT_TABLE_HOUR = worded("plot", "Worth of an hour of play, by table")
PLOT_SEAT_HOUR = worded("plot", "Worth of an hour of one taken seat, by table")
CURVE_YIELD = worded("plot", "What the wagers of each hour brought")
PLOT_SELDOM = worded("plot", "How seldom chance alone does as much")
LEVEL = worded("plot: from where on a row is made", "the house's level")
IN_POWERS = worded("unit of a plot: 3 stands for once in 1,000 times", "powers of ten")
PLOT_OWED = worded("plot", "Commission owed")
KIND = worded("field: the kind of an event", "kind")
ACTOR = worded("field: who gave a command", "by")
OLDER = worded("link", "Older")
PREVIOUS_ROWS = worded("link: the page before this one", "Previous rows")
NEXT_ROWS = worded("link: the page after this one", "Next rows")
NEWER = worded("link", "Newer")
UP_TO_EVENT = worded("field: the number of the newest event that is listed", "up to event")
RECORDED = worded("label: when an event was recorded", "recorded")
COMMAND = worded("label: the command that recorded an event", "command")
FIELDS = worded("heading: the fields of an event", "Fields")
METADATA = worded("heading: what is known of the command", "About the command")
BESIDE = worded("heading: other events of the same command", "By the same command")
PUT_RIGHT_BY = worded("heading: later events that correct this one", "Put right by")
PUTS_RIGHT = worded("heading: earlier events that this one corrects", "Puts right")
STREAM = worded("label: the events of one coup, one shoe and so on", "stream")
HASH = worded("label", "hash")
HASH_BEFORE = worded("label", "hash before")
CANONICAL = worded("label: the bytes that are hashed", "canonical form")
CHAIN_GOOD = worded(
    "page",
    "The hash is right: SHA-256 of 00 and the canonical form, which ends with the hash before.",
)
CHAIN_BROKEN = worded("page", "THE HASH IS WRONG: this event was altered, or the one before it.")
MAIN_BETS = worded("label: limits of Player, Banker and Tie", "main bets")
NO_ADDRESS = worded("page", "The address has letters that cannot be read. Type it again.")
SKIP = worded("link for the keyboard", "Go to the content")
DIFFERENCE = worded("label: between Player and Banker wagers", "difference")
SIDE_BETS = worded("label: wagers on side bets", "side bets")
OWED = worded("label: commission owed", "commission owed")
OWED_HERE = worded("label: commission owed at a table, in few letters", "owed")
WIN = worded("label: the house's win, estimated", "win est.")
WIN_COUNTED = worded("label: the house's win, counted", "win")
DROP = worded("label", "drop")
TRAY = worded("label: the value that the tray should have", "tray")
LEFT = worded("label: cards left in the shoe", "cards left")
HANDS = worded("label", "hands/h")
HANDS_NOW = worded("label: hands an hour, by those of the last hour", "hands/h now")
NOW_AT = worded("label: the tables where somebody is", "now at")
LIMITS = worded("label: the limits of the main bets", "limits")
ON_THE_FLOOR = worded("heading: who works at the tables now", "On the floor")
AVERAGE = worded("column: the average wager of a patron, all bets of a coup together", "avg.")
MINUTES = worded("column: how long a patron has been at the table", "min")
PAUSE = worded("row and mark: why a seat should pause soon", "pause")
SEATS = worded("label", "seats")
DEALER = worded("label", "dealer")
SUPERVISOR = worded("label", "supervisor")
COUP = worded("label", "coup")
LAST_COUP = worded("label: time since the last coup", "last coup")
LOST = worded("banner", "No connection to the house. What is shown may be old; trying again.")
SINCE_LOST = worded("banner: before a time of day", "Last news at")
BEGINS = worded("banner", "The house's record is being read.")
OPEN_HOUSE = worded(
    "banner", "Open house: nobody is enrolled, and every number is taken as it is given."
)


def road_words(coups: int, newest: str) -> str:
    """The road for whoever hears it."""
    return shown(
        counted(
            coups,
            "Big road, {n} coup, the newest last: {newest}",
            "Big road, {n} coups, the newest last: {newest}",
            newest=newest,
        )
    )


def more_alerts(many: int) -> str:
    """The words for the alerts that are not listed."""
    return shown(counted(many, "{n} more", "{n} more"))


def evening_words(first: str, last: str) -> str:
    """The line of the evening's win for whoever hears it."""
    return _("The win since the table opened: lowest {first}, now {last}", first=first, last=last)


def wanted_pace(pace: Pace) -> str:
    """Beside the hands an hour: how many are wanted."""
    few, many = number(pace.slowest), number(pace.fastest)
    return _("wanted {few}–{many}", few=few, many=many)


def seats_words(taken: int, total: int) -> str:
    """How many seats are taken."""
    return _("{taken} of {total}", taken=number(taken), total=number(total))


def not_open(table: str) -> str:
    """That a table is not open, above the days on which it was."""
    return _("{table} is not open. Its last gaming days:", table=table)


def ledger_lost(why: str) -> str:
    """The words while the ledger cannot be reached."""
    return shown(show.lost_words(why))


def event_of(shown_events: int, events: int) -> str:
    """Which event of a coup is shown."""
    return _("event {n} of {many}", n=number(shown_events), many=number(events))


def signed_words(events: int, witnesses: int) -> str:
    """That a signed checkpoint covers a coup."""
    covered = _(
        "A signed checkpoint of {events} events covers it; the pack has the proof of each event.",
        events=number(events),
    )
    if not witnesses:
        return covered
    seen = counted(witnesses, "{n} witness signed it too.", "{n} witnesses signed it too.")
    return f"{covered} {shown(seen)}"


def copy_for(patron: str) -> str:
    """The link to a page that names nobody but this patron."""
    return _("copy for {patron}", patron=patron)


def rows_of(first: int, rows: int, many: int) -> str:
    """Which rows of a report are shown."""
    if rows == many:
        return shown(counted(many, "{n} row", "{n} rows"))
    last = number(first + rows - 1)
    return _("rows {first} to {last} of {many}", first=number(first), last=last, many=number(many))


def open_alerts(many: int) -> str:
    """How many alerts wait for somebody."""
    return shown(counted(many, "{n} open", "{n} open"))


def acknowledged(by: str, when: str) -> str:
    """Who acknowledged an alert, and when."""
    return _("acknowledged by {who}, {when}", who=by, when=when)


def takes_no(name: str, takes: Sequence[str]) -> str:
    """Why an address with this name after its question mark is refused."""
    if not takes:
        return _("This page takes nothing after the question mark. Leave {name} out.", name=name)
    return _("This page takes no {name}. It takes {names}.", name=name, names=", ".join(takes))


def total_of(rows: int, many: int) -> str:
    """What the sums below the rows are of, if more than these are summed."""
    return shown(TOTAL) if rows == many else _("total of all {many} rows", many=number(many))


def at_position(position: int) -> str:
    """Up to which event a report has been read."""
    return _("up to event #{position} of the record", position=number(position))
