"""An evening in which every command is given at least once, each as it is typed and as it is sent.

Each row is a command as a person types it, amounts in major units, and the line that it is; of one
that is refused, also the error. A command without a row is given at the end, as its example has it.
"""

import shlex
from datetime import datetime, timedelta

from ops.commands.vocabulary import COMMANDS
from tests.ops.commands.example_line import example_line

OWN_RULES = "name = 'riverside@1'\nsource = 'sheet'\nbased_on = 'classic@1'\n"
CHIPS = {"10000": 200, "2500": 400, "500": 400, "25": 40}
EVENING = datetime.fromisoformat("2026-11-21T20:00:00+01:00")

# fmt: off
SAID = [
    ("table open B01 dragon-bonus@1 --day 2026-11-21"
     " --opener 100=200 --opener 25=400 --opener 5=400 --opener 0.25=40",
     {"rules": "dragon-bonus@1", "day": "2026-11-21", "opener": CHIPS}),
    ("table seat B01 3 P-10417",        {"seat": 3, "patron": "P-10417"}),
    ("table seat B01 5 grey-jacket",    {"seat": 5, "patron": "grey-jacket"}),
    ("table seat B01 8 'Mr. O’Hara'",   {"seat": 8, "patron": "Mr. O’Hara"}),
    ("shoe load B01 8 --serials K-1 --serials K-2 --colour red --batch 77",
     {"decks": 8, "serials": ["K-1", "K-2"], "colour": "red", "batch": "77"}),
    ("shoe inspect B01",                {}, "MissingField"),  # a batch takes two people
    ("shoe inspect B01 --verified-by S-11", {"verified_by": "S-11"}),
    ("shoe shuffle B01 pre-shuffled --device SH-2", {"method": "pre-shuffled", "device": "SH-2"}),
    ("shoe cut B01 --seat 3 --cut-card 16", {"seat": 3, "cut_card": 16}),
    ("shoe burn B01 3D",                {"card": "3D"}),
    ("shoe pass B01 --seat 5",          {"seat": 5}),
    ("open B01",                        {}),
    ("bet B01 3 banker 100",            {"seat": 3, "spot": "banker", "amount": 100_00}),
    ("bet B01 3 banker 1,250.00",       {"seat": 3, "spot": "banker", "amount": 1_250_00}),
    ("bet B01 5 tie 12.5",
     {"seat": 5, "spot": "tie", "amount": 12_50}, "NotAnIncrement"),
    ("bet B01 5 tie 25.00",             {"seat": 5, "spot": "tie", "amount": 25_00}),
    ("bet B01 8 dragon-banker 5",       {"seat": 8, "spot": "dragon-banker", "amount": 5_00}),
    ("withdraw B01 8 dragon-banker",    {"seat": 8, "spot": "dragon-banker"}),
    ("no-more-bets B01",                {}),
    ("draw B01 KC",                     {"card": "KC"}),
    ("draw B01 9s",                     {"card": "9s"}),
    ("bet B01 8 player 100",
     {"seat": 8, "spot": "player", "amount": 100_00}, "BettingClosed"),
    ("draw B01 2C",                     {"card": "2C"}),
    ("draw B01 QD",                     {"card": "QD"}),
    ("settle B01 --paid 3=2,499.95",    {"paid": {"3": 2_499_95}}, "PaymentDisagrees"),
    ("settle B01 --paid 3=2,500",       {"paid": {"3": 2_500_00}}),
    ("commission collect B01 3 12.50",  {"seat": 3, "amount": 12_50}),
    ("commission timing B01 3 as-it-wins", {"seat": 3, "timing": "as-it-wins"}),
    ("commission timing B01 P-10417 deferred", {"patron": "P-10417", "timing": "deferred"}),
    ("commission collect B01 P-10417 50", {"patron": "P-10417", "amount": 50_00}),
    ("bet B01 8 player 25",             {"seat": 8, "spot": "player", "amount": 25_00}),
    ("draw B01 9C",                     {"card": "9C"}),
    ("draw B01 5S",                     {"card": "5S"}),
    ("draw B01 8C",                     {"card": "8C"}),
    ("draw B01 KH",                     {"card": "KH"}),
    ("draw B01 9H --settle",            {"card": "9H", "settle": True}),
    ("settle B01",                      {}, "CoupOver"),
    ("draw B01 9D",                     {"card": "9D"}, "CardNotDue"),
    ("shoe misdraw B01 9D",             {"card": "9D"}),
    ("shoe misdraw B01 4c --disposition burn", {"card": "4c", "disposition": "burn"}),
    ("shoe discard B01 7H face-up",     {"card": "7H", "reason": "face-up"}),
    ("shoe cut-card B01 --confirmed",   {"confirmed": True}),
    ("table leave B01 3",               {"seat": 3}),
    ("shoe end B01 --reason 'device failure' --with S-11",
     {"reason": "device failure", "with": "S-11"}),
    ("shoe reconcile B01 9S 9C --burned 3C --burned KS --confirmed",
     {"remaining": ["9S", "9C"], "burned": ["3C", "KS"], "confirmed": True}),
    ("shoe reconcile B01 400",          {"remaining": 400}, "ShoeStepOutOfOrder"),
    ("table limits B01 --spot tie --minimum 10 --maximum 500.00",
     {"spot": "tie", "minimum": 10_00, "maximum": 500_00}),
    ("table limits B01 --differential 50,000", {"differential": 50_000_00}),
    ("table dealer B01 D-205",          {"staff": "D-205"}),
    ("table supervisor B01 S-12",       {"staff": "S-12"}),
    ("table move B01 5 6",              {"seat": 5, "to": 6}),
    ("table buy-in B01 6 9,000",        {"seat": 6, "amount": 9_000_00}),
    ("table cash-out B01 6 250.50",     {"seat": 6, "amount": 250_50}),
    ("table fill B01 --chips 100=5 --requested-by S-11 --cashier C-1 --runner R-1",
     {"chips": {"10000": 5}, "requested_by": "S-11", "cashier": "C-1", "runner": "R-1"}),
    ("table credit B01 --chips 5=5 --requested-by S-11 --cashier C-1 --runner R-1",
     {"chips": {"500": 5}, "requested_by": "S-11", "cashier": "C-1", "runner": "R-1"}),
    ("slip request B01 credit --chips 25=4", {"kind": "credit", "chips": {"2500": 4}}),
    ("slip issue 2026-000003",          {"slip": "2026-000003", "by": "C-1"}),
    ("slip carry 2026-000003",          {"slip": "2026-000003", "by": "R-1"}),
    ("slip receive 2026-000003",        {"slip": "2026-000003"}),
    ("slip request B01 fill --chips 5=2", {"kind": "fill", "chips": {"500": 2}}),
    ("slip void 2026-000004 'asked for twice'",
     {"slip": "2026-000004", "reason": "asked for twice", "with": "PB-1"}),
    ("slip issue 2026-000004",          {"slip": "2026-000004", "by": "C-1"}, "SlipReused"),
    ("patron bar P-66 'asked for it' --kind self-excluded",
     {"patron": "P-66", "reason": "asked for it", "kind": "self-excluded"}),
    ("patron unbar P-66 'a year is over'",
     {"patron": "P-66", "reason": "a year is over", "with": "S-11"}),
    ("patron identify blue-hat P-66",   {"patron": "blue-hat", "is": "P-66"}),
    ("property set helpline 0800-1234", {"name": "helpline", "value": "0800-1234"}),
    ("property set reporting_amount 5,000", {"name": "reporting_amount", "value": "5,000"}),
    ("staff enrol D-204 'Dan Dealer' dealer",
     {"staff": "D-204", "name": "Dan Dealer", "role": "dealer"}),
    ("staff sign-off D-204",            {"staff": "D-204"}, "NotSignedOn"),
    ("staff language D-204 zh-Hant", {"staff": "D-204", "language": "zh-Hant"}),
    ("staff licence D-204 GL-20417 --until 2027-03-31",
     {"staff": "D-204", "licence": "GL-20417", "until": "2027-03-31"}),
    ("staff retire D-204 --reason left", {"staff": "D-204", "reason": "left"}),
    ("table roll-over B01 --closer 100=199 --confirmed",
     {"closer": {"10000": 199}, "confirmed": True}),
    ("table drop B01 4,000 --day 2026-11-21", {"amount": 4_000_00, "day": "2026-11-21"}),
    ("table close B01 --closer 100=199",  {"closer": {"10000": 199}}),
    ("correct B01/2026-11-21/1/1 3 banker 'taken by mistake' --to 150",
     {"coup": "B01/2026-11-21/1/1", "seat": 3, "spot": "banker", "to": 150_00,
      "reason": "taken by mistake", "with": "S-11"}),
    ("void B01/2026-11-21/1/1 'a torn card'",
     {"coup": "B01/2026-11-21/1/1", "reason": "a torn card", "with": "S-11"}),
    # Refused: the table is closed.
    ("move-card B01 5 banker",          {"n": 5, "hand": "banker"}, "TableClosed"),
    ("reveal B01 player --n 1",         {"hand": "player", "n": 1}, "TableClosed"),
    ("commission waive B01 3 'a good guest' --amount 2",
     {"seat": 3, "reason": "a good guest", "amount": 2_00}, "SecondPersonNeeded"),
    ("commission walked B01 grey-jacket gone",
     {"patron": "grey-jacket", "reason": "gone"}, "SecondPersonNeeded"),
    ("patron settle B01 grey-jacket paid 'came by' --amount 2.50 --day 2026-11-21",
     {"patron": "grey-jacket", "how": "paid", "reason": "came by", "amount": 2_50,
      "day": "2026-11-21"}, "SecondPersonNeeded"),
    ("commission receipt B01/2026-11-21/stay-1/receipt-2",
      {"receipt": "B01/2026-11-21/stay-1/receipt-2"}),
    (f'rules approve "{OWN_RULES}" --with S-11', {"file": OWN_RULES, "with": "S-11"}),
    ("alert acknowledge late-bet/34 'spoke to the dealer'",
     {"alert": "late-bet/34", "text": "spoke to the dealer"}),
    ("alert acknowledge late-bet/34",   {"alert": "late-bet/34"}, "AlreadyAcknowledged"),
    ("dispute open B01/2026-11-21/1/2 grey-jacket 'I was not paid' --amount 1,250.50",
     {"coup": "B01/2026-11-21/1/2", "patron": "grey-jacket", "complaint": "I was not paid",
      "amount": 1_250_50}),
    ("dispute open B01/2026-11-21/1/1 P-10417 'wrong card' --hold",  # refused: it is closed
     {"coup": "B01/2026-11-21/1/1", "patron": "P-10417", "complaint": "wrong card",
      "hold": True}, "BadValue"),
    ("dispute note C-2026-0001 'the chips lay on Banker' --evidence 'CAM-14 "
     "2026-11-21T20:14:05+01:00 +1500' --evidence 'Pit 2 2026-11-21T20:14:05+01:00'",
     {"case": "C-2026-0001", "text": "the chips lay on Banker", "evidence": [
         {"camera": "CAM-14", "at": "2026-11-21T20:14:05+01:00", "ahead": 1500},
         {"camera": "Pit 2", "at": "2026-11-21T20:14:05+01:00"}]}),
    ("dispute tell C-2026-0001",        {"case": "C-2026-0001"}, "CaseUnfinished"),
    ("dispute decide C-2026-0001 stand 'so it was'",
     {"case": "C-2026-0001", "decision": "stand", "reason": "so it was", "by": "S-11",
      "with": "PB-2"}),
    ("dispute decide C-2026-0001 correct 'it lay there' --seat 8 --spot player --to 25.00 "
     "--as tie",
     {"case": "C-2026-0001", "decision": "correct", "reason": "it lay there", "seat": 8,
      "spot": "player", "to": 25_00, "as": "tie", "by": "S-11", "with": "PB-2"}),
    ("dispute tell C-2026-0001",        {"case": "C-2026-0001"}),
    ("dispute notify C-2026-0001 2026/1182",
     {"case": "C-2026-0001", "reference": "2026/1182"}),
    ("dispute hold C-2026-0001",        {"case": "C-2026-0001"}, "BadValue"),
    ("dispute release C-2026-0001",     {"case": "C-2026-0001"}, "BadValue"),
    ("dispute close C-2026-0001",       {"case": "C-2026-0001"}),
    ("property set regulator singapore", {"name": "regulator", "value": "singapore"}),
    ("property set dispute_notice_from 500", {"name": "dispute_notice_from", "value": "500"}),
    ("readjudicate B01/2026-11-21/1/1", {"coup": "B01/2026-11-21/1/1"}),
    # Refused: the table is closed.
    ("bets B01 3b100t2.50 '5-6 p 1k'",
     {"wagers": [{"seat": 3, "spot": "banker", "amount": 100_00},
                 {"seat": 3, "spot": "tie", "amount": 2_50},
                 {"seat": 5, "spot": "player", "amount": 1_000_00},
                 {"seat": 6, "spot": "player", "amount": 1_000_00}]}, "TableClosed"),
    ("withdraw B01 3",                  {"seat": 3}, "TableClosed"),
    ("table seats B01 1 P-1, 99 P-2",   # refused: there is no seat 99
     {"patrons": [{"seat": 1, "patron": "P-1"}, {"seat": 99, "patron": "P-2"}]}, "TableClosed"),
    ("commission form UV-2026-000001 --part original",  # refused: no commission was written off
     {"form": "UV-2026-000001", "part": "original"}, "NotFound"),
    # What was typed wrong is put right.
    ("table recount B01 'a rack was left out' --closer 100=200",
     {"closer": {"10000": 200}, "reason": "a rack was left out"}),
    ("table drop-recount B01 4,100 'a bundle' --day 2026-11-21",
     {"amount": 4_100_00, "reason": "a bundle", "day": "2026-11-21"}),
    ("shoe recount B01 398 --reason 'two stuck' --shoe B01/2026-11-21/1",
     {"remaining": 398, "reason": "two stuck", "shoe": "B01/2026-11-21/1", "with": "S-11"}),
    ("table reopen B01 'opens at 20:00' --opener 100=199 --confirmed",
     {"opener": {"10000": 199}, "reason": "opens at 20:00", "confirmed": True}),
    ("money correct last 'typed wrong' --table B01 --chips 100=198",
     {"position": "last", "reason": "typed wrong", "chips": {"10000": 198}, "with": "S-11"}),
    ("coup correct-card B01/2026-11-21/1/2 5 8H 'read as a nine'",  # refused: it was counted
     {"coup": "B01/2026-11-21/1/2", "n": 5, "card": "8H", "reason": "read as a nine",
      "with": "S-11"}, "ShoeStepOutOfOrder"),
    ("coup move-wager B01/2026-11-21/1/2 8 player 'seat 5 had it' --to-seat 5",  # nobody is there
     {"coup": "B01/2026-11-21/1/2", "seat": 8, "spot": "player", "to_seat": 5,
      "reason": "seat 5 had it", "with": "S-11"}),
    ("table shift-count B01 --chips 100=198",  {"chips": {"10000": 198}}),
    ("table colour-change B01 --taken 25=4 --given 100=1",
     {"taken": {"2500": 4}, "given": {"10000": 1}}),
    ("box attach X-17 B01",             {"box": "X-17"}),
    ("box remove X-17 --by R-1 --with S-11", {"box": "X-17", "by": "R-1", "with": "S-11"}),
    ("box carry X-17 --by R-1 --with S-11", {"box": "X-17", "by": "R-1", "with": "S-11"}),
    ("box count X-17 10 --third X-2 --by C-1 --with S-11",
     {"box": "X-17", "amount": 10_00, "third": "X-2", "by": "C-1", "with": "S-11"}),
    ("master audit 2026-11-20 --text agreed", {"day": "2026-11-20", "text": "agreed"}),
    ("patron separate blue-hat 'another guest'",
     {"patron": "blue-hat", "reason": "another guest", "with": "S-11"}),
    ("patron tell-apart p-66 P-66 'her brother'",
     {"patron": "p-66", "other": "P-66", "reason": "her brother", "with": "S-11"}),
    ("staff approve-terminal 98BB-CEFA-88A6-387D 'pit 1'",
     {"terminal": "98BB-CEFA-88A6-387D", "name": "pit 1"}),
    ("staff retire-terminal 98BB-CEFA-88A6-387D --reason stolen",
     {"terminal": "98BB-CEFA-88A6-387D", "reason": "stolen"}),
    ("table open E01 electronic@1 --opener 100=1",
     {"table": "E01", "rules": "electronic@1", "opener": {"10000": 1}}),
    ("table seat E01 3 P-3",            {"table": "E01", "seat": 3, "patron": "P-3"}),
    ("account pay-in E01 3 200",        {"table": "E01", "seat": 3, "amount": 200_00}),
    ("account pay-in E01 3 40 --ticket 0081-22",
     {"table": "E01", "seat": 3, "amount": 40_00, "ticket": "0081-22"}),
    ("account bet E01 3 --coup E01/2026-11-21/1/1 --stakes tie=5 --stakes player=0",
                                        {"table": "E01", "seat": 3, "coup": "E01/2026-11-21/1/1",
                                         "stakes": {"tie": 5_00, "player": 0}}, "ShoeNotReady"),
    ("account deal E01 3 --coup E01/2026-11-21/1/1",
                 {"table": "E01", "seat": 3, "coup": "E01/2026-11-21/1/1"}, "ShoeNotReady"),
    ("account pay-out E01 3 50 --to ticket",
     {"table": "E01", "seat": 3, "amount": 50_00, "to": "ticket"}),
    ("account hand-pay E01 3 'no paper' --amount 20 --with S-11",
     {"table": "E01", "seat": 3, "amount": 20_00, "reason": "no paper", "with": "S-11"}),
    ("table lock-up E01 'a screen is dark'",
     {"table": "E01", "reason": "a screen is dark"}),
    ("table unlock E01 return 'it was dark' --with S-11",
     {"table": "E01", "how": "return", "reason": "it was dark", "with": "S-11"}),
    ("coupon issue MP-1 match-play 25 --last-day 2026-12-31",
     {"coupon": "MP-1", "kind": "match-play", "worth": 25_00, "last_day": "2026-12-31"}),
    ("coupon lay E01 3 player MP-1",  # refused: the rule set takes none
     {"table": "E01", "seat": 3, "spot": "player", "coupon": "MP-1"}, "ShoeNotReady"),
    ("coupon withdraw E01 3",           {"table": "E01", "seat": 3}, "ShoeNotReady"),
    ("coupon correct B01/2026-11-21/1/2 8 'it lay on Player' --as player",  # refused: none lay
     {"coup": "B01/2026-11-21/1/2", "seat": 8, "reason": "it lay on Player", "as": "player",
      "with": "S-11"}, "NotFound"),
    ("coupon void MP-1 'came back'",    {"coupon": "MP-1", "reason": "came back"}),
    ("property level 'new deck' 100000",
     {"question": "new deck", "level": 100000, "with": "S-11"}),
    ("inquiry open coup B01/2026-11-21/1/2 'the bet came late'",
     {"about": "coup", "subject": "B01/2026-11-21/1/2", "text": "the bet came late"}),
    ("inquiry note I-2026-0001 'seen on film' --evidence 'CAM-14 2026-11-21T20:14:05 +1500'",
     {"inquiry": "I-2026-0001", "text": "seen on film", "evidence": [
         {"camera": "CAM-14", "at": "2026-11-21T20:14:05+00:00", "ahead": 1500}]}),
    ("inquiry attach I-2026-0001 shoe B01/2026-11-21/1 'the whole shoe'",
     {"inquiry": "I-2026-0001", "about": "shoe", "subject": "B01/2026-11-21/1",
      "text": "the whole shoe"}),
    ("inquiry close I-2026-0001 unproven 'nothing more to see'",
     {"inquiry": "I-2026-0001", "outcome": "unproven", "reason": "nothing more to see",
      "with": "S-11"}),
    ("inquiry reopen I-2026-0001 'it happened again'",
     {"inquiry": "I-2026-0001", "reason": "it happened again"}),
    ("incident open medical 'a guest fainted' --involved P-1 --staff D-204 --guests guest-1",
     {"kind": "medical", "text": "a guest fainted", "involved": ["P-1"], "staff": ["D-204"],
      "guests": ["guest-1"]}),
    ("incident note IR-2026-0001 'seen on film' --evidence 'CAM-14 2026-11-21T20:14:05 +1500'",
     {"incident": "IR-2026-0001", "text": "seen on film", "evidence": [
         {"camera": "CAM-14", "at": "2026-11-21T20:14:05+00:00", "ahead": 1500}]}),
    ("incident money IR-2026-0001 50 cage person 'for a taxi'",
     {"incident": "IR-2026-0001", "amount": 50_00, "source": "cage", "into": "person",
      "reason": "for a taxi", "with": "S-11"}),
    ("incident close IR-2026-0001 resolved 'she is well'",
     {"incident": "IR-2026-0001", "outcome": "resolved", "reason": "she is well"}),
    ("patron break P-10417 2026-11-22T04:00",
     {"patron": "P-10417", "ends": "2026-11-22T04:00:00+00:00"}),
    ("patron file P-10417 --birth-date 1961-04-17 --address 'Ring 1' --languages 'de, en'",
     {"patron": "P-10417", "birth_date": "1961-04-17", "address": "Ring 1", "languages": "de, en"}),
    ("regime choose united-states 2099-12-01",
     {"file": "united-states", "day": "2099-12-01", "with": "S-11"}),
]
# fmt: on


