"""What a camera shows of a dispute: a moment by its clock, and by the record's."""

from datetime import datetime, timedelta

from msgspec import Struct


class Evidence(Struct, frozen=True):
    """A moment on a camera, by its own clock."""

    camera: str
    at: datetime
    ahead: int  # milliseconds by which that clock is ahead of the record's

    def as_recorded(self) -> dict[str, str | int | None]:
        """The fields in an event, with the moment by the record's clock."""
        by_record = self.at - timedelta(milliseconds=self.ahead)
        return {
            "camera": self.camera,
            "at": self.at.isoformat(),
            "ahead": self.ahead,
            "by_record": _to_the_millisecond(by_record),
        }


def _to_the_millisecond(moment: datetime) -> str:
    """The moment without microseconds, which no camera shows; a whole second has no fraction."""
    return moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds")
