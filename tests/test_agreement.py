"""The published figures, reproduced: which cells of the small datasets do not agree."""

from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from omegaconf import OmegaConf

from experiments.choices import DatasetChoice, MethodChoice, plain
from experiments.comparison import record_cells
from experiments.execute import Workbench
from mlmlm.datasets import load_dataset

METHODS = Path(__file__).parents[1] / "conf" / "method"


@cache
def bench(dataset: str) -> Workbench:
    return Workbench(DatasetChoice(dataset, {}), load_dataset(dataset))


def cells(dataset: str, overflow: str = "stable") -> pd.DataFrame:
    rows = []
    for name in ("ml_mlm", "nn_mlm", "lls_mlm", "br_mlm"):
        config = plain(OmegaConf.load(METHODS / f"{name}.yaml"))
        if name == "ml_mlm":
            config["overflow"] = overflow
        record, _ = bench(dataset).run(MethodChoice(name, config))
        rows += [cell for cell in record_cells(record) if cell.agrees is not None]
    return pd.DataFrame(rows)


def differing(frame: pd.DataFrame) -> set[tuple[str, str]]:
    different = frame[~frame["agrees"].astype(bool)]
    return set(zip(different["method"], different["metric"], strict=True))


@pytest.mark.parametrize(
    ("dataset", "overflow", "expected"),
    [
        # 243 of 1212 predictions are wrong: 0.2005, and the count cannot be 244 by parity.
        ("emotions", "stable", {("lls_mlm", "hamming_loss")}),
        ("scene", "stable", set()),
        ("yeast", "stable", set()),
        # Scores of 24 and more test rows tie; the orders of ties span 0.678 to 0.689.
        ("enron", "stable", {("ml_mlm", "average_precision")}),
        ("medical", "published", set()),
    ],
)
def test_published_cells_agree_but_for_the_known_ones(dataset, overflow, expected):
    frame = cells(dataset, overflow)
    assert frame["table"].value_counts().to_dict() == {"results": 28, "power_distance": 3}
    assert differing(frame) == expected


def test_without_the_overflow_only_ml_mlm_differs_on_medical():
    different = differing(cells("medical"))
    assert {method for method, _ in different} == {"ml_mlm"}
    assert len(different - {("ml_mlm", "log2_power")}) <= 6
