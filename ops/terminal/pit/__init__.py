"""The pit boss's terminal: the board, with pages for its tables, shoes, coups and commission.

`watch` follows the board on a thread, `books` reads the details, `acknowledger` sends the one
command of this terminal: an alert is acknowledged. A `view` is one page, drawn as lines of text
without a screen; `app` is the screen. Colours and marks are in `ops/kit/colours`.
"""
