"""What is collected, by each worker anew: quickly, and not looked through again in the run."""

import gc
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """A file without a prompt has no doctest: none is looked for in what it defines."""
    collectors = yield
    if b">>>" in file_path.read_bytes():
        return collectors
    return [each for each in collectors if not isinstance(each, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Tests in their thousands stay until the end: no search for garbage goes through them."""
    gc.disable()
    try:
        _import_a_share(session.config)
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _import_a_share(config: pytest.Config) -> None:
    """Each worker begins with files of its own: in a new clone all would compile the same one."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if not worker or config.args_source is not config.ArgsSource.TESTPATHS:
        return
    root, workers = config.rootpath, int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    files = sorted((root / "tests").rglob("test_*.py"))
    for file in files[int(worker.removeprefix("gw")) :: workers]:
        with suppress(Exception):  # whoever collects it says so
            import_module(".".join(file.relative_to(root).with_suffix("").parts))
