"""Alembic's entry: the connection comes from `pbem.store.upgrade`."""

from alembic import context
from sqlmodel import SQLModel

import pbem.store.tables  # noqa: F401 - fills the metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=SQLModel.metadata)
with context.begin_transaction():
    context.run_migrations()
