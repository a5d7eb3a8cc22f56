"""What a dealer types, and what it says: every form, every refusal, and no line that says two."""

import re
from contextlib import suppress

import click
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ops.commands.command import AtTable, free_text_of
from ops.commands.vocabulary import COMMANDS
from ops.typed.acts import (
    Bets,
    Cards,
    Collect,
    ColourChange,
    Correct,
    Drawn,
    Group,
    Help,
    LetGo,
    Limits,
    Misdraw,
    NoMoreBets,
    NotUnderstood,
    Objection,
    Reveal,
    Settle,
    Spoken,
    TakeBack,
    Undo,
    Void,
    Wager,
    WhatTray,
    WhoOwes,
    spots_by_key,
)
from ops.typed.grammar import FORMS, parse
from ops.typed.shell import parameters
from ops.typed.spoken import SPOKEN
from ops.typed.tokens import Wrong, one_line
from tests.ops.typed.acts import ACTS


def readings(typed):
    """Every form that takes the line: there is never more than one."""
    taken = []
    for form in FORMS:
        with suppress(Wrong):
            taken.append(form(one_line(typed)))
    return [act for act in taken if act is not None]


def bets(*groups, same=(), everybody=False):
    """Seats, then spot and amount in turn."""
    made = [
        Group(seats, tuple(Wager(*pair) for pair in zip(said[::2], said[1::2], strict=True)))
        for seats, *said in groups
    ]
    return Bets(tuple(made), tuple(same), everybody)


B_500 = bets(((3,), "banker", "500"))
SEVEN = bets(((1, 2, 3, 4), "banker", "100"), ((5, 6, 7), "player", "50"), ((1, 3, 5), "tie", "25"))
REPEATED = bets(((3,), "tie", "25"), same=(3,))
NO_CARD = "is not a card. Type rank and suit: `9h`, `th`, or several: `9c5s7cqd`."
NO_RANK_OR_SUIT = (
    "is not a card, and a bet has seat, spot and amount: `3 b 500`. "
    "Ranks are `a 2-9 t j q k`, suits `c d h s`."
)
BUT_3 = bets(((3,), "banker", "1000"), everybody=True)
SPOTS_ARE = "Spots are `p b t dp db pp pb d7 p8 l6 ts tb tg tt`."

