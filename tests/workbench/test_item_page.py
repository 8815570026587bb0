"""The item page: what typed rules would do, saving, conflicts, versions, siblings, the list of items."""

from dataclasses import replace

import pytest

from assay.errors import BadOption, NotAllowed, UnknownName
from assay.suites import Examples, Rule
from assay.workbench.db.database import Store
from assay.workbench.files.importer import Import
from assay.workbench.items.item_list import ItemQuery, list_items
from assay.workbench.items.item_page import EditConflict, Inspection, ItemPage
from assay.workbench.items.rule_edits import BadRule
from assay.workbench.items.rule_rows import Typed
from tests.browser.workbench import one_text, painters
from tests.workbench.senses import Senses

LOCK = Typed("r0", "pass", "regex", r"\block\b")
CASTLE = Typed("r1", "fail", "regex", r"\bcastles?\b")


@pytest.fixture
def senses(store: Store) -> Senses:
    return Senses(store)


def typed(value: str, row: str = "n1", polarity: str = "pass") -> Typed:
    return Typed(row, polarity, "regex", value)


def saved(here: Inspection, *rules: Typed, base: int | None = None) -> ItemPage:
    page = here.save(rules, base=here.open().base if base is None else base)
    assert isinstance(page, ItemPage)
    return page


def test_texts_are_grouped_by_verdict_with_what_decides_them(senses: Senses) -> None:
    page = senses.inspection(senses.anna).open()
    assert {verdict: [text.value for text in texts] for verdict, texts in page.groups.items()} == {
        "warning": ["The latch is old.", "The bolt is old."],
        "pass": ["The lock is old."],
        "fail": ["The castle is old."],
    }
    assert [(row.typed, row.decides, row.by) for row in page.rows] == [(LOCK, 1, "eve"), (CASTLE, 1, "eve")]
    assert (page.previous, page.following, page.waiting) == (None, "senses/bank", "senses/bank")


def test_a_preview_is_exact_and_changes_nothing(senses: Senses) -> None:
    here = senses.inspection(senses.anna)
    preview = here.preview([LOCK, typed("latch|castle"), CASTLE])
    assert preview.foresight
    assert (
        preview.foresight.summary
        == "warning → pass 2 outputs (1 text) · fail → warning 1 output (1 text) · breaks 1 example"
    )
    assert [(row.decides, row.matches) for row in preview.rows] == [(1, 1), (2, 2), (1, 1)]
    then = {text.value: (text.verdict, list(text.marks)) for text in preview.texts}
    assert then["The latch is old."] == ("pass", [(4, 9, "pass")])
    assert then["The castle is old."] == ("warning", [(4, 10, "pass"), (4, 10, "fail")])
    assert then["The bolt is old."] == ("", [])
    assert (preview.changed, preview.problems, preview.siblings) == (True, 0, 3)
    assert len(here.open().versions) == 1


def test_a_preview_with_a_broken_rule_still_marks_the_others(senses: Senses) -> None:
    preview = senses.inspection(senses.anna).preview([LOCK, typed("(latch"), CASTLE])
    assert preview.foresight is None
    assert preview.problems == 1
    assert (preview.rows[1].problem, preview.rows[1].position) == ("does not compile: missing ) at position 6", 6)
    assert next(text for text in preview.texts if "castle" in text.value).marks == [(4, 10, "fail")]


def test_rules_that_stand_as_they_are_change_nothing(senses: Senses) -> None:
    here = senses.inspection(senses.anna)
    empty = typed("  ", "n9")
    assert not here.preview([LOCK, CASTLE]).changed
    preview = here.preview([CASTLE, LOCK, empty])
    assert not preview.changed, "fail rules stand behind pass rules anyway, and empty ones are left out"
    assert preview.rows[2].problem == "empty: left out when you save"
    with pytest.raises(BadOption, match="nothing was changed"):
        here.save([LOCK, CASTLE, empty], base=here.open().base)


