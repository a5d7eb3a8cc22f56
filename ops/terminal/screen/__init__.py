"""The full-screen face of a session, on Textual; nothing else of the terminal imports that.

`due`, `head`, `seats`, `hands`, `roads`, `messages` and `keys` are pure: the table as it stands and
a width in, lines out. `pane` shows lines and repaints those that changed, `typed` is the line that
is typed, `saying` what becomes of lines that were entered, `app` puts it all on one screen.
"""

from ops.terminal.screen.app import DealerScreen

__all__ = ["DealerScreen"]
