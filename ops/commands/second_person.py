"""The second person of a command that takes two: named, allowed, and proved by a PIN.

Only a device that was enrolled for the command may name one who types nothing.
"""

from domain.aggregates.staff import StaffMember
from domain.rules.permissions import Permission
from domain.rules.pins import may_be_pin
from domain.rules.refusals import BadValue, PinLocked, WrongPin
from domain.rules.wording import Words
from ops.commands.casino import house_of
from ops.commands.command import Command, name_of
from ops.commands.signed_on import SignedOn
from ops.ledger import machine as place
from ops.ledger.secrets import People, Proof

ANYBODY = "whoever:signs"  # stands for the second person while a line is only tried


class SecondPerson:
    """The checks of second persons at one terminal, shell or feed."""

    def __init__(self, signed_on: SignedOn) -> None:
        self._signed_on = signed_on
        self._casino = signed_on.casino

    def require(
        self, command: Command, actor: StaffMember, table: str, *, presumed: bool = False
    ) -> None:
        """Refuses a command that needs a second person and has none who may.

        `presumed`: as if the person who is named had typed their PIN; where nobody is named, as if
        somebody who may were.
        """
        second, permission, name = command.second_person, command.permission, name_of(command)
        field = permission.for_oneself
        for_oneself = field != "" and getattr(command, field) == actor.staff
        alone = (actor.role in permission.alone or for_oneself) and not self._casino.device
        alone = alone or (name == "staff.new-secret" and self._nobody_else(actor, permission))
        if not second and (not permission.must or alone or presumed):
            return
        if presumed and second == ANYBODY:
            return
        why = self._wrong_with(second, actor, command, presumed=presumed)
        if why:
            raise actor.miss_second(name, table, permission.second, second, why)
        if self._casino.second is not None:
            self._require_proof(second, self._casino.second, actor, name, table)

    def _nobody_else(self, actor: StaffMember, permission: Permission) -> bool:
        """Whether nobody else in the house could be the second person."""
        others = map(
            self._signed_on.member, People(self._casino.ledger).others_with_pin(actor.staff)
        )
        return not any(
            each and not each.retired and each.role in permission.second for each in others
        )

    def _require_proof(
        self, second: str, proof: Proof, actor: StaffMember, name: str, table: str
    ) -> None:
        """Checks the second person's PIN; wrong ones count as at sign-on."""
        other = self._signed_on.member(second)
        assert other is not None
        proof.require_turn()
        still = People(self._casino.ledger).secrets(second) == proof.against
        try:
            right = proof.right and still
            other.prove(table, right=right, tries=proof.tries, place=place.here())
        except (WrongPin, PinLocked) as refusal:
            actor.miss_proof(name, table, second, refusal.error)
            raise
        self._casino.second_proved = True

    def _wrong_with(
        self, second: str, actor: StaffMember, command: Command, *, presumed: bool
    ) -> str | None:
        """Why this number cannot be the second person of the command, or None if it can."""
        permission = command.permission
        if not second:
            return "second-missing"
        if second == actor.staff:
            return "second-same"
        other = self._signed_on.member(second)
        if other is None:
            if may_be_pin(second):  # and then nothing of it is kept
                raise BadValue(
                    message=Words(
                        "Name the second person by staff number. The PIN is asked for afterwards."
                    )
                )
            return "second-unknown"
        why = self._absent(other, command, presumed=presumed)
        if why:
            return why
        among = permission.second_among
        if among and second not in [getattr(command, field) for field in among]:
            return "second-not-named"
        return None if other.role in permission.second else "second-role"

    def _absent(self, other: StaffMember, command: Command, *, presumed: bool) -> str | None:
        """Why this person cannot be the second person now; None if they can."""
        unproved = self._casino.second is None and not presumed
        if unproved and self._speaks_for_two(name_of(command)):
            return None if self._signed_on.at_work(other) else "second-off"
        if unproved:
            return "second-device" if self._signed_on.device() else "second-unproved"
        if other.retired:
            return "second-retired"
        if other.licence_over(house_of(self._casino).clock.day_of(self._casino.asked)):
            return "second-licence"
        return None if People(self._casino.ledger).chose_pin(other.staff) else "second-no-pin"

    def _speaks_for_two(self, name: str) -> bool:
        """Whether a device sends it that was enrolled for this command for two people."""
        device = self._signed_on.device()
        return device is not None and name in device.for_two
