"""What all requests share."""

from dataclasses import dataclass, field
from secrets import token_urlsafe
from threading import Semaphore
from typing import Final

from assay.limits import in_the_sandbox
from assay.prediction import Predictor
from assay.workbench.db.database import Store
from assay.workbench.files.contrast_runs import ContrastRuns
from assay.workbench.files.pending_uploads import PendingUploads
from assay.workbench.items.wider_offers import WiderOffers
from assay.workbench.people.log_in_line import LogInLine
from assay.workbench.people.roles import User
from assay.workbench.queue.leases import Leases
from assay.workbench.queue.suggester_pool import Opinions
from assay.workbench.sandbox import Sandbox
from assay.workbench.snapshot import Snapshots

_rules = in_the_sandbox("RULE", seconds=10, megabytes=512)
_uploads = in_the_sandbox("UPLOAD", seconds=300, megabytes=2048)
_contrasts = in_the_sandbox("CONTRASTS", seconds=1800, megabytes=4096)

RULES: Final = Sandbox(
    "assay.workbench.items.rule_trial",
    subject="the rules",
    seconds=_rules[0],
    megabytes=_rules[1],
    advice="make them simpler",
)
"""Where rules are tried that somebody typed. A trial ends by itself after five seconds, unless a rule prevents it."""

UPLOADS: Final = Sandbox(
    "assay.workbench.files.sent_files",
    subject="the files",
    seconds=_uploads[0],
    megabytes=_uploads[1],
    advice="import them with: assay import",
)
"""Where files are unpacked, read and judged that somebody sent."""

CONTRASTS: Final = Sandbox(
    "assay.workbench.files.contrast_runs",
    subject="the contrasts",
    seconds=_contrasts[0],
    megabytes=_contrasts[1],
    children=1,
    advice="run them with: assay contrasts profile",
)
"""Where translations are parsed, aligned and counted."""


READERS: Final = 4
"""Requests that read at a time. Python runs one thread at a time: with twenty at once, whoever has the turn to write
waits for all of them after each of its statements, and all other writers for it."""


@dataclass
class State:
    """One per server. `local_user` is set where the server answers this machine only and there are no accounts; it is
    whoever has the `local_token`.

    `opinions` are those of the suggester that the server was started with; pages do not wait for them. `predictor` is
    for estimates. `rules`, `uploads` and `contrasts` are where rules, files and translations are tried that come over
    the web; the states of a process share them.
    """

    store: Store
    local_user: User | None = None
    max_upload: int = 200 * 1024 * 1024
    opinions: Opinions | None = None
    predictor: Predictor | None = None
    rules: Sandbox = RULES
    uploads: Sandbox = UPLOADS
    contrasts: Sandbox = CONTRASTS
    snapshots: Snapshots = field(init=False)
    leases: Leases = field(init=False, default_factory=Leases)
    wider: WiderOffers = field(init=False, default_factory=WiderOffers)
    readers: Semaphore = field(init=False, repr=False, default_factory=lambda: Semaphore(READERS))
    log_ins: LogInLine = field(init=False, default_factory=LogInLine)
    pending: PendingUploads = field(init=False, default_factory=PendingUploads)
    contrast_runs: ContrastRuns = field(init=False)
    local_token: str = field(init=False, repr=False, default_factory=lambda: token_urlsafe(24))

    def __post_init__(self) -> None:
        self.snapshots = Snapshots(self.store, self.predictor)
        self.contrast_runs = ContrastRuns(self.contrasts)

    def close(self) -> None:
        """End what is under way in other processes."""
        self.rules.close()
        self.uploads.close()
        self.contrasts.close()
