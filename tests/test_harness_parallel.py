"""Hydra's launchers: joblib on two processes, submitit's local executor."""

import json

import joblib
import pytest

from tests.harness import record_files, spawn


@pytest.mark.slow
@pytest.mark.parametrize(
    ("launcher", "setting"),
    [("joblib", "n_jobs=2"), ("submitit_local", "cpus_per_task=1")],
)
def test_launcher_runs_all_and_holds_blas_to_the_cores(launcher, setting, tmp_path):
    pytest.importorskip(f"hydra_plugins.hydra_{launcher.partition('_')[0]}_launcher")
    answer = spawn(
        "experiments.run",
        "-m",
        f"hydra/launcher={launcher}",
        f"hydra.launcher.{setting}",
        "method=ml_mlm,nn_mlm",
        f"results={tmp_path}",
        OPENBLAS_NUM_THREADS=str(joblib.cpu_count()),
    )
    assert answer.code == 0, answer.err
    files = record_files(tmp_path)
    assert [name.split("/")[1] for name in files] == ["ml_mlm", "nn_mlm"]
    for path in files.values():
        blas = json.loads(path.read_text())["provenance"]["blas"]
        threads = max(library["num_threads"] for library in blas)
        assert threads == (max(1, joblib.cpu_count() // 2) if launcher == "joblib" else 1)
