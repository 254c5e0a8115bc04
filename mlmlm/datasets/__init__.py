"""The benchmark's datasets: where they come from, what they hold, what is odd about them.

``load_dataset`` tries a folder of ARFF files, then the cache, then the network, and gives the same
arrays whichever answers. ``load_arff`` and ``load_csv`` read a user's own files.
``characteristics`` is one row of the paper's data table and ``audit`` lists what a careful reader
would ask about. ``stratified_folds`` and ``stratified_holdout`` divide rows so that labels are
about equally frequent in every part.
"""

from mlmlm.datasets._audit import Audit, Characteristics, audit, characteristics
from mlmlm.datasets._catalogue import CATALOGUE
from mlmlm.datasets._csv_file import load_csv
from mlmlm.datasets._dataset import Dataset, DatasetError
from mlmlm.datasets._label_order import in_xml_order
from mlmlm.datasets._loading import list_datasets, load_arff, load_dataset
from mlmlm.datasets._stratification import stratified_folds, stratified_holdout

__all__ = [
    "CATALOGUE",
    "Audit",
    "Characteristics",
    "Dataset",
    "DatasetError",
    "audit",
    "characteristics",
    "in_xml_order",
    "list_datasets",
    "load_arff",
    "load_csv",
    "load_dataset",
    "stratified_folds",
    "stratified_holdout",
]
