"""What is to be done now, in the floor's words: what the eye must find first."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from domain.aggregates.due import NextAct
from domain.aggregates.shoe import SOON
from domain.rules.cards import symbol
from domain.rules.spots import SPOT
from domain.rules.wording import Amount, Words, counted, either, listed
from ops.now.table_now import CoupNow, TableNow
from ops.terminal.dealer.phrases import sentence
from ops.terminal.dealer.prompts import RULES_ARE, opening_line
from ops.words.coups import spot_name
from ops.words.language import N_, _, shown
from ops.words.terms import holder_called

Tone = Literal["player", "banker", "tie", "act", "alarm", "quiet"]
# The line that F7 begins, by what is due. It is entered at once where it needs no further word.
SHOE_LINES = {
    "shoe.load": "load ",
    "shoe.inspect": "inspect",
    "shoe.shuffle": "shuffle ",
    "shoe.cut": "cut ",
    "shoe.burn": "burn ",
    "shoe.end": "end",
}


class Task(Struct, frozen=True):
    """What to do next: `headline` large, with its rule; below it why, how, and what else to know.

    `how_rule` is the rule of `how`, where it is not that of the headline. `tone`: whose colour it
    has; `alarm`: the game is halted; `quiet`: nothing is to be done.
    """

    headline: str
    tone: Tone
    rule: str = ""
    why: tuple[str, ...] = ()
    how: str = ""
    notes: tuple[str, ...] = ()  # what nobody may miss
    near: tuple[str, ...] = ()  # what the head of the screen shows too
    how_rule: str = ""


def task(now: TableNow) -> Task:
    """What to do next at a table, whatever its state."""
    if now.asked:
        return Task(now.asked.headline, "act", why=now.asked.words, how=now.asked.how)
    if now.due is None:
        return _closed(now)
    headline, tone, why, how = _ACTS[now.due.action](now)
    notes, near = tuple(_notes(now)), tuple(_near(now))
    rule = _headline_rule(now.due, now.coup)
    how_rule = now.due.rule if rule != now.due.rule else ""
    return Task(headline, tone, rule, why, how, notes, near, how_rule)


def _closed(now: TableNow) -> Task:
    if not now.read:
        return Task(_("NOT READ YET"), "quiet")
    if now.day is None:
        why = (_("Type `{line}`.", line=opening_line(now)), _(RULES_ARE))
        return Task(_("NOT OPENED YET"), "quiet", why=why)
    return Task(
        _("TABLE CLOSED"), "quiet", why=(_("Gaming day {day} has ended here.", day=now.day),)
    )


def _headline_rule(due: NextAct, coup: CoupNow | None) -> str:
    """The rule of the headline; a result has its own."""
    return "R-WIN-1" if due.action == "settle" and coup else due.rule


def _notes(now: TableNow) -> Iterator[str]:
    shoe, coup = now.shoe, now.coup
    if now.held_by and now.due and now.due.action != "dispute.decide":
        yield _("{cases} holds the table (R-IRR-5).", cases=listed(now.held_by))
    if shoe is None or not shoe.ready:
        return
    if coup and coup.dummy and not coup.over:
        yield _("This is a dummy coup: it takes no bets.")
    if shoe.waiting:
        yield _waiting(shoe.waiting, begins=bool(coup and coup.phase == "betting"))
    if shoe.holder != "dealer":
        yield _("The shoe is with {holder}.", holder=holder_called(shoe.holder))


def _waiting(waiting: Sequence[str], *, begins: bool) -> str:
    """Which coup the cards begin that came when none was due, and what to do with them."""
    this = (
        "{cards} is this coup's first card; do not type it again.",
        "{cards} are this coup's first cards; do not type them again.",
    )
    following = (
        "Put {cards} aside for the next coup; do not type it again.",
        "Put {cards} aside for the next coup; do not type them again.",
    )
    cards = " ".join(map(symbol, waiting))
    return shown(counted(len(waiting), *(this if begins else following), cards=cards))


def _near(now: TableNow) -> Iterator[str]:
    """How soon the shoe ends."""
    shoe, number = now.shoe, now.coup.number if now.coup else 0
    if shoe is None or not shoe.ready:
        return
    if shoe.last_coup is not None and number < shoe.last_coup:
        yield _("The cut card shows: coup {coup} is the last.", coup=shoe.last_coup)
    elif shoe.last_coup is not None and number == shoe.last_coup:
        yield _("The cut card shows: this coup is the last.")
    elif shoe.coups_to_cut_card is not None and shoe.coups_to_cut_card <= SOON:
        yield sentence(shown(_cut_card(shoe.coups_to_cut_card)))


def _cut_card(coups: int) -> Words:
    """About how many coups are left until the cut card."""
    if not coups:
        return Words("The cut card is due now")
    return counted(coups, "Cut card in about {n} coup", "Cut card in about {n} coups")


Parts = tuple[str, Tone, tuple[str, ...], str]  # headline, tone, why, how


def _bet(now: TableNow) -> Parts:
    coup = now.coup
    if coup and (coup.phase == "betting" or coup.offers):  # it cannot be closed so
        if now.due and now.due.rule == "R-BET-4":
            return _("LEVEL THE BETS"), "alarm", (_too_far_apart(now),), _("change a bet, or `u`")
        return (
            _("CHANGE THE BETS"),
            "alarm",
            (_("A bet is outside its limits."),),
            _("raise it, or `u`"),
        )
    why = (_over(coup, now.currency),) if coup and coup.over else ()
    return _("PLACE YOUR BETS"), "act", why, _("seat, spot, amount: `3 b 500`")


def _too_far_apart(now: TableNow) -> str:
    """How far all Player and all Banker bets are apart, and how far they may be."""
    on = {
        spot: sum(each.stake for seat in now.seats for each in seat.wagers if each.spot == spot)
        for spot in ("player", "banker")
    }
    return _(
        "Player {player}, Banker {banker}: at most {most} apart.",
        player=Amount(on["player"], now.currency, short=True),
        banker=Amount(on["banker"], now.currency, short=True),
        most=Amount(now.differential or 0, now.currency, short=True),
    )


def _over(coup: CoupNow, currency: str) -> str:
    """How the coup before ended."""
    if coup.phase == "voided":
        return _void_words(coup, currency)
    if coup.phase == "unused":
        return _("Coup {coup} ended without a bet and without a card.", coup=coup.number)
    if not coup.outcome:
        return _("Coup {coup} is settled.", coup=coup.number)
    values = {"coup": coup.number, "result": result_words(coup)}
    if coup.natural:
        return _("Coup {coup} is settled: {result}, a natural.", **values)
    return _("Coup {coup} is settled: {result}.", **values)


def _void_words(coup: CoupNow, currency: str) -> str:
    values: dict[str, object] = {
        "coup": coup.number,
        "gave": Amount(coup.gave_back, currency),
        "took": Amount(coup.took_back, currency),
    }
    if coup.gave_back and coup.took_back:
        return _("Coup {coup} is void: {gave} is returned, {took} is taken back.", **values)
    if coup.gave_back:
        return _("Coup {coup} is void: {gave} is returned.", **values)
    if coup.took_back:
        return _("Coup {coup} is void: {took} is taken back.", **values)
    return _("Coup {coup} is void.", coup=coup.number)


def result_words(coup: CoupNow) -> str:
    """`Player won, 6 to 4`; a tie is won by nobody."""
    first, second = totals(coup)
    return _(_WON[coup.outcome or "tie"], first=first, second=second)


def totals(coup: CoupNow) -> tuple[int, int]:
    """The winner's total first."""
    first, second = sorted((coup.player.total or 0, coup.banker.total or 0), reverse=True)
    return first, second


