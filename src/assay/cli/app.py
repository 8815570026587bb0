"""The tree of commands, and the one place where errors become messages and exit codes."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Mapping
from importlib import import_module
from keyword import iskeyword
from typing import Any

import click

from assay import __version__
from assay.cli import terminal
from assay.errors import AssayError

COMMANDS = {
    "evaluate": "Evaluate the outputs of MT systems with a test suite.",
    "translate": "Have engines translate a suite's sources.",
    "collect": "Send sources to participants, check what comes back.",
    "examples": "Show texts that systems got wrong, with the words that decided.",
    "explain": "Show why outputs pass, fail or stay warnings.",
    "report": "Write a whole appendix: tables, figures, an interactive page.",
    "compare": "Compare two systems, or one before and after.",
    "years": "Compare campaigns: returning systems, the best of each.",
    "items": "Show which items tell systems apart, and which are suspicious.",
    "warnings": "Write the texts that no rule decides, for a linguist to judge.",
    "sample": "Write a random part of the undecided texts, to estimate from.",
    "judge": "Take a filled-in to-do file back as exact rules.",
    "suggest": "Suggest verdicts for undecided texts.",
    "replay": "Judge again what is known: how far each policy is off.",
    "challenge": "Test metrics with judged outputs.",
    "contrasts": "Parse, align, look: structural tests.",
    "serve": "Open the workbench in a browser.",
    "init": "Make the workbench's database, or bring it up to date.",
    "import": "Put a suite and outputs into the database.",
    "export": "Write what is in the database to files.",
    "hide": "Hide systems or suites of the database, or bring them back.",
    "user": "Add and change the accounts of the workbench.",
    "lint": "Check a suite and its rules.",
    "suite": "Start suites, add items, convert them, write their sources, hand them in.",
    "demo": "Evaluate a bundled suite on the outputs of made-up systems.",
}
"""Name -> what it does, in the order of the help; the command NAME is `NAME` in the module `assay.cli.NAME`."""

HOMES = {
    "translate": "assay.translate.cli",
    "collect": "assay.translate.collect_cli",
    "suggest": "assay.suggest.cli",
    "replay": "assay.replay.cli",
    "challenge": "assay.challenge.cli",
    "contrasts": "assay.contrasts.cli",
    "serve": "assay.workbench.cli.serve",
    "init": "assay.workbench.cli.init",
    "import": "assay.workbench.cli.import_",
    "export": "assay.workbench.cli.export",
    "hide": "assay.workbench.cli.hide",
    "user": "assay.workbench.cli.user",
}
"""Where the commands of the features are. They are named, not imported: the command line knows no feature."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called: `--help` and completion stay quick."""

    def __init__(self, commands: Mapping[str, str], **attributes: Any) -> None:
        super().__init__(**attributes)
        self.short_helps = commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.short_helps)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.short_helps:
            return None
        # `import` cannot be the name of a function.
        name = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        command: click.Command = getattr(import_module(HOMES.get(cmd_name, f"assay.cli.{name}")), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # click would only say "No such command".
        if args and not args[0].startswith("-") and args[0] not in self.short_helps:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.short_helps, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "see: assay --help"
            raise click.UsageError(f"no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.short_helps.items()))


app = LazyGroup(
    COMMANDS,
    name="assay",
    help="""Find out what a machine translation system can and cannot translate.

\b
Start here:
  assay demo                                 a bundled suite on made-up outputs
  assay suite sources de-en -o sources.txt   sentences to translate
  assay evaluate de-en my-system.txt         evaluate the translation
""",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Shell completion: add  eval "$(_ASSAY_COMPLETE=bash_source assay)"  to ~/.bashrc '
    "(zsh_source, fish_source for other shells).",
)
click.version_option(__version__, "--version", "-V", message="assay %(version)s")(app)


_LOST = "lost Ctrl-C"
"""Name of the thread that brings one back."""


def _again(lost: "sys.UnraisableHookArgs") -> None:
    """Bring back a Ctrl-C that came while an object was being destroyed.

    Python prints an exception of a destructor and goes on, so the command would run to its end as if nobody had asked.
    """
    if lost.exc_type is not None and issubclass(lost.exc_type, KeyboardInterrupt):
        # A second one, while the first is on its way, would come into the answer to it.
        if any(thread.name == _LOST for thread in threading.enumerate()):
            return
        # A moment later: raised at once it would be lost here too. A real signal, which also ends a call that waits.
        timer = threading.Timer(0.05, signal.pthread_kill, (threading.main_thread().ident, signal.SIGINT))
        timer.name, timer.daemon = _LOST, True
        timer.start()
    else:
        sys.__unraisablehook__(lost)


def run() -> None:
    """Run a command; a user's mistake is one line on standard error and its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal in an 8-bit locale cannot show every text; a question mark is better than a traceback.
            stream.reconfigure(errors="replace")
    sys.stdout, sys.stderr = map(terminal.safe, (sys.stdout, sys.stderr))
    sys.unraisablehook = _again
    try:
        # standalone_mode=False: click would otherwise print errors and exit by itself.
        code = app.main(standalone_mode=False, color=terminal.has_style())
        sys.stdout.flush()
        # At exit the interpreter looks once more for what to collect, for 4 % of that evaluation; the system takes all.
        gc.freeze()
    except AssayError as error:
        click.echo(f"assay: {error}", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("assay: interrupted", err=True)
        # 128 + SIGINT, as shells report it.
        sys.exit(130)
    except OSError as error:
        # The reader (head, less) has gone, or the disk is full; what is left in the buffer must not raise at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            # 128 + SIGPIPE: what the shell shows for any program whose reader has gone.
            sys.exit(141)
        click.echo(f"assay: cannot write the result ({error.strerror})", err=True)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)
