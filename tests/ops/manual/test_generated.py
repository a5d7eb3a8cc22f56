"""The parts of the manual that are made from the code are those of today's code.

After a change `SABOT_REWRITE=1` writes them anew; read what it changed before it is committed.
"""

import pytest

from ops.manual.topics import ORDER, PAGES
from tests.ops.manual.generated import PARTS, REWRITE, made_again

AGAIN = "`SABOT_REWRITE=1 scripts/test tests/ops/manual/test_generated.py` writes it anew"


@pytest.mark.parametrize("name", ORDER)
def test_a_page_is_what_the_code_makes_of_it(name):
    file = PAGES / f"{name}.md"
    now = made_again(file.read_text(), PARTS)
    if REWRITE:
        file.write_text(now)

    assert now == file.read_text(), AGAIN


def test_every_part_stands_on_one_page():
    text = "\n".join((PAGES / f"{name}.md").read_text() for name in ORDER)

    assert dict.fromkeys(PARTS, 1) == {
        part: text.count(f"<!-- made from: {part} -->") for part in PARTS
    }


def test_a_part_that_was_edited_is_found():
    text = (PAGES / "commands.md").read_text()

    assert made_again(text.replace("sabot bet`", "sabot bit`"), PARTS) == text, AGAIN
