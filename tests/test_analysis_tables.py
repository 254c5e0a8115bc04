"""Tables: every form from one description; those of data, results and resources."""

import dataclasses
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments import published
from experiments.analysis.document.folder import write_tables
from experiments.analysis.document.tables import csv, latex, markdown
from experiments.analysis.numbers import seconds
from experiments.analysis.numbers.cells import mean_cells
from experiments.analysis.numbers.metrics import RANKING, metric_title
from experiments.analysis.numbers.results import StudyResults
from experiments.analysis.sections.data import data_section, paper_data_section
from experiments.analysis.sections.parts import Paragraph, Table
from experiments.analysis.sections.resources import resources_section
from experiments.analysis.sections.results import metric_table, results_section, sources_table
from experiments.phases import Phase
from mlmlm.datasets import audit, characteristics, load_dataset
from mlmlm.metrics import METRICS, PAPER_METRICS
from tests.made_records import DATASETS, FIXTURE, TABLES, made_record, made_study

ROOT = Path(__file__).parents[1]
COMMITTED = ROOT / "results" / "committed" / "paper"
PAPER = ROOT.parent / "shared" / "paper" / "paper.tex"
OURS = published.own_methods()


@pytest.fixture
def records():
    return [made_record(row, dataset) for row in OURS for dataset in DATASETS]


def tables(section):
    return {table.name: table for table in section.tables}


def text(section):
    return "\n".join(part.text for part in section.parts if isinstance(part, Paragraph))


# The forms


def latex_cells(source):
    """Rows of the tabular, each a list of cells; fails where the source is not well-formed."""
    depth = 0
    for sign in re.findall(r"\\.|[{}]", source):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"(?<!\\)\$", source)) % 2 == 0
    [(kinds, body)] = re.findall(
        r"\\begin\{tabular\}\{([^\n]*)\}\n(.*)\\end\{tabular\}", source, re.DOTALL
    )
    lines = [line for line in body.splitlines() if not re.fullmatch(r"\\\w+rule", line)]
    assert all(line.endswith(r" \\") for line in lines)
    rows = [re.split(r"(?<!\\)&", line.removesuffix(r" \\")) for line in lines]
    n_columns = len(re.findall(r"[lr]|p\{\w+\}", kinds))
    assert all(len(row) == n_columns for row in rows)
    for cell in (cell for row in rows for cell in row):
        bare = re.sub(r"\$[^$]*\$", "", re.sub(r"\\[&%$#_{}]", "", cell))
        assert not re.search(r"[#%_^~<>|$]", bare)
    return [[cell.strip() for cell in row] for row in rows]


def read_latex(cell):
    """What a cell's source says, without its looks."""
    cell = re.sub(r"\\rotatebox\{90\}\{(.*)\}$", r"\1", cell)
    cell = re.sub(r"\\rlap\{.*\}$", "", cell)
    cell = re.sub(r"^\\textbf\{(.*)\}$", r"\1", cell)
    names = {
        "textbackslash": "\\",
        "textasciitilde": "~",
        "textasciicircum": "^",
        "textless": "<",
        "textgreater": ">",
        "textbar": "|",
    }
    pattern = r"\\(" + "|".join(names) + r")\{\}|\{([\[\]*])\}|\\([&%$#_{}])"
    return re.sub(pattern, lambda m: names.get(m[1]) or m[2] or m[3], cell)


def markdown_cells(marked):
    lines = [line for line in marked.splitlines() if line.startswith("|")]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
    assert len({len(row) for row in rows}) == 1
    assert set("".join(rows[1])) <= set(" -:")
    return [[cell.strip().replace(r"\|", "|") for cell in row] for row in (rows[0], *rows[2:])]


# Backquotes and asterisks are marks; letters, so that neither form strips the name.
names = st.text(r"&%$#_{}[]~^\<>|,;'ab9", max_size=6).map(lambda text: f"n{text}n")