# fmt: off
TYPED = [
    # Bets: seats, spot, amount; blanks and capitals do not matter.
    ("3 b 500",                     B_500),
    ("3b500",                       B_500),
    ("  3B  500 ",                  B_500),
    ("3 banker 500",                B_500),
    ("3BANKER500",                  B_500),
    ("3 b 0500",                    B_500),
    ("3b.5k",                       "There is no amount after `b`. Type it as `500`, `12.50` or `1.5k`."),  # noqa: E501
    ("3b0.5k",                      B_500),
    ("3 b 500 t 25 db 50",          bets(((3,), "banker", "500", "tie", "25",
                                          "dragon-banker", "50"))),
    ("3b500t25db50",                bets(((3,), "banker", "500", "tie", "25",
                                          "dragon-banker", "50"))),
    ("3b1kp50",                     bets(((3,), "banker", "1000", "player", "50"))),
    ("5 p 1k",                      bets(((5,), "player", "1000"))),
    ("3 b 1,000",                   bets(((3,), "banker", "1000"))),
    ("3b10,000.50t1,000 1,3,5p2",   bets(((3,), "banker", "10000.50", "tie", "1000"),
                                         ((1, 3, 5), "player", "2"))),
    ("c 3 1,000",                   Collect((3,), amount="1000")),
    ("limits 25 10,000",            Limits("25", "10000")),
    ("5p1.5K",                      bets(((5,), "player", "1500"))),
    ("5p2m",                        bets(((5,), "player", "2000000"))),
    ("5 p 12.50",                   bets(((5,), "player", "12.50"))),
    ("3pp5pb5",                     bets(((3,), "pair-player", "5", "pair-banker", "5"))),
    ("3 dragon-player 5 dp 5",      "Seat 3 on Dragon Player is in the line twice."),
    ("1,3,5 b 100",                 bets(((1, 3, 5), "banker", "100"))),
    ("1, 3 ,5b100",                 bets(((1, 3, 5), "banker", "100"))),
    ("1-4 b 100",                   bets(((1, 2, 3, 4), "banker", "100"))),
    ("1-2,7 b 100",                 bets(((1, 2, 7), "banker", "100"))),
    ("1-4b100 5-7p50 1,3,5t25",     SEVEN),
    ("1-4 b 100 5-7 p 50 1,3,5 t 25", SEVEN),
    ("3 d7 50",                     bets(((3,), "dragon-7", "50"))),
    ("3p8 500",                     bets(((3,), "panda-8", "500"))),
    ("3 p 8 5b10",                  bets(((3,), "player", "8"), ((5,), "banker", "10"))),
    ("3p8 5b10",                    bets(((3,), "panda-8", "5", "banker", "10"))),
    ("3p8500",                      bets(((3,), "player", "8500"))),
    ("3 l6 5",                      bets(((3,), "lucky-6", "5"))),
    # As in the last coup.
    ("=",                           bets(everybody=True)),
    ("3 =",                         bets(same=(3,))),
    ("3=",                          bets(same=(3,))),
    ("1-4 =",                       bets(same=(1, 2, 3, 4))),
    ("= 3b1k",                      BUT_3),
    ("=3b1k",                       BUT_3),
    ("3b1k =",                      BUT_3),
    ("3 = 3 t 25",                  REPEATED),
    ("3 = 5 =",                     bets(same=(3, 5))),
    # Back.
    ("3 -",                         TakeBack((3,))),
    ("3-",                          TakeBack((3,))),
    ("1-4 -",                       TakeBack((1, 2, 3, 4))),
    ("3 b -",                       TakeBack((3,), "banker")),
    ("3p8-",                        TakeBack((3,), "panda-8")),
    ("u",                           Undo()),
    ("U",                           Undo()),
    # Cards.
    ("n",                           NoMoreBets()),
    ("9h",                          Cards(("9H",))),
    ("th",                          Cards(("TH",))),
    ("10h",                         Cards(("TH",))),
    ("AS",                          Cards(("AS",))),
    ("9c5s7cqd",                    Cards(("9C", "5S", "7C", "QD"))),
    ("10H",                         Cards(("TH",))),
    ("10♥",                         Cards(("TH",))),
    ("H10",                         Cards(("TH",))),
    ("♥10",                         Cards(("TH",))),
    ("♥️10 s",                       Cards(("TH",), settle=True)),
    ("9c, 5s, 7c,qd s",             Cards(("9C", "5S", "7C", "QD"), settle=True)),
    ("9♣5♠ 7♣ q♦",                  Cards(("9C", "5S", "7C", "QD"))),
    ("h10 c9, s5",                  Cards(("TH", "9C", "5S"))),
    ("ck",                          Cards(("KC",))),
    ("♣9",                          Cards(("9C",))),
    ("9c 5s  7c qd",                Cards(("9C", "5S", "7C", "QD"))),
    ("9c10s s",                     Cards(("9C", "TS"), settle=True)),
    ("9c 9s",                       Cards(("9C", "9S"))),
    ("3d7s",                        Cards(("3D", "7S"))),
    ("d",                           Drawn(1)),
    ("dddd",                        Drawn(4)),
    ("d d S",                       Drawn(2, settle=True)),
    # Payment.
    ("s",                           Settle()),
    ("s 3 195",                     Settle(((3, "195"),))),
    ("s3=195 5 = 1k",               Settle(((3, "195"), (5, "1000")))),
    ("s 3 195 5 0",                 Settle(((3, "195"), (5, "0")))),
    ("c",                           WhoOwes()),
    ("tray",                        WhatTray()),
    ("c3",                          Collect((3,))),
    ("c 1,3,5",                     Collect((1, 3, 5))),
    ("c 3 100",                     Collect((3,), amount="100")),
    ("c grey-jacket",               Collect(patron="grey-jacket")),
    ("C P-10417 12.50",             Collect(patron="P-10417", amount="12.50")),
    ("c 'Lucky 7'",                 Collect(patron="Lucky 7")),
    ('c "Lucky 7" 7',               Collect(patron="Lucky 7", amount="7")),
    ("c 王先生 1k",                   Collect(patron="王先生", amount="1000")),
    # A squeeze.
    ("r p",                         Reveal("player")),
    ("rb",                          Reveal("banker")),
    ("r p 3",                       Reveal("player", 3)),
    ("rb4",                         Reveal("banker", 4)),
    ("r player 3",                  Reveal("player", 3)),
    # Put right.
    ("void a torn card",            Void("a torn card")),
    ("VOID 'a torn card'",          Void("a torn card")),
    ("void B01/2026-11-21/1/17 torn", Void("torn", "B01/2026-11-21/1/17")),
    ("correct 3 b 500 a chip fell", Correct(3, "banker", "a chip fell", to="500")),
    ("correct 3 b 0 it lost",       Correct(3, "banker", "it lost", to="0")),
    ("correct 3 b it won",          Correct(3, "banker", "it won")),
    ("correct 3 b as p it lay there", Correct(3, "banker", "it lay there", as_spot="player")),
    ("correct 3 b as he said",      Correct(3, "banker", "as he said")),
    ("correct 3 b '2 chips fell'",  Correct(3, "banker", "2 chips fell")),
    ("waive 3 a good guest",        LetGo("waive", "a good guest", 3)),
    ("waive 3 100 a good guest",    LetGo("waive", "a good guest", 3, amount="100")),
    ("walked grey-jacket gone",     LetGo("walked", "gone", patron="grey-jacket")),
    ("limits b 25 10000",           Limits("25", "10000", "banker")),
    ("limits 25 10k",               Limits("25", "10000")),
    ("misdraw 9h",                  Misdraw("9H")),
    ("colour 5=20 for 100=1",       ColourChange((("5", 20),), (("100", 1),))),
    ("COLOUR 1k=1 FOR 100=9, 25=4", ColourChange((("1000", 1),), (("100", 9), ("25", 4)))),
    ("misdraw 10h Burn",            Misdraw("TH", "burn")),
    # Questions.
    ("?",                           Help()),
    ("?  Bet",                      Help("bet")),
    ("!",                           Objection()),
    ("! the Tie was not paid",      Objection("the Tie was not paid")),
    # Commands whole.
    ("table seat 3 P-10417",        Spoken("table.seat", ("3", "P-10417"))),
    ("table.seat 3 P-10417",        Spoken("table.seat", ("3", "P-10417"))),
    ("seat 3 'Mr. O’Hara'",         Spoken("table.seat", ("3", "Mr. O’Hara"))),
    ("leave 3",                     Spoken("table.leave", ("3",))),
    ("move 3 5",                    Spoken("table.move", ("3", "5"))),
    ("buy-in 3 500",                Spoken("table.buy-in", ("3", "500"))),
    ("shoe load 8 --serials K-1",   Spoken("shoe.load", ("8", "--serials", "K-1"))),
    ("Load 8",                      Spoken("shoe.load", ("8",))),
    ("inspect",                     Spoken("shoe.inspect")),
    ("shuffle machine --device SH-2", Spoken("shoe.shuffle", ("machine", "--device", "SH-2"))),
    ("cut --seat 3",                Spoken("shoe.cut", ("--seat", "3"))),
    ("cut 3",                       Spoken("shoe.cut", ("--seat", "3"))),
    ("cut",                         Spoken("shoe.cut")),
    ("cut-card",                    Spoken("shoe.cut-card")),
    ("burn 3d",                     Spoken("shoe.burn", ("3d",))),
    ("pass --seat 4",               Spoken("shoe.pass", ("--seat", "4"))),
    ("end --reason 'a torn card'",  Spoken("shoe.end", ("--reason", "a torn card"))),
    ("reconcile 30",                Spoken("shoe.reconcile", ("30",))),
    ("discard 9h face-up",          Spoken("shoe.discard", ("9h", "face-up"))),
    ("move-card 4 banker",          Spoken("move-card", ("4", "banker"))),
    ("table open classic@1",        Spoken("table.open", ("classic@1",))),
    ("sabot table open B01 ez@1",   Spoken("table.open", ("B01", "ez@1"))),
    ("SABOT  3 b 500",              B_500),
    ("sabot",                       "This is not a line of this terminal. Type `?` for help."),
    ("close --closer 100=199",      Spoken("table.close", ("--closer", "100=199"))),
    ("open",                        Spoken("open")),
    ("dispute open P-3 'not paid'", Spoken("dispute.open", ("P-3", "not paid"))),
    ("dispute close C-2026-0001",   Spoken("dispute.close", ("C-2026-0001",))),
    ("limits --differential 5000",  Spoken("table.limits", ("--differential", "5000"))),
    # Not understood: what is wrong, and what would be right.
    ("3 x 500",                     f"`x` is not a spot. {SPOTS_ARE}"),
    ("3x500",                       f"`x` is not a spot. {SPOTS_ARE}"),
    ("7x",                          f"`7x` {NO_RANK_OR_SUIT}"),
    ("11h",                         f"`11h` {NO_RANK_OR_SUIT}"),
    ("1h",                          f"`1h` {NO_RANK_OR_SUIT}"),
    ("7 x",                         f"`7 x` {NO_RANK_OR_SUIT}"),
    ("3bt 500",                     f"`bt` is not a spot. {SPOTS_ARE}"),
    ("3",                           "Type spot and amount too: `3 b 500`, or `3 =`, or `3 -`."),
    ("1-4",                         "Type spot and amount too: `1-4 b 500`, or `1-4 =`, or `1-4 -`."),  # noqa: E501
    ("3 b",                         "There is no amount after `b`. Type it as `500`, `12.50` or `1.5k`."),  # noqa: E501
    ("3p8",                         "There is no amount after `p8`. Type it as `500`, `12.50` or `1.5k`."),  # noqa: E501
    ("3b1,00",                      "`1,00` is not an amount. Type it as `500`, `12.50` or `1.5k`."),  # noqa: E501
    ("3 b 1,0000",                  "`1,0000` is not an amount. Type it as `500`, `12.50` or `1.5k`."),  # noqa: E501
    ("3b1.23456",                   "`1.23456` is not an amount. Type it as `500`, `12.50` or `1.5k`."),  # noqa: E501
    ("3d7500",                      "Type a blank between `d7` and its amount."),
    ("8 b 0",                       "A bet of 0 is no bet. To take a bet back type `8 b -`."),
    ("1-3,5 t 0",                   "A bet of 0 is no bet. To take a bet back type `1-3,5 t -`."),
    ("3 b 500 5",                   "Type spot and amount too: `5 b 500`, or `5 =`, or `5 -`."),
    ("3b1k5p50",                    "Type a blank before `5p50`."),
    ("3b100=",                      "Type a blank before `=`."),
    ("3=5b100",                     "Type a blank after `=`."),
    ("= =",                         "`=` is in the line twice."),
    ("3 = 3 =",                     "Seat 3 is in the line twice."),
    ("1-4b100 3b50",                "Seat 3 on Banker is in the line twice."),
    ("1,1b100",                     "Seat 1 is in the line twice."),
    ("4-1b100",                     "`4-1` is not a range of seats. Type it as `1-4`."),
    ("1-999b5",                     "`1-999` is not a range of seats. Type it as `1-4`."),
    ("3 - 5b100",                   "Take back in a line of its own: `3 -`."),
    ("5b100 3 -",                   "Take back in a line of its own: `3 -`."),
    ("3 b - t -",                   "Take back in a line of its own: `3 b -`."),
    ("9c5x",                        f"`5x` {NO_CARD}"),
    ("4hs",                         f"`s` {NO_CARD}"),
    ("9c9c9c9c9c9c9c",              "These are 7 cards, and a coup has at most 6."),
    ("ddddddd",                     "These are 7 cards, and a coup has at most 6."),
    ("s 3",                         "`3` is not a seat and an amount. Type what was paid as `s 3=195 5=1000`."),  # noqa: E501
    ("s 3=1 3=2",                   "Seat 3 is in the line twice."),
    ("c 3 much",                    "`much` is not an amount. Type it as `500`, `12.50` or `1.5k`."),  # noqa: E501
    ("c 1,3 100",
     "Type an amount for one seat only. Without an amount each seat pays all it owes."),
    ("c grey jacket",
     "`jacket` is not an amount. Put a name with a blank in quotes: `c 'Mr. Jones' 100`."),
    ("c 'grey",                     "`'grey` is not a name. Put a name with a blank in quotes: `'Mr. Jones'`."),  # noqa: E501
    ("void",                        "Type the reason too: `void a torn card`."),
    ("void torn --with S-11",
     "Leave the options out. The second person is asked for after Enter."),
    ("waive 4 a long wait --amount 5",
     "Type the amount after who, before the reason: `waive 3 100 a good guest`."),
    ("correct 3 b 500",             "Type the reason too: `correct 3 b 500 a chip fell`."),
    ("correct x",       "Type seat, spot and reason too: `correct 3 b 500 a chip fell`."),
    ("waive",                       "Type who, and the reason: `waive 3 a good guest`."),
    ("waive 3",                     "Type the reason too: `waive 3 a good guest`."),
    ("walked 1,3 gone",             "Type one seat at a time."),
    ("limits 25",
     "Type minimum and maximum: `limits 25 10000`, or `limits t 5 1k`."),
    ("r",
     "Type which hand is turned: `r p` Player, `r b` Banker, `r b 4` its card 4."),
    ("r 3",
     "Type which hand is turned: `r p` Player, `r b` Banker, `r b 4` its card 4."),
    ("seat 1 P-1, 3 grey jacket, 5 P-3",
     'Put a name with a blank in quotes: `seat 3 "grey jacket"`.'),
    ("seat 1, 3 P-2",
     "Type seat and name, with a comma before the next: `seat 1 P-1, 3 P-2`."),
    ("misdraw 9x",      f"`9x` {NO_CARD}"),
    ("misdraw",                     "Type which card came: `misdraw 9h burn`."),
    ("misdraw 9h away",             "`away` is not one of `carry`, `burn`, `dummy`."),
    ("seat 3 O'Hara",
     "A quote is not closed. Type a name like O'Hara as `\"O'Hara\"`."),
    ("x a reason",                  "This is not a line of this terminal. Type `?` for help."),
    ("banker",                      "This is not a line of this terminal. Type `?` for help."),
    ("nn",                          "This is not a line of this terminal. Type `?` for help."),
    ("staff enrol X-1 X dealer",    "Type `sabot staff` at a shell, not here."),
    ("b 3 100",                     "Type the seat first: `3 b 100`."),
    ("buyin 3 500",                 "`buyin` is no command here. Did you mean `buy-in`?"),
    ("٣ b 500",                     "This is not a line of this terminal. Type `?` for help."),
    ("4ſ",                          f"`ſ` is not a spot. {SPOTS_ARE}"),
]
# fmt: on
SAYS = [(typed, act) for typed, act in TYPED if not isinstance(act, str)]
SAYS_NOTHING = [(typed, why) for typed, why in TYPED if isinstance(why, str)]


