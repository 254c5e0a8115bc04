"""The kinds of files that are damaged, one module each."""
