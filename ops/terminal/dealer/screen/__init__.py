"""The dealer's full screen.

`head`, `seats`, `hands`, `roads`, `messages`, `keys` are pure: they make lines of text from the
table and a width. `typed` is the line that is typed, `queue` the lines that were entered;
`page` lays out the parts, `app` shows them, `dialogs` are in front of it.
"""
