"""The systemd units that ship: little that they may do, by systemd's own account where it is."""

import re
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


def test_patroni_keeps_its_own_rule_about_its_times():
    """Else it takes a leader away that is only slow."""
    text = (EXAMPLES / "patroni.yml").read_text()
    times = {name: int(value) for name, value in re.findall(r"(\w+): (\d+)\b", text)}

    assert times["ttl"] >= max(20, times["loop_wait"] + 2 * times["retry_timeout"])
    assert "synchronous_mode_strict: true" in text


def test_each_unit_is_in_the_manual():
    pages = "".join(each.read_text() for each in (ROOT / "ops" / "manual").glob("*.md"))

    assert [each.name for each in sorted(EXAMPLES.iterdir()) if each.name not in pages] == []
