"""Small valid files of every kind, written by the commands themselves where they write such files."""

import gzip
import json
import shutil
from contextlib import chdir
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from assay.contrasts import bundled
from assay.spreadsheet import Sheet, SheetCell, workbook
from assay.tsv import TsvWriter, read_tsv
from assay.verdicts.events import EventLine, write_events
from assay.verdicts.judgements import Event
from assay.verdicts.todo import FIELDS
from tests.fuzz.attempt import run_command

MANIFEST = """\
name: pond
langpair: de-en
version: 1.2
licence: CC0-1.0
authors: [Ada, Ben]
description: Sentences from a pond.
ids: file
categories:
  Ambiguity: {Lexical ambiguity: A word with several senses.}
  Negation: {Negation: Something is not the case.}
"""
AMBIGUITY = """\
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  - id: kiefer
    source: Der Kiefer tut ihm weh.
    tests: jaw, not pine
    pass: ['\\bjaws?\\b', {contains: mandible, note: rare}]
    fail: [{regex: 'pine(s|tree)?', flags: i}, {exact: The pine hurts him.}]
    examples: {pass: [His jaw hurts.], fail: [The pine hurts him.]}
    tags: [body, tree]
  - &bank
    id: bank
    source: Er sitzt auf der Bank.
    pass: ['bench']
    fail: ['\\bbank\\b']
"""
NEGATION = """\
category: Negation
phenomenon: Negation
slots:
  who: {er: {de: er, en: he}, sie: {de: sie, en: she}}
  day: {mo: {de: Montag, en: Monday}, di: {de: Dienstag, en: Tuesday}}
templates:
  - id: comes
    source: '{Who.de} kommt {day.de} nicht.'
    pass: ['(?i){who.en} (does not|will not|is not|doesn.t).*{day.en}']
    fail: ['(?i){who.en} (comes|is coming)']
    only: [er mo, sie di]
"""
JUDGEMENTS = """\
- item: ambiguity/bank
  pass:
    - {exact: He is sitting on the seat., by: Ada, on: 2026-01-31, note: fine}
"""
PROBES = """\
ambiguity/bank:
  - The bank sits on him.
"""
ITEMS = ("ambiguity/kiefer", "ambiguity/bank", "negation/comes/er-mo", "negation/comes/sie-di")
SOURCES = ("Der Kiefer tut ihm weh.", "Er sitzt auf der Bank.", "Er kommt Montag nicht.", "Sie kommt Dienstag nicht.")
TEXTS = {
    "A": ("His jaw hurts.", "He is on the bench.", "He does not come on Monday.", "She does not come on Tuesday."),
    "B": ("His jaws hurt.", "He sits on a bench.", "He will not come on Monday.", "She doesn't come on Tuesday."),
    "C": ("The pine hurts.", "He is on the bank.", "He comes on Monday.", "She is coming on Tuesday."),
    "D": ("It hurts him.", "He sits.", "=Monday", '- Tuesday\twithout "her"'),
}
CAMPAIGN = """\
campaign: P1
source: source.txt
outputs: [A.txt, 'bee=B.txt', C.txt]
aliases: {A: ay}
exclude: [C]
systems: {ay: {group: online, year: 2026}}
"""
ALIASES = "categories: {Ambiguity: Ambiguities}\nphenomena: {Negation: 'No'}\nsystems: {A: Ay}\n"


