"""The benchmark's datasets: where they come from, what they hold, what is odd about them.

``load_dataset`` tries a folder of Mulan ARFF files, then the cache, then the network, and gives
the same arrays whichever answers. ``load_arff`` and ``load_csv`` read a user's own files.
``characteristics`` is one row of the paper's data table and ``audit`` lists what a careful reader
would ask about.
"""

from mlmlm.datasets.audit import Audit, Characteristics, audit, characteristics
from mlmlm.datasets.csv_file import load_csv
from mlmlm.datasets.dataset import Dataset, DatasetError
from mlmlm.datasets.loading import list_datasets, load_arff, load_dataset

__all__ = [
    "Audit",
    "Characteristics",
    "Dataset",
    "DatasetError",
    "audit",
    "characteristics",
    "list_datasets",
    "load_arff",
    "load_csv",
    "load_dataset",
]
