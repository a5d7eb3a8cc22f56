"""Who is signed on: by the token of a terminal, shell or feed, or at all.

A sign-on ends after some hours, and where nothing was asked for some minutes.
"""

from msgspec import Struct

from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.staff import StaffMember
from domain.rules.refusals import NotSignedOn
from domain.rules.wording import Words, counted
from ops.commands.casino import Casino
from ops.ledger import machine as place
from ops.ledger.secrets import digest


class Token(Struct, frozen=True):
    """The token of a sign-on, `D-204:secret`; or a device's number, with its key."""

    staff: str = ""
    secret: str = ""
    key: str = ""  # of a device: its public key, after it proved that it has the private one

    @classmethod
    def read(cls, text: str) -> "Token":
        """The token in the text of its file."""
        staff, _, secret = text.strip().rpartition(":")
        return cls(staff, secret)

    @property
    def text(self) -> str:
        """As its file has it, and a browser."""
        return f"{self.staff}:{self.secret}"

    def is_of(self, member: StaffMember) -> bool:
        """Whether the person is signed on with it at this place; a device's key works anywhere."""
        return self.is_known_to(member) and (
            member.role == "device" or member.place.mark == place.here().mark
        )

    def is_known_to(self, member: StaffMember) -> bool:
        """Whether the person is signed on with it, at any place; a device by its key."""
        if member.role == "device":
            return member.signed_on and self.key != "" and member.key == self.key
        return member.signed_on and not self.key and member.session == digest(self.secret)


NOBODY = Token()


class SignedOn:
    """Who is signed on in the house, asked from a place that may have a token."""

    def __init__(self, casino: Casino, token: Token) -> None:
        self.casino = casino
        self.token = token

    def house_is_closed(self) -> bool:
        """Whether commands need a sign-on."""
        house = self.casino.find(Property, PROPERTY_STREAM)
        return house is not None and house.closed

    def holder(self) -> StaffMember | None:
        """The person whose token it is, or None if they are not signed on with it."""
        holder = self.member(self.token.staff)
        return holder if holder and self.holds(holder) else None

    def holds(self, member: StaffMember) -> bool:
        """Whether the token is of their sign-on here, which has not ended."""
        return self.token.is_of(member) and not self._over(member) and not place.idle()

    def why_not(self, number: str) -> Words:
        """Why nobody is signed on here; only whoever has the token learns where it ended."""
        if not number:
            return Words("Nobody is signed on here. Sign on first, with `sabot staff sign-on`.")
        member = self.member(self.token.staff)
        if member is None or not self.token.is_known_to(member):
            return Words(NotSignedOn.__doc__ or "", who=number)
        if not self.token.is_of(member):
            return Words(
                "{staff} is not signed on here, only at {place}. Sign on here first, with "
                "`sabot staff sign-on {staff}`.",
                staff=number,
                place=member.place.words,
            )
        if not self._over(member):
            return counted(
                place.idle(),
                "{staff}'s sign-on has ended after {n} minute in which nothing was asked here. "
                "Sign on again, with `sabot staff sign-on {staff}`.",
                "{staff}'s sign-on has ended after {n} minutes in which nothing was asked here. "
                "Sign on again, with `sabot staff sign-on {staff}`.",
                staff=number,
            )
        return counted(
            self._hours(),
            "{staff}'s sign-on has ended after {n} hour. Sign on again, with "
            "`sabot staff sign-on {staff}`.",
            "{staff}'s sign-on has ended after {n} hours. Sign on again, with "
            "`sabot staff sign-on {staff}`.",
            staff=number,
        )

    def _over(self, member: StaffMember) -> bool:
        return member.over(self.casino.asked, self._hours())

    def _hours(self) -> int:
        """How many hours a sign-on lasts."""
        house = self.casino.find(Property, PROPERTY_STREAM, rely=False)
        return house.session_hours if house else 0

    def at_work(self, member: StaffMember) -> bool:
        """Whether a member is signed on by a PIN or a key, not only by number in open house."""
        return member.signed_on and bool(member.session) and not self._over(member)

    def member(self, staff: str) -> StaffMember | None:
        """The person with this number, or None."""
        return self.casino.find(StaffMember, StaffMember.stream(staff)) if staff else None

    def device(self) -> StaffMember | None:
        """The device that sends the command, or None for a person."""
        holder = self.holder()
        return holder if holder and holder.role == "device" else None
