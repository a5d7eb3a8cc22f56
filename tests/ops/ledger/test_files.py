"""Secrets in files: made once, whoever comes first. Logs: put aside when they are long."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from ops.ledger import files
from ops.ledger.files import begin_anew, write_secret


def test_of_several_threads_the_first_makes_the_file_and_nothing_else_is_left(tmp_path):
    begins = Barrier(8)

    def make(n):
        begins.wait()
        write_secret(tmp_path / "key", b"%d" % n)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(make, range(8)))

    assert [each.name for each in tmp_path.iterdir()] == ["key"]
    assert (tmp_path / "key").read_bytes() in {b"%d" % n for n in range(8)}
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


def test_a_log_that_is_long_is_put_aside_in_place_of_the_one_before(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MOST_LOGGED", 8)
    log = tmp_path / "server.log"
    begin_anew(log)
    for line in ("the first", "another one", "short"):
        log.write_text(line)
        begin_anew(log)

    there = {each.name: each.read_text() for each in tmp_path.iterdir()}
    assert there == {"server.log": "short", "server.log.1": "another one"}
