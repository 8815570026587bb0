"""Use case: what is in the database as files, and back again.

    de-en/
      suite/            the suite as it stands, linguists' judgements in judgements.yaml, the newest draw in draw.json
      outputs/          a campaign file and a TSV per system, texts as the systems wrote them
      judgements.jsonl  everything that people did with texts, in its order
      history.jsonl     revisions, versions, who wrote which rule when, what is no longer there
      questions.yaml    what annotators are asked beside the verdict, where anything is
      verdicts.tsv      every output with its verdict, reason and evidence
      report/           tables and figures (with `report`)

`assay evaluate de-en/suite de-en/outputs/WMT21.yaml` gives the numbers of the results page, and `assay import de-en`
puts everything into a database again.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from assay.errors import BadFile, BadOption
from assay.files import exists, writing_folder
from assay.outputs import Inputs, System
from assay.suites import Rule, Suite
from assay.suites.native_layout import write_over
from assay.text import slug
from assay.tsv import TsvWriter
from assay.verdicts.draw import draw_file, write_draw
from assay.verdicts.events import EventLine, read_events, write_events
from assay.verdicts.files import write_verdicts
from assay.verdicts.judgements import Event
from assay.verdicts.judgements_file import write_judgements
from assay.workbench.db.archive import history_of
from assay.workbench.db.audit import record
from assay.workbench.db.database import Store
from assay.workbench.db.judgements import suite_events
from assay.workbench.db.outputs import text_names
from assay.workbench.db.suites import find_suite, load_suite, suite_files, suite_names
from assay.workbench.files.history_file import read_history, write_history
from assay.workbench.files.history_records import last_part
from assay.workbench.files.importer import Import, files_of
from assay.workbench.people.credentials import local_name
from assay.workbench.snapshot import Snapshot, Snapshots, settled_order
from assay.yaml_nodes import Dumper

SUITE, OUTPUTS, JUDGEMENTS, VERDICTS, REPORT = "suite", "outputs", "judgements.jsonl", "verdicts.tsv", "report"
QUESTIONS, HISTORY = "questions.yaml", "history.jsonl"

Names = Callable[[str], str]
Tell = Callable[[str], None]


def export(
    store: Store,
    name: str,
    folder: Path,
    *,
    pseudonyms: bool = False,
    report: bool = False,
    force: bool = False,
    tell: Tell = lambda step: None,
) -> Snapshot:
    """Write a suite with everything that belongs to it; the folder appears whole or not at all."""
    if store.is_sqlite and folder.resolve() in Path(store.name).resolve().parents and folder.exists():
        raise BadFile(folder, "the database is in this folder", cure="choose another with -o")
    with store.reading() as db, store.fitting():
        snapshot = Snapshots(store).get(name, db)
        events = suite_events(db, snapshot.stored.id)
        history = history_of(db, snapshot.stored.id, events)
        texts = text_names(db, snapshot.stored.id)
        files = suite_files(db, snapshot.stored.id)
    names = pseudonymous(person.name for person in history.people) if pseudonyms else str
    with writing_folder(folder, force=force) as target, store.fitting():
        tell("suite")
        (target / SUITE).mkdir()
        # Comments may name people.
        write_over(snapshot.stored.suite, files, target / SUITE, anew=pseudonyms)
        write_judgements(target / SUITE, _settled(snapshot, names))
        for draw in snapshot.written.draws[:1]:
            write_draw(snapshot.with_skips(draw), draw_file(target / SUITE))
        if snapshot.questions:
            _write_yaml(dict(snapshot.questions), target / QUESTIONS)
        if events:
            tell("judgements")
            with (target / JUDGEMENTS).open("w", encoding="utf-8", newline="") as stream:
                write_events(_lines(texts, events, names), stream)
        with (target / HISTORY).open("w", encoding="utf-8", newline="") as stream:
            write_history(history.renamed(names) if pseudonyms else history, stream)
        # Not `systems`: the only items that a system translated may have been removed since.
        if len(snapshot.outputs.found):
            tell("outputs")
            campaigns = [
                _write_campaign(snapshot, campaign, columns, target / OUTPUTS)
                for campaign in snapshot.campaigns
                if (columns := _with_outputs(snapshot, campaign))
            ]
            tell("verdicts")
            with (target / VERDICTS).open("w", encoding="utf-8", newline="") as stream:
                write_verdicts(snapshot.evaluate(keep_all=True).table, stream, jsonl=False)
            if report:
                _write_report(target, campaigns, tell)
        elif report:
            raise BadOption("there are no outputs to report on")
    return snapshot


def export_suite(
    address: str,
    name: str | None,
    folder: Path | None,
    *,
    pseudonyms: bool,
    report: bool,
    force: bool,
    tell: Tell | None,
) -> tuple[Path, Snapshot]:
    """Export from a database; its only suite where none is named."""
    with closing(Store.open(address)) as store:
        name = name or _only_suite(store)
        folder = folder or Path(slug(name))
        snapshot = export(
            store, name, folder, pseudonyms=pseudonyms, report=report, force=force, tell=tell or (lambda _: None)
        )
        _tell(store, f"{name} to {folder}")
    return folder, snapshot


def export_revision(
    address: str, name: str | None, folder: Path | None, revision: int, *, force: bool
) -> tuple[Path, Suite]:
    """A suite alone, as it stood at an earlier revision, without judgements: a native suite."""
    with closing(Store.open(address)) as store:
        name = name or _only_suite(store)
        folder = folder or Path(f"{slug(name)}-{revision}")
        with store.reading() as db:
            stored = find_suite(db, name)
            suite, files = load_suite(db, stored.id, revision).suite, suite_files(db, stored.id)
        with writing_folder(folder, force=force) as target:
            write_over(suite, files, target)
        _tell(store, f"{name}, revision {revision}, to {folder}")
    return folder, suite


def _tell(store: Store, what: str) -> None:
    """Say in the audit trail what left the database."""
    with store.writing() as db:
        record(db, local_name(), "export", what)


def _only_suite(store: Store) -> str:
    """The name of the only suite there is."""
    with store.reading() as db:
        names = suite_names(db)
    if len(names) != 1:
        raise BadOption(f"name a suite; there are: {', '.join(names)}" if names else "the database has no suite yet")
    return names[0]


def pseudonymous(people: Iterable[str]) -> Names:
    """Names that say nothing: those who judged come first, in the order in which they did."""
    given = {name: f"annotator-{number}" for number, name in enumerate(dict.fromkeys(people), 1)}
    return lambda name: given[name]


def _settled(snapshot: Snapshot, names: Names) -> Mapping[str, list[Rule]]:
    # Sorted again: in the order of the names themselves, pseudonyms would tell something of them.
    return {
        snapshot.items[place].id: sorted((replace(rule, by=names(rule.by)) for rule in rules), key=settled_order)
        for place, rules in sorted(snapshot.settled().items())
        if rules
    }


def _lines(texts: Mapping[int, tuple[str, str]], events: Iterable[Event], names: Names) -> Iterable[EventLine]:
    for event in events:
        yield EventLine(*texts[event.text_id], replace(event, by=names(event.by)))


def _with_outputs(snapshot: Snapshot, campaign: str) -> list[int]:
    """The columns of the systems of a campaign that have outputs; of others the history tells."""
    return [column for column in snapshot.columns([campaign]) if (snapshot.outputs.codes[:, column] >= 0).any()]


def _write_campaign(snapshot: Snapshot, campaign: str, columns: Iterable[int], folder: Path) -> Path:
    """A campaign file and its outputs; returns the campaign file."""
    stem = slug(campaign) if campaign else "outputs"
    while (folder / f"{stem}.yaml").exists():
        stem += "-2"
    (folder / stem).mkdir(parents=True)
    described: dict[str, dict[str, str]] = {}
    files: list[str] = []
    for column in columns:
        system = snapshot.outputs.systems[column]
        file = folder / stem / f"{len(files) + 1:03d}-{slug(system.name)[:80]}.tsv"
        _write_outputs(snapshot, column, system, file)
        files.append(f"{stem}/{file.name}")
        if system.metadata:
            described[system.name] = dict(system.metadata)
    content = {"campaign": campaign, "outputs": files} | ({"systems": described} if described else {})
    path = folder / f"{stem}.yaml"
    _write_yaml(content, path)
    return path


def _write_yaml(content: Mapping[str, Any], path: Path) -> None:
    path.write_text(yaml.dump(content, Dumper=Dumper, allow_unicode=True, sort_keys=False), encoding="utf-8")


def _write_outputs(snapshot: Snapshot, column: int, system: System, file: Path) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = TsvWriter(stream)
        writer.writerow(["item", "system", "text"])
        for place, code in enumerate(snapshot.outputs.codes[:, column].tolist()):
            if code >= 0:
                writer.writerow([snapshot.items[place].id, system.name, snapshot.outputs.texts[code]])


def _write_report(target: Path, campaigns: list[Path], tell: Tell) -> None:
    from assay.reports.appendix import AppendixOptions, write_appendix

    inputs = Inputs(str(target / SUITE), [str(path) for path in campaigns])
    write_appendix(inputs, target / REPORT, AppendixOptions(), step=tell)


def is_export(folder: Path) -> bool:
    """Whether a folder was written by `export`."""
    return exists(folder / SUITE / "suite.yaml")


def read_export(folder: Path) -> Import:
    """An exported folder, ready to be imported."""
    from assay.outputs import load_campaigns
    from assay.suites import load_suite

    suite = load_suite(str(folder / SUITE))
    campaigns = sorted((folder / OUTPUTS).glob("*.yaml"))
    outputs = load_campaigns(suite, campaigns) if campaigns else None
    events = tuple(read_events(folder / JUDGEMENTS)) if (folder / JUDGEMENTS).exists() else ()
    questions = _read_questions(folder / QUESTIONS) if (folder / QUESTIONS).exists() else None
    history = read_history(folder / HISTORY) if (folder / HISTORY).exists() else None
    comment = f"import of {last_part(str(folder))}"
    return Import(suite, outputs, comment, events, questions=questions, history=history, files=files_of(suite))


def _read_questions(path: Path) -> dict[str, Any]:
    from assay.workbench.queue.questions import SCALES, read_tags
    from assay.yaml_nodes import parse

    root = parse(path)
    fields = root.only("acceptability", "tags")
    questions: dict[str, Any] = {}
    if "acceptability" in fields:
        if root.text("acceptability") not in map(str, SCALES):
            fields["acceptability"].fail(f"the scale has {SCALES[0]} to {SCALES[-1]} steps")
        questions["acceptability"] = int(root.text("acceptability"))
    if "tags" in fields:
        try:
            questions["tags"] = read_tags(
                "\n".join(f"{name}: {place.value()}" for name, place in fields["tags"].fields().items())
            )
        except BadOption as error:
            fields["tags"].fail(str(error))
    return questions
