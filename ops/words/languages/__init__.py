"""The messages of each language, as gettext catalogues; `sabot.pot` has them in English."""
