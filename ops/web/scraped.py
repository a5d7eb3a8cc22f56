"""The figures of the ledger as Prometheus reads them: none where the ledger was not read."""

from collections.abc import Iterator, Mapping

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from ops.backup.standing import FAILING, OVERDUE, Backups
from ops.board.alerts import GRAVITIES
from ops.board.rows import PAST
from ops.ledger.fit import machine_clock
from ops.web.figures import Figures
from projections.ranks import DECISION, SLIP, WRONG


class Scraped(Collector):
    """What the last scrape read; it is read anew for each."""

    def __init__(self) -> None:
        self.figures: Figures | None = None
        self.alerts: Mapping[tuple[str, int], int] | None = None  # by gravity and rank
        self.backups = Backups()

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges, with their values."""
        if self.figures:
            yield from _of_the_ledger(self.figures)
            yield from _of_disks(self.figures)
            yield from _of_projections(self.figures)
        if self.alerts is not None:
            yield _of_alerts(self.alerts)
        if self.backups.are_on:
            yield from _of_backups(self.backups)


def _of_the_ledger(figures: Figures) -> Iterator[GaugeMetricFamily]:
    unsigned, signed = figures.upkeep.unsigned, figures.signed
    lag = None
    if figures.replayed_at:
        lag = (machine_clock() - figures.replayed_at).total_seconds()
    values: tuple[tuple[str, str, float | None], ...] = (
        ("database_bytes", "Bytes of the database.", figures.database_bytes),
        (
            "ledger_bytes",
            "Bytes of the events, the answers and their indexes.",
            figures.ledger_bytes,
        ),
        (
            "checkpoint_events",
            "Events that the newest checkpoint covers.",
            signed[0] if signed else None,
        ),
        (
            "checkpoint_timestamp_seconds",
            "When the newest checkpoint was signed.",
            signed[1].timestamp() if signed else None,
        ),
        (
            "unsigned_timestamp_seconds",
            "When the oldest event was recorded that no checkpoint covers.",
            unsigned[1].timestamp() if unsigned else None,
        ),
        ("projections_running", "1 if a runner is at work.", int(figures.runs)),
        ("standby_required", "1 if a synchronous standby is set.", int(figures.standby_required)),
        ("standby_away", "1 if it does not answer.", int(figures.standby_away)),
        ("standby_reads", "1 if this server reads from a standby.", int(lag is not None)),
        ("standby_replay_age_seconds", "Age of the newest commit that a standby has.", lag),
    )
    for name, words, value in values:
        if value is not None:
            yield GaugeMetricFamily(f"sabot_{name}", words, value)


def _of_backups(backups: Backups) -> Iterator[GaugeMetricFamily]:
    kinds = {each.kind for each in backups.lacks}
    yield _gauge("failing", "1 if it is not good, or lacks what is new.", FAILING in kinds)
    yield _gauge("overdue", "1 if it was not checked for too long.", OVERDUE in kinds)
    if (standing := backups.standing) and (followed := standing.followed):
        words = "Everything up to then is in it."
        yield _gauge("followed_timestamp_seconds", words, followed.at.timestamp())
    if standing and (checked := standing.checked):
        words = "When it was last restored to check it."
        yield _gauge("checked_timestamp_seconds", words, checked.at.timestamp())


def _gauge(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"sabot_backup_{name}", words, float(value))


def _of_disks(figures: Figures) -> Iterator[GaugeMetricFamily]:
    size = GaugeMetricFamily("sabot_disk_size_bytes", "Bytes of a disk.", labels=["place"])
    free = GaugeMetricFamily("sabot_disk_free_bytes", "Bytes that are free.", labels=["place"])
    for place, disk in figures.disks.items():
        size.add_metric([place], disk.size)
        free.add_metric([place], disk.free)
    yield from (size, free)


def _of_projections(figures: Figures) -> Iterator[GaugeMetricFamily]:
    behind, lag, stopped = (
        GaugeMetricFamily(f"sabot_projection_{name}", words, labels=["projection"])
        for name, words in (
            ("behind_events", "Events that it has not read."),
            ("lag_seconds", "Seconds since the oldest of them was recorded."),
            ("stopped", "1 if it stopped at an event, or the ledger lost what it has read."),
        )
    )
    for each in figures.standings:
        behind.add_metric([each.projection], each.behind or 0)
        lag.add_metric([each.projection], each.lag)
        stopped.add_metric([each.projection], bool(each.stopped_at or each.missing))
    yield from (behind, lag, stopped)


def _of_alerts(counted: Mapping[tuple[str, int], int]) -> GaugeMetricFamily:
    """The alerts of the board, by gravity and rank."""
    gauge = GaugeMetricFamily(
        "sabot_alerts_open", "Alerts on the board.", labels=["gravity", "rank"]
    )
    for gravity in (*GRAVITIES, PAST):
        for rank in (WRONG, DECISION, SLIP):
            gauge.add_metric([gravity, str(rank)], counted.get((gravity, rank), 0))
    return gauge
