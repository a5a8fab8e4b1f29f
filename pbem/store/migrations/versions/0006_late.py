"""What happens where no answer comes in time: who plays, and after how many misses a bot stands in."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; games that are there go on as they did."""
    op.add_column("games", sa.Column("late", sa.String(), nullable=False, server_default="default"))
    op.add_column("games", sa.Column("misses", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("missed", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("seats", sa.Column("overdue", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("stand_in", sa.Boolean(), nullable=False, server_default=sa.false()))
