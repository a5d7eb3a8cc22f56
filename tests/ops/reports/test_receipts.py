"""R-COM-2: what a patron paid is told on a receipt, the original once and reprints after that."""

import io
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from threading import Barrier

import pytest
from msgspec.structs import replace
from pypdf import PdfReader
from rich.cells import cell_len

from domain.rules.addresses import Receipt
from ops.reports.receipt import COLUMNS, Slip, find
from ops.words.pdf import pdf
from tests.acceptance.channels import json_of, recorded, shell
from tests.scenario import alter
from tests.worlds.gaming_table import BANKER_WINS, GamingTable

STAY = "B01/2026-11-21/stay-2"  # P-10417's
FIRST, SECOND = f"{STAY}/receipt-1", f"{STAY}/receipt-2"
SLIP = """\
                  Sabot
------------------------------------------
            COMMISSION RECEIPT
                 ORIGINAL
------------------------------------------
Receipt    B01/2026-11-21/stay-2/receipt-1
When             2026-11-21 21:00:15+01:00
Table                                  B01
Gaming day                      2026-11-21
Patron                             P-10417
By                                   D-204
------------------------------------------
Shoe B01/2026-11-21/1                 1.00
------------------------------------------
PAID                              USD 1.00
Still owed                        USD 4.00
------------------------------------------
Ledger position                         35
Chain                     0123456789abcdef
------------------------------------------
              1-800-GAMBLER
"""


@pytest.fixture
def paid(pit):
    """P-10417 owed 5.00 and paid 1.00, then 2.50; the zone was set before."""
    zone = {"command": "property.set", "name": "zone", "value": "Europe/Vienna"}
    assert pit.dispatcher.dispatch(zone).ok
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.collect", seat=3, amount=1_00)
    pit.say("commission.collect", seat=3, amount=2_50)
    return pit


def line(receipt=FIRST, **fields):
    return {"command": "commission.receipt", "receipt": receipt, **fields}


def printed(pit, receipt=FIRST, **fields):
    """The copies that this line of the feed had printed."""
    pit.moment += timedelta(seconds=1)
    answer = pit.dispatcher.dispatch(line(receipt, at=pit.moment.isoformat(), **fields))
    return [event["copy"] for event in answer.body["events"]]


def copy_of(database, receipt=FIRST, number=1):
    with database.connect("sabot_auditor") as connection:
        return find(connection, Receipt.parse(receipt), number)


def masked(slip):
    """The chain rests on the moment of recording, which is never the same."""
    return re.sub(r"\b[0-9a-f]{16}\b", "0123456789abcdef", slip)


def on_paper(document):
    """What a PDF says, line by line, without its blanks."""
    (page,) = PdfReader(io.BytesIO(document)).pages
    return ["".join(each.split()) for each in page.extract_text().splitlines()]


def said(slip):
    return ["".join(each.split()) for each in slip.splitlines() if not each.startswith("---")]


def test_the_slip_is_42_columns_of_what_the_record_says(paid, database):
    printed(paid)

    assert SLIP == masked(copy_of(database).text())


def test_a_reprint_differs_in_its_head_alone_whatever_came_after(paid, database):
    printed(paid)
    paid.say("commission.collect", seat=3, amount=1_50)
    paid.say("table.leave", seat=3)
    for name, value in (("name", "Grand"), ("helpline", "116 123"), ("zone", "UTC")):
        paid.dispatcher.dispatch({"command": "property.set", "name": name, "value": value})
    numbers = printed(paid) + printed(paid)
    head = "                REPRINT {}\n        2026-11-21 21:00:{}+01:00\n"
    heads = [head.format(1, 20), head.format(2, 21)]
    expected = [SLIP.replace("                 ORIGINAL\n", each) for each in heads]
    slips = [masked(copy_of(database, number=number).text()) for number in numbers]

    assert [2, 3] == numbers
    assert "".join(expected) == "".join(slips)


def test_each_receipt_has_an_original_of_its_own(paid, database):
    copies = [printed(paid, receipt) for receipt in (SECOND, FIRST, SECOND, SECOND)]
    second = copy_of(database, SECOND, 1).text()

    assert [[1], [1], [2], [3]] == copies
    assert "PAID                              USD 2.50" in second
    assert "Still owed                        USD 1.50" in second


def test_the_same_line_sent_again_is_the_same_copy(paid, another):
    sent = line(id="one")
    answers = {str(each.dispatch(sent)) for each in (paid.dispatcher, another(), another())}

    assert len(answers) == 1
    assert [2] == printed(paid)


