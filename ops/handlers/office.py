"""The house's own commands: its settings, who works here, who plays here.

Beside the floor, which asks here who somebody is.
"""

import hashlib
from collections.abc import Iterator
from datetime import date
from functools import singledispatchmethod

from domain.aggregates.cash import CashDay, Direction
from domain.aggregates.corrections import require_two
from domain.aggregates.patron import Patron
from domain.aggregates.property import PROPERTY_STREAM, Property
from domain.aggregates.rule_set import RuleSet
from domain.aggregates.staff import StaffMember
from domain.rules.house_rules import RULE_SETS, HouseRules, named
from domain.rules.pins import least_digits, weakness
from domain.rules.refusals import BadValue, NotFound, NotPermitted, NotSignedOn, WeakPin, WrongPin
from ops.commands import vocabulary as commands
from ops.commands.casino import Casino
from ops.ledger import machine as place
from ops.ledger.secrets import (
    People,
    Proof,
    chosen,
    code_for,
    digest,
    enrolled,
    keeps_secret,
    recovery_secret,
)


class Office:
    """Staff, patrons and settings, on one casino."""

    def __init__(self, casino: Casino) -> None:
        self.casino = casino

    @singledispatchmethod
    def decide(self, command: commands.Command) -> None:
        """States the facts of a command, or refuses it."""
        raise NotImplementedError(commands.name_of(command))

    @decide.register
    def set_property(self, command: commands.PropertySet) -> None:
        """From now on; what was recorded keeps what it was recorded under.

        The currency is settled by the first table: amounts of two would add up to nothing.
        """
        names = (*sorted(RULE_SETS), *self.house().own_rules)
        dealt = (self.casino.find(RuleSet, RuleSet.stream(name)) for name in names)
        if command.name == "currency" and any(dealt):
            why = "tables have been dealt in another already"
            raise BadValue(field="name", value=command.name, why=why)
        self.house().set(command.name, command.value)

    @decide.register
    def approve_rules(self, command: commands.RulesApprove) -> None:
        """Tables may open by it from now on; under its name it never changes."""
        from ops.commands import rule_files

        if self.casino.open_house:
            require_two("Approving a rule set", self.casino.actor, command.second or "")
        said = rule_files.contents(command.file)
        rules = rule_files.read(said, self.rules)
        self.require_currency(rules)
        people = [who for who in (self.casino.actor, command.second) if who]
        self.on_record(rules).approve(rules, people, hashlib.sha256(said).hexdigest())
        self.house().adopt_rules(rules.name)

    def rules(self, name: str) -> HouseRules:
        """What a table is dealt by that opens under that name. Refuses: UnknownRules.

        The house's own as it was approved, else the program's.
        """
        recorded = self.casino.find(RuleSet, RuleSet.stream(name))
        if recorded and recorded.approved:
            return recorded.learn()
        return named(name, self.house().own_rules)

    def on_record(self, rules: HouseRules) -> RuleSet:
        """What the ledger has under that name, put there now when there was nothing."""
        found = self.casino.find(RuleSet, RuleSet.stream(rules.name))
        return found or self.casino.make(RuleSet.adopt(rules, self.casino.moment))

    def require_currency(self, rules: HouseRules) -> None:
        """Amounts of two currencies would add up to nothing. Refuses: BadValue."""
        house = self.house()
        if rules.currency != house.currency:
            why = (
                f"it is dealt in {rules.currency}, and the house counts in {house.currency}. "
                f"Approve a rule set based on it that states its amounts in {house.currency}"
            )
            raise BadValue(field="rules", value=rules.name, why=why)

    @decide.register
    def enrol(self, command: commands.StaffEnrol) -> None:
        """The first administrator closes the house for good."""
        house = self.house()
        member = self.casino.find(StaffMember, StaffMember.stream(command.staff))
        if member is None:
            moment = self.casino.moment
            member = self.casino.make(
                StaffMember.enrol(command.staff, command.role, moment, command.for_two)
            )
        else:
            _require_meant(command, member)
            member.enrol_again(command.role, command.for_two)
        was_closed = house.closed
        house.administer(command.staff, administrator=command.role == "administrator")
        if house.closed and not was_closed:
            self._new_secret()
        code = code_for(self.casino.command_id, command.role)
        self.casino.beside.append(enrolled(command.staff, command.name, code))
        if command.role == "device":  # its code is its key, and it is always at work
            member.sign_on("", digest(code), right=True)

    @decide.register
    def recover(self, command: commands.StaffRecover) -> None:
        """By another administrator; or by the secret, once no administrator can sign on."""
        house, proof, staff = self.house(), self.casino.proof, command.staff
        if staff not in house.administrators:
            raise NotFound(what=f"administrator {staff}")
        if proof is None and staff == self.casino.actor:
            why = "they are signed on: sabot staff change-pin"
            raise BadValue(field="staff", value=staff, why=why)
        locked = [self._member(each).locked for each in house.administrators]
        how, right = (proof.how, self._still(proof)) if proof else ("administrator", True)
        house.recover(staff, how, right=right, all_locked=all(locked))
        member = self._member(staff)
        member.enrol_again(member.role)
        people = People(self.casino.ledger)
        code = code_for(self.casino.command_id, member.role)
        self.casino.beside.append(enrolled(staff, people.name(staff) or staff, code))
        if how == "recovery-secret":
            self._new_secret()

    def _still(self, proof: Proof) -> bool:
        """Whether what was proved holds now: another secret since then undoes it."""
        if proof.how == "recovery-secret":
            kept = People(self.casino.ledger).recovery_digest()
            return proof.right and kept == proof.against[0]
        return proof.right

    @decide.register
    def renew_secret(self, command: commands.StaffNewSecret) -> None:
        """In place of one that is lost."""
        self.house().renew_secret()
        self._new_secret()

    def _new_secret(self) -> None:
        """Kept as its digest; the answer shows it once."""
        self.casino.beside.append(keeps_secret(recovery_secret(self.casino.command_id)))

    @decide.register
    def sign_on(self, command: commands.StaffSignOn) -> None:
        """With a PIN, or with the code and a new PIN; in open house with neither.

        Whoever was signed on at the same terminal before is signed off.
        """
        proof, house = self.casino.proof, self.house()
        if proof is None and house.closed:
            raise NotSignedOn(who=command.staff)
        proof = proof or Proof(right=True)
        member = self._who_typed(command.staff, proof)
        if member.over(self.casino.asked, house.session_hours):
            member.sign_off("ended")
        try:
            member.sign_on(
                command.table or "",
                proof.session,
                right=proof.right,
                chooses=bool(proof.new_pin),
                tries=proof.tries,
                place=place.here(),
                clock=house.clock,
            )
        except NotPermitted as refusal:
            if member.retired and house.closed:  # nobody learns which numbers there were
                raise WrongPin(staff=command.staff, typed=proof.typed) from refusal
            raise
        self._replace(*proof.before, by=command.staff)
        self._keep_pin(member, proof)

    def _who_typed(self, staff: str, proof: Proof) -> StaffMember:
        """Whose PIN it ought to be. Refuses: PinsSlowed; WrongPin, as if nobody's were somebody's.

        A device has a key, and signs on nowhere.
        """
        proof.require_turn()
        member = self.casino.find(StaffMember, StaffMember.stream(staff))
        if self.house().closed and (member is None or member.role == "device"):
            raise WrongPin(staff=staff, typed=proof.typed)
        return member or self._member(staff)

    def _replace(self, staff: str, session: str, *, by: str) -> None:
        """Nobody stays signed on whose token is overwritten at a terminal.

        A token that was copied from elsewhere ends nothing there.
        """
        if staff in ("", by):
            return
        member = self.casino.find(StaffMember, StaffMember.stream(staff))
        if member is None or not member.signed_on or member.session != session:
            return
        if member.place.mark == place.here().mark:
            member.sign_off("replaced")

    @decide.register
    def sign_off(self, command: commands.StaffSignOff) -> None:
        """By themselves, by whoever finds that they went, or by their own PIN from anywhere."""
        proof = self.casino.proof
        if proof is None:
            self._member(command.staff).sign_off()
            return
        member = self._who_typed(command.staff, proof)
        member.leave(right=proof.right, tries=proof.tries, place=place.here())

    @decide.register
    def change_pin(self, command: commands.StaffChangePin) -> None:
        """Only at a terminal, where the PIN is asked for."""
        proof = self.casino.proof
        if proof is None:
            raise NotSignedOn(who=command.staff)
        proof.require_turn()
        member = self._member(command.staff)
        member.change_pin(right=proof.right, tries=proof.tries, place=place.here())
        self._keep_pin(member, proof)

    @decide.register
    def retire(self, command: commands.StaffRetire) -> None:
        """Never used again."""
        self.house().administer(command.staff, administrator=False)
        self._member(command.staff).retire(command.reason)

    @decide.register
    def identify_patron(self, command: commands.PatronIdentify) -> None:
        """Their barring and their cash of the day go along; what is owed stays where it is."""
        if self.identity(command.patron_is) == command.patron:
            why = f"{command.patron_is} is known as {command.patron}"
            raise BadValue(field="is", value=command.patron_is, why=why)
        alias = self._patron(command.patron)
        alias.identify(command.patron_is)
        patron = self._patron(self.identity(command.patron_is))
        if alias.barring and not patron.barring:
            patron.bar(f"known as {command.patron}", alias.barring)
        self._carry_cash(command.patron, patron.patron)

    def _carry_cash(self, alias: str, patron: str) -> None:
        """What an alias brought and was paid today counts with the patron's from now on."""
        house = self.house()
        day = house.clock.day_of(self.casino.moment)
        known = self.casino.find(CashDay, CashDay.stream(alias, day))
        directions: tuple[Direction, ...] = ("in", "out")
        for direction in directions:
            if known and known.totals[direction]:
                amount = known.totals[direction]
                cash = self.cash(patron, day)
                cash.count(direction, amount, house.reporting_amount, name=alias)

    def cash(self, patron: str, day: date) -> CashDay:
        """A patron's cash of a gaming day, which begins with the first of it."""
        found = self.casino.find(CashDay, CashDay.stream(patron, day))
        return found or self.casino.make(CashDay.begin_day(patron, day, self.casino.moment))

    @decide.register
    def bar_patron(self, command: commands.PatronBar) -> None:
        """Refused at the seat from now on, under every name."""
        self._patron(self.identity(command.patron)).bar(command.reason, command.kind)

    @decide.register
    def unbar_patron(self, command: commands.PatronUnbar) -> None:
        """Welcome again."""
        if self.casino.open_house:
            require_two(
                "Letting a barred patron play again", self.casino.actor, command.second or ""
            )
        self._patron(self.identity(command.patron)).unbar(command.reason)

    def require_welcome(self, patron: str) -> None:
        """Whoever they turned out to be. Refuses: PatronBarred."""
        for known in self._known_as(patron):
            known.require_welcome()

    def identity(self, patron: str) -> str:
        """Whoever a patron turned out to be, however often."""
        *_, last = (patron, *(known.identity for known in self._known_as(patron)))
        return last

    def _known_as(self, patron: str) -> Iterator[Patron]:
        """A patron, and whoever they turned out to be, each once."""
        seen: set[str] = set()
        while patron not in seen:
            seen.add(patron)
            known = self.casino.find(Patron, Patron.stream(patron))
            if known is None:
                return
            yield known
            patron = known.identity

    def _patron(self, patron: str) -> Patron:
        self.house()  # whose day it is
        found = self.casino.find(Patron, Patron.stream(patron))
        return found or self.casino.make(Patron.know(patron, self.casino.moment))

    def house(self) -> Property:
        """The house, founded with its defaults when there is none."""
        found = self.casino.find(Property, PROPERTY_STREAM)
        return found or self.casino.make(Property.found(self.casino.moment))

    def _keep_pin(self, member: StaffMember, proof: Proof) -> None:
        """Only when nobody refused. Refuses: WeakPin, to whoever proved who they are."""
        if not proof.new_pin:
            return
        least = least_digits(member.role, self.house().pin_digits)
        weak = "the one before" if proof.repeats else weakness(proof.new_pin, member.staff, least)
        if weak:
            raise WeakPin(why=weak)
        self.casino.beside.append(chosen(member.staff, proof))

    def _member(self, staff: str) -> StaffMember:
        found = self.casino.find(StaffMember, StaffMember.stream(staff))
        if found is None:
            raise NotFound(what=f"staff number {staff}: an administrator enrols it")
        return found


def _require_meant(command: commands.StaffEnrol, member: StaffMember) -> None:
    """Whoever enrols a new number does not change somebody's role. Refuses: BadValue."""
    if member.retired or command.again or command.role == member.role:
        return
    why = f"it is enrolled as {member.role}; another role takes `again`"
    raise BadValue(field="staff", value=command.staff, why=why)
