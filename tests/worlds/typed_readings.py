"""How each command that reads is typed."""

COUP = "B01/2026-11-21/1/1"
# How each reading command is typed.
TYPED = {
    "replay": f"replay {COUP}",
    "box report": "box report 2026-11-21",
    "shift slip": "shift slip B01/2026-11-21 day",
    "find": "find B01 1",
    "regime ask": "regime ask P-10417 in 12,000",
    "road": "road B01/2026-11-21/1",
    "audit shoe": "audit shoe B01/2026-11-21/1",
    "audit adjudicate": "audit adjudicate --all --look",
    "audit prove": "audit prove 1",
    "audit export": "audit export --tiles {into}",
    "db archive": "db archive {into}",
    "dispute show": "dispute show C-2026-0001",
    "incident show": "incident show IR-2026-0001",
    "filing ctr": "filing ctr P-3 2026-11-21",
    "filing sar": "filing sar AML-2026-0001",
    "filing ttr": "filing ttr P-3 2026-11-21",
    "filing smr": "filing smr AML-2026-0001",
    "aml show": "aml show AML-2026-0001",
    "inquiry show": "inquiry show I-2026-0001",
    "patron name": "patron name P-3",
    "staff name": "staff name D-204",
    "patron import": "patron import /dev/null",
    "patron exclude": "patron exclude /dev/null --list states",
    "patron show": "patron show P-3",
    "rule": "rule R-IRR-4",
    "regime show": "regime show australia",
    "rules show": "rules show classic@1",
    "rules check": "rules check no-such-file",
    "rules diff": "rules diff classic@1 no-such-file",
    "group add": "group add harbour /log --key x",
    "group accept": "group accept harbour letter",
    "group witness": "group witness harbour.example/witness",
    "group rate": "group rate ECB/2026-11-21 EUR USD 1.0834",
    "group exclusions": "group exclusions harbour --kind barred",
    "board": "board --once",
    "adjudicate": "adjudicate 9C 5S 7C QD",
    "export events": "export events --into {into}",
}


def typed(what, into="nowhere"):
    return TYPED.get(what, what).format(into=into).split()
