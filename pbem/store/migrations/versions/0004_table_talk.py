"""What those at a table agree with each other: to end, to play again, to wait; and who only looks on."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the table; in games that are there nobody has asked for anything."""
    op.add_column("games", sa.Column("rematch", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("wants_end", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("rematch", sa.String(), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("away_until", sa.DateTime(), nullable=True))
    op.add_column("seats", sa.Column("away_used", sa.Integer(), nullable=False, server_default="0"))
    op.create_table(
        "observers",
        sa.Column("game_id", sa.Integer(), sa.ForeignKey("games.id"), primary_key=True, nullable=False),
        sa.Column("number", sa.Integer(), primary_key=True, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("person_id", sa.Integer(), sa.ForeignKey("people.id"), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
    )
    op.create_index("ix_observers_person_id", "observers", ["person_id"])
