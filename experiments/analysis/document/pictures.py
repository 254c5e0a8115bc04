"""A picture as SVG, PDF and PNG; the same picture gives the same bytes."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib

from experiments.analysis.sections.parts import Picture
from experiments.store import write_file

# What keeps the time and the program out of the files, by form.
_NO_ORIGIN: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}
FORMS = ("svg", "pdf")
"""Those that are written as files."""


def drawn(picture: Picture, form: str) -> bytes:
    """The picture as the content of a file: ``svg``, ``pdf`` or ``png``."""
    buffer = io.BytesIO()
    # The salt stands in for the random one of the names inside an SVG file.
    with matplotlib.rc_context({"svg.hashsalt": picture.name, "pdf.fonttype": 42}):
        picture.figure.savefig(buffer, format=form, dpi=200, metadata=_NO_ORIGIN[form])
    return buffer.getvalue()


def write_picture(picture: Picture, folder: Path) -> None:
    """Write ``<name>.svg`` and ``.pdf``."""
    for form in FORMS:
        write_file(folder / f"{picture.name}.{form}", drawn(picture, form))
