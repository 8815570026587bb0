"""A fuzzer: files of every kind that Assay reads, damaged, and the commands that read them.

    make fuzz                          2,000 runs with the seed 1
    make fuzz SEED=7 RUNS=20000
    python -m tests.fuzz --seed 7 --run 123      one of them again

Whatever is in a file, a command ends with one of its exit codes, says what is wrong in one line, and writes everything
or nothing, within limits of time and memory (`tests/fuzz/attempt.py`). What breaks that is kept in `fuzz-findings/`.
"""