@pytest.mark.parametrize(("typed", "act"), SAYS)
def test_a_line_is_this_act_and_no_other(typed, act):
    assert act == parse(typed)
    assert [act] == readings(typed)


@pytest.mark.parametrize(("typed", "why"), SAYS_NOTHING)
def test_a_line_that_says_nothing_is_told_why_and_what_would(typed, why):
    with pytest.raises(NotUnderstood) as refused:
        parse(typed)

    assert (why, f"`{typed.strip()}`: {why}") == (refused.value.why, str(refused.value))
    assert [] == readings(typed)


@pytest.mark.parametrize("typed", ["", "  ", "\t"])
def test_an_empty_line_is_nothing(typed):
    with pytest.raises(NotUnderstood, match=r"^Nothing was typed. Type `\?` for help.$"):
        parse(typed)


def test_a_long_line_is_told_by_its_beginning():
    with pytest.raises(NotUnderstood, match=r"^`x{39}…`: This is not a line of this terminal."):
        parse("x" * 500)


def test_a_coup_of_seven_seats_takes_fewer_than_40_keys():
    """Ten wagers, six cards; Enter after each line, and one key of its own to settle."""
    lines = ["1-4b100 5-7p50 1,3,5t25", "9c5s7cqd9s4h"]
    laid, dealt = map(parse, lines)
    settle = 1  # F4

    assert (7, 10, 6) == (
        len({seat for seat, _ in laid.wagers}),
        len(list(laid.wagers)),
        len(dealt.cards),
    )
    assert sum(len(line) + 1 for line in lines) + settle < 40


