"""What the checks of signed papers share."""

import click

NO_KEY = "The house has no signing key. Make one with `audit key new`."


class NotAsSigned(click.ClickException):
    """A paper or a key is not what was signed; the record was not checked."""

    exit_code = 3
