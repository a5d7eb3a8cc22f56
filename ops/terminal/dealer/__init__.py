"""The dealer's terminal, on the full screen or line by line, with one session behind both.

`feed_lines` makes lines of the feed from what was typed, at the table as it is now (`followed`);
`session` enters them and returns each outcome. `journal` saves what a kill must not lose;
`presence` knows who is signed on, and their language. `due`, `prompts` and `table_words` are its
words. `screen` and `plain` show it.
"""
