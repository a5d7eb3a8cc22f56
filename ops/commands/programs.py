"""What a long-running part records when it starts. Nobody can type it or send it on a feed."""

from typing import Annotated, ClassVar

from domain.rules.permissions import OWN_ONLY
from ops.commands.command import Command, TableCode, one_of

# Every part that runs until it is stopped.
PARTS = ("dealer", "board", "feed", "projections", "server", "run")


class ProgramStarted(Command, tag="house.program-started"):
    """Records that a part of this program was started; version and files are those that run."""

    part: Annotated[str, one_of(PARTS)]
    at_table: TableCode | None = None

    permission = OWN_ONLY
    needs_sign_on: ClassVar[bool] = False
