"""Both compose files say the same of the same program, and nothing in them may do much."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests import ROOT

ONE, THREE = ROOT / "docker-compose.yml", ROOT / "compose.ha.yml"
AS_JSON = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"
OF_ALL = {  # what every container of the three nodes has
    "cap_drop": ["ALL"],
    "read_only": True,
    "security_opt": ["no-new-privileges:true"],
    "pids_limit": 512,
}
PINNED = re.compile(r"^\s*(?:image:|FROM) (?!sabot)\S+:[v0-9][\w.]*\$\{\w*DIGEST(?::-)?\}$", re.M)
FOREIGN = re.compile(r"^\s*(?:image:|FROM) (?!sabot|python)\S+.*$", re.M)


def services(file: Path) -> dict[str, dict[str, Any]]:
    """What docker-compose makes of a file; Debian's needs its own PyYAML, which is there."""
    if not shutil.which("docker-compose"):
        pytest.skip("there is no docker-compose")
    words = ["docker-compose", "-f", str(file), "config"]
    read = subprocess.run(words, env={"PATH": "/usr/bin:/bin"}, capture_output=True, check=False)
    assert read.returncode == 0, read.stderr.decode()
    done = subprocess.run(
        ["/usr/bin/python3", "-c", AS_JSON], input=read.stdout, capture_output=True, check=True
    )
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)["services"]
    return found


@pytest.fixture(scope="module")
def one() -> dict[str, dict[str, Any]]:
    return services(ONE)


@pytest.fixture(scope="module")
def three() -> dict[str, dict[str, Any]]:
    return services(THREE)


@pytest.mark.parametrize(
    ("of_one", "of_three"),
    [("server", "server-1"), ("server", "server-2"), ("runner", "runner"), ("backup", "backup")],
)
def test_a_program_runs_in_both_alike(
    one: dict[str, Any], three: dict[str, Any], of_one: str, of_three: str
) -> None:
    differ = {"environment", "depends_on", "ports", "networks"}
    here, there = one[of_one], three[of_three]

    assert {k: v for k, v in here.items() if k not in differ} == {
        k: v for k, v in there.items() if k not in differ
    }


def test_there_are_three_nodes_and_two_servers(three: dict[str, Any]) -> None:
    assert sorted(three) == [
        *("backup", "etcd-1", "etcd-2", "etcd-3", "ledger-1", "ledger-2", "ledger-3"),
        *("runner", "server-1", "server-2", "upgrade"),
    ]
    ports = [each["ports"] for each in three.values() if "ports" in each]
    assert len(ports) == 2  # the servers'; no database is reached from outside


def test_no_container_may_write_outside_its_volumes_or_grow_without_bound(
    three: dict[str, Any],
) -> None:
    for name, each in three.items():
        assert OF_ALL == {field: each[field] for field in OF_ALL}, name
        assert each["mem_limit"], name
        assert each["logging"]["options"] == {"max-file": "10", "max-size": "50m"}, name


@pytest.mark.parametrize(("file", "secrets"), [(ONE, 4), (THREE, 7)])
def test_no_password_stands_in_an_environment_and_none_has_a_default(
    file: Path, secrets: int
) -> None:
    for name, each in services(file).items():
        for variable, value in each.get("environment", {}).items():
            assert not re.search(r"//\w+:\w+@", str(value)), name
            assert "PASSWORD" not in variable or str(value).startswith("/run/secrets/"), name
    files = re.findall(r"^    file: (\S+)$", file.read_text(), re.M)
    assert len(files) == secrets
    assert all(each.startswith("${SABOT_SECRETS:-./secrets}/") for each in files)


def test_every_image_of_others_has_a_version_and_can_be_pinned_by_its_digest() -> None:
    texts = [each.read_text() for each in (ONE, THREE, ROOT / "scripts" / "Dockerfile.node")]

    assert sum(len(FOREIGN.findall(each)) for each in texts) == 3
    assert sum(len(PINNED.findall(each)) for each in texts) == 3


def test_the_nodes_are_as_the_manual_has_them() -> None:
    manual = (ROOT / "ops" / "manual" / "examples" / "patroni.yml").read_text()
    ours = (ROOT / "scripts" / "node.yml").read_text()
    begin, end = "bootstrap:\n", "postgresql:\n  listen:"
    said = manual.partition(begin)[2].partition(f"\n{end}")[0]

    assert f"{said}\n  post_init: node first\n" in ours
    assert '"on"  # without' not in ours
    for each in ("synchronous_mode_strict: true", "scram-sha-256", "data-checksums"):
        assert each in ours
