"""The paper's figures as data: whole, equal to the paper's, and each with its source."""

import re
from pathlib import Path

import pandas as pd
import pytest

from experiments import published
from mlmlm.metrics import PAPER_METRICS

FOLDER = Path(published.__file__).parent
PAPER = Path(__file__).parents[2] / "shared" / "paper"
TITLES = [
    *("Medical", "Emotions", "Enron", "Scene", "Yeast"),
    *("Corel5k", "Bibtex", "Delicious", "Tmc2007", "Mediamill"),
]
with_paper = pytest.mark.skipif(not PAPER.is_dir(), reason="the paper is not at hand")


def test_a_thousand_cells():
    results = published.results()
    assert len(results) == 1000
    assert results["value"].notna().all()
    assert not results.duplicated(["metric", "method", "dataset"]).any()
    assert list(results["metric"].unique()) == list(PAPER_METRICS)
    for metric in PAPER_METRICS:
        shape = (8, 10) if PAPER_METRICS[metric].kind == "ranking" else (17, 10)
        assert published.results_table(metric).shape == shape
    # Printed with three decimals, and so stored.
    assert (results["value"].round(3) == results["value"]).all()


def test_every_table_has_the_datasets_in_the_same_order():
    order = list(published.datasets().index)
    assert [published.title(name) for name in order] == TITLES
    assert list(published.power_distance().index) == order
    for metric in PAPER_METRICS:
        assert list(published.results_table(metric)) == order


def test_every_cell_has_a_source():
    sources = published.sources()
    assert sources.index.is_unique
    assert sources.notna().all(axis=None)
    cells = published.results()["method"].map(sources["source"]).value_counts()
    assert cells.to_dict() == {
        "Madjarov et al. 2012": 5 * 80,
        "authors": 3 * 80 + 40,
        "MEKA / scikit-multilearn": 8 * 40,
    }
    assert set(published.own_methods()) == {"ML-MLM", "BR-MLM", "LLS-MLM", "NN-MLM"}


def test_two_methods_are_named_and_have_no_cell():
    assert published.methods_without_cells() == ["BR-J48", "CC-J48"]
    says = published.sources().loc[published.methods_without_cells(), "says"]
    assert says.str.contains("in no table").all()


@with_paper
@pytest.mark.parametrize("name", ["results.csv", "datasets.csv", "power_distance.csv"])
def test_files_are_the_papers(name):
    pd.testing.assert_frame_equal(pd.read_csv(FOLDER / name), pd.read_csv(PAPER / name))


@with_paper
def test_sources_are_those_of_the_text():
    text = (PAPER / "paper.tex").read_text()
    [(taken, computed)] = re.findall(
        r"We used the results from \S+ for (.*?)\. For (.*?), we computed", text
    )
    tabulated = {"CC-SCM": "CC-SVM", "Rakel-SCV": "Rakel-SVC", "BP-NN": "BPNN"}
    tabulated["ML-kNN (d)"] = "ML-kNN(d)"
    sources = published.sources()["source"]
    for names, source in ((taken, "Madjarov et al. 2012"), (computed, "MEKA / scikit-multilearn")):
        methods = [tabulated.get(name, name) for name in re.split(r",\s*(?:and )?", names)]
        assert set(methods) == set(sources.index[sources == source])
