"""Alembic runs this; the connection comes from `assay.workbench.db.migrate`, which commits or rolls back."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], render_as_batch=True)
context.run_migrations()
