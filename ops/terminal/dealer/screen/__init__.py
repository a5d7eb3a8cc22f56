"""The dealer's screen: the full-screen face of a session.

`head`, `seats`, `hands`, `roads`, `messages`, `keys` are pure: the table as it stands and a width
in, lines out. `typed` is the line that is typed, `saying` what becomes of lines that were entered,
`page` lays out what is shown, `app` puts it all on one screen.
"""
