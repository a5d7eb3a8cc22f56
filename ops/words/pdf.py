"""Paper: makes a PDF from a template of `ops/words/templates/` and data.

The same data, moment and language make the same bytes on every machine: the fonts are those that
come with typst, and no clock is read. Chinese, Japanese and Korean letters have a font of their
own, which is opened only if the paper has such a letter. Data is never markup: a template reads it
with `json(bytes(sys.inputs.data))` and prints its text unchanged.
"""

import json
import re
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from msgspec import Struct, to_builtins

from domain.rules.wording import plain
from ops.words.language import FORMS, spoken

if TYPE_CHECKING:
    import typst

# Ideographs, kana, hangul, and their punctuation, in full width too.
EAST_ASIAN = (
    "[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff]"
)
# Its forms of letters are those of most readers; a language may name another font.
_EAST_ASIAN_FONT = "Noto Sans CJK HK"


def pdf(template: str, data: Struct, made: datetime) -> bytes:
    """Makes the document `template` from the data, dated `made`, in the current language.

    The fields of the data are what the template prints.
    """
    import typst

    written = json.dumps(to_builtins(data, enc_hook=plain), ensure_ascii=False)
    inputs = {"data": written, "language": spoken()}
    templates = files("ops.words").joinpath("templates")
    east_asian = bool(re.search(EAST_ASIAN, written))
    if east_asian:
        inputs["east-asian-font"] = FORMS[spoken()].font or _EAST_ASIAN_FONT
    return typst.compile(
        b"".join(templates.joinpath(f"{name}.typ").read_bytes() for name in ("letters", template)),
        format="pdf",
        font_paths=_fonts(east_asian=east_asian),
        sys_inputs=inputs,
        timestamp=made.astimezone(UTC).replace(microsecond=0),
    )


@cache
def _fonts(*, east_asian: bool) -> "typst.Fonts":
    """The fonts that come with typst, with the East Asian one if needed."""
    import typst

    return typst.Fonts(
        include_system_fonts=False,
        font_paths=[str(files("noto_cjk_sans_otc"))] if east_asian else [],
    )
