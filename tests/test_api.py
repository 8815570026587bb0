"""The public names: all of them load, none is loaded before it is used."""

import subprocess
import sys

import pytest

import assay


def test_every_public_name_loads() -> None:
    for name in assay.__all__:
        assert getattr(assay, name) is not None


def test_dir_lists_the_public_names() -> None:
    assert dir(assay) == sorted(assay.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="evalute"):
        getattr(assay, "evalute")  # noqa: B009


def modules_after(code: str) -> set[str]:
    script = f"{code}\nimport sys; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split()[-5000:])


def test_importing_assay_loads_nothing_heavy() -> None:
    loaded = modules_after("import assay")
    assert not loaded & {"numpy", "yaml", "regex", "click", "scipy"}
    assert "numpy" in modules_after("import assay; assay.Suite")


def test_saying_the_version_loads_nothing_heavy() -> None:
    loaded = modules_after("import sys; sys.argv[1:] = ['--version']; from assay.cli import main; main()")
    assert not loaded & {"numpy", "yaml", "regex", "click", "scipy", "argparse"}
