"""The README's examples run, and print what it says."""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import make_multilabel_classification

from mlmlm import MultiLabelMLM

ROOT = Path(__file__).parents[1]
METRICS = (
    *("Ranking loss", "Coverage", "One error", "Average precision"),
    *("Accuracy", "Hamming loss", "Micro F1", "Macro F1"),
)
COMPARISONS = (
    ("one_footing", "ranks"),
    ("one_footing", "ranks_shared"),
    ("repeated", "ranks"),
    ("tuned", "ranks"),
)
"""Studies and their tables, in the order of the README's columns."""
README, COMMITTED = ROOT / "README.md", ROOT / "results" / "committed"


def examples() -> list[tuple[str, str]]:
    """Python code that is followed by its output."""
    return re.findall(r"```python\n([^`]*)```\n\n```\n([^`]*)```", README.read_text())


def test_examples_print_what_the_readme_shows(capsys):
    assert len(examples()) == 1
    namespace: dict[str, object] = {}
    for code, output in examples():
        exec(code, namespace)
        assert capsys.readouterr().out == output


def test_the_example_on_data_of_ones_own_runs(capsys):
    _, example = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    X, Y = make_multilabel_classification(n_samples=60, n_classes=3, random_state=0)
    frame = pd.DataFrame(X / X.max()).rename(columns="feature {}".format)
    labels = pd.DataFrame(Y, frame.index, ["happy", "sad", "calm"])
    given = {"inputs": frame, "labels": labels, "weights": np.ones(60), "pd": pd}
    namespace: dict[str, object] = given | {"MultiLabelMLM": MultiLabelMLM}
    exec(example, namespace)
    assert "[MultiLabelMLM] fit took" in capsys.readouterr().err
    predicted, found = namespace["predicted"], namespace["found"]
    assert list(predicted.columns) == ["happy", "sad", "calm"]
    np.testing.assert_array_equal(predicted, found.labels)
    assert found.probabilities.shape == Y.shape


def test_scores_are_worse_than_a_constant_on_as_many_datasets_as_it_says():
    losses = pd.read_csv(COMMITTED / "paper" / "tables" / "reliability_log_loss.csv")
    assert (len(losses), (losses["gain, as published"] < 0).sum()) == (10, 6)
    assert (losses[["gain, sigmoid", "gain, isotonic"]] > 0).all(axis=None)
    assert "on six of the\n  paper's ten datasets" in README.read_text()


def test_reproduce_fits_again_beside_a_study_that_is_there():
    """What the report says of single fits needs the study's folder and records."""
    command = ["make", "--dry-run", "reproduce"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    modules = re.findall(r"-m (experiments\.\S+)", done.stdout)
    assert modules == [
        "experiments.study",
        "experiments.refits",
        "experiments.reliability",
        "experiments.analysis.report",
    ]


def leaders(study: str, table: str) -> list[str]:
    """By metric the best average rank and, unless it is ML-MLM's, that of ML-MLM."""
    ranks = pd.read_csv(COMMITTED / study / "tables" / f"{table}.csv", index_col="method")
    cells = []
    for metric in ranks:
        best = ranks[metric].min()
        names = ranks.index[np.isclose(ranks[metric], best)]
        name = " and ".join(names).replace(" (default C)", "")
        own = ranks.loc["ML-MLM", metric]
        cells.append(f"ML-MLM {best:.2f}" if name == "ML-MLM" else f"{name} {best:.2f} ({own:.2f})")
    return cells


def test_the_ranks_beside_the_field_are_those_of_the_committed_tables():
    lines = README.read_text().splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("| average rank"))
    shown = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines[start + 2 :][:8]
    ]
    columns = list(zip(*shown, strict=True))[1:]
    for column, (study, table) in zip(columns, COMPARISONS, strict=True):
        assert list(column) == leaders(study, table)
    heads = re.findall(r"(\d+) datasets, (\d+) methods", lines[start])
    tests = [
        pd.read_csv(COMMITTED / study / "tables" / f"{table.replace('ranks', 'tests')}.csv")
        for study, table in COMPARISONS
    ]
    assert [tuple(map(int, head)) for head in heads] == [
        (each["datasets"].max(), each["methods"].max()) for each in tests
    ]


def test_the_sentences_beside_the_field_are_what_the_committed_studies_have():
    text = " ".join(README.read_text().split())
    studies = {
        name: json.loads((COMMITTED / name / "study.json").read_text())
        for name in ("one_footing", "repeated", "tuned")
    }
    (named,) = re.findall(r"On six of them \(([^)]*)\)", text)
    six = {name.lower() for name in named.split(", ")}
    assert len(six) == 6
    assert six == set(studies["repeated"]["datasets"]) == set(studies["tuned"]["datasets"])
    shared = pd.read_csv(COMMITTED / "one_footing" / "tables" / "tests_shared.csv")
    assert set(shared["datasets"]) == {6}
    assert "which also has Corel5k, Bibtex and the corrected Tmc2007" in text
    more = set(studies["one_footing"]["datasets"]) - six
    assert more == {"corel5k", "bibtex", "tmc2007_fixed"}
    assert "ten splits" in text and "`repeated` (twice five folds)" in text
    split = studies["repeated"]["split"]
    assert (split["kind"], split["folds"], split["repeats"]) == ("cross_validation", 5, 2)
    assert "`tuned` (up to ten configurations" in text
    tried = pd.read_csv(COMMITTED / "tuned" / "tables" / "tuning_choices.csv")["of"]
    assert tried.max() == 10


def test_who_leads_on_what_is_as_the_paragraph_says():
    """ML-MLM on accuracy, alone or with another; BR-MLM and BR-SVC on most other metrics."""
    of_nine, *of_six = (dict(zip(METRICS, leaders(*each), strict=True)) for each in COMPARISONS)
    led = [cell.split()[0] for cell in of_nine.values()]
    assert led.count("BR-SVC") == 4
    assert [name for name, cell in of_nine.items() if cell.startswith("ML-MLM")] == [
        "Coverage",
        "Accuracy",
    ]
    led = []
    for cells in of_six:
        assert "ML-MLM" in re.sub(r"\(.*", "", cells.pop("Accuracy")).replace("BR-MLM", "")
        led += [cell.split()[0] for cell in cells.values()]
    assert sum(name in ("BR-MLM", "BR-SVC") for name in led) > len(led) / 2


def test_no_lead_over_the_next_methods_is_significant():
    """What the paragraph says of the comparisons."""
    for study, name in COMPARISONS:
        ranks = pd.read_csv(COMMITTED / study / "tables" / f"{name}.csv", index_col="method")
        tests = pd.read_csv(COMMITTED / study / "tables" / f"{name.replace('ranks', 'tests')}.csv")
        for metric, distance in zip(ranks, tests["CD"], strict=True):
            ordered = ranks[metric].dropna().sort_values()
            assert ordered.iloc[3] - ordered.iloc[0] < distance