@settings(deadline=None)
@given(
    st.lists(names, min_size=1, max_size=5, unique=True),
    st.lists(names, min_size=1, max_size=16, unique=True),
    st.data(),
)
def test_every_form_has_every_cell(rows, columns, data):
    def frame(cells):
        values = [[data.draw(cells) for _ in columns] for _ in rows]
        return pd.DataFrame(values, pd.Index(rows, name="a_b"), columns, dtype=object)

    numbers = st.one_of(st.none(), st.floats(-1e6, 1e6))
    values, printed = frame(numbers).astype(float), frame(numbers).astype(float)
    agrees = frame(st.sampled_from([True, False, None]))
    agrees = agrees.where(values.notna() & printed.notna(), None)
    table = Table("t", "T & t", values, ".2f", printed, agrees, frame(st.booleans()), "100 %")

    back = pd.read_csv(io.StringIO(csv(table)), index_col=0)
    np.testing.assert_allclose(back[columns], values, rtol=1e-8)
    shown = [name for name in columns if printed[name].notna().any()]
    np.testing.assert_allclose(back[[f"{n} published" for n in shown]], printed[shown], rtol=1e-8)

    in_latex, in_markdown = latex_cells(latex(table)), markdown_cells(markdown(table))
    assert [read_latex(cell) for cell in in_latex[0]] == ["a_b", *columns] == in_markdown[0]
    for i, name in enumerate(rows):
        assert read_latex(in_latex[i + 1][0]) == name == in_markdown[i + 1][0]
        for j in range(len(columns)):
            value, theirs, agree = values.iat[i, j], printed.iat[i, j], agrees.iat[i, j]
            source, mark = in_latex[i + 1][j + 1], in_markdown[i + 1][j + 1]
            if np.isnan(value):
                beside = "" if np.isnan(theirs) else f"{theirs:.2f}"
                assert mark.replace("*", "") == f"– ({beside})".replace(" ()", "")
                assert read_latex(source) == (f"({beside})" if beside else "--")
                continue
            assert mark.replace("*", "").split(" ")[0] == read_latex(source) == f"{value:.2f}"
            assert ("**" in mark) == (r"\textbf" in source) == table.best.iat[i, j]
            assert (r"\dagger" in source) == ("≠" in mark) == (agree is False)
            assert (f"{theirs:.2f})" in mark) == (agree is not None)


def test_marks_and_signs():
    frame = pd.DataFrame({"χ²": ["see `a_b`", "x **y** z"]}, pd.Index(["one", "two"]))
    table = Table("t", "α ± 1 ≠ 2", frame, note="`a|b`")
    source = latex(table)
    assert r"\caption{$\alpha$ $\pm$ 1 $\neq$ 2}" in source
    assert latex_cells(source)[0] == ["", r"$\chi$$^2$"]
    assert latex_cells(source)[1][1] == r"see \texttt{a\_b}"
    assert latex_cells(source)[2][1] == r"x \textbf{y} z"
    assert r"\texttt{a\textbar{}b}" in source
    assert r"\begin{tabular}{ll}" in source  # words are flush left


def test_long_texts_have_lines_and_long_headings_are_upright():
    frame = pd.DataFrame({f"heading of a column {j}": ["word " * 20] for j in range(6)})
    source = latex(Table("t", "T", frame))
    assert r"\rotatebox{90}{heading of a column 5}" in source
    assert source.count("p{5cm}") == 6
    latex_cells(source)


def test_published_is_shown_beside_what_is_compared_or_missing():
    values = pd.DataFrame({"a": [0.1, 0.2, np.nan, 0.4]})
    printed = pd.DataFrame({"a": [0.1, 0.3, 0.5, 0.4]})
    agrees = pd.DataFrame({"a": [True, False, None, None]}, dtype=object)
    table = Table("t", "T", values, ".1f", printed, agrees)
    assert [row[1] for row in markdown_cells(markdown(table))[1:]] == [
        *("0.1 (0.1)", "0.2 (≠ 0.3)", "– (0.5)", "0.4"),
    ]
    assert r"$^\dagger$Published: 1, a: 0.3." in latex(table)
    assert "In brackets" in markdown(table)
    assert "In brackets" not in markdown(Table("t", "T", values))


