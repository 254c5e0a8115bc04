"""The harness: runs the methods on the paper's datasets and compares with its figures."""