def test_a_terminal_that_did_not_see_the_original_printed_prints_none(paid, another):
    """It holds the account as it was; the append sees to it."""
    other = another()
    other.dispatch(line("B01/2026-11-21/stay-2/receipt-9"))  # loads it
    first = printed(paid)
    (late,) = other.dispatch(line()).body["events"]

    assert ([1], 2) == (first, late["copy"])


def test_of_terminals_that_ask_at_once_one_prints_the_original(paid, another):
    terminals, together = [another() for _ in range(4)], Barrier(4)

    def ask(terminal):
        together.wait()
        return [terminal.dispatch(line()).body for _ in range(3)]

    with ThreadPoolExecutor(4) as pool:
        answers = [each for found in pool.map(ask, terminals) for each in found]
    copies = [each["events"][0]["copy"] for each in answers if each["ok"]]
    overtaken = {each["error"] for each in answers if not each["ok"]}

    assert overtaken <= {"Conflict"}  # five times in a row, and nothing was printed
    assert list(range(1, len(copies) + 1)) == sorted(copies)


# fmt: off
UNKNOWN = [
    (f"{STAY}/receipt-3",                       "NotFound"),
    ("B01/2026-11-21/stay-1/receipt-1",         "NotFound"),  # they paid nothing
    ("B01/2026-11-21/stay-9/receipt-1",         "NotFound"),
    ("B02/2026-11-21/stay-2/receipt-1",         "NotFound"),
    ("B01/2026-11-22/stay-2/receipt-1",         "NotFound"),
    ("receipt-1",                               "BadValue"),
    (f"{STAY}/receipt-01",                      "BadValue"),
    (f"{STAY}/receipt-0",                       "BadValue"),
    ("B01/2026-02-30/stay-2/receipt-1",         "BadValue"),
]
# fmt: on


@pytest.mark.parametrize(("receipt", "error"), UNKNOWN)
def test_what_was_never_given_out_is_not_printed(paid, database, receipt, error):
    before = recorded(database)
    result = shell(database, "commission", "receipt", receipt)

    assert (1, "") == (result.exit_code, result.stdout)
    assert error in result.stderr
    assert before == recorded(database)


def test_commission_kept_back_at_payout_has_no_receipt(dispatcher, database):
    pit = GamingTable(dispatcher, "B02").open("classic@1").prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00))

    assert shell(database, "commission", "receipt", f"B02{FIRST[3:]}").exit_code == 1


def test_the_shell_prints_the_slip_of_the_copy_that_it_recorded(paid, database):
    answer = json_of(database, "commission", "receipt", FIRST)
    words = ("commission", "receipt", FIRST, "--id", "one")
    result, again = shell(database, *words), shell(database, *words)

    assert ["ReceiptPrinted"] == [event["type"] for event in answer["events"]]
    assert (0, "") == (result.exit_code, result.stderr)
    assert result.stdout == copy_of(database, number=2).text() == again.stdout


def test_who_took_the_money_is_who_said_so_or_the_dealer(paid, database):
    paid.say("table.dealer", staff="D-205")
    at = (paid.moment + timedelta(seconds=1)).isoformat()
    shell(database, "commission", "collect", "B01", "3", "1", "--at", at)
    shell(database, "commission", "receipt", f"{STAY}/receipt-3")

    assert (
        "\nBy                                   D-205\n"
        in copy_of(database, f"{STAY}/receipt-3").text()
    )


def test_a_receipt_of_several_shoes_tells_each_part(paid, database):
    printed(paid)
    copy = copy_of(database)
    alter(copy.event, by_shoe={"B01/2026-11-21/1": 40, "B01/2026-11-21/2": 60})

    assert (
        "Shoe B01/2026-11-21/1                 0.40\n"
        "Shoe B01/2026-11-21/2                 0.60\n" in copy.text()
    )


def test_what_goes_back_to_the_patron_is_called_a_refund(paid, database):
    printed(paid)
    copy = copy_of(database)
    topic = "commission-account.commission-refunded"
    slip = replace(copy, payment=replace(copy.payment, topic=topic)).text()
    expected = SLIP.replace("COMMISSION RECEIPT", "COMMISSION REFUND").replace(
        "PAID                 ", "REFUNDED             "
    )

    assert said(expected) == said(masked(slip))


