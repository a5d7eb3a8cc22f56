"""What the keys in the last line of the screen do."""

from collections.abc import Callable, Mapping
from functools import partial

from ops.terminal.dealer.due import shoe_line
from ops.terminal.dealer.screen.dialogs import Help, Messages
from ops.terminal.dealer.screen.keys import SUPERVISOR
from ops.terminal.dealer.screen.parts import Screen
from ops.terminal.dealer.screen.roads import VIEWS
from ops.words.language import N_, _

LOOKS_BACK = N_("all messages, the newest at the bottom")


class ByKey:
    """The acts of one screen's keys."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def all(self) -> Mapping[str, Callable[[], None]]:
        """What the keys in the last line do."""
        return {
            "f1": self.help,
            "f2": partial(self._by_key, "="),
            "f3": partial(self._by_key, "n"),
            "f4": partial(self._by_key, "s"),
            "f5": partial(self._by_key, "u"),
            "f6": partial(self._begin, "c "),
            "f7": self._for_the_shoe,
            "f8": self._supervisor,
            "f9": self._next_road,
            "f10": self._screen.action_leave,
            "pageup": self._look_back,
            "ctrl+q": self._screen.action_leave,
            "ctrl+c": self._stay,
        }

    def _by_key(self, line: str) -> None:
        """Enters a whole line by one key; what is typed stays."""
        if self._screen.enter(line):
            self._screen.line.history.add(line)

    def _begin(self, line: str) -> None:
        """Puts the beginning of a line, to be typed on."""
        self._screen.line.put(line)

    def _for_the_shoe(self) -> None:
        """Enters what is due for the shoe, or begins the line if it needs more words."""
        line = shoe_line(self._screen.session.now)
        if line is None:
            self._screen.refuse(_("Nothing is due for the shoe now."))
        elif line.endswith(" "):
            self._begin(line)
        else:
            self._by_key(line)

    def _supervisor(self) -> None:
        """Begins a supervisor's line; pressed again, the next one."""
        typed = self._screen.line.value
        at = SUPERVISOR.index(typed) + 1 if typed in SUPERVISOR else 0
        self._begin(SUPERVISOR[at % len(SUPERVISOR)])

    def _next_road(self) -> None:
        """Shows the next road."""
        self._screen.road = (self._screen.road + 1) % len(VIEWS)
        self._screen.draw()

    def help(self, topic: str = "") -> None:
        """Shows what can be typed now, or about a topic."""
        lines = self._screen.tongue.help_lines(self._screen.session.now, topic)
        self._screen.push_screen(Help(lines if topic else [*lines, ("PageUp", _(LOOKS_BACK))]))

    def _look_back(self) -> None:
        """Shows all messages."""
        if self._screen.notes.messages:
            self._screen.push_screen(Messages(self._screen.notes.messages))

    def _stay(self) -> None:
        """Ctrl-C: does not leave, so that nobody leaves a table by mistake."""
        self._screen.refuse(_("F10 leaves the table."))
