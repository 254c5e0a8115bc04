"""A user's own data and methods: one YAML each, in a folder outside of the repository."""

import json

import numpy as np
import pandas as pd
import pytest

from experiments import run, study
from mlmlm.datasets import DatasetError, load_csv, load_dataset, stratified_holdout
from tests.harness import call, record_files, spawn

LABELS = ["happy", "sad", "calm"]

METHODS = {
    "knn": "_target_: sklearn.neighbors.KNeighborsClassifier\nn_neighbors: 5\n",
    "mlp": """
_target_: sklearn.neural_network.MLPClassifier
hidden_layer_sizes: [4]
max_iter: 5
random_state: 0
scaling: none
""",
    "ridge": "_target_: sklearn.linear_model.RidgeClassifier\n",
    "tree": "_target_: sklearn.tree.ExtraTreeClassifier\nrandom_state: 0\n",
    "chain": """
_target_: sklearn.multioutput.MultiOutputClassifier
estimator: {_target_: sklearn.linear_model.LogisticRegression}
""",
    "perceptrons": """
_target_: sklearn.multioutput.MultiOutputClassifier
estimator: {_target_: sklearn.linear_model.Perceptron}
""",
    "mlknn": "_target_: skmultilearn.adapt.MLkNN\nk: 3\n",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A user's folder: data as CSV and ARFF, and a conf/ with datasets, methods and a study."""
    home = tmp_path_factory.mktemp("user")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 4)).round(3)
    Y = (X[:, :3] + rng.normal(scale=0.3, size=(90, 3)) > 0).astype(int)
    table = pd.DataFrame(X, columns=list("abcd")).join(pd.DataFrame(Y, columns=LABELS))
    table.to_csv(home / "music.csv", index=False)
    table[:60].to_csv(home / "train.csv", index=False)
    table[60:].to_csv(home / "test.csv", index=False)
    for part, rows in (("train", table[:60]), ("test", table[60:])):
        kinds = [*(f"@attribute {x} numeric" for x in "abcd"),
                 *(f"@attribute {label} {{0,1}}" for label in LABELS)]  # fmt: skip
        lines = ["@relation music", *kinds, "@data", rows.to_csv(index=False, header=False)]
        (home / f"{part}.arff").write_text("\n".join(lines))
    names = "".join(f'<label name="{label}"/>' for label in LABELS)
    (home / "music.xml").write_text(f"<labels>{names}</labels>")
    datasets = {
        "music": f"""
_target_: mlmlm.datasets.load_csv
train: {home}/music.csv
labels: {LABELS}
test_size: 0.3
seed: 1
""",
        "music_fixed": f"""
_target_: mlmlm.datasets.load_csv
train: {home}/train.csv
test: {home}/test.csv
labels: {LABELS}
""",
        "music_arff": f"""
_target_: mlmlm.datasets.load_arff
train: {home}/train.arff
test: {home}/test.arff
xml: {home}/music.xml
""",
    }
    for group, files in (("dataset", datasets), ("method", METHODS)):
        folder = home / "conf" / group
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / f"{name}.yaml").write_text(text)
    (home / "conf" / "study").mkdir()
    (home / "conf" / "study" / "mine.yaml").write_text(
        f"name: mine\ndatasets: [music, emotions]\nmethods: [ml_mlm, {', '.join(METHODS)}]\n"
    )
    return home


def test_one_run_in_a_process_of_its_own(home, tmp_path):
    """As a user would: by Hydra's search path, with an estimator that is not ours."""
    answer = spawn(
        "experiments.run",
        f"hydra.searchpath=[file://{home / 'conf'}]",
        "dataset=music_arff",
        "method=knn",
        f"results={tmp_path}",
    )
    assert answer.code == 0, answer.err
    (name,) = record_files(tmp_path)
    assert name.startswith("music_arff/knn/")
    content = json.loads((tmp_path / name).read_text())
    assert content["published_as"] is None
    assert content["config"]["dataset"]["xml"] == "music.xml"
    assert str(home) not in (tmp_path / name).read_text()
    assert "scikit-learn" in content["code"]["packages"]
    assert content["metrics"].keys() >= {"ranking_loss", "accuracy"}


