"""The pit boss's terminal: the board with everything behind it, a key away; it follows the ledger.

`watch` follows the board on a thread, `books` reads what is behind it, `mouth` says the only thing
that is said here: an alert is in hand. A `view` is one page of the terminal, drawn as lines of text
and knowing nothing of the screen; `app` is the screen. Colours and marks are in `look`.
"""
