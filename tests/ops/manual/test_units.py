"""The systemd units that ship: little that they may do, by systemd's own account where it is."""

import shutil
import subprocess

import pytest

from tests import ROOT

EXAMPLES = ROOT / "ops" / "manual" / "examples"
UNITS = sorted(EXAMPLES.glob("*.service"))
WORST = 5.0  # of `systemd-analyze security`: 10 may do anything
NEEDED = {
    *("NoNewPrivileges=true", "ProtectSystem=strict", "ProtectHome=true", "UMask=0077"),
    *("CapabilityBoundingSet=", "PrivateTmp=true", "RestrictNamespaces=true"),
    *("SystemCallFilter=@system-service", "SystemCallArchitectures=native"),
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
}


@pytest.mark.parametrize("unit", UNITS, ids=lambda each: each.stem)
def test_a_unit_may_do_little(unit):
    lines = unit.read_text().splitlines()

    assert set(lines) >= NEEDED
    assert "User=sabot" in lines
    if analyze := shutil.which("systemd-analyze"):
        asked = [analyze, "security", "--offline=true", f"--threshold={WORST * 10:.0f}", str(unit)]
        said = subprocess.run(asked, capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stdout + said.stderr


def test_each_unit_is_in_the_manual():
    pages = "".join(each.read_text() for each in (ROOT / "ops" / "manual").glob("*.md"))

    assert [each.name for each in sorted(EXAMPLES.iterdir()) if each.name not in pages] == []
