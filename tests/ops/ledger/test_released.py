"""What a release stored is read for ever: nothing that was released is changed afterwards."""

import json
import re

import pytest

from ops import VERSION
from ops.ledger.schema import digests, head, inventory, released
from tests import ROOT, release

CHANGE = "`SABOT_REWRITE` is no way out: write a new version, or give the event a defaulted field."


def test_a_released_version_of_the_schema_never_changes():
    assert [] == release.changed_since_released(released(), digests())


def test_a_change_of_a_released_version_is_named_with_what_to_do():
    frozen = {"0001_first": {"release": "1.0.0", "digest": "a" * 64}}

    assert [] == release.changed_since_released(frozen, {"0001_first": "a" * 64})
    for now in ({"0001_first": "b" * 64}, {}):
        (fault,) = release.changed_since_released(frozen, now)

        assert "0001_first was released with Sabot 1.0.0" in fault
        assert "a new directory in ops/ledger/schema/versions" in fault


def test_an_event_that_a_release_stored_has_the_golden_file_that_it_had():
    stored = json.loads(release.STORED.read_text()) if release.STORED.exists() else {}
    now = release.stored_forms(release.EVENTS)
    for version, forms in stored.items():
        changed = [name for name, digest in forms.items() if now.get(name) != digest]

        assert [] == changed, f"stored by {version}. {CHANGE}"


def test_a_released_schema_makes_the_objects_that_it_made(superuser):
    """On every PostgreSQL that is supported."""
    if head() in released():
        listed = inventory.written(superuser)

        assert released()[head()]["objects"] == inventory.digest(listed)


def test_a_list_of_objects_that_somebody_changed_is_named(superuser):
    digest = inventory.digest(inventory.written(superuser))
    superuser.execute("DELETE FROM public.schema_objects WHERE name = 'ledger.flush()'")
    named = [str(each) for each in inventory.differences(superuser, digest)]

    assert "list public.schema_objects was changed" in named


def test_every_release_has_its_ledger_and_the_digests_of_its_events():
    releases = {each["release"] for each in released().values()}
    files = {file.name.removesuffix(".json.gz") for file in release.KEPT.glob("*.json.gz")}
    stored = json.loads(release.STORED.read_text()) if release.STORED.exists() else {}

    assert releases <= files == stored.keys()


@pytest.mark.parametrize("file", release.VERSION_IN, ids=lambda file: file.name)
def test_the_version_is_the_same_wherever_it_is_written(file):
    written = re.findall(release.VERSION_IN[file], file.read_text(), re.MULTILINE)

    assert {VERSION} == set(written)


def test_what_is_released_is_tagged_by_hand_and_not_twice(monkeypatch):
    monkeypatch.setattr(release, "_tagged", lambda version: True)
    with pytest.raises(SystemExit, match=r"its tag v1\.0\.0 is there"):
        release.freeze("1.0.0")
    with pytest.raises(SystemExit, match=r"write it as 1\.0\.0"):
        release.freeze("one")


def test_the_changelog_gets_the_version_as_its_heading_once(tmp_path):
    log = tmp_path / "CHANGELOG.md"
    log.write_text("# Changelog\n\n## Unreleased\n\n- A\n")
    release._head_changelog(log, "1.0.0")
    once = log.read_text()
    release._head_changelog(log, "1.0.0")

    assert once == log.read_text()
    assert "## 1.0.0 - 20" in once
    assert "Unreleased" not in once


def test_the_command_has_a_page():
    assert "`release`" in (ROOT / "scripts" / "README.md").read_text()