def test_a_copy_is_the_same_bytes_whoever_makes_it(paid, database, tmp_path):
    """By programs that share nothing, with hashes of their own."""
    documents = []
    for number in range(2):
        file = tmp_path / f"{number}.pdf"
        at = ("--at", paid.moment.isoformat())
        words = ("commission", "receipt", FIRST, "--id", "one", *at, "--pdf", str(file))
        result = subprocess.run(
            [sys.executable, "-m", "ops.cli", "--database", database.url, *words],
            env={**os.environ, "PYTHONHASHSEED": str(number), "TZ": ("UTC", "Asia/Tokyo")[number]},
            capture_output=True,
            text=True,
            check=True,
        )
        documents.append(file.read_bytes())
        assert (result.stdout, result.stderr) == ("", f"ORIGINAL of {FIRST} is in {file}.\n")

    assert documents[0] == documents[1] == copy_of(database).pdf()
    printed(paid)
    assert documents[0] != copy_of(database, number=2).pdf()


def test_the_pdf_says_what_the_slip_says_and_is_dated_by_the_record(paid, database):
    printed(paid)
    printed(paid)
    copy = copy_of(database, number=2)
    document = copy.pdf()

    assert said(copy.text()) == on_paper(document)
    assert PdfReader(io.BytesIO(document)).metadata.creation_date == datetime(
        2026, 11, 21, 20, 0, 18, tzinfo=UTC
    )


NAMES = [
    '#import "x"',
    "*bold* _i_ `raw` $x$",
    r"\ // @ref <label> #{1/0}",
    "= Head - item + 1 ~ -- ...",
    '"quoted" {"json": 1} [bold red]',
    "W" * 64,
]


@pytest.mark.parametrize("name", NAMES)
def test_what_people_and_houses_are_called_is_never_markup(dispatcher, database, name):
    house = {"command": "property.set", "value": name}
    pit = GamingTable(dispatcher).open().prepare()
    for setting in ("name", "helpline"):
        assert dispatcher.dispatch({**house, "name": setting}).ok
    pit.say("table.seat", seat=7, patron=name)
    pit.play(BANKER_WINS, (7, "banker", 100_00))
    pit.say("commission.collect", seat=7, amount=5_00)
    receipt = "B01/2026-11-21/stay-4/receipt-1"
    printed(pit, receipt)
    copy = copy_of(database, receipt)

    assert max(map(len, copy.text().splitlines())) == COLUMNS
    assert "".join(said(copy.text())).count("".join(name.split())) == 3
    assert said(copy.text()) == on_paper(copy.pdf())


@pytest.mark.parametrize("name", ["赵雷", "Ελένη", "Żółć", "שלום", "🎲" * 30, "赵" * 64])
def test_a_name_in_any_letters_fits_the_slip_and_stops_no_printer(dispatcher, database, name):
    pit = GamingTable(dispatcher).open().prepare()
    pit.say("table.seat", seat=7, patron=name)
    pit.play(BANKER_WINS, (7, "banker", 100_00))
    pit.say("commission.collect", seat=7, amount=5_00)
    receipt = "B01/2026-11-21/stay-4/receipt-1"
    printed(pit, receipt)
    copy = copy_of(database, receipt)

    assert max(map(cell_len, copy.text().splitlines())) == COLUMNS
    assert name in "".join(said(copy.text()))
    assert len(PdfReader(io.BytesIO(copy.pdf())).pages) == 1


def test_a_place_that_takes_no_file_is_known_before_anything_is_recorded(paid, database, tmp_path):
    before = recorded(database)
    for place in (tmp_path / "none" / "slip.pdf", tmp_path, tmp_path / ("x" * 300)):
        result = shell(database, "commission", "receipt", FIRST, "--pdf", str(place))

        assert (2, "") == (result.exit_code, result.stdout)
        assert "Invalid value for '--pdf'" in result.stderr
    assert before == recorded(database)


def test_a_refusal_leaves_no_file(paid, database, tmp_path):
    file = tmp_path / "slip.pdf"

    assert shell(database, "commission", "receipt", "receipt-1", "--pdf", str(file)).exit_code == 1
    assert not file.exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no disk here is always full")
def test_an_original_that_was_lost_on_the_way_is_not_printed_again(paid, database):
    result = shell(database, "commission", "receipt", FIRST, "--pdf", "/dev/full")

    assert result.exit_code == 1
    assert "ORIGINAL counts as printed: print again for a reprint." in result.stderr
    assert "REPRINT 1" in shell(database, "commission", "receipt", FIRST).stdout


def test_a_moment_of_any_zone_dates_a_document():
    data = Slip(house=[], title="", copy="", printed="", blocks=[], helpline=[])
    here = datetime(2026, 11, 21, 21, 0, 19, 120_000, tzinfo=timezone(timedelta(hours=1)))

    assert pdf("receipt", data, here) == pdf("receipt", data, here.astimezone(UTC))
