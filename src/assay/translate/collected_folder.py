"""The folder that `assay translate` collects into, with a journal of answers beside every system's outputs."""

from assay.errors import AssayError
from assay.outputs.output_folder import OutputFolder
from assay.translate.journal import journalled_texts


class CollectedFolder(OutputFolder):
    """An output folder that knows its own outputs also after a run that was killed before it named them."""

    def is_own(self, system: str) -> bool:
        """Whether its outputs are as they were written, or all in its journals."""
        if super().is_own(system):
            return True
        try:
            known, outputs = journalled_texts(self.path, system), self.read(system)
        except AssayError:
            return False
        # The outputs may be older than the last answers, or lack some of them, but hold nothing that is in no journal.
        texts = ((self.suite.items[owner], text) for owner, text in zip(outputs.owners, outputs.texts, strict=True))
        return bool(known) and all(not text or text in known.get(item.source, ()) for item, text in texts)
