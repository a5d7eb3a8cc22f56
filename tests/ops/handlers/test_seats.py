"""Several patrons sit down in one line: all of them, or nobody; and a name with a blank."""

import json

from tests.acceptance.channels import feed, shell

OPEN = {
    "command": "table.open",
    "table": "B01",
    "rules": "dragon-bonus@1",
    "day": "2026-11-21",
    "opener": {"10000": 200},
    "by": "D-204",
    "with": "S-11",
}
THREE = [
    {"seat": 1, "patron": "P-1"},
    {"seat": 3, "patron": "Mr. Jones"},
    {"seat": 5, "patron": "grey-jacket"},
]
SEATS = {"command": "table.seats", "table": "B01", "patrons": THREE}


def seated(answer):
    return [
        (event["seat"], event["patron"])
        for event in answer["events"]
        if event["type"] == "PatronSeated"
    ]


def test_one_line_of_the_feed_seats_several_patrons(database):
    status, (_, answer) = feed(database, [OPEN, SEATS])

    assert (0, [(1, "P-1"), (3, "Mr. Jones"), (5, "grey-jacket")]) == (status, seated(answer))


def test_seating_several_records_the_same_events_as_single_lines(database, server):
    singly = [{"command": "table.seat", "table": "B01", **each} for each in THREE]
    with server.database() as other:
        _, (_, *apart) = feed(other, [OPEN, *singly])
    _, (_, together) = feed(database, [OPEN, SEATS])

    assert [event for answer in apart for event in answer["events"]] == together["events"]


def test_if_one_patron_is_refused_none_sits_down(database):
    bar = {"command": "patron.bar", "patron": "grey-jacket", "reason": "cheated"}
    _, (_, _, refused, leaves) = feed(
        database, [OPEN, bar, SEATS, {"command": "table.leave", "table": "B01", "seat": 1}]
    )
    _, (twice,) = feed(
        database, [{**SEATS, "patrons": [{"seat": 1, "patron": "A"}, {"seat": 1, "patron": "B"}]}]
    )

    assert ("PatronBarred", "SeatTaken") == (refused["error"], twice["error"])
    assert refused["message"].endswith(" Nobody named in this line sits down.")
    assert "SeatEmpty" == leaves["error"]  # nobody sat down


def test_the_shell_seats_several_patrons_with_commas_or_without(database):
    feed(database, [OPEN])
    several = shell(
        database,
        "table",
        "seats",
        "B01",
        "1",
        "P-1,",
        "3",
        "Mr. Jones",
        "5",
        "grey-jacket",
        "--json",
    )

    assert (0, [(1, "P-1"), (3, "Mr. Jones"), (5, "grey-jacket")]) == (
        several.exit_code,
        seated(json.loads(several.stdout)),
    )


def test_a_name_with_a_blank_is_refused_in_plain_words(database):
    one = shell(database, "table", "seat", "B01", "3", "Mr.", "Jones")
    several = shell(database, "table", "seats", "B01", "3", "Mr.", "Jones", "5", "P-2")

    assert (2, 1) == (one.exit_code, several.exit_code)
    for told in (one.stderr, several.stderr):
        assert "put a name with a blank in quotes, as in 'Mr. Jones'" in told
