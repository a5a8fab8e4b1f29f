"""What is remembered of trouble: letters that cannot be loaded, mails of unknown fate; and what a letter answered."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; what is there already gets values that mean nothing special."""
    op.add_column("letters", sa.Column("decision", sa.Integer(), nullable=False, server_default="-1"))
    op.add_column("letters", sa.Column("answered", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index("ix_letters_sender", "letters", ["sender"])
    op.add_column("mailboxes", sa.Column("bad_uid", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("mailboxes", sa.Column("bad_tries", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("mailboxes", sa.Column("pace", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("mailboxes", sa.Column("gap_end", sa.DateTime(), nullable=True))
    op.add_column("outbox", sa.Column("uncertain", sa.Integer(), nullable=False, server_default="0"))
