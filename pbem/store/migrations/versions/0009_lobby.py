"""Games whose seats are for whoever comes: what a place beside the seats is, and who sits on the bench."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns and a table; whoever had a place looks on, or is gone."""
    op.add_column("games", sa.Column("at_least", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("observers") as observers:
        observers.add_column(sa.Column("state", sa.String(), nullable=False, server_default="looking"))
        observers.add_column(sa.Column("since", sa.DateTime(), nullable=True))
        observers.add_column(sa.Column("word", sa.String(), nullable=False, server_default=""))
        observers.add_column(sa.Column("offer", sa.Integer(), nullable=False, server_default="-1"))
    places = sa.table("observers", sa.column("state", sa.String()), sa.column("gone", sa.Boolean()))
    op.execute(places.update().where(places.c.gone.is_(True)).values(state="gone"))
    with op.batch_alter_table("observers") as observers:
        observers.drop_column("gone")
    op.create_table(
        "bench",
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("people.id"), primary_key=True, nullable=False),
        sa.Column("ruleset", sa.String(), primary_key=True, nullable=False),
        sa.Column("since", sa.DateTime(), nullable=False),
    )
