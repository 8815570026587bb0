"""Use cases: a run of contrasts that a page starts, how far it is, and what it found: profiles, examples, trees.

    runs.start(anna, SentContrasts("en-cs", source, outputs, references, annotations), limits)
    runs.of(anna).progress                 # ("parsing", 300, 2_000)
    runs.of(anna).found.profile.parts      # what the command shows

It is the run of `assay contrasts profile`, in a child process with limits of its own, one at a time on a server. Trees
and links that are sent are taken as they are; for the others the server needs models and an aligner. Everybody has one
run; it is in the memory of this server, for a quarter of an hour after its end.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from threading import Lock, Thread, Timer
from time import monotonic
from typing import Final

from assay.contrasts import bundled
from assay.contrasts.pictured_profile import PicturedProfile, ProfiledTexts, pictured_profile
from assay.errors import AssayError, BadOption, UnknownName
from assay.languages import fits, language_of, split_pair
from assay.progress import Progress
from assay.workbench.departure import Departure
from assay.workbench.files.archives import Upload, UploadLimits, safe_name
from assay.workbench.files.put_down import copy_down, names_of, unpack_there
from assay.workbench.people.roles import User
from assay.workbench.sandbox import Sandbox

UNPACKED = Path("the upload")
PROGRESS = "progress"
KEPT_SECONDS: Final = 900.0
MOST_KEPT: Final = 8
"""Runs of everybody together; the oldest that has ended goes."""

TOLD_SECONDS: Final = 0.2
"""How often a run writes down how far it is."""


@dataclass(frozen=True, slots=True)
class SentContrasts:
    """What a page sends: `annotations` are trees (`A.conllu`, `source.conllu`) and links (`A.links`) of its texts."""

    contrasts: str
    source: Upload
    outputs: Sequence[Upload]
    references: Sequence[Upload]
    annotations: Sequence[Upload]


@dataclass(frozen=True, slots=True)
class SentRun:
    """The same for the child process: files in a folder, called 0, 1, … there, and tools."""

    folder: str
    names: tuple[str, ...]
    limits: UploadLimits
    texts: ProfiledTexts


@dataclass(frozen=True, slots=True)
class ContrastFindings:
    """A profile with its examples and their trees, and the file of renderings."""

    profile: PicturedProfile
    renderings: bytes


@dataclass
class StartedRun:
    """A run of somebody: `error` is one line; `found` is there once it has ended well."""

    user_id: int
    contrasts: str
    folder: str
    departure: Departure = field(default_factory=Departure)
    found: ContrastFindings | None = None
    error: str = ""

    @property
    def is_over(self) -> bool:
        return self.found is not None or bool(self.error)

    @property
    def progress(self) -> tuple[str, int, int]:
        """What is being done, how much is done, and how much there is to do; 0 where nobody knows."""
        try:
            label, done, length = (Path(self.folder) / PROGRESS).read_text(encoding="utf-8").split("\t")
            return label, int(done), int(length)
        except (OSError, ValueError):
            return "starting", 0, 0


class ContrastRuns:
    """See the module. `models` is the folder of parsers of this server, set when it starts."""

    def __init__(self, sandbox: Sandbox, models: Path | None = None) -> None:
        self.sandbox, self.models = sandbox, models
        self._lock = Lock()
        self._runs: dict[int, StartedRun] = {}

    def lacking(self) -> str:
        """What keeps this server from parsing and aligning by itself, in one line; empty where nothing does."""
        missing = []
        if self.models is None:
            missing.append("parsers (assay serve --contrasts-models FOLDER)")
        elif find_spec("ufal") is None or find_spec("ufal.udpipe") is None:
            missing.append("UDPipe (pip install 'assay-mt[udpipe]')")
        if find_spec("eflomal") is None:
            missing.append("an aligner (pip install 'assay-mt[eflomal]')")
        return " and ".join(missing)

    def start(self, user: User, sent: SentContrasts, limits: UploadLimits) -> StartedRun:
        """Start a run, in place of the one that this person had; a wrong choice is refused at once."""
        user.need("annotator")
        if sent.contrasts not in bundled():
            raise UnknownName("contrasts", sent.contrasts, bundled())
        tools = self._tools(sent)
        uploads = [sent.source, *sent.outputs, *sent.references, *sent.annotations]
        texts = ProfiledTexts(
            sent.contrasts,
            UNPACKED / safe_name(sent.source.name),
            [str(UNPACKED / safe_name(upload.name)) for upload in sent.outputs],
            [str(UNPACKED / safe_name(upload.name)) for upload in sent.references],
            *tools,
        )
        run = StartedRun(user.id, sent.contrasts, tempfile.mkdtemp(prefix="assay-contrasts-"))
        try:
            copy_down(uploads, Path(run.folder))
        except BaseException:
            rmtree(run.folder, ignore_errors=True)
            raise
        asked = SentRun(run.folder, names_of(uploads), limits, texts)
        with self._lock:
            # At once: of two that come at the same time the first would go on, and nobody could stop it.
            before = self._runs.pop(user.id, None)
            over = [key for key, kept in self._runs.items() if kept.is_over]
            if len(self._runs) >= MOST_KEPT and over:
                del self._runs[over[0]]
            self._runs[user.id] = run
        if before:
            before.departure.leave()
        Thread(target=self._work, args=(run, asked), daemon=True).start()
        return run

    def of(self, user: User) -> StartedRun | None:
        """The run of somebody, under way or over."""
        return self._runs.get(user.id)

    def stop(self, user: User) -> None:
        """End somebody's run, and forget it."""
        with self._lock:
            run = self._runs.pop(user.id, None)
        if run:
            run.departure.leave()

    def _work(self, run: StartedRun, asked: SentRun) -> None:
        try:
            run.found = self.sandbox.run(profile_texts, asked, departure=run.departure)
        except AssayError as error:
            run.error = str(error)
        except Exception:
            run.error = "something went wrong; the server's log has the details"
            raise
        finally:
            rmtree(run.folder, ignore_errors=True)
            timer = Timer(KEPT_SECONDS, self._forget, [run])
            timer.daemon = True
            timer.start()

    def _forget(self, run: StartedRun) -> None:
        with self._lock:
            if self._runs.get(run.user_id) is run:
                del self._runs[run.user_id]

    def _tools(self, sent: SentContrasts) -> tuple[str, str, str]:
        """Both parsers and the aligner: what was sent, or this server's own; one clear line where it has none."""
        names = [safe_name(upload.name) for upload in sent.annotations]
        trees, links = (any(name.endswith(end) for name in names) for end in (".conllu", ".links"))
        wrong = next((name for name in names if not name.endswith((".conllu", ".links"))), None)
        if wrong:
            raise BadOption(f"{wrong} is neither trees (.conllu) nor links (.links)")
        if not trees and (self.models is None or "UDPipe" in self.lacking()):
            raise BadOption(
                f"this server has no {self.lacking()}; send trees of the texts (.conllu) and links (.links)"
            )
        if not links and find_spec("eflomal") is None:
            raise BadOption(
                "this server has no aligner (pip install 'assay-mt[eflomal]'); send links of the texts (.links) too"
            )
        aligner = f"pharaoh:{UNPACKED}/{{system}}.links" if links else "eflomal"
        if trees:
            source = Path(safe_name(sent.source.name)).stem
            return f"conllu:{UNPACKED}/{source}.conllu", f"conllu:{UNPACKED}/{{system}}.conllu", aligner
        pair = split_pair(sent.contrasts)
        return self._model(pair[0]), self._model(pair[1]), aligner

    def _model(self, language: str) -> str:
        assert self.models is not None
        for path in sorted(self.models.glob("*.udpipe")):
            if fits(language, language_of(path.name)):
                return f"udpipe:{path.resolve()}"
        raise BadOption(f"this server has no parser for {language} in its models; send trees of the texts (.conllu)")


# In the child


def profile_texts(sent: SentRun) -> ContrastFindings:
    """The run itself; the working folder is then that of the files."""
    os.chdir(sent.folder)
    # What an aligner writes goes there too, so that it is removed also where the run is killed.
    os.environ["TMPDIR"] = tempfile.tempdir = sent.folder
    try:
        unpack_there(sent.names, UNPACKED, sent.limits)
        file = Path("renderings.tsv")
        found = pictured_profile(sent.texts, file, written_progress)
        return ContrastFindings(found, file.read_bytes())
    except AssayError as error:
        raise BadOption(str(error).replace(f"{UNPACKED}/", "")) from None


@contextmanager
def written_progress(label: str, length: int) -> Iterator[Progress]:
    """Says how far the run is, in a file that the server reads."""
    done, told = 0, 0.0

    def progress(more: int) -> None:
        nonlocal done, told
        done += more
        if monotonic() - told >= TOLD_SECONDS:
            told = monotonic()
            # Renamed when it is whole: whoever reads it reads all of it.
            new = Path(f"{PROGRESS}.new")
            new.write_text(f"{label}\t{done}\t{length}", encoding="utf-8")
            new.replace(PROGRESS)

    progress(0)
    yield progress
