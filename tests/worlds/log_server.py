"""Logs of houses that are made up, over HTTP; a stream says when a house has signed."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit


class LogServer:
    """Serves `PLACE/NAME` at `/NAME/log`, and wakes who follows at `/NAME/log/news`."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._houses: dict[str, tuple[threading.Condition, list[int]]] = {}

    def wake(self, house: str) -> None:
        """Says to who follows a house that it signed something."""
        moved, signed = self._of(house)
        with moved:
            signed[0] += 1
            moved.notify_all()

    def news(self, house: str) -> Iterator[bytes]:
        """What a follower of a house gets; it has to look for itself what is new."""
        known, (moved, signed) = -1, self._of(house)
        while True:
            with moved:
                moved.wait_for(lambda k=known: signed[0] != k)
                known = signed[0]
            yield b"event: checkpoint\ndata: 1\n\n"

    def _of(self, house: str) -> tuple[threading.Condition, list[int]]:
        return self._houses.setdefault(house, (threading.Condition(), [0]))


@contextmanager
def log_server(place: Path) -> Iterator[LogServer]:
    class Handler(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            _, house, _, *rest = urlsplit(self.path).path.split("/")
            if rest == ["news"]:
                self.close_connection = True
                self.send_response(200)
                self.end_headers()
                for each in served.news(house):
                    try:
                        self.wfile.write(each)
                    except OSError:
                        return
            self.path = f"/{house}/{'/'.join(rest)}"
            super().do_GET()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(place)))
    server.daemon_threads = True
    served = LogServer(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