def test_no_rule_is_lost_where_two_stand_in_one_row(senses: Senses) -> None:
    with pytest.raises(BadOption, match="two rules stand in the row 'r0'"):
        senses.inspection(senses.anna).preview([LOCK, replace(LOCK, value="latch")])


def test_saving_says_what_it_did(senses: Senses) -> None:
    page = saved(senses.inspection(senses.anna), LOCK, typed("latch"), CASTLE)
    assert page.told == "Saved as revision 2: warning → pass 2 outputs (1 text)."
    assert [text.value for text in page.groups["pass"]] == ["The lock is old.", "The latch is old."]
    assert [(row.by, row.typed.value) for row in page.rows] == [
        ("eve", r"\block\b"),
        ("anna", "latch"),
        ("eve", r"\bcastles?\b"),
    ]


def test_a_rule_that_runs_away_is_refused_before_anything_is_locked(senses: Senses) -> None:
    Import(*one_text("de-en", "a" * 60 + "!"), "import").run(senses.store, senses.eve)
    here = Inspection(senses.visits.visit(senses.anna, "single"), "one/text")
    runaway = typed("(a|aa)+$")
    preview = here.preview([typed("!", "n0"), runaway])
    assert preview.rows[1].problem == "takes too long; make it simpler, with fewer repeats"
    assert preview.foresight is None
    with pytest.raises(BadRule, match=r"takes more than 0.5 s on a text of one/text; make it simpler"):
        here.save([typed("!", "n0"), runaway], base=here.open().base)
    assert len(here.open().versions) == 1


def test_a_second_editor_is_told_and_can_put_the_change_on_top(senses: Senses) -> None:
    anna, ben = senses.inspection(senses.anna), senses.inspection(senses.ben)
    base = ben.open().base
    saved(anna, LOCK, typed("latch"), CASTLE)
    conflict = ben.save([typed("bolt"), CASTLE], base=base)
    assert isinstance(conflict, EditConflict)
    assert (conflict.version.by, conflict.gone, conflict.new) == ("anna", [], [Rule("pass", "regex", "latch")])
    assert len(anna.open().versions) == 2
    page = ben.save([row.typed for row in conflict.rows], base=conflict.version.id)
    assert isinstance(page, ItemPage)
    # Ben took the first rule away and added one; Anna's new one stays.
    assert [row.typed.value for row in page.rows] == ["latch", "bolt", r"\bcastles?\b"]


def test_versions_can_be_compared_and_restored(senses: Senses) -> None:
    here = senses.inspection(senses.anna)
    first = here.open().base
    second = saved(here, LOCK, typed("latch"), CASTLE).base
    third = saved(here, typed("latch"), CASTLE).base
    found = here.compare(third, first)
    assert (found.old.id, found.new.id) == (first, third)
    assert [str(rule) for rule in found.gone] == [r"pass:regex:\block\b"]
    assert [str(rule) for rule in found.added] == ["pass:regex:latch"]
    assert found.foresight
    assert found.foresight.summary == "warning → pass 2 outputs (1 text) · pass → warning 2 outputs (1 text)"
    assert here.compare(second, third).added == []
    page = here.restore(first)
    assert [row.typed for row in page.rows] == [LOCK, CASTLE]
    assert page.told == "Saved as revision 4: revision 1 restored."
    with pytest.raises(UnknownName, match="no version '9999'"):
        here.compare(first, 9999)


def test_siblings_have_consequences_of_their_own(senses: Senses) -> None:
    here = senses.inspection(senses.anna)
    rules = [LOCK, typed("latch|seat"), CASTLE]
    assert {found.item.id: found.foresight.summary for found in here.siblings(rules)} == {
        "senses/bank": "warning → pass 2 outputs (1 text)",
        "senses/kiefer": "changes no verdict",
        "senses/ball": "changes no verdict",
    }
    page = here.save(rules, base=here.open().base, also=["senses/bank"])
    assert isinstance(page, ItemPage)
    assert page.told.endswith("1 sibling got the same change: warning → pass 2 outputs (1 text).")
    assert senses.text("The seat is old.").decided
    with pytest.raises(UnknownName, match="no sibling 'senses/tor'"):
        here.save([*rules, typed("x", "n2")], base=page.base, also=["senses/tor"])


