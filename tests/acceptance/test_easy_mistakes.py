"""Lines that are not wrong by themselves and still must not pass, or must not stand in the way."""

from tests.worlds.states import STATES


def test_a_shoe_may_be_reconciled_any_time_after_its_end_even_during_the_next(tables):
    """R-SHOE-1: what is left of a shoe is counted while the next one is dealt."""
    tables.bring("B01", "ended")

    assert tables.ask("B01", "shoe.load", {"decks": 8})["ok"]
    reconciled = tables.ask("B01", "shoe.reconcile", {"remaining": 408})

    assert (True, "B01/2026-11-21/1") == (reconciled["ok"], reconciled["events"][0]["shoe"])


def test_commission_is_not_collected_from_one_patron_in_another_s_name(tables):
    tables.bring("B02", "settled")
    fields = {"seat": 3, "patron": "P-5", "amount": 1_00}
    answer = tables.ask("B02", "commission.collect", fields)

    assert (False, "BadValue") == (answer["ok"], answer.get("error"))
    assert tables.ask("B02", "commission.collect", {**fields, "patron": "P-3"})["ok"]


def test_paying_a_seat_twice_in_one_command_is_refused(tables):
    tables.bring("B03", "resulted")
    answer = tables.ask("B03", "settle", {"paid": {"3": 1, "03": 200_00}})

    assert (False, "BadValue") == (answer["ok"], answer.get("error"))


def test_a_refusal_about_a_patron_who_owes_nothing_asks_for_no_payment(tables):
    tables.bring("B05", "clear")
    answer = tables.ask("B05", "commission.collect", {"seat": 3, "amount": 1})

    assert answer["error"] == "OverCollected"
    assert "0.00 or less" not in answer["message"]


def test_a_patron_who_comes_back_has_a_stay_of_their_own(tables):
    """What the first stay owed was paid; the second begins with nothing."""
    tables.bring("B06", "clear")
    tables.ask("B06", "table.leave", {"seat": 3})
    seated = tables.ask("B06", "table.seat", {"seat": 9, "patron": "P-3"})

    assert seated["events"][0]["stay"] == "B06/2026-11-21/stay-3"
    assert tables.ask("B06", "table.leave", {"seat": 9})["ok"]


def test_a_coup_without_bets_is_dealt_and_settled_like_any_other(tables):
    """Dealers deal coups without bets, to move the shoe on."""
    good = tables.bring("B07", "ready")
    said = [("open", {}), *(("draw", {"card": card}) for card in ("KC", "9S", "2C", "QD"))]
    answers = [tables.ask("B07", *each) for each in said] + [tables.ask("B07", "settle", {})]

    assert [True] * 6 == [answer["ok"] for answer in answers]
    assert [(0, 0)] == [(event["stakes"], event["paid"]) for event in answers[-1]["events"]]
    assert tables.ask("B07", *good)["coup"] == "B07/2026-11-21/1/2"


def test_a_table_that_is_closed_opens_again_on_another_day_only(tables):
    tables.bring("B08", "ended")
    opening, fields = STATES["nothing"][2]

    assert tables.ask("B08", "table.close", {"closer": {}, "confirmed": True})["due"] is None
    assert tables.ask("B08", opening, fields)["error"] == "AlreadyOpen"
    next_day = {**fields, "day": "2026-11-22"}
    assert tables.ask("B08", opening, next_day)["error"] == "ConfirmationNeeded"  # it closed empty
    signed = {"by": "D-204", "with": "S-11", "confirmed": True}
    assert tables.ask("B08", opening, {**next_day, **signed})["ok"]
    assert tables.ask("B08", "table.seat", {"seat": 3, "patron": "P-3"})["ok"]
