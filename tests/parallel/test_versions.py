"""What has to be the same on all machines, and what only where it is there."""

from assay.parallel.versions import differences, versions

HERE = {"Python": "3.11.7", "assay": "0.1.0", "plugin mine": "1.0", "sacrebleu": "2.6.0"}


def test_this_process_fits_itself() -> None:
    assert differences(versions(), versions()) == []
    assert {"Python", "assay", "numpy", "regex"} <= versions().keys()


def test_what_is_another_version_or_missing() -> None:
    there = {"Python": "3.12.1", "assay": "0.1.0", "sacrebleu": "2.5.0", "torch": "2.2.0"}
    assert differences(HERE, there) == [
        "Python 3.12.1 instead of 3.11.7",
        "plugin mine not installed instead of 1.0",
        "sacrebleu 2.5.0 instead of 2.6.0",
    ]


def test_a_worker_may_lack_what_it_does_not_need() -> None:
    assert differences(HERE, {name: version for name, version in HERE.items() if name != "sacrebleu"}) == []
