"""A night by seed: actors over the real code and two real servers, and all that happens to them.

Begin with `schedule.py`: the seed makes every line that dealers and cages send, and every act of
the night, before it begins. `actors.py` send and read in processes of their own; `servers.py` has
PostgreSQL, its synchronous standby and the line before them; `operator.py` does the acts, in order;
`checks.py` says at the end what was lost, doubled or wrong; `evening.py` is the whole of it.

The same seed makes the same lines and the same acts, each after the same number of acknowledged
lines. Between two processes the machine decides who comes first: a failure that hangs on that may
need a second run.
"""
