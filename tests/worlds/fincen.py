"""What FinCEN has to know of a house, and of a patron, to take a report."""

from pathlib import Path

from tests import ROOT

FILER = """
name = "Riverside Casino LLC"
ein = "123456789"
street = "1 River Road"
city = "Las Vegas"
state = "NV"
zip = "89101"
kind = "state"
control_code = "TBSATEST"
contact = "Compliance office"
phone = "7025550100"
"""
ADDRESS = "12 Main St, Las Vegas, NV 89101, US"
SCHEMAS: dict[str, Path] = {  # with what is used here of FinCEN's
    name: ROOT / "tests" / "ops" / "filings" / f"{name}.xsd" for name in ("ctrx", "sarx")
}
