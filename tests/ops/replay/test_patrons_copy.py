"""A patron's copy of a coup: their lines, the cards and the rules, and nothing of anybody else."""

import json
import re
from itertools import chain, combinations

import pytest
from pypdf import PdfReader

from ops.web.pages.coup import read
from tests.acceptance.channels import shell
from tests.worlds.gaming_table import BANKER_WINS, DAY, PLAYER_WINS, GamingTable

pytestmark = pytest.mark.usefixtures("held")

COUP = f"B01/{DAY}/1/1"
MINE, OTHERS = "P-10417", {"P-10411": 1, "grey-jacket": 5}
TWO = {"with": "S-11", "reason": "grey-jacket said it"}
SMALL, LARGE, SIDE, MORE = 135_00, 265_00, 75_00, 35_00  # what the others wager
STAKES = (SMALL, LARGE, SIDE, MORE)


def played(dispatcher, *, rules="dragon-bonus@1"):
    """The three patrons at one coup; somebody else cut the cards."""
    pit = GamingTable(dispatcher).open(rules).prepare(seat=5)
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", LARGE)
    pit.bet(1, "banker", SMALL)
    return pit


def settled(dispatcher):
    pit = played(dispatcher)
    pit.bet(5, "dragon-player", SIDE)
    pit.bet(1, "tie", MORE)
    pit.say("withdraw", seat=1, spot="tie")
    pit.say("draw", card="KC")
    pit.ask("bet", seat=5, spot="player", amount=MORE)
    pit.deal("9S 2C QD")
    pit.ask("settle", paid={"1": 400_00})
    pit.say("settle")


def corrected(dispatcher):
    pit = played(dispatcher)
    pit.deal(BANKER_WINS, settle=True)
    pit.say("correct", coup=COUP, seat=1, spot="banker", to=SMALL + SIDE, **TWO)
    pit.say("commission.collect", seat=1, amount=1_00)


def voided(dispatcher):
    pit = played(dispatcher)
    pit.deal(BANKER_WINS, settle=True)
    pit.say("void", coup=COUP, **TWO)


def voided_by_their_case(dispatcher):
    pit = played(dispatcher)
    pit.deal(PLAYER_WINS, settle=True)
    for patron in ("grey-jacket", MINE):
        pit.say("dispute.open", coup=COUP, patron=patron, complaint="I was first", by="S-11")
    decided = {"case": "C-2026-0002", "decision": "void", "by": "S-11", **TWO, "with": "PB-2"}
    pit.say("dispute.decide", **decided)


def moved_away(dispatcher):
    pit = played(dispatcher)
    pit.bet(3, "tie", 50_00)
    pit.deal(BANKER_WINS, settle=True)
    pit.say("coup.move-wager", coup=COUP, seat=3, spot="tie", to_seat=5, **TWO)


def became_theirs(dispatcher):
    pit = played(dispatcher)
    pit.bet(5, "tie", 50_00)
    pit.deal(BANKER_WINS, settle=True)
    pit.say("coup.move-wager", coup=COUP, seat=5, spot="tie", to_seat=3, **TWO)


def squeezed(dispatcher):
    pit = GamingTable(dispatcher).open("big-table@1").prepare(seat=5)
    pit.bet(3, "banker", 100_00)
    pit.bet(5, "player", LARGE)
    pit.bet(1, "banker", SMALL)
    for card in BANKER_WINS.split():
        pit.say("draw", card=card)
    pit.say("reveal", hand="player")
    pit.say("reveal", hand="banker")
    pit.say("settle")


STORIES = (settled, corrected, voided, voided_by_their_case, moved_away, became_theirs, squeezed)


