"""Histories and events as files: what is written is read again, and a broken line is told."""

import io
import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadFile
from assay.outputs import System
from assay.suites import Examples, Item, Label, Rule, Suite
from assay.verdicts import Verdict
from assay.verdicts.events import EventLine, read_events, write_events
from assay.verdicts.judgements import Event
from assay.workbench.db.revisions import heading_of
from assay.workbench.files.history_file import read_history, write_history
from assay.workbench.files.history_records import (
    SEEN,
    History,
    ItemPlace,
    PastOutput,
    PastPerson,
    PastSystem,
    PastText,
    PastVersion,
    Revision,
    last_part,
    without_folder,
)
from assay.workbench.people.roles import ROLES

WHEN = "2026-11-15T10:03:00.000000Z"
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
named = words.filter(bool)
verdicts = st.sampled_from(Verdict)

ITEM = Item("words/a", "Ambiguity", "Words", "Das Schloss.", (Rule("pass", "regex", "lock", "i", "of a door"),))
HEADING = heading_of(Suite("little", "de-en", (), {"Ambiguity": {"Words": ""}}, authors=("Ada",)))
LITTLE = History(
    created=WHEN,
    people=(PastPerson("Anna", "admin", True, {"keys": {"pass": "p"}}, WHEN),),
    revisions=(Revision(1, "Anna", WHEN, "first", HEADING), Revision(2, "Anna", WHEN, "", HEADING)),
    entries=(ItemPlace("words/a", 0, "0123"),),
    versions=(PastVersion(1, ITEM, False, (("Anna", WHEN),)), PastVersion(2, replace(ITEM, rules=()), True, ())),
    deliveries=(PastSystem(System("X", "2025", {"kind": "llm"}, "x.txt"), "Anna", WHEN),),
    texts=(PastText("words/a", "The lock.", Verdict.PASS, {"Anna": ("systems", "judgements")}),),
    outputs=(PastOutput(System("X", "2025"), "words/a", "The  lock."),),
)


def written(history: History) -> str:
    stream = io.StringIO()
    write_history(history, stream)
    return stream.getvalue()


def again(history: History) -> History:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "history.jsonl"
        path.write_text(written(history), encoding="utf-8", newline="")
        return read_history(path)


rules = st.builds(
    Rule,
    polarity=st.sampled_from(("pass", "fail")),
    kind=st.sampled_from(("regex", "exact", "contains")),
    value=words,
    flags=st.sampled_from(("", "i")),
    note=words,
    by=st.just(""),
    on=st.just(""),
)


def _as_labels(rules: list[Rule]) -> tuple[Rule, ...]:
    return tuple(replace(rule, polarity="pass") for rule in rules)


items = st.builds(
    Item,
    id=named,
    category=words,
    phenomenon=words,
    source=words,
    rules=st.lists(rules, max_size=2).map(tuple),
    tests=words,
    examples=st.builds(Examples, st.lists(words, max_size=1).map(tuple), st.lists(words, max_size=1).map(tuple)),
    tags=st.lists(words, max_size=2).map(tuple),
    notes=words,
    held_out=st.booleans(),
    prompt=words,
    context=words,
    group=words,
    independent=st.booleans(),
    renderings=st.sampled_from(("", "same", "differ")),
    labels=st.lists(st.builds(Label, named, st.lists(rules, max_size=2).map(_as_labels)), max_size=2).map(tuple),
    rubric=words,
)


@st.composite
def histories(draw: st.DrawFn) -> History:
    people = draw(st.lists(named, min_size=1, max_size=3, unique=True))
    person = st.sampled_from(people)
    found = draw(st.lists(items, min_size=1, max_size=3, unique_by=lambda item: item.id))
    taxonomy = draw(st.dictionaries(words, st.dictionaries(words, words, max_size=1)))
    heading = heading_of(Suite(draw(named), "de-en", (), taxonomy))
    systems = draw(st.lists(st.builds(System, named, words, st.dictionaries(named, words)), unique=True, max_size=2))
    return History(
        created=WHEN,
        people=tuple(PastPerson(name, draw(st.sampled_from(ROLES)), draw(st.booleans()), {}, WHEN) for name in people),
        revisions=tuple(Revision(number, draw(person), WHEN, draw(words), heading) for number in (1, 2)),
        entries=tuple(ItemPlace(item.id, place, draw(words)) for place, item in enumerate(found)),
        versions=tuple(
            PastVersion(1, item, draw(st.booleans()), tuple((draw(person), WHEN) for _ in item.rules)) for item in found
        ),
        deliveries=tuple(PastSystem(system, draw(person), WHEN) for system in systems),
        texts=tuple(
            PastText(
                item.id, draw(words), draw(st.sampled_from(Verdict)), {draw(person): (draw(st.sampled_from(SEEN)),)}
            )
            for item in found
        ),
        outputs=tuple(PastOutput(system, found[0].id, draw(words)) for system in systems),
    )


@given(histories())
def test_a_history_is_read_as_it_was_written(history: History) -> None:
    assert again(history) == history
    assert written(again(history)) == written(history)