def test_frames_must_match():
    values = pd.DataFrame({"a": [1.0], "b": [2.0]})
    with pytest.raises(ValueError, match="'t': best must be labelled"):
        Table("t", "T", values, best=values[["b", "a"]])


@pytest.mark.skipif(not COMMITTED.is_dir(), reason="no committed records")
def test_all_tables_of_the_paper_are_well_formed(tmp_path):
    results = StudyResults(COMMITTED)
    sections = [make(results) for make in (results_section, paper_data_section, resources_section)]
    made = {name: table for section in sections for name, table in tables(section).items()}
    for section in sections:
        write_tables(section, tmp_path)
    written = {path.name for path in (tmp_path / "tables").iterdir()}
    assert written == {f"{name}.{form}" for name in made for form in ("csv", "md", "tex")}
    assert {f"table_{metric}" for metric in PAPER_METRICS} < set(made)
    for name, table in made.items():
        source = (tmp_path / "tables" / f"{name}.tex").read_text()
        assert source.isascii()
        n_rows, n_columns = table.values.shape
        shape = (n_rows + 1, n_columns + 1)
        assert np.shape(latex_cells(source)) == shape
        marked = (tmp_path / "tables" / f"{name}.md").read_text()
        assert np.shape(markdown_cells(marked)) == shape
        assert pd.read_csv(tmp_path / "tables" / f"{name}.csv").shape[0] == n_rows


# Results


def test_a_whole_study_that_agrees(tmp_path, records):
    section = results_section(made_study(tmp_path, records))
    assert text(section).startswith("**280 of 280** cells")
    made = tables(section)
    for metric in PAPER_METRICS:
        table = made[f"table_{metric}"]
        assert list(table.values) == [published.title(name) for name in DATASETS]
        assert list(table.values.index) == list(TABLES[metric].index)
        np.testing.assert_array_equal(table.published, TABLES[metric])
        compared = table.agrees.notna().all(axis=1)
        assert set(compared.index[compared]) == set(OURS) & set(TABLES[metric].index)
        assert table.agrees.loc[~compared].isna().all(axis=None)
        assert table.agrees.loc[compared].eq(True).all(axis=None)
        expected = TABLES[metric].eq(
            TABLES[metric].min() if METRICS[metric].lower_is_better else TABLES[metric].max()
        )
        np.testing.assert_array_equal(table.best, expected)
    counts = made["agreement_by_method"].values
    assert counts["agree"].to_dict() == {
        "BR-MLM": 80,
        "ML-MLM": 80,
        "LLS-MLM": 80,
        "NN-MLM": 40,
        "in all": 280,
    }


@pytest.mark.skipif(not PAPER.is_file(), reason="the paper is not at hand")
def test_bold_is_what_the_paper_has_in_bold(tmp_path, records):
    made = tables(results_section(made_study(tmp_path, records)))
    appendix = PAPER.read_text().split(r"\section{Results for ranking-based metrics}")[1]
    bodies = re.findall(r"\\begin\{tabular\}(.*?)\\end\{tabular\}", appendix, re.DOTALL)
    assert len(bodies) == 8
    for metric, body in zip(PAPER_METRICS, bodies, strict=True):
        rows = [line.split("&")[1:] for line in body.splitlines() if line.count("&") == 10]
        bold = np.array([[r"\bf" in cell for cell in row] for row in rows[1:]])
        np.testing.assert_array_equal(made[f"table_{metric}"].best, bold)


