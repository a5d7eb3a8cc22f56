"""The digest of the installed files: anybody can compute it, and one changed byte changes it."""

import shutil
import subprocess
from base64 import urlsafe_b64encode
from hashlib import sha256

import pytest

from ops import VERSION
from ops.ledger.installed import (
    HERE,
    PACKAGES,
    as_released,
    differences,
    files_in,
    installed,
    label,
)

# As the manual has it.
COREUTILS = (
    "find domain ops projections -type f ! -path '*/__pycache__/*' | LC_ALL=C sort"
    " | xargs sha256sum | sha256sum"
)


@pytest.fixture
def copy(tmp_path):
    """The packages as they are installed here, in a directory of their own."""
    for package in PACKAGES:
        shutil.copytree(HERE / package, tmp_path / package)
    return tmp_path


def listed(directory, changes=()):
    """The installer's list of the files, as it is in a wheel that was installed."""
    info = directory / f"sabot-{VERSION}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.4\nName: sabot\nVersion: {VERSION}\n")
    lines = []
    for path, content in {**files_in(directory).files, **dict(changes)}.items():
        encoded = urlsafe_b64encode(bytes.fromhex(content)).decode().rstrip("=")
        lines.append(f"{path},sha256={encoded},1\n")
    lines.append("ops/__pycache__/__init__.cpython-311.pyc,,\n")
    (info / "RECORD").write_text("".join(lines))


def test_the_digest_is_what_coreutils_compute(copy):
    computed = subprocess.run(COREUTILS, shell=True, cwd=copy, capture_output=True, check=True)

    assert files_in(copy).digest == computed.stdout.decode().split()[0]
    assert installed().digest == files_in(copy).digest


def test_one_changed_byte_changes_the_digest(copy):
    before = files_in(copy).digest
    file = copy / "domain/rules/tableau.py"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)

    assert before != files_in(copy).digest


def test_a_file_that_is_added_removed_or_renamed_changes_the_digest(copy):
    before = files_in(copy).digest
    added = copy / "ops/added.py"
    added.write_text("")
    with_it = files_in(copy).digest
    added.rename(copy / "ops/renamed.py")
    renamed = files_in(copy).digest
    (copy / "ops/renamed.py").unlink()

    assert 3 == len({before, with_it, renamed})
    assert before == files_in(copy).digest
    (copy / "domain/__init__.py").unlink()
    assert before != files_in(copy).digest


def test_what_python_caches_does_not_count(copy):
    before = files_in(copy).digest
    cache = copy / "ops/__pycache__"
    cache.mkdir(exist_ok=True)
    (cache / "x.pyc").write_bytes(b"x")

    assert before == files_in(copy).digest


def test_it_is_computed_once_a_process():
    assert installed() is installed()


def test_papers_have_the_version_and_the_first_digits():
    assert f"Sabot {VERSION} ({installed().digest[:12]})" == label()


# The installer's list.
def test_files_as_the_installer_listed_them_do_not_differ(copy):
    listed(copy)

    assert [] == differences(files_in(copy), as_released(copy))


def test_files_that_are_not_as_the_installer_listed_them_are_named(copy):
    listed(copy, {"ops/gone.py": sha256(b"gone").hexdigest()})
    (copy / "domain/rules/tableau.py").write_text("# other")
    (copy / "ops/new.py").write_text("")
    found = differences(files_in(copy), as_released(copy))

    assert [
        ("domain/rules/tableau.py", "changed"),
        ("ops/gone.py", "missing"),
        ("ops/new.py", "added"),
    ] == [(each.file, each.fault) for each in found]


def test_a_checkout_has_no_list(copy):
    assert as_released(copy) is None