def test_every_command_that_is_spoken_at_a_table_may_be_typed_whole():
    at_table = {name for name, kind in COMMANDS.items() if issubclass(kind, AtTable)}

    assert at_table - set(SPOKEN.values()) == set()
    assert all(parse(typed).name == name for typed, name in SPOKEN.items() if typed != "limits")
    assert not {"staff.enrol", "property.set", "audit", "dispute.export"} & set(SPOKEN.values())


# What hypothesis makes up: every act, and every text.
# Texts of what lines are made of are nearer to lines than any letters are.
PIECES = st.lists(
    st.sampled_from(
        [
            *spots_by_key(),
            *"0123456789=-,.? skmudnr",
            " ",
            "9h",
            "10",
            "as",
            "void",
            "seat",
            "c",
            "k",
            "'",
        ]
    ),
    max_size=12,
).map("".join)


@given(ACTS)
@example(Correct(3, "banker", "as p said"))
@example(Collect(patron="1-3"))
@example(Spoken("account.hand-pay", ("",)))
@example(Void("B01/2026-11-21/1/17 is torn"))
def test_how_an_act_is_written_is_that_act_and_no_other(act):
    words = act.words

    assert act == parse(words)
    assert [act] == readings(words)
    assert words == parse(words).words


@given(ACTS, st.booleans())
def test_capitals_and_more_blanks_change_nothing(act, capitals):
    if isinstance(act, Bets | TakeBack | Cards | Drawn | Settle | Reveal | Limits | Misdraw):
        words = re.sub(" ", "   ", act.words)

        assert act == parse(f"  {words.upper() if capitals else words} ")


