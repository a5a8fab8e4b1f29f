"""What a player chooses for himself: plain mails, quiet hours, no reminders, and a note that only he sees."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; who is there already goes on as before."""
    op.add_column("people", sa.Column("plain", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("people", sa.Column("quiet", sa.String(), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("note", sa.Text(), nullable=False, server_default=""))
    op.add_column("seats", sa.Column("reminders", sa.Boolean(), nullable=False, server_default=sa.true()))
