"""A group's year that is made up: facts and their sums as Parquet, in the layout of a group's home.

DuckDB writes them by SQL, and no code of a group's. Each house has sixty tables, each with a day's
facts every day: one opens it and one counts its box, the others are wagers that were settled.
"""

from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import duckdb

from ops.group.asking import OfHouse
from ops.group.facts import DAY, POSITION, RECORDED, WINS, known

YEAR, TABLES = 2026, 60
NOON = date(YEAR, 6, 15)  # in the middle of a month, and of the year
DAYS = 365
_OPENS, _COUNTS = "n % {most} = 0", "n % {most} = {most} - 1"


class MadeYear:
    """A year of a group in a home: so many houses, and so many facts of each table day."""

    def __init__(self, home: Path, houses: int, per_table_day: int) -> None:
        self.home, self.per_table_day = home, per_table_day
        self.names = [f"house-{n:02}" for n in range(houses)]
        self.facts = houses * DAYS * TABLES * per_table_day

    def write(self) -> None:
        """Writes the files of every house and month."""
        with closing(duckdb.connect()) as connection:
            for n, house in enumerate(self.names):
                for month in range(1, 13):
                    self._write(connection, n, house, month)

    def _write(self, connection: duckdb.DuckDBPyConnection, n: int, house: str, month: int) -> None:
        first, after = date(YEAR, month, 1), date(YEAR + month // 12, month % 12 + 1, 1)
        begins, ends = self._position(first), self._position(after)
        label = Path(WINS.name, f"property={house}", f"month={YEAR}-{month:02}")
        facts, sums = self.home / "group-view" / label, self.home / "group-sums" / label
        for each in (facts, sums):
            each.mkdir(parents=True)
        file = facts / "facts.parquet"
        columns = ", ".join(f"({sql})::BIGINT AS {name}" for name, sql in self._numbers(n).items())
        connection.execute(
            f"COPY (SELECT n + 1 AS {POSITION}, make_timestamptz({YEAR}, 1, 1, 0, 0, 0)"
            f" + to_milliseconds(n * 10) AS {RECORDED},"
            f" DATE '{YEAR}-01-01' + (n // {self._of_a_day})::INTEGER AS {DAY},"
            f" printf('B%02d', n % {self._of_a_day} // {self.per_table_day} + 1) AS table_code,"
            f" {columns} FROM range({begins}, {ends}) AS made(n) ORDER BY n)"
            f" TO '{file}' (FORMAT parquet, COMPRESSION zstd)"
        )
        summed = ", ".join(f"sum({each})::BIGINT AS {each}" for each in WINS.numbers)
        connection.execute(
            f"COPY (SELECT {DAY}, table_code, {summed} FROM '{file}' GROUP BY ALL ORDER BY ALL)"
            f" TO '{sums / f'{ends}.parquet'}' (FORMAT parquet, COMPRESSION zstd)"
        )

    @property
    def _of_a_day(self) -> int:
        return TABLES * self.per_table_day

    def _position(self, day: date) -> int:
        """How many events a house has before a day."""
        return (day - date(YEAR, 1, 1)).days * self._of_a_day

    def _numbers(self, house: int) -> dict[str, str]:
        """What an event adds to each sum, in minor units."""
        most = self.per_table_day
        opens, counts = _OPENS.format(most=most), _COUNTS.format(most=most)
        wager = f"(hash(n * 64 + {house}) % 2000001)::BIGINT - 1000000"
        return {
            **dict.fromkeys(WINS.numbers, "0"),
            "rows": f"CASE WHEN {opens} THEN 1 ELSE 0 END",
            "opener": f"CASE WHEN {opens} THEN 50000000 ELSE 0 END",
            "closer": f"CASE WHEN {counts} THEN 48000000 ELSE 0 END",
            "drop_counted": f"CASE WHEN {counts} THEN 9000000 + n % 1000 ELSE 0 END",
            "win_by_wagers": f"CASE WHEN {opens} OR {counts} THEN 0 ELSE {wager} END",
            known("closer"): f"CASE WHEN {counts} THEN 1 ELSE 0 END",
            known("drop_counted"): f"CASE WHEN {counts} THEN 1 ELSE 0 END",
        }

    def houses(self, until: date | None = None) -> list[OfHouse]:
        """The houses at the end of the year, or before a day."""
        position = self._position(until or date(YEAR + 1, 1, 1))
        return [OfHouse(each, each, "USD", position, position) for each in self.names]

    def without_sums(self) -> Path:
        """A home that has the same facts and no sums."""
        home = self.home.with_name(f"{self.home.name}-facts-alone")
        home.mkdir()
        (home / "group-view").symlink_to(self.home / "group-view")
        return home

    def in_bytes(self) -> Iterator[int]:
        """The sizes of its files of facts."""
        return (each.stat().st_size for each in self.home.glob("group-view/**/*.parquet"))
