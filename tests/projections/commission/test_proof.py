"""R-COM-4: the commission ledger proves itself to zero, and cannot help showing an error."""

from functools import partial

import pytest

from ops.reports.ask import ask
from projections import REPORTS
from tests.acceptance.channels import rows_of
from tests.worlds.gaming_table import BANKER_WINS, PLAYER_WINS, GamingTable, mouth_on

REPORT = REPORTS["commission-proof"]
SCOPES = ["day", "table", "shoe", "patron"]
FIRST = "B01/2026-11-21/1"
rows = partial(rows_of, report=REPORT)
TWO = {"with": "S-11"}


@pytest.fixture
def at_payout(dispatcher):
    return GamingTable(dispatcher, "B02").open("classic@1").prepare()


def differences(database):
    return {
        (row["scope"], row["key"]): row["difference"]
        for row in ask(database, REPORT).rows
        if row["difference"]
    }


def test_every_scope_tells_the_whole_equation(pit, database):
    pit.play(BANKER_WINS, (3, "banker", 100_00), (5, "banker", 50_00))
    pit.say("commission.collect", seat=3, amount=2_00)
    told = ask(database, REPORT)
    day, table, shoe, *patrons = told.rows

    assert [row["scope"] for row in told.rows] == [*SCOPES, "patron"]
    assert day == {
        "scope": "day",
        "key": "2026-11-21",
        "banker_winnings": 150_00,
        "rate": "0.05",
        "brought_forward": 0,
        "accrued": "750",
        "rounding": 0,
        "corrections": 0,
        "collected": 2_00,
        "waived": 0,
        "walked": 0,
        "outstanding": 5_50,
        "difference": 0,
    }
    assert (table["key"], shoe["key"]) == ("B01", FIRST)
    assert [(row["key"], row["outstanding"]) for row in patrons] == [
        ("P-10417", 3_00),
        ("grey-jacket", 2_50),
    ]


def _won(pit):
    pit.play(BANKER_WINS, (3, "banker", 105_00), (5, "player", 50_00))


def _collected(pit):
    _won(pit)
    pit.say("commission.collect", seat=3, amount=5_25)


def _void(pit):
    pit.say("void", coup=f"{pit.table}/2026-11-21/1/1", reason="a foreign card", **TWO)


def _correct(pit, **more):
    where = {"coup": f"{pit.table}/2026-11-21/1/1", "seat": 3, "spot": "banker"}
    pit.say("correct", **{**where, **more}, reason="taken by mistake", **TWO)


_TO_NOTHING = partial(_correct, to=0)


_AS_PLAYER = partial(_correct, **{"as": "player"})
_OTHER_AS_BANKER = partial(_correct, seat=5, spot="player", **{"as": "banker"})


def _waive(pit):
    pit.say("commission.waive", seat=3, amount=25, reason="rain", **TWO)


def _walk(pit):
    pit.say("commission.walked", seat=3, reason="gone", **TWO)


# fmt: off
ACCIDENTS = [
    # before      what is put right         corrections collected waived walked outstanding
    (_won,       [],                              (0,     0,    0,    0,    5_25)),
    (_won,       [_void],                         (-5_25, 0,    0,    0,    0)),
    (_collected, [_void],                         (-5_25, 0,    0,    0,    0)),
    (_collected, [partial(_correct, to=315_00)],  (5_25,  5_25, 0,    0,    5_25)),
    (_collected, [_TO_NOTHING],                   (-5_25, 0,    0,    0,    0)),
    (_collected, [_TO_NOTHING, _correct],         (0,     0,    0,    0,    5_25)),
    (_collected, [_TO_NOTHING, _void],            (-5_25, 0,    0,    0,    0)),
    (_won,       [_AS_PLAYER],                    (-5_25, 0,    0,    0,    0)),
    (_collected, [_AS_PLAYER, _correct],          (0,     0,    0,    0,    5_25)),
    (_won,       [_waive, _walk],                 (0,     0,    25,   5_00, 0)),
    (_won,       [_waive, _void],                 (-5_25, 0,    0,    0,    0)),
    (_won,       [_waive, _walk, partial(_correct, to=110_00)],
                                                  (-5_00, 0,    25,   0,    0)),
]
# fmt: on


@pytest.mark.parametrize(("earlier", "then", "expected"), ACCIDENTS)
def test_r_com_4_it_is_zero_whatever_is_put_right(pit, database, earlier, then, expected):
    names = ("corrections", "collected", "waived", "walked", "outstanding")
    earlier(pit)
    assert differences(database) == {}
    for act in then:
        act(pit)
        assert differences(database) == {}

    assert {expected} == {*rows(database, *names)}


