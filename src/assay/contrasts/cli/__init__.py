"""`assay contrasts …`: structural tests on parsed and aligned sentences, a module for each command."""

import click

from assay.contrasts.cli import demo, find, list_, models, profile, review, run, show, train_parser


@click.group()
def contrasts() -> None:
    """Structural tests: find a construction in the source tree, follow the word links, look at the target tree."""


for command in (
    profile.profile,
    run.run,
    show.show,
    find.find,
    review.review,
    list_.list_,
    models.models,
    train_parser.train_parser,
    demo.demo,
):
    contrasts.add_command(command)
