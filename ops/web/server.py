"""Runs the house server until it is told to stop; requests that came before are answered."""

import ipaddress
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from socket import AF_INET, AF_INET6, IPPROTO_TCP, TCP_NODELAY, create_server, socket

import uvicorn
from msgspec import Struct, structs

from ops import VERSION
from ops.door.wire import FRAME
from ops.ledger.database import Database
from ops.ledger.held import Sessions
from ops.web.app import Application, application
from ops.web.budget import Budget
from ops.web.connections import Connection, Wired
from ops.web.house import House
from ops.web.log import log
from ops.web.shells import Runner
from ops.web.tokens import NOBODY, Tokens
from ops.words.failure import Failure

HANDOVER = 0.001  # seconds after which a thread that decides lets another one go on
CONNECTIONS = 20_000  # at once; others are refused politely
BACKLOG = 2_048  # connections that may wait to be accepted
GRACE = 20  # seconds for requests that came before the end


class NotServed(Failure):
    """The server cannot start here; the message says why and what to do."""


class Address(Struct, frozen=True):
    """Where the server listens, and its certificate."""

    host: str = "127.0.0.1"
    port: int = 8000
    certificate: Path | None = None
    key: Path | None = None

    @property
    def is_here_only(self) -> bool:
        """Whether only this machine reaches it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.certificate else 'http'}://{host}:{self.port}"


def serve(
    database: Database,
    address: Address,
    runner: Runner,
    budget: Budget,
    tokens: Tokens = NOBODY,
    ready: Callable[[Address], None] = lambda _: None,
    play_money: int = 0,
) -> None:
    """Serves until SIGTERM or SIGINT. `ready` is called when it can be reached, with the port.

    `budget`: of refused lines. `tokens`: of programs that read elsewhere.
    `play_money`: of `House`. Raises NotServed.
    """
    for each in (signal.SIGTERM, signal.SIGINT):
        # While requests come this is uvicorn's; it gives each signal back when it has ended.
        signal.signal(each, lambda *_: sys.exit(0))
    database.sessions = Sessions()
    house = House(database, runner, budget, play_money)
    _allow_many_files()
    sys.setswitchinterval(HANDOVER)
    config = _config(application(house, tokens), address)

    def opened(port: int) -> None:
        here = structs.replace(address, port=port)
        log().info("open", address=str(here), version=VERSION)
        ready(here)

    _require_key_of(config, address)
    listener = listener_at(address)
    try:
        _Server(config, opened).run([listener])
    finally:
        database.sessions.close()
        log().info("ended")


def _config(served: Application, address: Address) -> uvicorn.Config:
    return uvicorn.Config(
        served,
        http=Connection,
        ws=Wired,
        ws_max_size=FRAME,
        ws_ping_interval=None,
        ws_per_message_deflate=False,
        host=address.host,
        port=address.port,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
        log_config=None,
        access_log=False,
        server_header=False,
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=False,
    )


def _allow_many_files() -> None:
    """Lets this process have as many connections as the machine allows."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _require_key_of(config: uvicorn.Config, address: Address) -> None:
    try:
        config.load()
    except (ValueError, OSError) as error:  # an SSLError is an OSError
        raise NotServed(
            f"{address.certificate} and {address.key} are no certificate and its key. Give both as "
            "PEM, the certificate first in its chain."
        ) from error


def listener_at(address: Address) -> socket:
    """The socket that it listens at; whatever it accepts sends at once. Raises NotServed.

    Without TCP_NODELAY, which asyncio sets only on sockets that were made for TCP by number, an
    answer's body waits 40 ms for the receipt of its head.
    """
    family = AF_INET6 if ":" in address.host else AF_INET
    try:
        listener = create_server((address.host, address.port), family=family, backlog=BACKLOG)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (")[0].lower()
        raise NotServed(
            f"Nothing can listen at {address.host}, port {address.port}: {why}. Give another "
            "--host or --port, or end what listens there."
        ) from error
    listener.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    return listener


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready(self.servers[0].sockets[0].getsockname()[1])
