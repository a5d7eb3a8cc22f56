"""The panes of the pit's screen, from top to bottom."""

from collections.abc import Sequence

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import Horizontal

from ops.kit.outcome import Outcome
from ops.kit.pane import Pane
from ops.ledger.database import LedgerLost
from ops.terminal.pit import frame
from ops.terminal.pit.asking import Asking
from ops.terminal.pit.sight import Sight
from ops.terminal.pit.view import View


class Known(Struct, frozen=True):
    """The whole state of the screen; `views` from the pit's to the one that is open."""

    sight: Sight | None
    lost: LedgerLost | None
    views: Sequence[View]
    outcome: Outcome | None


class Page:
    """The screen: head, page, outcome, line to type, keys."""

    def __init__(self, asking: Asking) -> None:
        self.head, self.body, self.outcome, self.prompt, self.foot = (
            Pane(name) for name in ("head", "body", "outcome", "prompt", "foot")
        )
        self._asking = asking
        self._line = Horizontal(self.prompt, asking.line, id="ask")

    def parts(self) -> ComposeResult:
        """The panes, from top to bottom."""
        yield from (self.head, self.body, self.outcome, self._line, self.foot)

    @property
    def lines(self) -> int:
        """The height of the page in lines, for scrolling."""
        return max(self.body.size.height - 2, 1)

    def draw(self, known: Known, width: int, height: int) -> None:
        """Draws every pane."""
        asked = self._asking.what
        outcome = frame.outcome_lines(known.outcome, width)
        self.outcome.display = bool(outcome)
        self.outcome.tall(len(outcome))
        self.outcome.show(outcome)
        self._line.display = bool(asked)
        prompt = frame.prompt(asked)
        self.prompt.styles.width = prompt.cell_len
        self.prompt.show([prompt])
        self.head.show(frame.head_lines(known.sight, known.lost, known.views, width, height))
        self._draw_body(known, width, height - frame.HEAD - 1 - len(outcome) - bool(asked))
        self._draw_foot(known, asked, width)

    def _draw_body(self, known: Known, width: int, height: int) -> None:
        room = max(height, 0)
        if known.sight is None:
            self.body.show(frame.waiting(known.lost, room))
            return
        lines = known.views[-1].draw(known.sight, width, room)
        self.body.show(lines, faint=known.lost is not None)

    def _draw_foot(self, known: Known, asked: str, width: int) -> None:
        view = known.views[-1]
        barred = known.sight is None or bool(known.sight.looker.barred)
        leads_back = len(known.views) > 1 or bool(view.sieve)
        line = frame.foot_line(asked, view.hints, width, barred=barred, leads_back=leads_back)
        self.foot.show([line])
