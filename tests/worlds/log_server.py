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
        self._moved, self._signed = threading.Condition(), 0

    def wake(self) -> None:
        """Says to every follower that something was signed."""
        with self._moved:
            self._signed += 1
            self._moved.notify_all()

    def news(self) -> Iterator[bytes]:
        """What a follower gets; it has to look for itself what is new."""
        known = -1
        while True:
            with self._moved:
                self._moved.wait_for(lambda k=known: self._signed != k)
                known = self._signed
            yield b"event: checkpoint\ndata: 1\n\n"


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
                for each in served.news():
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
