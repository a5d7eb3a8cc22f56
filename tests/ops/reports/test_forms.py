"""N.J.A.C. 13:69D-1.30: the paper of a form, its two parts, and copies."""

import io
import re
from datetime import UTC, datetime, timedelta

import pytest
from pypdf import PdfReader
from rich.cells import cell_len

from domain.rules.addresses import Form
from ops.reports.form import find
from ops.reports.slip_lines import COLUMNS
from ops.words.language import reading
from tests.acceptance.channels import json_of, recorded, shell
from tests.worlds.gaming_table import BANKER_WINS, GamingTable

UV, VR = "UV-2026-000001", "VR-2026-000001"
TWO = {"with": "S-11"}
BOTH = [("original", 1), ("duplicate", 1)]
SIGNATURES = """\


------------------------------------------
Dealer or clerk


------------------------------------------
Supervisor
"""
UNCOLLECTED = f"""\
                  Sabot
------------------------------------------
           UNCOLLECTED VIGORISH
              UV-2026-000001
                 ORIGINAL
             for the drop box
------------------------------------------
Gaming day                      2026-11-21
Table                                  B01
When             2026-11-21 20:00:15+00:00
Patron                             P-10417
Stay                 B01/2026-11-21/stay-2
------------------------------------------
Shoe B01/2026-11-21/1                 5.00
------------------------------------------
AMOUNT                            USD 5.00
In words               five and 00/100 USD
Reason               left by the back door
------------------------------------------
Prepared by                          D-204
Approved by                           S-11
Ledger position                         36
Chain                     0123456789abcdef
{SIGNATURES}"""
RECOVERY = f"""\
                  Sabot
------------------------------------------
            VIGORISH RECOVERY
              VR-2026-000001
                 ORIGINAL
             for the drop box
------------------------------------------
Gaming day                      2026-11-21
Table                                  B01
When             2026-11-21 20:00:16+00:00
Patron                             P-10417
Stay                 B01/2026-11-21/stay-2
------------------------------------------
Shoe B01/2026-11-21/1                 2.00
------------------------------------------
AMOUNT                            USD 2.00
In words                two and 00/100 USD
Paid of UV-2026-000001                2.00
Still open of it                      3.00
------------------------------------------
Prepared by                          D-204
Ledger position                         39
Chain                     0123456789abcdef
{SIGNATURES}"""


@pytest.fixture
def forms(dispatcher):
    """P-10417 left owing 5.00, came back and paid 2.00."""
    pit = GamingTable(dispatcher).open().prepare()
    pit.play(BANKER_WINS, (3, "banker", 100_00))
    pit.say("commission.walked", seat=3, reason="left by the back door", **TWO)
    pit.say("commission.collect", patron="P-10417", amount=2_00)
    return pit


def printed(pit, form, **part):
    """The parts and copies that a line of the feed had printed."""
    events = pit.say("commission.form", form=form, **part).body["events"]
    return [(event["part"], event["copy"]) for event in events]


def paper(database, form, copies):
    with database.connect("sabot_auditor") as connection:
        return find(connection, Form.parse(form), copies)


def masked(text):
    """The chain rests on the moment of recording, which is never the same."""
    return re.sub(r"\b[0-9a-f]{16}\b", "0123456789abcdef", text)


def without_blanks(text):
    return ["".join(each.split()) for each in text.splitlines() if each.strip("- ")]


@pytest.mark.parametrize(("form", "text"), [(UV, UNCOLLECTED), (VR, RECOVERY)])
def test_the_paper_has_all_items_in_two_parts(forms, database, form, text):
    assert printed(forms, form) == BOTH
    heads = "                 ORIGINAL\n             for the drop box"
    duplicate = text.replace(heads, "                DUPLICATE\n              for accounting")

    assert f"{text}\n{duplicate}" == masked(paper(database, form, BOTH).text())


def test_a_copy_differs_in_its_head_alone_whatever_came_after(forms, database):
    printed(forms, UV)
    forms.say("commission.collect", patron="P-10417", amount=3_00)
    forms.say("property.set", name="name", value="Grand")
    copies = printed(forms, UV, part="original")
    head = "          COPY 1 OF THE ORIGINAL\n             for the drop box\n"
    moment = "        2026-11-21 20:00:20+00:00\n"
    before = "                 ORIGINAL\n             for the drop box\n"

    assert [("original", 2)] == copies
    assert UNCOLLECTED.replace(before, head + moment) == masked(paper(database, UV, copies).text())


@pytest.mark.parametrize("form", [UV, VR])
def test_the_pdf_says_what_the_text_says_a_part_a_page(forms, database, form):
    printed(forms, form)
    one = paper(database, form, BOTH)
    document = one.pdf()
    read = PdfReader(io.BytesIO(document))
    words = "".join("".join(page.extract_text().split()) for page in read.pages)

    assert 2 == len(read.pages)
    for line in set(without_blanks(one.text())):
        assert words.count(line.split("USD")[0]) >= 1, line
    assert document == paper(database, form, BOTH).pdf()
    assert read.metadata.creation_date == datetime(2026, 11, 21, 20, 0, 17, tzinfo=UTC)


def test_in_another_language_the_amount_is_in_figures_alone(forms, database):
    printed(forms, UV)
    one = paper(database, UV, BOTH)
    with reading("pt"):
        text = one.text()

    assert "five and" not in text
    assert "5" in text


@pytest.mark.parametrize("name", ["*bold* #x", "赵" * 40, "W" * 64])
def test_a_name_in_any_letters_fits_the_paper(dispatcher, database, name):
    pit = GamingTable(dispatcher).open().prepare()
    pit.say("table.seat", seat=7, patron=name)
    pit.play(BANKER_WINS, (7, "banker", 100_00))
    pit.say("commission.walked", seat=7, reason=name, **TWO)
    printed(pit, UV)
    one = paper(database, UV, BOTH)

    assert COLUMNS == max(map(cell_len, one.text().splitlines()))
    assert 2 == len(PdfReader(io.BytesIO(one.pdf())).pages)
    assert 4 == "".join(one.text().split()).count("".join(name.split()))


def test_at_the_shell_a_form_is_printed_as_text_json_and_pdf(forms, database, tmp_path):
    at = ("--at", (forms.moment + timedelta(minutes=1)).isoformat())
    text = shell(database, "commission", "form", UV, *at)
    file = tmp_path / "form.pdf"
    written = shell(database, "commission", "form", UV, "--pdf", str(file), *at)
    answer = json_of(database, "commission", "form", VR, "--part", "duplicate", *at)

    assert masked(text.stdout).startswith(UNCOLLECTED)
    assert f"COPY 1 OF THE ORIGINAL, COPY 1 OF THE DUPLICATE of {UV} is in {file}." in (
        written.stdout + written.stderr
    ).replace("\n", " ")
    assert 2 == len(PdfReader(file).pages)
    assert [("duplicate", 1)] == [(each["part"], each["copy"]) for each in answer["events"]]


def test_a_form_that_is_not_there_is_refused_and_leaves_no_file(forms, database, tmp_path):
    before = recorded(database)
    file = tmp_path / "form.pdf"
    result = shell(database, "commission", "form", "UV-2026-000002", "--pdf", str(file))

    assert (1, False) == (result.exit_code, file.exists())
    assert "The ledger has no form UV-2026-000002" in result.stderr
    assert before == recorded(database)
