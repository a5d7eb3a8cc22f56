"""Cash, chips, commission and counts of a night that is played twice."""

from tests.worlds.mends import Mend, Mends
from tests.worlds.watched_table import TWO, chips_of


class NightMoney(Mends):
    """What moves money beside the bets, at both tables; at the second one with slips."""

    def money(self):
        if not self.seated:
            return
        direction = "in" if self.accounts else self.choose("in", "out")
        self.cash(direction, self.choose(*self.seated), self.choose(25_00, 60_00, 500_00))

    def cash(self, direction, seat, amount):
        """Cash in or out; at the second table perhaps another amount or seat, or it never was."""
        way = {"in": "table.buy-in", "out": "table.cash-out"}[direction]
        command = "account.pay-in" if self.accounts else way
        kinds = ["amount"] if self.accounts else ["amount", "seat", "never was"]
        kind = self.choose(*kinds) if self.chance(5) else "right"
        sign = {"in": -1, "out": 1}[direction] * (not self.accounts)
        if kind != "never was":
            self.by_hand.cash.append((self.day, self.seated[seat], direction, amount))
            self.right.say(command, seat=seat, amount=amount)
            self.right.chips += sign * amount
            self.wrong.chips += sign * amount
        other = self.choose(*self.seated)
        if kind == "seat" and other == seat:
            kind = "right"
        typed = amount + 75_00 if kind == "amount" else amount
        answer = self.wrong.say(command, seat=other if kind == "seat" else seat, amount=typed)
        rightly = {"amount": {"amount": amount}, "seat": {"seat": seat}}
        if kind != "right":
            how = self.wrong.fixed(answer, **rightly.get(kind, {"withdrawn": True}))
            self.slip(Mend(kind, how))

    def rack(self):
        """A fill or a credit, at the second table perhaps of other chips, or it never was."""
        command, sign = self.choose(("table.fill", 1), ("table.credit", -1))
        amount = 25_00 * self.random.randint(4, 40)
        kind = self.choose("right", "right", "amount", "never was", "void")
        people = {"requested_by": "S-11", "cashier": "C-1", "runner": "R-1", **TWO}
        if kind == "void":
            asked = {"kind": command.partition(".")[2], "chips": chips_of(amount)}
            slip = self.wrong.say("slip.request", **asked, **TWO).body["slip"]
            self.wrong.say("slip.void", slip=slip, reason="asked for twice", **TWO)
            return
        if kind != "never was":
            self.right.say(command, chips=chips_of(amount), **people)
            for table in (self.right, self.wrong):
                table.chips += sign * amount
        typed = amount + 50_00 if kind == "amount" else amount
        answer = self.wrong.say(command, chips=chips_of(typed), **people)
        rightly = {"chips": chips_of(amount)} if kind == "amount" else {"withdrawn": True}
        if kind != "right":
            self.slip(Mend("slip", self.wrong.fixed(answer, **rightly)))

    def colours(self):
        """A colour change, at the second table perhaps of other chips, or it never was."""
        rightly = {"taken": {"500": 40}, "given": {"10000": 2}}
        kind = self.choose("right", "other", "never was")
        if kind != "never was":
            self.right.say("table.colour-change", **rightly)
        typed = {"taken": {"500": 20}, "given": {"10000": 1}} if kind == "other" else rightly
        answer = self.wrong.say("table.colour-change", **typed)
        fix = rightly if kind == "other" else {"withdrawn": True}
        if kind != "right":
            self.slip(Mend("colours", self.wrong.fixed(answer, **fix)))

    # Commission.
    def collect(self):
        """A part of what somebody owes is paid, at the second table perhaps typed otherwise."""
        self.require_right("collect")
        owed = {
            each: min(table.owed(each) for table in (self.right, self.wrong))
            for each in self.seated.values()
        }
        owing = [patron for patron, amount in owed.items() if amount > 1]
        if not owing:
            return
        patron = self.choose(*owing)
        amount, typed = (self.random.randint(1, owed[patron]) for _ in range(2))
        if self.chance(2):
            self.by_hand.waived[patron] += amount
            self.both("commission.waive", patron=patron, amount=amount, reason="a guest", **TWO)
            return
        self.right.say("commission.collect", patron=patron, amount=amount)
        if self.chance(5):
            typed = amount
        other = self.choose(*owing)
        if owed[other] < typed or typed != amount:
            other = patron
        answer = self.wrong.say("commission.collect", patron=other, amount=typed)
        self.wrong.take(amount - typed)
        if (other, typed) != (patron, amount):
            fields = {"patron": patron} if other != patron else {"amount": amount}
            self.slip(Mend("collection", self.wrong.fixed(answer, **fields), until="collect"))

    def timing(self):
        """Somebody pays as it wins, or later again; at the second table it is typed twice."""
        if self.rules != "dragon-bonus@1" or not self.seated:
            return
        seat = self.choose(*self.seated)
        patron = self.seated[seat]
        timing = "deferred" if patron in self.as_it_wins else "as-it-wins"
        self.as_it_wins ^= {patron}
        self.both("commission.timing", seat=seat, timing=timing)
        if self.chance(3):
            for each in ({"deferred", "as-it-wins"} - {timing}).pop(), timing:
                self.wrong.say("commission.timing", seat=seat, timing=each)

    def pass_shoe(self):
        """The shoe is passed to a seat; at the second table to another one first."""
        if self.seated:
            self.wrong.say("shoe.pass", seat=self.choose(*self.seated))
            self.both("shoe.pass", seat=self.choose(*self.seated))

    # Counts.
    def count_shift(self):
        for table in (self.right, self.wrong):
            again = {}
            for off in (5_00, 0) if table is self.wrong and self.chance(3) else (0,):
                chips = chips_of(table.chips + off)
                answer = table.say("table.shift-count", chips=chips, **again, **TWO)
                again = {"shift": answer.body["events"][0]["shift"]}

    def counted(self, command, **more):
        """The tray is counted, at the second table perhaps wrongly, and then again."""
        off = self.choose(0, 0, 0, 5_00) if not self.accounts else 0
        self.right.say(command, closer=chips_of(self.right.chips), **TWO)
        rightly = chips_of(self.wrong.chips)
        answer = self.wrong.say(command, closer=chips_of(self.wrong.chips + off), **TWO)
        if off:
            day, opener = self.day, command == "table.roll-over"

            def again():
                self.wrong.fix("table.recount", closer=rightly, day=day)
                if opener:
                    self.wrong.fixed(answer, chips=rightly)()

            until = "closed" if not opener else "never"
            self.slip(Mend("closer", again, until=until))

    def drop(self, day):
        """The box is counted, at the second table perhaps wrongly."""
        amount = self.by_hand.cash_of(day, "in")
        typed = amount + self.choose(0, 0, 100_00)
        for table, counted in ((self.right, amount), (self.wrong, typed)):
            if self.box:
                self.count_box(table, counted)
            else:
                table.say("table.drop", day=day, amount=counted, by="C-1", **{"with": "S-11"})
        self.box = ""
        if typed != amount:
            how = self.wrong.fixing("table.drop-recount", amount=amount, day=day, by="C-1")
            self.slip(Mend("drop", how))

    def count_box(self, table, amount):
        """A box comes off its table and is counted."""
        box = f"{self.box}-{table.table}"
        table.say("box.remove", box=box, by="R-1", **{"with": "S-11"})
        table.say("box.carry", box=box, by="R-1", **{"with": "S-11"})
        three = {"by": "C-1", "with": "C-2", "third": "C-3"}
        table.say("box.count", box=box, amount=amount, **three)

    def attach_box(self):
        self.box = f"X-{self.day}" if self.chance(3) else ""
        for table in (self.right, self.wrong) if self.box else ():
            table.say("box.attach", box=f"{self.box}-{table.table}", by="R-1", **{"with": "S-11"})
