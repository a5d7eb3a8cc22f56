"""Secrets in files: made once, whoever comes first."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from ops.ledger.files import write_secret


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
