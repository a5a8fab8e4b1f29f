"""What the game master knows of a person over all games: how he answers, and whether he may write at all."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; nobody is blocked, and counting begins now."""
    for name in ("on_time", "late", "missed"):
        op.add_column("people", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    op.add_column("people", sa.Column("blocked", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("belated", sa.Boolean(), nullable=False, server_default=sa.false()))