_WON = {
    "player": N_("Player won, {first} to {second}"),
    "banker": N_("Banker won, {first} to {second}"),
    "tie": N_("Tie, {first} to {second}"),
}
_WINS = {
    "player": N_("PLAYER WINS {first} to {second}"),
    "banker": N_("BANKER WINS {first} to {second}"),
    "tie": N_("TIE {first} to {second}"),
}
_CARD = {"player": N_("PLAYER CARD"), "banker": N_("BANKER CARD")}
_DRAWS = {"player": N_("PLAYER DRAWS"), "banker": N_("BANKER DRAWS")}


def _offered(coup: CoupNow, currency: str) -> Iterator[str]:
    """What is offered after the first four cards, at which odds, to whom (R-BET-8)."""
    for offer in coup.offers:
        seats = (
            _("seat {seat} up to {most}", seat=seat, most=Amount(most, currency, short=True))
            for seat, most in offer.seats
        )
        odds = either(offer.odds) if offer.odds else "–"
        spot = spot_name(offer.spot)
        yield _("{spot} {odds}: {seats}.", spot=spot, odds=odds, seats=listed(seats))


def _no_more_bets(now: TableNow) -> Parts:
    if now.coup and now.coup.offers:
        offered = tuple(_offered(now.coup, now.currency))
        return _("BETS AFTER FOUR CARDS"), "act", offered, _("`n` no more bets, then the card")
    generated = now.shoe and now.shoe.generated
    how = _("`n` no more bets") if generated else _("`n` no more bets, or a card")
    return _("BETS ARE OPEN"), "act", (), how