def test_a_heading_that_changed_in_its_order_alone_is_written() -> None:
    two = [{"A": {"x": "", "y": ""}}, {"A": {"y": "", "x": ""}}]
    revisions = tuple(
        Revision(number, "Anna", WHEN, "", HEADING | {"taxonomy": taxonomy}) for number, taxonomy in enumerate(two, 1)
    )
    found = again(replace(LITTLE, revisions=revisions)).revisions
    assert [list(revision.heading["taxonomy"]["A"]) for revision in found] == [["x", "y"], ["y", "x"]]


def test_other_names_leave_nothing_of_the_old_ones() -> None:
    folder = replace(LITTLE.deliveries[0].system, file="/home/Anna/x.txt")
    history = replace(
        LITTLE,
        revisions=(Revision(1, "Anna", WHEN, "import of /home/Anna/suite", HEADING), LITTLE.revisions[1]),
        deliveries=(PastSystem(folder, "Anna", WHEN),),
    )
    assert "Anna" in written(history)
    said = written(history.renamed({"Anna": "annotator-1"}.__getitem__))
    assert "Anna" not in said
    assert '"comment": "import of suite"' in said
    assert '"file": "x.txt"' in said
    assert "keys" not in said


@pytest.mark.parametrize("path", ["/home/Anna/suite", "/home/Anna/suite/", "C:\\Anna\\suite\\", "suite"])
def test_of_a_path_only_what_the_file_or_folder_is_called_is_left(path: str) -> None:
    assert last_part(path) == "suite"
    assert without_folder(f"import of {path}") == "import of suite"


@pytest.mark.parametrize(
    ("line", "changed", "message"),
    [
        (0, {"format": 2}, ":1: the format is 2, not 1; update Assay"),
        (1, {"role": "king"}, ":2: 'role' is 'king'; one of viewer, annotator, adjudicator, admin"),
        (1, {"active": 1}, ":2: 'active' is 1, neither true nor false"),
        (2, {"number": 3}, ":3: revision 3 stands where 1 is due"),
        (2, {"by": "Ben"}, ":3: there is no person 'Ben' before it"),
        (2, {"heading": []}, ":3: 'heading' is [], not an object"),
        (4, {"position": -1}, ":5: 'position' is -1, not a number from 0"),
        (5, {"id": "words/b"}, ":6: there is no item 'words/b' before it"),
        (5, {"revision": 7}, ":6: there is no revision 7 before it"),
        (5, {"rules": [{"polarity": "maybe"}]}, ":6: 'by' is None, not a text"),
        (8, {"first": "perhaps"}, ":9: 'first' is 'perhaps'; one of warning, fail, pass"),
        (8, {"seen": {"Anna": ["all"]}}, ":9: 'all' is nothing that can be seen; one of systems"),
        (9, {"system": "Y"}, ":10: there is no system 'Y' before it"),
        (9, {"kind": "wish"}, ":10: 'kind' is 'wish'; one of suite, person"),
        (4, {"kind": "person", "name": "Anna", "role": "admin"}, ":5: this stands twice"),
    ],
)
def test_a_broken_line_is_told(tmp_path: Path, line: int, changed: dict[str, object], message: str) -> None:
    path = tmp_path / "history.jsonl"
    lines = [json.loads(found) for found in written(LITTLE).splitlines()]
    lines[line] |= changed
    path.write_text("".join(json.dumps(found) + "\n" for found in lines), encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        read_history(path)
    assert str(caught.value).startswith(f"{path}{message}")


def test_an_item_without_a_version_and_a_file_without_anything(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text(written(replace(LITTLE, versions=())), encoding="utf-8")
    with pytest.raises(BadFile, match="there is no version of the item 'words/a'; export the suite again"):
        read_history(path)
    path.write_text("", encoding="utf-8")
    with pytest.raises(BadFile, match="the file is empty"):
        read_history(path)


events = st.builds(
    Event,
    id=st.just(0),
    text_id=st.just(0),
    by=named,
    kind=st.sampled_from(("judgement", "skip", "import")),
    verdict=st.sampled_from(("pass", "fail", None)),
    comment=words,
    acceptability=st.none() | st.integers(1, 7),
    tags=st.lists(words, max_size=2).map(tuple),
    blind=st.booleans(),
    seen=st.lists(st.sampled_from(SEEN), max_size=2).map(tuple),
    undoes=st.none(),
    dated=words,
    created=words,
)


@given(st.lists(st.builds(EventLine, words, words, events), min_size=1, max_size=3))
def test_events_are_read_as_they_were_written(lines: list[EventLine]) -> None:
    numbered = [replace(line, event=replace(line.event, id=number)) for number, line in enumerate(lines, 1)]
    undone = [
        *numbered,
        *(EventLine("a", "b", Event(len(lines) + 1, 0, "Anna", "undo", undoes=1)) for _ in numbered[:1]),
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "judgements.jsonl"
        with path.open("w", encoding="utf-8", newline="") as stream:
            write_events(undone, stream)
        assert list(read_events(path)) == undone
