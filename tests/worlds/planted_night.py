"""A closed house at whose tables some launder money, and whoever notices, reports and decides.

Everybody has a shell of their own. Ten days lie behind them, of which nobody took notice.
"""

import csv
import json
import shutil
from datetime import timedelta
from io import StringIO
from itertools import cycle
from types import SimpleNamespace

import pytest

from ops.ledger import clock
from ops.ledger.pepper import pepper_file
from tests.worlds.closed_house import PIN
from tests.worlds.fincen import ADDRESS, FILER
from tests.worlds.shells import Shell
from tests.worlds.written_events import WrittenEvents

STAFF = {
    "S-1": "supervisor", "PB-1": "pit-boss", "C-1": "cage", "V-1": "surveillance",
    "U-1": "auditor", "D-9": "dealer",
}  # fmt: skip
DAYS = 10
WALKS, TWO = "P-107", ("P-105", "P-115")  # who takes chips along; who shares an amount
PATRONS = {  # by number: name and occupation
    "P-101": ("Alder, Ann", "baker"),
    "P-102": ("Birch, Ben", "driver"),
    "P-103": ("Cedar, Cy", "broker"),
    "P-104": ("Dogwood, Di", "agent"),
    "P-105": ("Elm, Ed", "student"),
    "P-115": ("Elder, Eve", "student"),
    "P-106": ("Fir, Flo", "courier"),
    "P-116": ("Fig, Fay", "importer"),
    "P-107": ("Gorse, Gil", "lender"),
    "P-108": ("Hazel, Hal", "promoter"),
    "P-109": ("Ivy, Ina", "minister"),
    "P-110": ("Juniper, Jo", "bookmaker"),
    "P-111": ("Kapok, Kim", "postman"),
}
BORN = "1961-04-17"


def before(database):
    """Ten days of cash: most bring some and take most of it home, and three do something else."""
    floor = WrittenEvents(database)
    floor.found()
    now = clock.wall_clock()
    for ago in range(DAYS, 0, -1):
        floor.moment = now - timedelta(days=ago)
        day = floor.moment.date().isoformat()
        floor.open("B01", day)
        for patron in TWO:
            floor.buy_in(patron, 6_000_00, day=day)
            floor.cash_out(patron, 5_500_00, day=day)
        floor.buy_in(WALKS, 4_000_00, day=day)
        for n in range(10):
            floor.moment += timedelta(minutes=9)
            floor.buy_in(f"P-{n}", 1_000_00 + n * 100_00, day=day)
            floor.cash_out(f"P-{n}", 900_00 + n * 90_00, day=day)
    floor.ledger.close()


class PlantedNight:
    """The house; each line is said by somebody at a shell of their own."""

    def __init__(self, database, home):
        before(database)
        shutil.copy(pepper_file(), home / "pepper")  # of those who recorded until now
        self.home, self.seats = home, cycle(range(1, 8))
        self.shells = {who: Shell(database, home, who) for who in ("A-1", *STAFF)}
        (home / "filer.toml").write_text(FILER)
        boss = self.shells["A-1"]
        self._sign_on("A-1", boss.code("A-1", "administrator"))
        for who, role in STAFF.items():
            self._sign_on(who, boss.code(who, role))
        self.say("A-1", "regime", "choose", "united-states", self.today, second="PB-1")
        self.files()
        for table in ("B01", "B02"):
            tray = ("--opener", "100=900", "--opener", "1000=60")
            opened = self.say("S-1", "table", "open", table, "classic@1", *tray, second="PB-1")
        self.day = next(each["day"] for each in opened["events"] if "day" in each)

    @property
    def today(self):
        return clock.wall_clock().date().isoformat()

    @property
    def day_before(self):
        """A gaming day that is over."""
        return (clock.wall_clock() - timedelta(days=DAYS)).date().isoformat()

    def _sign_on(self, who, code):
        done = self.shells[who].run("staff", "sign-on", who, types=(code, PIN, PIN))
        assert done.exit_code == 0, done.output

    def say(self, who, *words, second=""):
        """The answer to a line that is accepted; a second person types their PIN."""
        if second:
            with pytest.MonkeyPatch.context() as patch:
                keyboard = SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True))
                patch.setattr("ops.cli.speak.sys", keyboard)
                answer = self.shells[who].ask(*words, "--with", second, types=(PIN,))
        else:
            answer = self.shells[who].ask(*words)
        assert answer["ok"], (words, answer)
        return answer

    def refused(self, who, *words):
        """Why a line is refused."""
        answer = self.shells[who].ask(*words)
        assert not answer["ok"], (words, answer)
        return answer["error"]

    def rows(self, who, report, *narrowed):
        """The rows of a report, to somebody who may read it."""
        return self.shells[who].ask("report", report, *narrowed)["rows"]

    def files(self):
        """Everybody's name and file, from a spreadsheet, and the passport that somebody sees."""
        sheet = StringIO()
        lines = csv.writer(sheet)
        lines.writerow(["patron", "name", "birth_date", "address", "occupation"])
        for patron, (name, occupation) in PATRONS.items():
            lines.writerow([patron, name, BORN, ADDRESS, occupation])
        (self.home / "patrons.csv").write_text(sheet.getvalue())
        done = self.shells["C-1"].run("patron", "import", str(self.home / "patrons.csv"), "--yes")
        assert done.exit_code == 0, done.output
        for patron in PATRONS:
            passport = ("passport", f"U{patron[2:]}99", "Austria", "--expires", "2199-12-31")
            self.say("C-1", "patron", "document", patron, *passport)

    def sits(self, patron, table="B01"):
        """A seat at which they play from now on."""
        place = table, str(next(self.seats))
        self.say("S-1", "table", "seat", *place, patron)
        return place

    def cash(self, place, way, amount, *more):
        """Cash at a seat that is taken or paid."""
        return self.say("S-1", "table", way, *place, amount, *more)

    def leaves(self, place):
        self.say("S-1", "table", "leave", *place)

    def alerts(self, kind, patron):
        """Alerts of a kind about a patron, as whoever watches sees them now."""
        return [
            each["alert"]
            for each in self.rows("V-1", "alerts")
            if each["kind"] == kind and patron in json.dumps(each["detail"])
        ]

    def cash_positions(self, *patrons):
        """Where the cash of these is on record."""
        rows = self.rows("V-1", "cash-log", "--day", self.day)
        return [str(each["position"]) for each in rows if each["patron"] in patrons]
