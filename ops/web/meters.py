"""What the server counts for Prometheus."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

from ops import VERSION
from ops.backup.standing import Backups
from ops.verify.rounds import Round
from ops.web.figures import Figures
from ops.web.scraped import Scraped

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
_GAUGES = (
    ("ledger_position", "Position of the last event."),
    ("ledger_reachable", "1 if the ledger can be reached now."),
    ("round_position", "Events verified in the present round through the record."),
    ("round_events", "Events that the present round has to verify."),
    ("round_finished_timestamp_seconds", "When the last whole round ended; 0: none did yet."),
    ("record_faults", "Faults that the last whole round found in the record."),
)
_OF_THE_SERVER = (
    ("lines_waiting", "Requests of lines that wait for their turn."),
    ("shells_waiting", "Commands of the shell that wait for a process."),
    ("connections", "Connections that are open."),
    ("threads", "Threads of the server."),
)


class Meters:
    """Counters of one server process."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self.commands = Counter(
            "sabot_commands",
            "Lines of commands, by command and outcome.",
            ["command", "outcome"],
            registry=registry,
        )
        self.seconds = Histogram(
            "sabot_request_seconds",
            "Seconds until a request was answered, by its kind.",
            ["kind"],
            buckets=_SECONDS,
            registry=registry,
        )
        self.refused = Counter(
            "sabot_requests_refused",
            "Requests that were answered with an error, by HTTP status.",
            ["status"],
            registry=registry,
        )
        rooms = "Pages, streams and screens that are open, by their room."
        self.open = Gauge("sabot_open", rooms, ["room"], registry=registry)
        gauges = (Gauge(f"sabot_{name}", words, registry=registry) for name, words in _GAUGES)
        self.position, self.reachable, *self._round = gauges
        self._of_the_server = {
            name: Gauge(f"sabot_{name}", words, registry=registry) for name, words in _OF_THE_SERVER
        }
        self._scraped = Scraped()
        registry.register(self._scraped)
        ProcessCollector(registry=registry)
        PlatformCollector(registry=registry)
        Info("sabot_build", "The program.", registry=registry).info({"version": VERSION})

    def note_figures(
        self,
        figures: Figures | None,
        alerts: Mapping[tuple[str, int], int] | None,
        backups: Backups,
    ) -> None:
        """Notes what was read of the ledger and of the board; None: it cannot be read.

        `alerts`: how many, by gravity and rank.
        """
        self._scraped.figures, self._scraped.alerts = figures, alerts
        self._scraped.backups = backups
        if figures and figures.upkeep.verified:
            self.note_round(figures.upkeep.verified)

    def note_server(self, counted: Mapping[str, int]) -> None:
        """Notes what waits and what is open."""
        for name, value in counted.items():
            self._of_the_server[name].set(value)

    def note_round(self, verified: Round) -> None:
        """Notes how far the present round is, and what the last whole one found."""
        ended = verified.finished_at.timestamp() if verified.finished_at else 0
        noted = verified.position, verified.head, ended, len(verified.faults)
        for gauge, value in zip(self._round, noted, strict=True):
            gauge.set(value)

    @contextmanager
    def timed(self, kind: str) -> Iterator[None]:
        """Measures how long a request takes."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.seconds.labels(kind).observe(time.perf_counter() - begun)

    def text(self) -> bytes:
        """Everything in Prometheus's text format."""
        return generate_latest(self._registry)
