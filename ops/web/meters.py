"""What the server counts for Prometheus."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from ops.verify.rounds import Round

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)


class Meters:
    """Counters of one server process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.commands = Counter(
            "sabot_commands",
            "Lines of commands, by command and outcome.",
            ["command", "outcome"],
            registry=self._registry,
        )
        self.seconds = Histogram(
            "sabot_request_seconds",
            "Seconds until a request was answered, by its kind.",
            ["kind"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.open = Gauge(
            "sabot_open",
            "Pages, streams and screens that are open, by their room.",
            ["room"],
            registry=self._registry,
        )
        self.position = Gauge(
            "sabot_ledger_position", "Position of the last event.", registry=self._registry
        )
        self.reachable = Gauge(
            "sabot_ledger_reachable", "1 if the ledger can be reached now.", registry=self._registry
        )
        self.round_position = self._gauge(
            "sabot_round_position", "Events verified in the present round through the record."
        )
        self.round_head = self._gauge(
            "sabot_round_events", "Events that the present round has to verify."
        )
        self.round_finished = self._gauge(
            "sabot_round_finished_timestamp_seconds",
            "When the last whole round ended; 0: none did yet.",
        )
        self.round_faults = self._gauge(
            "sabot_record_faults", "Faults that the last whole round found in the record."
        )
        self.refused = Counter(
            "sabot_requests_refused",
            "Requests that were answered with an error, by HTTP status.",
            ["status"],
            registry=self._registry,
        )

    def _gauge(self, name: str, words: str) -> Gauge:
        return Gauge(name, words, registry=self._registry)

    def note_round(self, verified: Round) -> None:
        """Notes how far the present round is, and what the last whole one found."""
        self.round_position.set(verified.position)
        self.round_head.set(verified.head)
        ended = verified.finished_at
        self.round_finished.set(ended.timestamp() if ended else 0)
        self.round_faults.set(len(verified.faults))

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