def test_a_study_of_own_and_published_data_and_methods(home, tmp_path, monkeypatch, capsys):
    answer = call(
        study.main,
        monkeypatch,
        capsys,
        "--config-dir",
        home / "conf",
        "study=mine",
        f"results={tmp_path / 'runs'}",
        f"output={tmp_path / 'study'}",
    )
    assert answer.code == 0, answer.out
    assert "15 computed, 0 reused, 1 taken from the committed results, 0 failed" in answer.out
    metrics = {
        path.parts[-4:-2]: json.loads(path.read_text())["metrics"]
        for path in record_files(tmp_path / "runs").values()
    }
    for method in ("knn", "mlp", "ridge", "tree", "chain", "mlknn"):
        assert "ranking_loss" in metrics["music", method]
    assert "ranking_loss" not in metrics["music", "perceptrons"]  # it cannot rank
    # Better than a ranking by chance: probabilities are taken of the right class.
    assert metrics["music", "knn"]["ranking_loss"] < 0.3
    assert metrics["music", "chain"]["ranking_loss"] < 0.2
    table = pd.read_csv(tmp_path / "study" / "tables" / "table_accuracy.csv", index_col="method")
    assert table.loc["knn", "music"] == pytest.approx(metrics["music", "knn"]["accuracy"])
    assert table.loc["knn", "Emotions"] == pytest.approx(metrics["emotions", "knn"]["accuracy"])


def test_csv_and_arff_are_the_same_data(home, tmp_path, monkeypatch, capsys):
    for name in ("music_fixed", "music_arff"):
        arguments = (f"dataset={name}", "method=nn_mlm", f"results={tmp_path}")
        answer = call(run.main, monkeypatch, capsys, "--config-dir", home / "conf", *arguments)
        assert answer.code == 0, answer.err
    one, other = (json.loads(path.read_text()) for path in record_files(tmp_path).values())
    assert one["identity"] == other["identity"]
    assert one["metrics"] == other["metrics"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["method=perceptrons", "metrics=ranking"], "does not rank"),
        (["method=knn", "method.n_neighbors=0"], "n_neighbors"),
        (["method=knn", "method.n_neighbors=1000"], "n_neighbors"),
        (["dataset.labels=[hapy]"], "Did you mean: happy?"),
        (["dataset.test_size=2"], "between 0 and 1"),
        (["dataset.train=/nowhere.csv"], "cannot be read"),
    ],
)
def test_mistakes_of_own_files_are_told_in_one_line(
    home, tmp_path, monkeypatch, capsys, arguments, word
):
    given = ("--config-dir", home / "conf", "dataset=music", f"results={tmp_path}", *arguments)
    answer = call(run.main, monkeypatch, capsys, *given)
    assert answer.code == 2
    assert answer.err.count("\n") == 1
    assert word in answer.err


def test_the_stratified_split_is_seeded_and_stratified():
    data = load_dataset("emotions")
    Y = np.vstack([data.Y_train, data.Y_test])
    state = np.random.get_state()[1].copy()
    train, test = stratified_holdout(Y, 0.3, seed=1)
    assert (np.random.get_state()[1] == state).all()  # nobody else's randomness is touched
    assert sorted([*train, *test]) == list(range(len(Y)))
    assert abs(len(test) / len(Y) - 0.3) < 0.02
    # The sizes are exact, so the label that is dealt out last can be off by some rows.
    differences = np.abs(Y[train].mean(axis=0) - Y[test].mean(axis=0))
    assert np.median(differences) < 0.005
    assert differences.max() < 0.05
    np.random.seed(7)
    again, _ = stratified_holdout(Y, 0.3, seed=1)
    np.testing.assert_array_equal(again, train)
    assert list(stratified_holdout(Y, 0.3, seed=2)[0]) != list(train)


def test_csv_columns_by_name(home, tmp_path):
    table = pd.read_csv(home / "test.csv")
    table[sorted(table, reverse=True)].to_csv(tmp_path / "shuffled.csv", sep=";", index=False)
    pd.read_csv(home / "train.csv").to_csv(tmp_path / "train.csv", sep=";", index=False)
    data = load_csv(
        tmp_path / "train.csv", LABELS[::-1], test=tmp_path / "shuffled.csv", separator=";"
    )
    assert data.name == "train"
    assert data.label_names == tuple(LABELS[::-1])
    assert data.feature_names == ("a", "b", "c", "d")
    np.testing.assert_array_equal(data.X_test, table[list("abcd")])
    np.testing.assert_array_equal(data.Y_test, table[LABELS[::-1]])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,y\n1,2\n", "row 1: label 'y' is 2"),
        ("a,y\n1,0\nred,1\n", "row 2: 'a' is 'red', not a number"),
        ("a,y\n,0\n", "row 1: 'a' is"),
        ("", "not a CSV file"),
        ("a,z\n1,0\n", "no column 'y'"),
    ],
)
def test_wrong_csv_files_are_told_with_their_place(tmp_path, content, message):
    path = tmp_path / "data.csv"
    path.write_text(content)
    with pytest.raises(DatasetError, match=message):
        load_csv(path, ["y"], test_size=0.5)


def test_a_csv_dataset_needs_one_kind_of_split_and_the_same_columns(home, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    with pytest.raises(DatasetError, match="either test"):
        load_csv(home / "music.csv", LABELS)
    with pytest.raises(DatasetError, match="columns differ"):
        load_csv(home / "train.csv", LABELS, test=other)