def _draw(now: TableNow) -> Parts:
    assert now.due is not None
    assert now.coup is not None
    hand: Tone = "player" if now.due.hand == "player" else "banker"
    how = _("the shoe deals it") if now.shoe and now.shoe.generated else _typed_how(now)
    if now.due.rule == "R-DEAL-1":
        nth = len(getattr(now.coup, hand).cards) + 1
        why = ((_("Its first card."), _("Its second card."))[nth - 1], *_from_reading_shoe(now))
        return _(_CARD[hand]), hand, why, how
    drawn = tuple(
        sentence(shown(step.why)) for step in now.coup.steps if step.position == f"{hand}-third"
    )
    return _(_DRAWS[hand]), hand, drawn, how


def _typed_how(now: TableNow) -> str:
    """A card that lies face down is typed when it is turned.

    A third card lies open, but in a squeeze.
    """
    assert now.rules is not None
    assert now.due is not None
    first_four = now.due.rule == "R-DEAL-1" and now.rules.dealing == "face-down"
    face_down = first_four or now.rules.dealing == "squeeze"
    return _("once turned, type it: `9h`") if face_down else _("type the card: `9h`")


def _from_reading_shoe(now: TableNow) -> Iterator[str]:
    if now.rules and now.rules.dealing == "squeeze" and not (now.shoe and now.shoe.generated):
        yield _("A reading shoe enters it by itself.")


def _settle(now: TableNow) -> Parts:
    coup = now.coup
    assert coup is not None
    assert coup.outcome is not None
    first, second = totals(coup)
    headline = _(_WINS[coup.outcome], first=first, second=second)
    how = _("`s` settles")
    if coup.natural:
        return headline, coup.outcome, (_("A natural: no third cards."),), how
    why = tuple(sentence(shown(step.why)) for step in coup.steps)
    return headline, coup.outcome, why, how


def _reveal(now: TableNow) -> Parts:
    """Whose hand is turned next; a third card, or `s`, turns what is left."""
    assert now.coup is not None
    whose = listed(_(SPOT[hand].label) for hand in now.coup.face_down)
    keys = ", ".join(f"`r {hand[0]}`" for hand in now.coup.face_down)
    why = (_("Face down: {hands}.", hands=whose), *_holding(now.coup))
    return _("TURN THE CARDS"), "act", why, _("{keys}; `s` turns the rest", keys=keys)


def _holding(coup: CoupNow) -> Iterator[str]:
    """Who looks at which hand in a squeeze."""
    for hand, seat in coup.holds:
        who = holder_called(seat)
        player, banker = N_("The Player hand is with {who}."), N_("The Banker hand is with {who}.")
        yield _(player if hand == "player" else banker, who=who)


