"""Several reminders of one deadline, and pauses that the players agree on."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Count reminders where they were only noted, and add the columns; nobody has asked for a pause yet."""
    with op.batch_alter_table("seats") as seats:
        seats.alter_column(
            "reminded",
            existing_type=sa.Boolean(),
            existing_nullable=False,
            type_=sa.Integer(),
            postgresql_using="reminded::integer",
        )
    op.add_column("seats", sa.Column("wants_pause", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("games", sa.Column("paused_by", sa.String(), nullable=False, server_default=""))
