"""`python -m ops.cli` is `sabot`."""

from ops.cli import main

if __name__ == "__main__":
    main()
