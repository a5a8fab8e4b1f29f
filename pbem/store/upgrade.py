"""The shape of the database: brought up to date by Alembic, step by step."""

from pathlib import Path

from sqlalchemy import inspect, text

from pbem.store.base import Store, outside_troubles

NEWEST = "0010"
"""The revision that this program works with: the last file in `migrations/versions`."""


def stored_revision(store: Store) -> str:
    """
    Return the revision of the database, "" for an empty one.

    Raises: TryLater.
    """
    with outside_troubles(), store.engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return ""
        return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def upgrade_store(store: Store) -> None:
    """
    Bring the database to the newest revision, in one transaction; where it is there nothing is written or locked.

    Raises: TryLater.
    """
    if stored_revision(store) == NEWEST:
        return
    from alembic import command  # noqa: PLC0415 - half a second that no other pass needs
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with (
        outside_troubles(),
        store.engine.connect().execution_options(pbem_write=True) as connection,
        connection.begin(),
    ):
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
