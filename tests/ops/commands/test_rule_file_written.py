"""A rule file that the program writes is read back as what it states."""

import tomllib

import pytest

from ops.commands.rule_file_written import written
from ops.manual.shelf import shelf


@pytest.mark.parametrize("name", sorted(shelf()))
def test_each_sheet_of_the_shelf_is_written_as_it_is_read(name):
    stated = tomllib.loads(shelf()[name].text)

    assert tomllib.loads(written(stated)) == stated


def test_every_kind_of_term_is_written():
    stated = {
        "name": "riverside@1", "source": 'a "leaflet" \\ of Ö\x7f', "decks_allowed": [6, 8],
        "accounts": True, "pace": {"slowest": 40, "fastest": 80},
        "commission": {"rate": "5%", "rounding": {"mode": "up", "unit": "1.00"}},
        "spots": {"tie": "none", "nines": {"labels": {"pt": "Noves"}, "pays": {"tie": "9:1"}}},
    }  # fmt: skip

    assert tomllib.loads(written(stated)) == stated