def test_a_judgement_and_taking_it_back(senses: Senses) -> None:
    here = senses.inspection(senses.anna)
    text = senses.text("The bolt is old.")
    page = here.judge(text.id, "fail")
    assert [found.value for found in page.groups["fail"]] == ["The castle is old.", "The bolt is old."]
    page = here.withdraw(text.id)
    assert [found.value for found in page.groups["warning"]] == ["The latch is old.", "The bolt is old."]
    assert here.withdraw(text.id).told == "You have not judged this text."
    assert [(deed.by, deed.words, deed.undone) for deed in here.history()] == [
        ("anna", "took back a judgement", False),
        ("anna", "judged fail", True),
        ("eve", "revision 1", False),
    ]


def test_proposals_come_from_the_texts_that_were_ticked(senses: Senses) -> None:
    def tick(side: str, word: str) -> str:
        return f"{side}:{senses.text(f'The {word} is old.').id}"

    here = senses.inspection(senses.anna)
    # One word in one place: that tells nothing about texts nobody has seen.
    assert here.propose([tick("right", "lock"), tick("right", "bolt"), "right:0", "nonsense"]) == []
    Import(*painters(), "import of painters").run(senses.store, senses.eve)
    house = Inspection(senses.visits.visit(senses.anna, "painters"), "one/house")
    ids = [text.id for text in house.open().groups["warning"] if not text.value.startswith("You have coated")]
    (best,) = house.propose([f"right:{text_id}" for text_id in ids])
    assert (best.rule.polarity, best.covers, best.of, best.wrongly, best.others) == ("pass", 3, 3, 0, 1)
    # What the item's exact rules and examples say is held against it.
    item = replace(painters()[0].items[0], examples=Examples((), ("You have coated the house.",)))
    Import(replace(painters()[0], items=(item,)), None, "again").run(senses.store, senses.eve)
    assert house.propose([f"right:{text_id}" for text_id in ids]) == []
    assert here.propose([]) == []


def test_viewers_change_nothing(senses: Senses) -> None:
    here = senses.inspection(senses.vera)
    page = here.open()
    assert not senses.vera.may("annotator")
    with pytest.raises(NotAllowed):
        here.save([LOCK], base=page.base)
    with pytest.raises(NotAllowed):
        here.judge(senses.text("The bolt is old.").id, "fail")


def test_items_are_found_by_words_of_their_outputs(senses: Senses) -> None:
    found = senses.read(list_items, ItemQuery("SPIGOT"))
    assert [(line.id, line.found) for line in found.lines] == [("senses/hahn", "The spigot is old.")]
    assert [line.id for line in senses.read(list_items, ItemQuery("schloss")).lines] == ["senses/schloss"]
    assert senses.read(list_items, ItemQuery("nowhere")).total == 0


def test_items_are_filtered_and_counted(senses: Senses) -> None:
    found = senses.read(list_items, ItemQuery(category="Ambiguity", phenomenon="Gender"))
    assert (found.total, found.pages) == (4, 1)
    assert senses.read(list_items, ItemQuery(category="False friends", phenomenon="Gender")).total == 4
    line = found.lines[0]
    assert (line.texts, line.passing, line.failing, line.waiting) == (4, 1, 1, 2)
    for text_id in senses.snapshot.by_item[0]:
        if not senses.snapshot.texts[text_id].decided:
            senses.judge(senses.anna, senses.snapshot.texts[text_id].value, "pass")
    waiting = senses.read(list_items, ItemQuery(waiting=True))
    assert waiting.total == 11
    assert senses.read(list_items, ItemQuery(page=99)).wanted.page == 1
