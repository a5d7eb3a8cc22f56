"""`python -m ops.cli` is `sabot`."""

from ops.cli import main

main()
