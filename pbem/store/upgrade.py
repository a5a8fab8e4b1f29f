"""The shape of the database: brought up to date by Alembic, step by step."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from pbem.store.base import Store, outside_troubles


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def newest_revision() -> str:
    """Return the revision that this program works with."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


def stored_revision(store: Store) -> str:
    """Return the revision of the database, "" for an empty one."""
    with store.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision() or ""


def upgrade_store(store: Store) -> None:
    """Bring the database to the newest revision, in one transaction; do nothing where it is there."""
    config = _config()
    with (
        outside_troubles(),
        store.engine.connect().execution_options(pbem_write=True) as connection,
        connection.begin(),
    ):
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