def test_an_empty_study_shows_what_is_published(tmp_path):
    section = results_section(StudyResults(tmp_path))
    assert "280 have no run yet" in text(section)
    table = tables(section)["table_accuracy"]
    lines = markdown(table).splitlines()
    assert any(line.startswith("| ML-MLM | – (0.762) | – (0.609) |") for line in lines)
    assert any(line.startswith("| BR-SVM | 0.206 | 0.361 |") for line in lines)
    assert tables(section)["agreement_by_metric"].values["missing"]["Accuracy"] == 40
    for make in (data_section, paper_data_section, resources_section):
        for each in make(StudyResults(tmp_path)).tables:
            latex_cells(latex(each))
            markdown_cells(markdown(each))


def test_a_missing_run_is_a_dash_and_is_counted(tmp_path, records):
    some = [one for one in records if (one.method, one.dataset) != ("NN-MLM", "yeast")]
    made = tables(results_section(made_study(tmp_path, some)))
    row = markdown(made["table_accuracy"]).split("| NN-MLM |")[1].splitlines()[0]
    assert row.split("|")[4].strip() == "– (0.553)"
    assert made["agreement_by_dataset"].values.loc["Yeast"].to_list() == [24, 0, 4, 28]
    assert made["agreement_by_method"].values.loc["NN-MLM"].to_list() == [36, 0, 4, 40]


def test_a_cell_that_differs_is_marked(tmp_path, records):
    wrong = dataclasses.replace(records[0], metrics=records[0].metrics | {"accuracy": 0.9})
    made = tables(results_section(made_study(tmp_path, [wrong, *records[1:]])))
    table = made["table_accuracy"]
    assert table.agrees.loc[wrong.method, "Medical"] is False
    # It is the best of its column now, alone.
    assert list(table.values.index[table.best["Medical"]]) == [wrong.method]
    assert r"\textbf{0.900}\rlap{$^\dagger$}" in latex(table)
    for by, name in (("dataset", "Medical"), ("method", wrong.method), ("metric", "Accuracy")):
        differ = made[f"agreement_by_{by}"].values["differ"]
        assert differ[differ > 0].to_dict() == {name: 1, "in all": 1}


def test_methods_and_data_of_a_user_are_added(tmp_path, records):
    own = [made_record("ML-MLM", name, method="mine", published_as=None) for name in DATASETS[:2]]
    elsewhere = dataclasses.replace(
        own[0], dataset="birds", data=own[0].data | {"fingerprint": "0"}
    )
    namesake = dataclasses.replace(
        records[1], data=records[1].data | {"fingerprint": "0"}, metrics={"accuracy": 0.5}
    )
    study = [records[0], namesake, *records[2:], *own, elsewhere]
    table = tables(results_section(made_study(tmp_path, study)))["table_accuracy"]
    assert list(table.values.index[17:]) == ["mine"]
    assert set(table.values.columns[10:]) == {"birds", namesake.dataset}
    assert table.values.loc["mine"].notna().sum() == 3
    assert table.published.loc["mine"].isna().all()
    # Other numbers under the name of a published dataset are not compared with it.
    assert np.isnan(table.values.loc[namesake.method, published.title(namesake.dataset)])
    assert table.values.loc[namesake.method, namesake.dataset] == 0.5
    assert np.isnan(table.published.loc[namesake.method, namesake.dataset])


def test_a_row_of_two_methods_is_neithers(tmp_path, records):
    other = [made_record("ML-MLM", name, method="other") for name in DATASETS]
    table = metric_table(mean_cells(records + other), "accuracy")
    assert table.values.loc["ML-MLM"].notna().all()  # one of them happens to be called so
    renamed = [dataclasses.replace(one, method=one.method.lower()) for one in records]
    table = metric_table(mean_cells(renamed + other), "accuracy")
    assert table.values.loc["ML-MLM"].isna().all()
    assert table.agrees.loc[["ml-mlm", "other"]].eq(True).all(axis=None)