@given(PIECES | st.text(max_size=20))
@example("3p8 500b10")
@example("as")
def test_whatever_is_typed_is_one_act_or_none_and_never_a_traceback(typed):
    found = readings(typed) if typed.strip() else []
    if found:
        assert [parse(typed)] == found
    else:
        with pytest.raises(NotUnderstood) as refused:
            parse(typed)
        assert refused.value.why.endswith((".", "?", "-"))


@given(PIECES)
def test_what_was_typed_may_be_written_anew(typed):
    """What `readings` takes is the same act when it is written as `words` does."""
    for act in readings(typed) if typed.strip() else []:
        assert act == parse(act.words)


BLANKS = ("\t", "\n", "\v", "\r", "\x1c", "\x85", "\xa0", "\u2003", "\u3000")


@pytest.mark.parametrize("blank", BLANKS, ids=[repr(blank) for blank in BLANKS])
@pytest.mark.parametrize(
    "typed", ["c 3", "3 b 500 5 t 25", "d d s", "9h 5c", "void 10 2-x", "c 'Lucky 7' 7", "? bet"]
)
def test_every_blank_is_a_blank(typed, blank):
    meant = parse(typed)

    assert meant == parse(typed.replace(" ", blank))
    assert meant == parse(typed.replace(" ", f" {blank}", 1))
    assert meant == parse(f"{blank}{typed}{blank}")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("money correct last the patron's wrong --amount 500", "the patron's wrong"),
        ("money correct last --amount 500 the patron's wrong", "the patron's wrong"),
        ("drop-recount 4100 counted it again", "counted it again"),
        ("unlock return it's over", "it's over"),
        ("dispute open P-3 it was paid wrong", "it was paid wrong"),
        ("dispute decide 2026-000001 stand the cards say so", "the cards say so"),
        ("coup move-wager 3 b it lay there --to-seat 4", "it lay there"),
        ("lock-up 'a fight' broke out", "a fight broke out"),
        ("lock-up a fight", "a fight"),
    ],
)
def test_a_reason_at_the_end_needs_no_quotes(line, words):
    act = parse(line)
    form = click.Command(act.name, params=parameters(act.name), add_help_option=False)
    first = ["B01"] if COMMANDS[act.name].arguments[0] in ("table", "coup") else []
    spoken = form.make_context(act.name, [*first, *act.arguments]).params

    assert words == " ".join(spoken[free_text_of(COMMANDS[act.name])])
    assert act == parse(act.words)


def test_every_reason_that_is_the_last_word_is_free_text():
    last = [kind for kind in COMMANDS.values() if kind.arguments and kind.arguments[-1] == "reason"]

    assert {"ShoeDiscard"} == {kind.__name__ for kind in last if not free_text_of(kind)}


def test_limits_with_an_option_after_them_are_told_what_to_leave_out():
    with pytest.raises(NotUnderstood) as refused:
        parse("limits 25 9000 --with S-11")

    assert refused.value.why.startswith("Leave the options out.")
