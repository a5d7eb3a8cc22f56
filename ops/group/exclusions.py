"""A list for one house of who may not play at the others, as `sabot patron exclude` takes it.

It has what their records have: the number or alias of a patron, and the houses. Names and papers of
people are in no record, and so in no list.
"""

import csv
import io
from collections import defaultdict

from ops.group import members
from ops.group.asking import OfHouse, ask
from ops.group.members import NoMember
from ops.group.questions import REPORTS
from ops.words.csv_cells import guarded

COLUMNS = ("patron", "reference")


def list_for(house: str, kind: str) -> tuple[str, list[OfHouse]]:
    """The list as CSV, and how far each other house is in it. Raises NoMember, WithoutParquet.

    `kind`: `barred` by a house, or `self-excluded`. Who may not play at this house already is not
    in it.
    """
    houses = members.pulled()
    if house not in {each.name for each in houses}:
        members.pulled([house])  # which says why not
    others = [each for each in houses if each.name != house]
    if not others:
        raise NoMember(f"There is no other house than {house} in this group.")
    answer = ask(REPORTS["exclusions"], houses, ("patron", "kind", "property"))
    here = {row["patron"] for row in answer.rows if row["property"] == house}
    at: dict[str, list[str]] = defaultdict(list)
    for row in answer.rows:
        if row["kind"] == kind and row["property"] != house and row["patron"] not in here:
            at[str(row["patron"])].append(str(row["property"]))
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows([guarded(patron), " ".join(of)] for patron, of in sorted(at.items()))
    return out.getvalue(), [each for each in answer.houses if each.property != house]
