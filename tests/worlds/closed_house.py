"""A house in which people sign on with a PIN, and a line is heard of nobody else."""

from domain.aggregates.staff import StaffMember
from domain.rules.permissions import ROLES
from ops.commands.casino import Casino
from ops.handlers.answer import Answer
from ops.handlers.dispatcher import Dispatcher
from ops.handlers.sign_on import sign_on, signature
from ops.handlers.to_sign import ToSign
from ops.handlers.trial import to_sign
from ops.ledger.recorder import Ledger
from tests.worlds.devices import KEY
from tests.worlds.gaming_table import GamingTable, sure

PIN, GUESS, OTHER = "471108", "081599", "936150"
LIMITS = {"command": "table.limits", "table": "B01", "minimum": 50_00}
OPEN = {"command": "table.open", "table": "B01", "rules": "classic@1", "opener": {"10000": 9}}


def number(role):
    """Of the one person who holds this role in `EVERY_ROLE`."""
    return f"N-{ROLES.index(role)}"


EVERY_ROLE = {number(role): role for role in ("administrator", *ROLES)}


class ClosedHouse:
    """People by number and role, each signed on at their own dispatcher; an administrator first.

    A device is enrolled, but its dispatcher has no key.
    """

    def __init__(self, database, people):
        self.database, self.casino = database, Casino(Ledger(database))
        self.dispatchers = {}
        for staff, role in people.items():
            self.join(staff, role)

    @classmethod
    def found(cls, database, tokens):
        """The house in a copy of its ledger, each person with the token that they had."""
        house = cls.__new__(cls)
        house.database, house.casino = database, Casino(Ledger(database))
        house.dispatchers = {
            staff: Dispatcher(house.casino, "test", token=token) for staff, token in tokens.items()
        }
        return house

    @property
    def tokens(self):
        return {staff: self.token(staff) for staff in self.dispatchers}

    @property
    def boss(self):
        """The dispatcher of the administrator."""
        return next(iter(self.dispatchers.values()))

    def ask(self, staff, /, command, *, second=None, pin=PIN, **fields):
        """What a line is answered; whoever it is `with`, or a `second`, types this PIN in place."""
        second = second or fields.get("with")
        line = {"command": command, **sure(command), **fields}
        signed = self.sign(second, pin, line, by=staff) if second else None
        return self.dispatchers[staff].dispatch(line, second=signed).body

    def sign(self, staff, pin, line, by="D-204"):
        """What somebody is shown of a line and types in place, judged."""
        shown = to_sign(self.dispatchers[by], line)
        return signature(self.boss, staff, pin, shown if isinstance(shown, ToSign) else ToSign())

    def table(self, dealer, second):
        """B01, whose dealer is asked for a second person at each line."""
        return _TableOfTwo(self, dealer, second)

    def enrol(self, staff, role, **more):
        """The answer, which has the one-time code; a device has a key instead."""
        more = {"public_key": KEY, **more} if role == "device" else more
        line = {"command": "staff.enrol", "staff": staff, "name": staff, "role": role, **more}
        return self.boss.dispatch(line).body

    def join(self, staff, role):
        """Somebody is enrolled, chooses a PIN and is at work."""
        self.dispatchers[staff] = Dispatcher(self.casino, "test")
        enrolled = self.enrol(staff, role)
        if role != "device":
            answer, _ = sign_on(self.dispatchers[staff], staff, enrolled["code"], PIN)
            assert answer.ok, str(answer)

    def sign_on(self, staff, **where):
        """The answer to who comes to work again."""
        answer, _ = sign_on(self.dispatchers[staff], staff, PIN, **where)
        return answer.body

    def sign_off(self, staff):
        """The administrator ends somebody's work."""
        assert self.boss.dispatch({"command": "staff.sign-off", "staff": staff}).ok

    def token(self, staff):
        """By which the house hears them."""
        return self.dispatchers[staff].authority.token

    def member(self, staff="S-11"):
        """As a process sees them that comes to it now."""
        fresh = Casino(Ledger(self.database))
        found = fresh.find(StaffMember, StaffMember.stream(staff), rely=False)
        fresh.close()
        return found

    def close(self):
        """The ledger stays."""
        self.casino.close()


class _TableOfTwo(GamingTable):
    def __init__(self, house, dealer, second):
        super().__init__(house.dispatchers[dealer])
        self.house, self.people = house, (dealer, second)

    def ask(self, command, **fields):
        dealer, second = self.people
        line = {"command": command, "table": self.table, **fields, "with": second}
        return Answer(self.house.ask(dealer, **line))


class DealerAtWork(ClosedHouse):
    """D-204 is at work and has opened B01; S-11, P-1 and D-205 have a PIN and are not at work."""

    def __init__(self, database):
        away = {"S-11": "supervisor", "P-1": "pit-boss", "D-205": "dealer"}
        super().__init__(database, {"A-1": "administrator", "D-204": "dealer", **away})
        for staff in away:
            self.sign_off(staff)
        assert self.types(PIN, OPEN)["ok"]

    @property
    def dealer(self):
        """The dispatcher of D-204."""
        return self.dispatchers["D-204"]

    def types(self, pin, line=LIMITS, staff="S-11", **more):
        """What the dealer's line is answered, for which somebody types this in place."""
        return self.ask("D-204", pin=pin, **{**line, "with": staff, **more})


def in_the_ledger(house):
    """Everything in the schemas but those beside the record, as text."""
    with house.database.connect_as_is() as superuser:
        tables = superuser.execute(
            "SELECT schemaname || '.' || tablename FROM pg_tables"
            " WHERE schemaname IN ('ledger', 'projections', 'beside', 'analysis', 'outgoing')"
        ).fetchall()
        return "\n".join(
            str(superuser.execute(f"SELECT {form} FROM {table} t").fetchall())
            for (table,) in tables
            for form in ("t::text", "encode(t::text::bytea, 'escape')")
        ) + str(
            superuser.execute("SELECT convert_from(state, 'UTF8') FROM ledger.events").fetchall()
        )
