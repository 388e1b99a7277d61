"""Benchmarks: figures for people, printed by `script/bench`; no test depends on them."""
