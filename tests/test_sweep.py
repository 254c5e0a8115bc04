"""A study of settings: methods under each combination of some of their parameters."""

import json

import pytest

from experiments import study
from experiments.choices import DatasetChoice, MethodChoice
from experiments.errors import UsageError
from experiments.plan import Plan
from experiments.sweep import check_sweep, each_setting
from tests.harness import call

NEIGHBORS = MethodChoice(
    "neighbors",
    {"_target_": "sklearn.neighbors.KNeighborsClassifier", "n_neighbors": 5, "published_as": "kNN"},
)
SETTINGS = [{"n_neighbors": 5}, {"n_neighbors": [1, 3], "weights": ["uniform", "distance"]}]


def swept(settings, method=NEIGHBORS):
    return list(each_setting(method, {"methods": [method.name], "settings": settings}))


def test_every_combination_once_and_the_method_itself_where_nothing_changes():
    itself, *others = swept(SETTINGS)
    assert itself is NEIGHBORS
    made = [(each.config["n_neighbors"], each.config["weights"]) for each in others]
    assert made == [(1, "uniform"), (1, "distance"), (3, "uniform"), (3, "distance")]
    assert len({each.name for each in others}) == 4
    assert others[0].title == "kNN, n_neighbors 1, weights uniform"
    assert {each.published_as for each in others} == {None}
    assert {each.config["swept"] for each in others} == {"neighbors"}
    assert others[0].estimator().n_neighbors == 1


def test_a_method_that_is_not_swept_stays():
    assert list(each_setting(NEIGHBORS, {"methods": ["other"], "settings": SETTINGS})) == [
        NEIGHBORS
    ]
    assert list(each_setting(NEIGHBORS, None)) == [NEIGHBORS]


def test_seeds_are_a_list_of_their_own():
    method = MethodChoice("ours", {"_target_": "mlmlm.MultiLabelMLM", "references": None})
    (chosen,) = swept([{"references": 0.5, "seeds": [1, 2, 3]}], method)
    assert [each.estimator().random_state for each in chosen.each_seed()] == [1, 2, 3]


@pytest.mark.parametrize(
    ("sweep", "told"),
    [
        ({"methods": ["neighbors"]}, "a sweep has the keys methods, settings"),
        ({"methods": ["neighbours"], "settings": SETTINGS}, "Did you mean: neighbors"),
        ({"methods": ["neighbors"], "settings": [{}]}, "a setting of a sweep is of parameters"),
        ({"methods": ["neighbors"], "settings": ["k"]}, "a setting of a sweep is of parameters"),
        ({"methods": ["neighbors"], "settings": [{"k": []}]}, "has no value for 'k'"),
    ],
)
def test_mistakes_are_told(sweep, told):
    with pytest.raises(UsageError, match=told):
        check_sweep(sweep, ["neighbors"])


def test_some_datasets_may_have_fewer_seeds():
    method = MethodChoice("ours", {"_target_": "mlmlm.MultiLabelMLM", "references": None})
    settings = [{"references": None}, {"references": [0.1, 0.5], "seeds": [4, 2]}]
    methods = [each for setting in swept(settings, method) for each in setting.each_seed()]
    plan = Plan("toy", [], [], methods, seeds_on={"yeast": 1})
    yeast, scene = (plan.methods_on(DatasetChoice(name, {})) for name in ("yeast", "scene"))
    assert [each.seed for each in scene] == [None, 4, 2, 4, 2]
    assert [each.seed for each in yeast] == [None, 4, 4]


@pytest.mark.parametrize(
    ("seeds", "told"),
    [
        ("+study.seeds.emotions=0", "study.seeds must be a number of seeds, 1 or more, not 0"),
        ("+study.seeds.emotion=1", "Did you mean: emotions"),
    ],
)
def test_wrong_numbers_of_seeds_are_told(seeds, told, tmp_path, monkeypatch, capsys):
    output = f"output={tmp_path / 'references'}"
    done = call(study.main, monkeypatch, capsys, "study=references", seeds, output)
    assert done.code == 2
    assert told in done.err


def test_a_study_of_settings(tmp_path, monkeypatch, capsys):
    """Those of one setting follow each other, for they share a regression; a second run has all."""
    arguments = (
        "study=references",
        "study.datasets=[emotions]",
        "+study.reuse_committed=false",
        "study.sweep.settings=[{references:null},{references:[20,0.1],seeds:[1,2]}]",
        f"results={tmp_path / 'runs'}",
        f"output={tmp_path / 'references'}",
    )
    first = call(study.main, monkeypatch, capsys, *arguments)
    assert first.code == 0, first.err
    names = list(json.loads((tmp_path / "references" / "study.json").read_text())["runs"])
    assert len(names) == 2 * (1 + 2 * 2)
    settings = [name.split("/")[-1].split("_mlm")[-1] for name in names]
    assert settings[::2] == settings[1::2]
    assert "enough on Emotions" in first.out
    page = (tmp_path / "references" / "report.html").read_text()
    assert "Share of the inputs that is enough" in page
    again = call(study.main, monkeypatch, capsys, *arguments)
    assert "0 computed, 10 reused" in again.out
