"""Tools around the library that are not part of it."""
