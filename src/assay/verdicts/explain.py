"""`assay explain`: why an output was judged as it was."""

from collections.abc import Iterator, Sequence

from assay.errors import BadOption, UnknownName
from assay.outputs import Inputs
from assay.verdicts.judge import RuleJudge
from assay.verdicts.verdict import Judged


def explain_items(inputs: Inputs, items: Sequence[str], phenomenon: str | None) -> Iterator[list[Judged]]:
    """The verdicts on the outputs of some items, with reason and evidence, item by item."""
    suite, outputs = inputs.load()
    known = {name for _, name in suite.phenomena}
    if phenomenon is not None and phenomenon not in known:
        raise UnknownName("phenomenon", phenomenon, known)
    chosen = [suite.item(item_id) for item_id in items]
    chosen += [item for item in suite if item.phenomenon == phenomenon]
    if not chosen:
        raise BadOption("nothing to explain; name an item (--item ID) or a phenomenon (--phenomenon NAME)")
    # Only the rules of these items are compiled.
    judge = RuleJudge(chosen)
    for item in chosen:
        position = suite.positions[item.id]
        texts = [outputs.text(position, column) for column in range(len(outputs.systems))]
        yield [
            Judged(item, system, text, judge.judge(item, text))
            for system, text in zip(outputs.systems, texts, strict=True)
        ]
