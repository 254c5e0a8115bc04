"""A picture as SVG and PDF; the same picture gives the same bytes.

Letters stay letters in an SVG file, which makes it small and its text one that can be searched and
selected. A reader without the font sees the text in the next best of a list; the layout has room
for that.
"""

from __future__ import annotations

import io
import re
from pathlib import Path

import matplotlib

from experiments.analysis.sections.parts import Picture
from experiments.store import write_file

# What keeps the time and the program out of the files, by form.
_NO_ORIGIN: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
FORMS = ("svg", "pdf")
"""Those that are written as files."""
_FONT = "DejaVu Sans"
FONTS = f"'{_FONT}', Verdana, sans-serif"
"""The one that Matplotlib measures by, and others as wide."""

_TAG = re.compile(r"<[^>]*>")
_NO_TURN = re.compile(r' transform="rotate\(-?0 [^)]*\)"')
_LONG_NUMBER = re.compile(r"(\.\d\d)\d+")
_ID, _USED = re.compile(r' id="([^"]*)"'), re.compile(r"#([\w.-]+)")
_RULE = re.compile(r"<defs>\s*<style.*?</style>\s*</defs>", re.S)


def drawn(picture: Picture, form: str) -> bytes:
    """The picture as the content of a file: ``svg`` or ``pdf``."""
    buffer = io.BytesIO()
    # The salt stands in for the random one of the names inside an SVG file.
    with matplotlib.rc_context({"svg.hashsalt": picture.name, "svg.fonttype": "none"}):
        picture.figure.savefig(buffer, format=form, metadata=_NO_ORIGIN[form])
    content = buffer.getvalue()
    return slim(content.decode()).encode() if form == "svg" else content


def write_picture(picture: Picture, folder: Path) -> None:
    """Write ``<name>.svg`` and ``.pdf``."""
    for form in FORMS:
        write_file(folder / f"{picture.name}.{form}", drawn(picture, form))
        picture.figure.set_layout_engine("none")  # it is laid out now, which takes a while


def slim(svg: str) -> str:
    """A drawing without what nobody sees: names that nothing refers to, digits, line breaks."""
    used = set(_USED.findall(svg))

    def shorter(tag: re.Match[str]) -> str:
        text = _NO_TURN.sub("", " ".join(tag[0].split()))
        text = _ID.sub(lambda name: name[0] if name[1] in used else "", text)
        return _LONG_NUMBER.sub(r"\1", text.replace(f"font-family: '{_FONT}'; ", ""))

    svg = _TAG.sub(shorter, _RULE.sub("", svg))  # the rule is the root's, for this drawing alone
    svg = svg.replace("<svg ", f'<svg font-family="{FONTS}" stroke-linejoin="round" ', 1)
    return re.sub(r">\s+<", "><", svg)
