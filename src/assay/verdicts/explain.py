"""`assay explain`: why an output was judged as it was."""

from collections.abc import Iterator, Sequence

from assay.errors import BadOption, UnknownName
from assay.outputs import Inputs
from assay.verdicts.judge import RuleJudge
from assay.verdicts.table import select
from assay.verdicts.verdict import Judged


def explain_items(
    inputs: Inputs,
    items: Sequence[str],
    phenomenon: str | None,
    *,
    verdict: str | None = None,
    systems: Sequence[str] = (),
) -> Iterator[list[Judged]]:
    """The verdicts on the outputs of some items, with reason and evidence, item by item; all items with a `verdict`.

    Only those of some systems, and only those with this verdict; items that have none are left out.
    """
    suite, outputs = inputs.load()
    known = {name for _, name in suite.phenomena}
    if phenomenon is not None and phenomenon not in known:
        raise UnknownName("phenomenon", phenomenon, known)
    outputs = select(outputs, systems or None)
    chosen = [suite.item(item_id) for item_id in items]
    chosen += [item for item in suite if item.phenomenon == phenomenon]
    if not items and phenomenon is None and verdict is not None:
        chosen = list(suite)
    if not chosen:
        raise BadOption(
            "nothing to explain; name an item (--item ID), a phenomenon (--phenomenon NAME) or a verdict (--verdict)"
        )
    # Only the rules of these items are compiled.
    judge = RuleJudge(chosen)
    for item in chosen:
        position = suite.positions[item.id]
        lines = []
        for column, system in enumerate(outputs.systems):
            text = outputs.text(position, column)
            finding = judge.judge(item, text)
            if verdict in (None, str(finding.verdict)):
                lines.append(Judged(item, system, text, finding))
        if lines:
            yield lines