def _void(now: TableNow) -> Parts:
    why = (_("This coup can only be voided."),)
    return _("VOID THE COUP"), "alarm", why, _("F8 supervisor, then `void`")


def _held(now: TableNow) -> Parts:
    why = _("No further coup is dealt until {cases} is decided.", cases=listed(now.held_by))
    return _("TABLE HELD"), "alarm", (why,), _("call the supervisor")


def _locked_up(_now: TableNow) -> Parts:
    why = _("Two people settle the coup by its cards, or return every stake.")
    return _("LOCKED UP"), "alarm", (why,), _("call the supervisor")


def _collect(now: TableNow) -> Parts:
    why = counted(
        len(now.owing) + len(now.left_owing),
        "{n} patron owes {amount} {currency}.",
        "{n} patrons owe {amount} {currency}.",
        amount=Amount(now.owed, now.currency),
        currency=now.currency,
    )
    reasons = (_("The last coup is over."), shown(why))
    how = _("`c {seat}` collects from seat {seat}", seat=now.owing[0].seat) if now.owing else ""
    if not how and now.left_owing:
        how = _(
            "`c {patron}` collects from {patron}, who has left", patron=next(iter(now.left_owing))
        )
    return _("COLLECT COMMISSION"), "act", reasons, how


def _load(now: TableNow) -> Parts:
    if now.shoe and now.shoe.step == "ended":
        why = _("The shoe has ended. Count its cards: `reconcile 30`.")
        return _("LOAD A SHOE"), "act", (why,), _by_f7(now)
    return _shoe(N_("LOAD A SHOE"), N_("No shoe is on the table."))(now)


def _shoe(headline: str, why: str) -> Callable[[TableNow], Parts]:
    return lambda now: (_(headline), "act", (_(why),), _by_f7(now))


def _burn(now: TableNow) -> Parts:
    if now.shoe and now.shoe.ready:
        face_down = (_("Face down, before the first card of the coup."),)
        return _("BURN A CARD"), "act", face_down, _by_f7(now)
    return _shoe(N_("BURN FIRST CARD"), N_("The shoe is cut."))(now)


def shoe_line(now: TableNow) -> str | None:
    """What is due for the shoe as a line, with a space behind it when it needs further words."""
    if now.due and now.due.action in SHOE_LINES:
        between = now.due.rule == "R-SHOE-6"
        return SHOE_LINES[now.due.action].rstrip() if between else SHOE_LINES[now.due.action]
    shoe = now.shoe
    if shoe and shoe.ready and shoe.to_cut_card is not None and not now.closed:
        return "cut-card "
    return None


def _by_f7(now: TableNow) -> str:
    line = shoe_line(now)
    return _("F7 begins the line") if line and line.endswith(" ") else _("F7 does it")


def _dummy(_now: TableNow) -> Parts:
    return _("DEAL A DUMMY COUP"), "act", (_("It takes no bets."),), _("type its next card")


_ACTS: Mapping[str, Callable[[TableNow], Parts]] = {
    "shoe.load": _load,
    "shoe.inspect": _shoe(N_("INSPECT THE SHOE"), N_("The shoe is loaded.")),
    "shoe.shuffle": _shoe(N_("SHUFFLE THE SHOE"), N_("The shoe is inspected.")),
    "shoe.cut": _shoe(N_("CUT THE SHOE"), N_("The shoe is shuffled.")),
    "shoe.burn": _burn,
    "shoe.end": _shoe(N_("END THE SHOE"), N_("The last coup is over, and no commission is owed.")),
    "bet": _bet,
    "no-more-bets": _no_more_bets,
    "draw": _draw,
    "reveal": _reveal,
    "settle": _settle,
    "void": _void,
    "open": _dummy,
    "dispute.decide": _held,
    "table.unlock": _locked_up,
    "commission.collect": _collect,
}
