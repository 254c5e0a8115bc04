"""One run: a method on a dataset, compared with the published figures and kept.

Usage::

    python -m experiments.run dataset=yeast method=ml_mlm
    python -m experiments.run --help
"""

from __future__ import annotations

if __name__ == "__main__":
    from experiments.interrupts import end_at_once

    end_at_once()  # before the imports below, which take seconds

from pathlib import Path

import hydra
from omegaconf import DictConfig
from rich.console import Console

from experiments.choices import check_metrics
from experiments.errors import run_command, single_run
from experiments.execute import Workbench, obtain
from experiments.settings import (
    chosen_dataset,
    chosen_method,
    chosen_metrics,
    folder_setting,
    switch,
)
from experiments.store import RECORD, Store
from experiments.terminal.display import print_wide, run_report
from experiments.terminal.progress_bar import phase_bar
from mlmlm.files import sweep_temporary

CONFIGURATION = str(Path(__file__).parents[1] / "conf")


@hydra.main(version_base="1.3", config_path=CONFIGURATION, config_name="config")
@single_run
def main(config: DictConfig) -> None:
    """Obtain the record that a configuration asks for, and show it."""
    dataset, method = chosen_dataset(config), chosen_method(config)
    metrics = chosen_metrics(config)
    check_metrics(metrics, method)
    store = Store(folder_setting(config, "results"))
    force = switch(config, "force")
    sweep_temporary(store.root)
    console = Console()
    with phase_bar(f"{method.name} on {dataset.name}") as show:
        bench = Workbench(dataset, dataset.load(), show)
        obtained = obtain(
            store,
            bench,
            method,
            force,
            when_busy=lambda: print_wide(
                console, "another process computes this run; waiting for it"
            ),
        )
    if obtained.note is not None:
        print_wide(console, obtained.note)
    console.print(run_report(obtained.record, metrics))
    path = Path(config.results) / obtained.key.path / RECORD
    print_wide(console, f"{'reused' if obtained.reused else 'computed'}: {path}")


if __name__ == "__main__":
    run_command(main)
