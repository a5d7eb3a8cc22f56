"""What a patron is given is in the language that was asked for: every word of it, on paper too."""

import io
import re
from datetime import timedelta

import pytest
from pypdf import PdfReader
from rich.cells import cell_len

from domain.rules.addresses import Receipt
from ops.reports.receipt import COLUMNS, find
from ops.words.language import reading
from tests.acceptance.channels import shell
from tests.pseudo import english_in, pseudo
from tests.worlds.gaming_table import BANKER_WINS, DAY, GamingTable

pytestmark = pytest.mark.usefixtures("held")

COUP = f"B01/{DAY}/1/1"
TWO = {"with": "S-11"}
# Names and codes are the same in every language.
NAMES = (
    *("P-10417", "grey-jacket", "D-204", "S-11", "PB-2", "B01", "USD", "Sabot", "UTC", "SH-2"),
    *("R-DEAL", "R-DRAW", "R-WIN", "R-COM", "R-IRR", "R-PAY", "DD", "SS"),
    *("stay-2/receipt-1", "stay", "receipt", "GAMBLER", "dragon-bonus", "classic", "seat"),
)


@pytest.fixture
def corrected(pit):
    """A coup with a late bet, a correction, collected commission and a case that is closed."""
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", 50_00)
    pit.bet(5, "dragon-player", 25_00)
    pit.say("draw", card="KC")
    pit.ask("bet", seat=5, spot="player", amount=25_00)
    pit.deal("9S 2C QD")
    pit.say("settle")
    pit.say("commission.collect", seat=3, amount=1_00)
    pit.say("commission.receipt", receipt="B01/2026-11-21/stay-2/receipt-1")
    case = {"command": "dispute.open", "coup": COUP, "patron": "P-10417", "complaint": "…"}
    decided = {"command": "dispute.decide", "case": "C-2026-0001", "decision": "stand"}
    for line in (case, {**decided, "reason": "…", "with": "PB-2"}):
        pit.moment += timedelta(seconds=1)
        assert pit.dispatcher.dispatch({**line, "by": "S-11", "at": pit.moment.isoformat()}).ok
    pit.say("correct", coup=COUP, seat=3, spot="banker", to=205_00, reason="…", **TWO)
    return pit


def words_of(text):
    """The English of it, but for sources and addresses."""
    return english_in(re.sub(r"\S*[/@]\S*", " ", text), *NAMES)


def receipt(database):
    with database.connect("sabot_auditor") as connection:
        return find(connection, Receipt.parse("B01/2026-11-21/stay-2/receipt-1"), 1)


@pytest.mark.parametrize("wide", [False, True])
def test_a_receipt_has_no_english_word_and_fits_the_printer(corrected, database, wide):
    copy = receipt(database)
    with pseudo(wide=wide):
        slip, paper = copy.text(), copy.pdf()
    (page,) = PdfReader(io.BytesIO(paper)).pages

    assert words_of(slip) == []
    assert words_of(page.extract_text()) == []
    assert max(map(cell_len, slip.splitlines())) <= COLUMNS


@pytest.mark.parametrize("wide", [False, True])
def test_the_replay_for_a_patron_has_no_english_word(corrected, database, wide, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pseudo(wide=wide):
        page = shell(database, "replay", COUP, "--for", "P-10417").stdout

    assert words_of(page) == []
    assert all(cell_len(line) <= 80 for line in page.splitlines())


@pytest.mark.parametrize("wide", [False, True])
def test_the_patrons_copy_on_paper_has_no_english_word(corrected, database, wide, tmp_path):
    file = tmp_path / "copy"
    with pseudo(wide=wide):
        result = shell(database, "replay", COUP, "--for", "P-10417", "--export", str(file))
    text = " ".join(page.extract_text() for page in PdfReader(f"{file}.pdf").pages)

    assert result.exit_code == 0
    assert words_of(text) == []


def test_a_pack_for_the_regulator_is_english_whoever_makes_it(corrected, database, tmp_path):
    packs = []
    for language in ("en", "pt"):
        file = tmp_path / language
        with reading(language):
            shell(database, "replay", COUP, "--export", str(file))
        packs.append([file.with_suffix(each).read_bytes() for each in (".json", ".pdf")])

    assert packs[0] == packs[1]


def test_a_name_in_chinese_letters_is_on_english_paper(dispatcher, database):
    pit = GamingTable(dispatcher).open().prepare()
    pit.say("table.seat", seat=7, patron="陳大文")
    pit.play(BANKER_WINS, (7, "banker", 100_00))
    pit.say("commission.collect", seat=7, amount=5_00)
    name = "B01/2026-11-21/stay-4/receipt-1"
    pit.say("commission.receipt", receipt=name)
    with database.connect("sabot_auditor") as connection:
        paper = PdfReader(io.BytesIO(find(connection, Receipt.parse(name), 1).pdf()))
    fonts = [font["/BaseFont"] for font in paper.pages[0]["/Resources"]["/Font"].values()]

    assert "陳大文" in paper.pages[0].extract_text()
    assert any("NotoSansCJK" in font for font in fonts)