def test_of_several_seeds_the_cell_is_the_mean(tmp_path, records):
    printed = TABLES["accuracy"].loc["BR-RF"]
    live = [
        made_record("BR-RF", name, seed=seed, metrics={"accuracy": printed[name] + shift})
        for name in DATASETS[:3]
        for seed, shift in enumerate((-0.1, 0.0, 0.1002))
    ]
    results = made_study(tmp_path, records + live)
    section = results_section(results)
    table = tables(section)["table_accuracy"]
    titles = [published.title(name) for name in DATASETS]
    np.testing.assert_allclose(
        table.values.loc["BR-RF", titles[:3]].astype(float), printed[:3] + 0.0002 / 3
    )
    assert table.agrees.loc["BR-RF", titles[:3]].eq(True).all()
    assert table.values.loc["BR-RF", titles[3:]].isna().all()  # it is live, and lacks these
    assert "Means over seeds: BR-RF (3)." in table.note
    assert "from MEKA / scikit-multilearn: BPNN, BR-Ada, EBR-J48" in table.note
    assert text(section).startswith("**283 of 283** cells")
    by_method = tables(resources_section(results))["resources_methods"].values
    assert by_method.loc[by_method["method"] == "BR-RF", "runs"].to_list() == [3, 3, 3]


def test_powers_and_distances(tmp_path):
    record = made_record("ML-MLM", "emotions", chosen={"power": 2**2.9})
    far = dataclasses.replace(record, distance={"mean": 0.86, "std": 0.44})
    table = tables(results_section(made_study(tmp_path, [far])))["table_power_distance"]
    row = next(row for row in markdown_cells(markdown(table)) if row[0] == "Emotions")
    assert row == ["Emotions", "2.9 (2.9)", "0.9 (≠ 0.8)", "0.4 (0.4)"]
    assert "| Medical | – (7.8) | – (0.6) | – (0.4) |" in markdown(table)


def test_sources_of_all_cells_are_told():
    table = sources_table()
    assert table.values["cells"].sum() == 1000
    assert table.values["cells"][["BR-J48", "CC-J48"]].to_list() == [0, 0]
    row = next(row for row in markdown_cells(markdown(table)) if row[0] == "HOMER")
    assert row[1:3] == ["80", "Madjarov et al. 2012"]


# Data


def test_characteristics_and_audit_of_a_dataset(tmp_path):
    data = load_dataset("emotions")
    facts = {
        "characteristics": dataclasses.asdict(characteristics(data)),
        "audit": dataclasses.asdict(audit(data)),
    }
    record = dataclasses.replace(FIXTURE, data=FIXTURE.data | facts)
    made = tables(paper_data_section(made_study(tmp_path, [record])))
    table = made["table_data"]
    assert list(table.values.index) == [published.title(name) for name in DATASETS]
    cells = next(row for row in markdown_cells(markdown(table)) if row[0] == "Emotions")
    assert cells == [
        *("Emotions", "391 (391)", "202 (202)", "72 (72)", "6 (6)", "0 (0)"),
        *("1.868 (≠ 1.869)", "0.311 (0.311)", "27 (27)", "4 (4)"),
    ]
    assert table.values.loc["Yeast"].isna().all()
    assert "older layout" not in table.note
    values = made["table_audit"].values
    assert list(values.index) == ["Emotions"]
    assert values.loc["Emotions", "test rows with a twin"] == 0
    assert values.loc["Emotions", "test rows"] == 202


@pytest.mark.parametrize("published", [True, False])
def test_the_data_of_a_study_are_its_own(tmp_path, published):
    mine = dataclasses.replace(FIXTURE, dataset="birds", data=FIXTURE.data | {"fingerprint": "0"})
    results = made_study(tmp_path, [FIXTURE, mine], published=published)
    table = tables(data_section(results))["table_data"]
    assert set(table.values.index) == {"Emotions", "birds"}
    assert (table.published is not None) == published


def test_whole_numbers_must_be_equal(tmp_path):
    record = dataclasses.replace(FIXTURE, data=FIXTURE.data | {"n_train": 392})
    table = tables(data_section(made_study(tmp_path, [record])))["table_data"]
    assert table.agrees.loc["Emotions", "training rows"] is False
    assert table.agrees.loc["Emotions", "test rows"] is True


