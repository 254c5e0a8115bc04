"""A fit that cannot fit says so at once."""

import numpy as np
import pytest

from mlmlm import MultiLabelMLM, memory
from mlmlm._parallel import parallel_map


def test_refuses_before_the_work_with_both_figures(monkeypatch):
    rng = np.random.default_rng(0)
    monkeypatch.setattr(memory, "available_bytes", lambda: 3_000)
    with pytest.raises(MemoryError, match=r"60 rows .* needs about .* GB, and .* GB is available"):
        MultiLabelMLM().fit(rng.random((60, 3)), rng.random((60, 4)) < 0.4)


def test_estimate_grows_with_the_square_of_the_references():
    small, large = (memory.fit_peak_bytes(k, 10, 5, 7) for k in (20_000, 40_000))
    assert 3.5 < large / small < 4


def test_group_limit_counts(tmp_path):
    unlimited = memory.available_bytes(tmp_path)
    (tmp_path / "memory.current").write_text("1000\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.available_bytes(tmp_path) == pytest.approx(unlimited, rel=0.2)
    (tmp_path / "memory.max").write_text("5000\n")
    assert memory.available_bytes(tmp_path) == 4000


def test_parallel_map_keeps_the_order_and_few_results_waiting():
    started: list[int] = []

    def work(item: int) -> int:
        started.append(item)
        return item * item

    results = parallel_map(work, range(100))
    assert next(results) == 0
    assert len(started) < 20
    assert list(results) == [item * item for item in range(1, 100)]