def make_samples(folder: Path) -> None:
    """Fill an empty folder; what the commands write comes last, since they read the rest."""
    for name, text in {
        "suite/suite.yaml": MANIFEST,
        "suite/ambiguity.yaml": AMBIGUITY,
        "suite/negation.yaml": NEGATION,
        "suite/judgements.yaml": JUDGEMENTS,
        "suite/probes.yaml": PROBES,
        "campaign.yaml": CAMPAIGN,
        "later.yaml": CAMPAIGN.replace("P1", "P2"),
        "aliases.yaml": ALIASES,
        "items.json": _dfki(),
        "sample.de-en.csv": _sample(";"),
        "sample.de-en.tsv": _sample("\t"),
        "source.txt": "".join(f"{source}\n" for source in SOURCES),
        "source.jsonl": "".join(
            _line(doc_id=item, src_text=source) for item, source in zip(ITEMS, SOURCES, strict=True)
        ),
        "A.tsv": _table("A", "B"),
        "C.jsonl": "".join(
            _line(item=item, text=text, system="C") for item, text in zip(ITEMS, TEXTS["C"], strict=True)
        ),
        "wmt.jsonl": "".join(_line(doc_id=item, hypothesis=text) for item, text in zip(ITEMS, TEXTS["C"], strict=True)),
        "D.xml": _xml("D"),
        "subset.txt": "1:3  # a keyword\n2\n\n",
        "scores.tsv": "system\tname\tvalue\nA\tBLEU\t31.5\nB\tBLEU\t29\nC\tBLEU\t1e1\n",
        "cases.jsonl": "".join(_line(**case) for case in CASES),
        "span.jsonl": "".join(_line(**row) for row in SPAN_ACES),
        "demetr.json": json.dumps(DEMETR),
        "returned.tsv": RETURNED,
        **{f"{name}.txt": "".join(f"{' '.join(text.split())}\n" for text in texts) for name, texts in TEXTS.items()},
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    (folder / "B.txt.gz").write_bytes(gzip.compress((folder / "B.txt").read_bytes(), mtime=0))
    with ZipFile(folder / "suite.zip", "w", ZIP_DEFLATED) as archive:
        for file in sorted((folder / "suite").iterdir()):
            archive.writestr(f"suite/{file.name}", file.read_bytes())
    with (folder / "judgements.jsonl").open("w", encoding="utf-8") as stream:
        write_events(_judged(), stream)
    with chdir(folder):
        for command in COMMANDS:
            done = run_command(command)
            assert done.code == 0, f"{command}: {done.error}"
        _fill_in(Path("todo.tsv"))
        _annotate(Path("pearmut.json"))
        (Path("challenge") / "report2.json").write_bytes((Path("challenge") / "report.json").read_bytes())
        shutil.copy(bundled()["en-cs"], "contrasts/en-cs.yaml")
        shutil.copy(bundled()["en-cs"].with_name("en-cs.read.tsv"), "contrasts")
        Path("contrasts/report.html").unlink()  # large, and read by nobody


CASES = [
    {
        "id": number,
        "source": f"Satz {number}",
        "reference": "One.",
        "hyp-1": "One",
        "hyp-2": "Two",
        "hyp-3": "Three",
        "hypotheses": 3,
        "relations": ["hyp-1 > hyp-2 > hyp-3"],
        "hyp-1-human": {"da": 90},
        "hyp-2-human": {"da": 20},
        "hyp-3-spans": [{"start": 0, "end": 5, "severity": "major"}],
        "level-3": "small numbers",
        "category": "numbers",
        "phenomenon": "words",
        "langpair": "de-en",
    }
    for number in (1, 2)
]
SPAN_ACES = [
    {
        "ID": number,
        "source": "Der Hund.",
        "good-translation": "The dog.",
        "incorrect-translation": "The cat.",
        "reference": "A dog.",
        "phenomena": "antonym-replacement",
        "langpair": "de-en",
        "incorrect-translation-annotated": "The <v>cat</v>.",
    }
    for number in (1, 2)
]
DEMETR = [
    {
        "id": number,
        "src_sent": "Ona śpi.",
        "eng_sent": "She is asleep.",
        "mt_sent": "She sleeps.",
        "pert_sent": "He sleeps.",
        "lang_tag": "polish",
        "pert_check": True,
        "severity": "critical",
        "pert_name": "critical_id11_gender",
    }
    for number in (1, 2)
]
RETURNED = "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tdomain_name\tmethod\toverall\n" + "".join(
    f"d\t{segment}\tde\ten\tchallenge_cases\thyp-{number}\tnews\tNaN\t{segment}.{number}\n"
    for segment in (1, 2)
    for number in (1, 2, 3)
)

COMMANDS = [
    "challenge convert cases.jsonl -o cases.tsv",
    "evaluate suite A.tsv C.jsonl --verdicts verdicts.parquet -o evaluation.json",
    "warnings suite D.xml -o todo.tsv",
    "warnings suite D.xml -o pearmut.json",
    "sample suite D.xml -n 1 --draw pond.draw.json -o sample.tsv",
    "challenge build suite A.tsv C.jsonl D.txt -o challenge.jsonl",
    "challenge convert challenge.jsonl -o challenge.tsv",
    "challenge convert challenge.jsonl -f aces -o aces.tsv",
    "challenge convert span.jsonl -f aces -o own-aces.jsonl",
    "challenge convert cases.jsonl -f mt-metrics-eval -o cases-tree",
    "challenge convert challenge.jsonl -f mt-metrics-eval -o challenge/tree",
    "challenge convert challenge.jsonl -f wmt25 -o challenge/wmt25",
    "challenge score challenge.jsonl -m length -m copy -o challenge/scores",
    "challenge report challenge.jsonl challenge/scores -o challenge/report.json",
    "challenge build suite A.tsv C.jsonl D.txt --blind --key key.tsv -o blind.tsv",
    "challenge score blind.tsv -m length -o challenge/blind",
    "contrasts demo -o contrasts",
    "collect sources suite -o sent.txt",
    "import suite A.tsv C.jsonl --db assay.db",
    "export --db assay.db -o exported",
    "translate suite --system mine=cmd:cat -o translated",
]


def _line(**record: Any) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _table(*systems: str) -> str:
    rows = [(system, item, text) for system in systems for item, text in zip(ITEMS, TEXTS[system], strict=True)]
    return "".join(f"{system}\t{item}\t{text}\n" for system, item, text in [("system", "item", "text"), *rows])


def _xml(system: str) -> str:
    from xml.sax.saxutils import escape

    docs = "".join(
        f'<doc id="{item}" origlang="de"><src lang="de"><p><seg id="1">{escape(source)}</seg></p></src>'
        f'<hyp system="{system}" lang="en"><p><seg id="1">{escape(text)}</seg></p></hyp></doc>\n'
        for item, source, text in zip(ITEMS, SOURCES, TEXTS[system], strict=True)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<dataset id="d">\n{docs}</dataset>\n'


def _dfki() -> str:
    items = [
        {
            "id": str(number),
            "langpair": "deen",
            "category": "Ambiguity",
            "phenomenon": "Lexical ambiguity",
            "source_sentence": source,
            "positive_regex": "jaws?|bench",
            "negative_regex": "pine|bank",
            "positive_tokens": ["His jaw hurts."],
            "negative_tokens": [],
        }
        for number, source in enumerate(SOURCES)
    ]
    return json.dumps({"items": items}, indent=1)


def _sample(delimiter: str) -> str:
    rows = [
        ("Category", "Phenomenon", "Source", "Correct translation", "Incorrect translation"),
        *(
            ("Ambiguity", "Words", source, right, wrong)
            for source, right, wrong in zip(SOURCES, TEXTS["A"], TEXTS["C"], strict=True)
        ),
    ]
    return "".join(delimiter.join(row) + "\n" for row in rows)


def _judged() -> list[EventLine]:
    return [
        EventLine(
            item,
            text,
            Event(
                id=number,
                text_id=0,
                by="Ada",
                kind="judgement",
                verdict="pass" if number % 2 else "fail",
                comment="",
                acceptability=70,
                tags=("odd",),
                blind=True,
                seen=(),
                undoes=None,
                dated="2026-01-31",
                created="2026-01-31T12:00:00+00:00",
            ),
        )
        for number, (item, text) in enumerate(zip(ITEMS, TEXTS["D"], strict=True), start=1)
    ]


def _fill_in(todo: Path) -> None:
    """A verdict in every line, in the file itself, and beside it in a workbook and as Excel's "Unicode text"."""
    rows = [{**record, "verdict": "pass", "comment": "yes"} for _, record in read_tsv(todo)]
    with todo.open("w", encoding="utf-8", newline="") as stream:
        writer = TsvWriter(stream)
        writer.writerow(FIELDS)
        writer.writerows(row.values() for row in rows)
    lines = [[SheetCell(value) for value in row.values()] for row in rows]
    todo.with_suffix(".xlsx").write_bytes(workbook([Sheet("to-do", FIELDS, lines, 1)]))
    todo.with_suffix(".txt").write_bytes(todo.read_text("utf-8").replace("\n", "\r\n").encode("utf-16"))


def _annotate(campaign: Path) -> None:
    """The annotations of somebody who finds everything right, as Pearmut's dashboard downloads them and as its log."""
    (share,) = json.loads(campaign.read_text("utf-8"))["data"]
    log = [
        {
            "annotation": [{name: {"sliders": {"verdict": 2}, "textfield": "yes"} for name in document[0]["tgt"]}],
            "actions": [{"time": 1763300000.0, "action": "submit"}],
            "item": document,
            "user_id": "ada",
            "item_i": number,
        }
        for number, document in enumerate(share)
    ]
    Path("annotations.json").write_text(json.dumps({"pearmut": log}, ensure_ascii=False, indent=1), encoding="utf-8")
    Path("annotations.jsonl").write_text("".join(_line(**entry) for entry in log), encoding="utf-8")
