"""What needs a person: exceptions, alerts, disputes, what was voided, money left open."""
