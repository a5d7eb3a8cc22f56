"""The heading and the meaning of each column of a report, by its key.

Every report shows the same thing under the same heading, on a screen, on paper and in the manual.
JSON and CSV have the key. The words are beside the columns, in `projections`.

>>> heading("win_loss"), heading("burned")
('win/loss', 'burned')
>>> meanings(REPORTS["cards"])["burned"], meanings(REPORTS["shoe-log"])["burned"]
('cards burned that were seen or named later', 'cards burned, with those face down')
"""

from collections.abc import Iterable, Mapping

from projections import REPORTS
from projections.columns import SHARED
from projections.model import Report

# Keys that mean the same in every report that has them: heading, and meaning.
COLUMNS: Mapping[str, tuple[str, str]] = {
    **{key: words for report in REPORTS.values() for key, words in report.words.items()},
    **SHARED,
}


def heading(key: str) -> str:
    """The column's heading on a screen and on paper; its key in words where it has none."""
    return COLUMNS[key][0] if key in COLUMNS else key.replace("_", " ")


def headings(keys: Iterable[str]) -> str:
    """Several columns in a sentence: `fills, credits, cash out`."""
    return ", ".join(map(heading, keys))


def meanings(report: Report) -> dict[str, str]:
    """The meanings of the report's columns, in their order; '' for one without words."""
    words = {**SHARED, **report.words}
    return {key: words[key][1] if key in words else "" for key in report.columns}
