"""A study in an interpreter of its own."""

from tests.kill_study.victim import run_study

if __name__ == "__main__":
    run_study()
