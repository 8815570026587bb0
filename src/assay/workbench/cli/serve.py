"""`assay serve`: the workbench in a browser."""

import errno
import gc
import socket
import sys
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import click

from assay.cli.options import database_option, needs_workbench
from assay.errors import BadOption

TAKEN = (errno.EADDRINUSE, errno.EACCES)

SWITCH_SECONDS = 0.0005
"""How long a thread may go on while another one wants to. Every question to the database gives the interpreter to
others; with Python's 5 ms a writer waits for them a dozen times, and all other writers for it."""

COLLECTED = 5_000, 10, 20
"""When the collector walks what is new, what is not so new, and all. While it does everybody waits: with the thresholds
of other commands for a third of a second, several times a minute. What a server starts with is not walked."""


@click.command(short_help="Open the workbench in a browser.")
@database_option
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen at; others than this machine's need accounts.",
)
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen at; 0 takes any free one.",
)
@click.option("--open/--no-open", "browser", default=None, help="Open the page in a browser. [default: on a terminal]")
@click.option("--max-upload", default=200, show_default=True, type=click.IntRange(1), help="Largest upload in MB.")
@click.option(
    "--max-connections",
    default=2000,
    show_default=True,
    type=click.IntRange(8),
    help="Connections at once; fewer where the system allows fewer files.",
)
@click.option(
    "--suggester",
    metavar="SPEC",
    help="Another suggester for annotators who switched suggestions on: openai:model=…, anthropic:model=…",
)
@click.option(
    "--predictor",
    metavar="SPEC",
    help="A suggester that has a say in estimates: nearest, or a language model that assay evaluate --predictor asked.",
)
@click.option(
    "--contrasts-models",
    metavar="FOLDER",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="UDPipe models for profiles that the page of contrasts makes (assay contrasts models --fetch).",
)
def serve(
    db: str,
    host: str,
    port: int,
    browser: bool | None,
    max_upload: int,
    max_connections: int,
    suggester: str | None,
    predictor: str | None,
    contrasts_models: Path | None,
) -> None:
    """Open the workbench in a browser: judge warnings, edit rules, see results.

    On this machine alone no account is needed, only the address that is printed: it has a token, so that nobody else on
    the machine gets in. Anything but localhost needs accounts (assay user add).

    \b
    Examples:
      assay import de-en outputs/*.txt
      assay serve
      assay serve --db postgresql://assay@db.example.org/assay --host 0.0.0.0
      assay serve --suggester openai:model=qwen3,base_url=http://localhost:8000/v1
    """
    with needs_workbench():
        from assay.prediction import Predictor
        from assay.suggest.predicted import SuggesterAdviser
        from assay.workbench.admission.connections import CalmServer, Connections, ServerConfig, room_for_connections
        from assay.workbench.app import create_app
        from assay.workbench.pages.render import compile_templates
        from assay.workbench.queue.suggester_pool import Opinions
        from assay.workbench.serve import log_to_terminal, open_state, redirecting_file
    # Pages come back for an answer instead of waiting.
    opinions = Opinions(suggester, patience=0) if suggester is not None else None
    # Nobody waits for a language model on a page: what it said before is taken from where it is kept.
    predicts = Predictor(SuggesterAdviser(predictor, asks=False)) if predictor is not None else None
    listener = listen(host, port)
    state = open_state(db, host, max_upload=max_upload * 1024 * 1024, opinions=opinions, predictor=predicts)
    state.contrast_runs.models = contrasts_models
    config = ServerConfig(create_app(state), Connections(room_for_connections(max_connections)))
    compile_templates()
    log_to_terminal()
    name = f"[{host}]" if ":" in host else host
    address = f"http://{name if host not in ('0.0.0.0', '::') else 'localhost'}:{listener.getsockname()[1]}/"
    own = f"{address}?token={state.local_token}" if state.local_user else address
    click.echo(f"{state.store.name}: the workbench is at {own}  (Ctrl-C ends it)")
    sys.stdout.flush()
    with ExitStack() as stack:
        if browser or (browser is None and sys.stdout.isatty()):
            click.launch(stack.enter_context(redirecting_file(own)) if state.local_user else address)
        if opinions:
            stack.enter_context(closing(opinions))
        stack.enter_context(suppress(KeyboardInterrupt))
        sys.setswitchinterval(SWITCH_SECONDS)
        gc.freeze()
        gc.set_threshold(*COLLECTED)
        CalmServer(config, state.close).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """The socket, bound before anything is promised."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol by its name: only so asyncio sends every piece of an answer at once. Else the body waits until the
    # client says that the headers came, which takes it 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, UnicodeError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or "no such address"
        cure = "choose another with --port" if isinstance(error, OSError) and error.errno in TAKEN else "check --host"
        raise BadOption(f"cannot listen at {host}:{port} ({reason}); {cure}") from None
    listener.set_inheritable(True)
    return listener
