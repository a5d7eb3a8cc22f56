"""Commands: which there are, who may give them, and the application that loads and saves.

Each noun's commands are declared in its file; `vocabulary` lists them by their names on the feed,
and `read` turns a line into one. `authority` checks who may command, `reader` who may read;
`casino` loads and saves the aggregates of a command.
"""
