"""The texts of a suite in a database, for imports: those that are there are found, new ones are judged and added."""

from collections.abc import Sequence

from sqlalchemy import Connection

from assay.errors import UnknownName
from assay.text import normalise
from assay.workbench.db.outputs import add_texts, digest, outputs_changed, text_ids
from assay.workbench.db.ruled import RuleTexts, rule_texts
from assay.workbench.db.suites import StoredSuite, removed_items


class SuiteTexts:
    """See the module. `added` counts what was new; items that were removed from the suite have texts too."""

    def __init__(self, db: Connection, stored: StoredSuite, judge: RuleTexts = rule_texts) -> None:
        self.db, self.suite_id, self.added = db, stored.id, 0
        self._judge = judge
        pairs = zip(stored.item_ids, stored.suite.items, strict=True)
        self._items = {item.id: (item_id, item) for item_id, item in pairs} | removed_items(db, stored.id)
        self._known = text_ids(db, stored.id)

    def item_id(self, item: str) -> int:
        """The id that an item has in the database."""
        return self._items[item][0]

    def find(self, item: str, text: str) -> int | None:
        """The id of a text; None where it is not there, or its item is not."""
        return self._known.get((self.item_id(item), digest(normalise(text)))) if item in self._items else None

    def take(
        self, wanted: Sequence[tuple[str, str]], firsts: Sequence[int] | None = None, *, outputs_follow: bool = False
    ) -> list[int]:
        """The ids of texts (item, text); `firsts` is what rules first said of each, where that is longer ago.

        Where outputs follow, writing these tells that the suite has to be read anew.
        """
        for name, _ in wanted:
            if name not in self._items:
                raise UnknownName("item", name, self._items)
        texts = [normalise(text) for _, text in wanted]
        keys = [(self.item_id(name), digest(text)) for (name, _), text in zip(wanted, texts, strict=True)]
        new: dict[tuple[int, str], int] = {}
        for place, key in enumerate(keys):
            if key not in self._known:
                new.setdefault(key, place)
        if new:
            ruled = self._judge([(self._items[wanted[place][0]][1], texts[place]) for place in new.values()])
            rows = [(keys[place][0], texts[place], said) for place, said in zip(new.values(), ruled, strict=True)]
            added = add_texts(self.db, rows, [firsts[place] for place in new.values()] if firsts else None)
            self._known |= dict(zip(new, added, strict=True))
            self.added += len(added)
            if not outputs_follow:
                outputs_changed(self.db, self.suite_id)
        return [self._known[key] for key in keys]
