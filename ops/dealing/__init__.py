"""The dealing of a table where no dealer deals: a clock gives the commands."""