def test_what_an_older_record_lacks_is_missing(tmp_path):
    made = tables(data_section(made_study(tmp_path, [FIXTURE])))
    assert "| Emotions | 391 (391) | 202 (202) | 72 (72) | 6 (6) | – (0) |" in (
        markdown(made["table_data"])
    )
    assert "older layout" in made["table_data"].note
    assert made["table_audit"].values.loc["Emotions"].notna().sum() == 1


@pytest.mark.parametrize(("twins", "leaked"), [(202, True), (201, False)])
def test_a_leaked_dataset_is_named(tmp_path, twins, leaked):
    facts = {"audit": {"test_rows_with_twin": 202, "test_rows_with_twin_and_labels": twins}}
    record = dataclasses.replace(FIXTURE, data=FIXTURE.data | facts)
    section = data_section(made_study(tmp_path, [record]))
    assert ("Emotions is leaked:** all of its 202 test rows" in text(section)) == leaked


# Resources


def test_shared_phases_are_counted_once_and_inner_ones_within_their_outer(tmp_path):
    shared = (
        Phase("scaling", 1.0, 100.0, shared=True),
        Phase("regression", 2.0, 300.0, shared=True),
        Phase("gram", 3.0, 500.0, shared=True),
        Phase("cholesky", 4.0, 300.0, shared=True),
        Phase("predicted distances", 5.0, 200.0, shared=True),
    )
    own = (Phase("fit", 10.0, 150.0), Phase("tuning", 20.0, 250.0), Phase("metrics", 40.0, 90.0))
    # A method of a user's, which has a distance regression of its own.
    alone = (
        *(Phase("scaling", 0.5, 10.0), Phase("fit", 1.0, 20.0), Phase("regression", 2.0, 30.0)),
        *(Phase("prediction", 4.0, 20.0), Phase("predicted distances", 8.0, 20.0)),
    )
    study = [
        made_record("ML-MLM", "emotions", phases=shared + own),
        made_record("NN-MLM", "emotions", phases=shared + own[-1:]),
        made_record("ML-MLM", "emotions", phases=alone, method="mine", published_as=None),
    ]
    made = tables(resources_section(made_study(tmp_path, study)))
    assert made["resources"].values["Emotions"].to_dict() == {
        **{"regression": 15.0, "ML-MLM": 70.0, "NN-MLM": 40.0, "mine": 15.5},
        **{"in all": 140.5, "peak MB": 500.0},
    }
    assert made["resources_regression"].values.loc["Emotions"].to_dict() == {
        **{"scaling": 1.0, "regression": 9.0, "predicted distances": 5.0},
        **{"in all": 15.0, "peak MB": 500.0},
    }
    by_method = made["resources_methods"].values.set_index("method")
    assert by_method.loc["ML-MLM"].dropna().to_dict() == {
        **{"fit": 30.0, "metrics": 40.0, "in all": 70.0, "peak MB": 250.0},
    }
    assert by_method.loc["mine"].dropna().to_dict() == {
        **{"scaling": 0.5, "fit": 3.0, "prediction": 12.0, "in all": 15.5, "peak MB": 30.0},
    }


@pytest.mark.skipif(not COMMITTED.is_dir(), reason="no committed records")
def test_seconds_of_the_paper_add_up():
    results = StudyResults(COMMITTED)
    records = results.records
    whole = seconds.by_dataset(records, results.method_titles).loc["in all"]
    shared = {phase for record in records for phase in record.phases if phase.shared}
    own = [phase for record in records for phase in record.phases if not phase.shared]
    assert whole["in all"] == pytest.approx(sum(phase.seconds for phase in [*shared, *own]))
    assert whole["peak MB"] == max(record.peak_mb for record in records)


def test_ranking_tables_have_no_row_of_a_method_that_cannot_rank(tmp_path, records):
    made = tables(results_section(made_study(tmp_path, records)))
    for metric in RANKING:
        assert "NN-MLM" not in made[f"table_{metric}"].values.index
        assert made[f"table_{metric}"].title.startswith(metric_title(metric))
