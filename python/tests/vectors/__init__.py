"""vectors — runs the shared vector suite; tests/vectors/README.md of the repository is its contract."""
