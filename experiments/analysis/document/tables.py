"""A table as CSV, Markdown and LaTeX.

The LaTeX needs the packages booktabs and graphicx; a table wider than the line is scaled to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from experiments.analysis.document.marks import marked
from experiments.analysis.sections.parts import DIFFERS, Entry, Table
from experiments.store import write_file

DAGGER = r"$^\dagger$"
# In characters: what headings have room for on a line in LaTeX, beyond which they are set upright;
# and a text that is broken into lines.
LINE, LONG_TEXT = 110, 60

_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        **{sign: f"{{{sign}}}" for sign in "[]*"},  # after a line's end they would be its options
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "–": "--",
        "≠": r"$\neq$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "±": r"$\pm$",
        "×": r"$\times$",
        "√": r"$\surd$",
        "²": r"$^2$",
        "χ": r"$\chi$",
        "α": r"$\alpha$",
        "₂": r"$_2$",
    }
)


def write_table(table: Table, folder: Path) -> None:
    """Write ``<name>.csv``, ``.md`` and ``.tex``."""
    for form, set_in_form in FORMS.items():
        write_file(folder / f"{table.name}.{form}", set_in_form(table).encode())


def csv(table: Table) -> str:
    """Values in full precision; beside a column its deviations and published values, if any."""
    columns = []
    others = {"std": table.deviations, "published": table.published}
    for j, name in enumerate(table.values.columns):
        columns.append(table.values.iloc[:, j])
        for what, frame in others.items():
            if frame is not None and frame.iloc[:, j].notna().any():
                columns.append(frame.iloc[:, j].rename(f"{name} {what}"))
    return frame_as_csv(pd.concat(columns, axis=1) if columns else table.values)


def frame_as_csv(frame: pd.DataFrame, index: bool = True) -> str:
    return frame.to_csv(index=index, float_format="%.9g", lineterminator="\n")


def markdown(table: Table) -> str:
    rule = ["---" if table.is_text(j) else "---:" for j in range(table.values.shape[1])]
    rows = [[label, *map(_markdown, entries)] for label, entries in table.rows()]
    lines = [table.head, ["---", *rule], *rows]
    body = "\n".join("| " + " | ".join(map(_no_bar, line)) + " |" for line in lines)
    parts = (f"# {table.title}", table.note, table.legend, body)
    return "\n\n".join(part for part in parts if part) + "\n"


def latex(table: Table) -> str:
    """A ``table``; where ours and the published differ, a dagger and a list below."""
    first, *head = map(_tex, table.head)
    if sum(len(text) + 2 for text in table.head) > LINE:
        head = [rf"\rotatebox{{90}}{{{text}}}" for text in head]
    rows = [[_tex(label), *map(_latex, entries)] for label, entries in table.rows()]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_tex(table.title)}}}",
        rf"\label{{tab:{table.name}}}",
        r"\footnotesize",
        r"\setlength{\tabcolsep}{3pt}",
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{l{''.join(_kinds(table))}}}",
        r"\toprule",
        " & ".join([first, *head]) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}}",
        *(rf"\par\smallskip\raggedright {line}" for line in _latex_notes(table)),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


FORMS = {"csv": csv, "md": markdown, "tex": latex}


def _kinds(table: Table) -> Iterator[str]:
    """How LaTeX sets each column but the first."""
    for j in range(table.values.shape[1]):
        longest = max((len(entries[j].text) for _, entries in table.rows()), default=0)
        yield "p{5cm}" if longest > LONG_TEXT else "l" if table.is_text(j) else "r"


def _latex_notes(table: Table) -> Iterator[str]:
    if table.note:
        yield _tex(table.note)
    differing, absent = [], False
    for label, entries in table.rows():
        for column, entry in zip(table.head[1:], entries, strict=True):
            absent |= entry.published is not None and entry.agrees is None
            if entry.agrees is False:
                differing.append(f"{label}, {column}: {entry.published}")
    if differing:
        yield f"{DAGGER}Published: {_tex('; '.join(differing))}."
    if absent:
        yield "In brackets: as published, where we have no value."


def _markdown(entry: Entry) -> str:
    text = f"**{entry.text}**" if entry.best else entry.text
    text = f"{text} {entry.deviation}" if entry.deviation else text
    if entry.published is None:
        return text
    return f"{text} ({DIFFERS + ' ' if entry.agrees is False else ''}{entry.published})"


def _latex(entry: Entry) -> str:
    if entry.published is not None and entry.agrees is None:
        return f"({_tex(entry.published)})"
    text = _tex(entry.text)
    text = rf"\textbf{{{text}}}" if entry.best else text
    text = f"{text} {_tex(entry.deviation)}" if entry.deviation else text
    # The dagger takes no room, so that decimal points stay in line.
    return rf"{text}\rlap{{{DAGGER}}}" if entry.agrees is False else text


def _tex(text: str) -> str:
    return "".join(
        marked(
            text,
            plain=_escaped,
            code=lambda words: rf"\texttt{{{_escaped(words)}}}",
            bold=lambda words: rf"\textbf{{{_escaped(words)}}}",
            link=lambda words, address: rf"{_escaped(words)} (\texttt{{{_escaped(address)}}})",
        )
    )


def _escaped(text: str) -> str:
    return text.translate(_LATEX)


def _no_bar(text: str) -> str:
    """A bar would end the cell."""
    return text.replace("|", r"\|")
