"""Use cases: have engines translate the sources of a suite, and check what came back.

    folder = CollectedFolder.open(Path("outputs"), suite)
    for job in prepare(suite, ["apertium"], workers=Workers(jobs=4)):
        done = translate(job, folder, Limits())

Engines that run on the machine itself may have a copy on each worker; others are asked from this process. Answers go
into a journal as they arrive; when a system is done, or stopped, its outputs are written from the journal.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path

from assay.errors import BadOption
from assay.outputs import Collector, NamedFile, System, load_outputs
from assay.outputs.collected import COLLECTED
from assay.outputs.output_folder import SUITE, OutputFolder
from assay.parallel import ALONE, Workers
from assay.progress import Progress
from assay.suites import Item, Suite, Tier
from assay.text import is_missing, normalise
from assay.translate.checks import CheckReport, check
from assay.translate.collect import collect
from assay.translate.engine import Engine, EngineSpec, LanguagePair, load_engine, told_sentence
from assay.translate.engines.file import FileEngine
from assay.translate.journal import Origin, TranslationJournal, known_sentences, other_journals
from assay.translate.plan import Plan, check_budget, plan_of
from assay.translate.remote import check_can_spread, spread
from assay.translate.retry import Collected, Limits

VALUES = 5
"""Values that are named at most of a detail that differs from answer to answer."""


@dataclass(frozen=True)
class Job:
    """One system and the items it is to translate."""

    suite: Suite
    system: str
    engine: Engine
    items: tuple[Item, ...]
    spec: str
    workers: Workers = ALONE
    sends_held_out: bool = False

    @property
    def leaves(self) -> bool:
        """Whether sentences leave this machine. A cluster counts as elsewhere: its address may lead into a tunnel."""
        return not self.engine.is_local or self.workers.executor != "local"

    @property
    def origin(self) -> Origin:
        return Origin(self.engine.name, self.suite.langpair, self.engine.parameters)

    @property
    def takes_prompts(self) -> bool:
        """Whether the engine can be told what items say to language models."""
        return bool(getattr(self.engine, "takes_prompts", False))

    @property
    def untold(self) -> int:
        """Items whose prompt or context the engine cannot take; ready outputs are not asked for."""
        if self.takes_prompts or isinstance(self.engine, FileEngine):
            return 0
        return sum(bool(item.prompt or item.context) for item in self.items)

    def sentence(self, item: Item) -> str:
        """What the engine is asked for an item."""
        return told_sentence(item.source, item.prompt, item.context) if self.takes_prompts else item.source

    @property
    def sentences(self) -> list[str]:
        """All that is asked for, each once."""
        return list(dict.fromkeys(map(self.sentence, self.items)))

    def open_sentences(self, known: Collection[str]) -> list[str]:
        """The distinct sentences to ask for, without those that have an answer or have to stay here."""
        held = frozenset(self.held_back(known))
        return [wanted for wanted in self.sentences if wanted not in known and wanted not in held]

    def held_back(self, known: Collection[str]) -> list[str]:
        """Sentences of held-out items that would leave this machine, and must not."""
        if not self.leaves or self.sends_held_out:
            return []
        held = {item.source for item in self.suite if item.held_out}
        # The words alone: whatever is told about them, they must not leave.
        return [wanted for wanted in self.sentences if str(wanted) in held and wanted not in known]


@dataclass(frozen=True)
class Translated:
    """What came of a job. `file` is None where there is no answer to write."""

    job: Job
    file: Path | None
    outputs: int
    """Items of the job that have an output."""
    held_back: int
    """Sentences that were not sent, since they are held out."""
    collected: Collected
    others: Sequence[Path] = ()
    """Journals of the same system with other parameters, which were not used."""
    report: CheckReport | None = None
    reused: int = 0
    """Sentences that an earlier run had asked for."""
    reused_at: str = ""
    """When the last answer of earlier runs came."""

    @property
    def is_complete(self) -> bool:
        """Whether everything that was to be asked has been answered."""
        return self.collected.answered == self.collected.asked

    @property
    def failures(self) -> list[tuple[str, int]]:
        """Why sentences have no answer, the most frequent reason first."""
        return Counter(self.collected.failures.values()).most_common()


def prepare(
    suite: Suite,
    specs: Iterable[str],
    *,
    tier: Tier | None = None,
    limit: int | None = None,
    workers: Workers = ALONE,
) -> list[Job]:
    """The systems that a user names, each once; `tier` takes the items of a tier only, `limit` the first."""
    pair = LanguagePair.parse(suite.langpair)
    chosen = suite.items if tier is None else tuple(suite.items[place] for place in suite.places_of(tier))
    items = chosen if limit is None else chosen[:limit]
    jobs: list[Job] = []
    for spec in specs:
        engine = load_engine(spec, pair)
        name = EngineSpec(spec).given_name or _usual_name(engine)
        if any(job.system == name for job in jobs):
            raise BadOption(f"the system {name!r} is given twice; rename one with NAME={EngineSpec(spec).described}")
        # Ready outputs are read here, whoever else works.
        jobs.append(Job(suite, name, engine, items, spec, ALONE if isinstance(engine, FileEngine) else workers))
    return jobs


def _usual_name(engine: Engine) -> str:
    return NamedFile(engine.path).system_name if isinstance(engine, FileEngine) else engine.name


def held_out_to_send(job: Job, folder: OutputFolder) -> int:
    """How many held-out sentences would leave this machine."""
    if not job.held_back(()):  # mostly none, and then no journal has to be read
        return 0
    return len(job.held_back(known_sentences(folder.path, job.system, job.origin)))


def plan(job: Job, folder: OutputFolder, limits: Limits) -> Plan:
    """What a run would take; nothing is sent or written."""
    known = known_sentences(folder.path, job.system, job.origin)
    return replace(plan_of(job.engine, job.open_sentences(known), limits), leaves=job.leaves)


def check_limits(jobs: Iterable[Job], limits: Limits) -> None:
    """Refuse, before anything is asked, limits that cannot be kept and systems that workers cannot ask."""
    for job in jobs:
        if not job.workers.is_alone:
            check_can_spread(job.system, job.engine, limits)
        check_budget(job.engine, job.sentences, limits)


def translate(job: Job, folder: OutputFolder, limits: Limits, progress: Progress | None = None) -> Translated:
    """Ask for everything that is not known yet, and write the outputs: of a stopped run those that there are."""
    if isinstance(job.engine, FileEngine):
        return _take_file(job, job.engine, folder)
    with closing(job.engine), job.workers.open() as workers, _journal(job, folder) as journal:
        others = other_journals(folder.path, job.system, job.origin)
        known, reused_at = frozenset(journal.texts), journal.last
        pair = LanguagePair.parse(job.suite.langpair)
        ask = collect if job.workers.is_alone else partial(spread, spec=job.spec, pair=pair, workers=workers)
        collected = ask(
            job.engine,
            job.open_sentences(known),
            keep=journal.add,
            limits=limits,
            progress=progress,
        )
        rows = _rows(job, folder, journal.texts, collected.unanswered)
        texts = {item: text for item, text in rows.items() if text}
        done = Translated(
            job,
            _put(job, folder, rows, _answers_metadata(journal)) if texts else None,
            outputs=sum(item.id in texts for item in job.items),
            held_back=len(job.held_back(known)),
            collected=collected,
            others=others,
            reused=sum(asked in known for asked in job.sentences),
            reused_at=reused_at,
        )
    return replace(done, report=_check(job, texts))


def _journal(job: Job, folder: OutputFolder) -> TranslationJournal:
    folder.make()
    return TranslationJournal(folder.path, job.system, job.origin)


def _rows(job: Job, folder: OutputFolder, known: Mapping[str, str], unanswered: Collection[str]) -> dict[str, str]:
    """Item -> text of the items that were asked for, now or earlier; empty where that was in vain."""
    now, earlier = {item.id for item in job.items}, folder.items(job.system)
    about = folder.systems.get(job.system, {})
    # What another engine under this name was asked says nothing about this one.
    is_same = all(about.get(name) == value for name, value in job.engine.parameters.items() if value)
    return {
        item.id: known.get(asked, "")
        for item, asked in ((item, job.sentence(item)) for item in job.suite)
        if (item.id in now and (asked in known or asked in unanswered))
        or (item.id in earlier and (asked in known or is_same))
    }


def _take_file(job: Job, engine: FileEngine, folder: OutputFolder) -> Translated:
    """Ready outputs as they are; nothing is asked."""
    outputs = load_outputs(job.suite, [engine.path])
    if len(outputs.systems) != 1:
        raise BadOption(f"{engine.path} holds {len(outputs.systems)} systems; file: takes outputs of one")
    rows = {job.suite.items[position].id: outputs.text(position, 0) for position in outputs.found.tolist()}
    texts = {item: text for item, text in rows.items() if not is_missing(normalise(text))}
    folder.make()
    found, wanted = sum(item.id in texts for item in job.items), len(job.items)
    lacking = f"{wanted - found:,} of {wanted:,} items have no output in {engine.path}" if found < wanted else ""
    return Translated(
        job,
        _put(job, folder, rows, {}) if texts else None,
        outputs=found,
        held_back=0,
        collected=Collected(wanted, found, reason=lacking),
        report=_check(job, texts),
    )


def _put(job: Job, folder: OutputFolder, texts: Mapping[str, str], answers: Mapping[str, str]) -> Path:
    about = {
        "engine": job.engine.name,
        **job.engine.parameters,
        **answers,
        SUITE: job.suite.exact_name,
    }
    # Stands for the texts and all they depend on: evaluations of other outputs under this name can be told apart.
    written = repr((sorted(about.items()), sorted(texts.items())))
    digest = sha256(written.encode(errors="backslashreplace")).hexdigest()[:12]
    return folder.put(job.system, texts, {**about, COLLECTED: digest})


def _answers_metadata(journal: TranslationJournal) -> dict[str, str]:
    """What all answers together have to say about themselves; counts are each answer's own."""
    details = {
        f"answered_{name}": ", ".join(sorted(values)[:VALUES]) + (" …" if len(values) > VALUES else "")
        for name, values in journal.details.items()
        if not all(value.isdigit() for value in values)  # counts of tokens, another for every answer
    }
    cleaned = {"cleaned": str(journal.cleaned)} if journal.cleaned else {}
    return {**details, **cleaned, "first_answer": journal.first, "last_answer": journal.last}


def _check(job: Job, texts: Mapping[str, str]) -> CheckReport | None:
    if not texts:
        return None
    collector = Collector(job.suite)
    positions = [job.suite.positions[item] for item in texts]
    collector.add(System(job.system), positions=positions, texts=list(texts.values()))
    return check(job.suite, collector.outputs())[0]