# At the shell these ask for a PIN or a secret, which no line has.
ASKING = {"staff.sign-on", "staff.change-pin", "staff.recover"}
# This shows a secret that was never shown before.
NEW_EACH_TIME = {"staff.new-secret"}
# These have the hashes of two files, in which are those of the ledger itself.
HASHING = {"dispute.export", "inquiry.export", "aml.export", "incident.export"}


def _command_of(typed):
    return typed[0] if typed[0] in COMMANDS else ".".join(typed[:2])


def both_forms():
    """Every command as words for the shell and as a line for the feed: moment, person and id."""
    for number, (words, fields, *_) in enumerate(SAID, 1):
        typed = shlex.split(words)
        command = _command_of(typed)
        at = (EVENING + timedelta(seconds=number)).isoformat()
        who = {"by": fields.get("by", "D-204")}
        if command.startswith("table.") or "with" in fields:
            who["with"] = fields.get("with", "S-11")
        table = {"table": "B01"} if "B01" in typed else {}
        line = {"command": command, **table, **fields, "at": at, **who, "id": f"k-{number}"}
        more = [word for name, value in who.items() for word in (f"--{name}", value)]
        yield [*typed, "--at", at, *more, "--id", f"k-{number}"], line
    given = {_command_of(shlex.split(words)) for words, *_ in SAID}
    for name in COMMANDS:
        if name not in given | ASKING | NEW_EACH_TIME | HASHING:
            yield _by_example(name)


def _by_example(name):
    """A command as its example has it, when all rows are given, so that no row moves."""
    line = {"by": "D-204", **example_line(name, zone="UTC")}
    line |= {"at": (EVENING + timedelta(minutes=10)).isoformat(), "id": f"k-{name}"}
    typed = shlex.split(COMMANDS[name].example)
    who = [] if "--by" in typed else ["--by", line["by"]]
    return [*typed, "--at", line["at"], *who, "--id", line["id"]], line
