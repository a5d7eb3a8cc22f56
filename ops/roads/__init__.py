"""The roads of a shoe: read from the record, drawn as text, as SVG and as a page."""