@pytest.mark.parametrize(
    ("then", "owes"),
    [
        ([_OTHER_AS_BANKER], 2_50),
        ([_AS_PLAYER, _OTHER_AS_BANKER], 2_50),
        ([_OTHER_AS_BANKER, partial(_OTHER_AS_BANKER, to=75_00)], 1_25),
        ([_OTHER_AS_BANKER, partial(_correct, seat=5, spot="player")], 0),
        ([_OTHER_AS_BANKER, _void], 0),
    ],
)
def test_r_com_1_what_is_paid_as_banker_owes_as_banker(pit, database, then, owes):
    _won(pit)
    for act in then:
        act(pit)
        assert differences(database) == {}
    stays = ask(database, REPORTS["commission"]).rows

    assert owes == sum(row["outstanding"] for row in stays if row["patron"] == "grey-jacket")


@pytest.mark.parametrize(
    "then",
    [[_void], [_TO_NOTHING], [partial(_correct, to=102_40)], [_AS_PLAYER], [_AS_PLAYER, _void]],
    ids=["void", "none", "more", "as player", "as player, then void"],
)
def test_r_com_4_it_is_zero_where_commission_is_taken_at_payout(at_payout, database, then):
    at_payout.play(BANKER_WINS, (3, "banker", 51_00), (5, "banker", 33_00))
    at_payout.play(PLAYER_WINS, (3, "banker", 51_00))
    assert differences(database) == {}
    for act in then:
        act(at_payout)
        assert differences(database) == {}


@pytest.fixture(scope="module")
def proved(server):
    """Commission was collected in part, and the proof is zero."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            pit = GamingTable(dispatcher).open().prepare()
            pit.play(BANKER_WINS, (3, "banker", 100_00))
            pit.say("commission.collect", seat=3, amount=2_00)
        assert differences(database) == {}
        yield database


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE projections.banker_wins SET won = won + 20",
        "UPDATE projections.banker_wins SET won_first = won_first + 1",
        "UPDATE projections.banker_wins SET withheld = withheld + 1",
        "UPDATE projections.banker_wins SET charged = charged - 1",
        "UPDATE projections.commission_paid SET collected = collected + 1",
        "UPDATE projections.commission_paid SET waived = waived - 1",
        "UPDATE projections.commission_paid SET walked = walked + 1",
        "UPDATE projections.open_accruals SET owed = owed + 1",
        "UPDATE projections.commission_owed SET charged = charged + 1",
        "UPDATE projections.commission_owed SET corrections = corrections - 1",
        "UPDATE projections.commission_owed SET accrued = accrued + 0.01",
        "DELETE FROM projections.banker_wins",
        "DELETE FROM projections.open_accruals",
        "DELETE FROM projections.commission_paid",
        "DELETE FROM projections.commission_owed",
    ],
)
def test_a_minor_unit_planted_in_a_projection_is_a_difference(server, proved, sql):
    with server.database(like=proved) as database:
        with database.connect_as_is() as superuser:
            superuser.execute(sql)

        assert [scope for scope, _ in differences(database)] == SCOPES


PLANTED = [
    ("coup.wager-settled", "paid", 1),
    ("coup.wager-settled", "winnings", -1),
    ("coup.wager-settled", "commission_charged", 1),
    ("commission-account.commission-accrued", "charged", 1),
    ("commission-account.commission-accrued", "exact", "500.01"),
    ("commission-account.commission-collected", "amount", -1),
]


@pytest.fixture(scope="module")
def recorded(server):
    """B01 collects commission in part, B02 takes it at payout; no projection has read of it."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            pit = GamingTable(dispatcher).open().prepare()
            for each in (pit, GamingTable(dispatcher, "B02").open("classic@1").prepare()):
                each.play(BANKER_WINS, (3, "banker", 100_00))
            pit.say("commission.collect", seat=3, amount=2_00)
        yield database


@pytest.mark.parametrize("table", ["B01", "B02"])
@pytest.mark.parametrize(("topic", "field", "by"), PLANTED)
def test_a_minor_unit_planted_in_the_record_is_a_difference(
    server, recorded, table, topic, field, by
):
    planted = f"'\"{by}\"'" if isinstance(by, str) else f"((told->>'{field}')::int + {by})::text"
    with server.database(like=recorded) as database:
        with database.connect_as_is() as superuser:
            superuser.execute("ALTER TABLE ledger.event_rows DISABLE TRIGGER USER")
            superuser.execute(
                f"""
                UPDATE ledger.events SET state = convert_to(jsonb_set(told, '{{{field}}}',
                           ({planted})::jsonb)::text, 'UTF8')
                  FROM (SELECT position, convert_from(state, 'UTF8')::jsonb AS told
                          FROM ledger.events) AS e
                 WHERE e.position = events.position AND topic = %s AND table_code = %s
                """,
                (topic, table),
            )

        assert {"day", "table"} <= {scope for scope, _ in differences(database)}
