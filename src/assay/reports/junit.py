"""The checks of a gate as JUnit XML, which continuous integrations show as tests."""

from xml.etree.ElementTree import Element, SubElement, indent, tostring

from assay.evaluation.gate import Gate, GateCheck
from assay.reports.comparison import item_lines
from assay.text import visible


def render_junit(gate: Gate, name: str = "assay") -> str:
    """A test for each check; of a failed one the reason, and the items that it counts."""
    failed = sum(not check.passed for check in gate.checks)
    suite = Element("testsuite", name=name, tests=str(len(gate.checks)), failures=str(failed), errors="0", skipped="0")
    for check in gate.checks:
        case = SubElement(suite, "testcase", classname=name, name=check.name)
        if not check.passed:
            SubElement(case, "failure", message=visible(check.reason)).text = visible(_details(check))
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _details(check: GateCheck) -> str:
    return "\n".join([check.reason, *item_lines(check.items, None, (">>", "<<"))])
