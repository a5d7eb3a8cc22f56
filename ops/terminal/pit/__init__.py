"""The pit boss's terminal: the board, and pages for its tables, shoes, coups and commission.

`watch` follows the board on a thread, `books` reads the other pages' contents, `acknowledger` sends
this terminal's only command, the acknowledgement of an alert. A `view` is one page, drawn as lines
of text without a screen; `app` is the screen. Colours and marks are in `ops/kit/colours`.
"""