@pytest.fixture(params=STORIES, ids=lambda story: story.__name__)
def copies(request, dispatcher, database, tmp_path):
    """Every form of the copy, as text, by its name."""
    request.param(dispatcher)

    def asked(*words):
        result = shell(database, "replay", COUP, "--for", MINE, *words)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    asked("--export", str(tmp_path / "copy"))
    page = read(database, COUP, None, MINE)
    told = [
        *(each.words for each in (*page.events, *page.exceptions, *page.afterwards)),
        *(f"seat {row.seat} {row.patron} {row.stake} {row.paid}" for row in page.rows),
        *(*page.verdict, *page.patrons),
    ]
    return {
        "screen": asked(),
        "data": asked("--json"),
        "as far as the cards": asked("--until", "2"),
        "paper": " ".join(p.extract_text() for p in PdfReader(tmp_path / "copy.pdf").pages),
        "web page": "\n".join(told),
    }


def sums():
    """Every amount in which one of the others' is counted."""
    paid = [each * 2 for each in STAKES] + [26325, 675]
    known = [*STAKES, *paid, 100_00, 195_00, 200_00]
    some = chain(*(combinations(known, size) for size in (1, 2, 3)))
    theirs = {100_00, 195_00, 200_00, 50_00, 5_00, 95_00}
    whole = {sum(each) for each in some if set(each) - theirs}
    return whole - {sum(each) for size in (1, 2, 3) for each in combinations(sorted(theirs), size)}


def amounts(text):
    return {int(re.sub(r"[,.]", "", each)) for each in re.findall(r"[\d,]+\.\d\d\b", text)}


def numbers(told):
    """Every number of the data that is no position and no count."""
    if isinstance(told, dict):
        left_out = ("position", "first_position", "last_position", "limits", "frozen_at")
        return set().union(*(numbers(v) for k, v in told.items() if k not in left_out))
    if isinstance(told, list):
        return set().union(*map(numbers, told))
    return {told} if isinstance(told, int) else amounts(str(told))


def test_nobody_else_is_in_any_form_of_it(copies):
    for form, text in copies.items():
        for other, seat in OTHERS.items():
            assert other not in text, form
            assert not re.search(rf"\bseat {seat}\b", text, re.IGNORECASE), form
            assert f'"seat": {seat},' not in text, form
        found = numbers(json.loads(text)) if form == "data" else amounts(text)
        assert not found & sums(), form


def test_the_patron_the_cards_and_the_rules_are_in_every_form_of_it(copies):
    for form, text in copies.items():
        assert MINE in text, form
        assert "100.00" in text or "10000" in text, form
        assert "R-DEAL-1" in text or form == "web page", form
    for form in ("screen", "paper"):
        assert "195.00" in copies[form] or "100.00" in copies[form]
        assert "9" in copies[form]
    assert "agrees, line by line" in " ".join(copies["screen"].split())


def test_the_paper_has_a_total_of_their_own(dispatcher, database, tmp_path):
    settled(dispatcher)
    shell(database, "replay", COUP, "--for", MINE, "--export", str(tmp_path / "copy"))
    paper = " ".join(p.extract_text() for p in PdfReader(tmp_path / "copy.pdf").pages)
    told = json.loads(shell(database, "replay", COUP, "--for", MINE, "--json").stdout)

    assert re.search(r"All\s+100\.00\s+200\.00", paper)
    assert [each["seat"] for each in told["payments"]] == [3]
    assert told["agrees"]


def test_a_wager_that_became_theirs_is_theirs_from_the_beginning(dispatcher, database):
    became_theirs(dispatcher)
    told = json.loads(shell(database, "replay", COUP, "--for", MINE, "--json").stdout)
    (moved,) = [each for each in told["afterwards"] if each["event"] == "WagerMoved"]

    assert [(each["seat"], each["spot"]) for each in told["wagers"]] == [(3, "banker"), (3, "tie")]
    assert (moved["seat"], moved["patron"], moved["to_seat"]) == (None, "another patron", 3)


def test_a_wager_that_was_another_patrons_is_not_theirs(dispatcher, database):
    moved_away(dispatcher)
    told = json.loads(shell(database, "replay", COUP, "--for", MINE, "--json").stdout)
    page = shell(database, "replay", COUP, "--for", MINE).stdout

    assert [(each["seat"], each["spot"]) for each in told["wagers"]] == [(3, "banker")]
    assert "Tie 50.00 of seat 3 P-10417 was another patron's" in " ".join(page.split())
