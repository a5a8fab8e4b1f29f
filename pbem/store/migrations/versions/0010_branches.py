"""What-ifs: copies of a game in which the game master tries things; and who decides on a rewind."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns; no game that is there is a what-if, and the game master decides in all of them."""
    op.add_column("games", sa.Column("branch_of", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("games", sa.Column("rewind", sa.String(), nullable=False, server_default="gm"))
    op.add_column("games", sa.Column("undo_to", sa.Integer(), nullable=False, server_default="-1"))
    op.add_column("games", sa.Column("undo_reason", sa.Text(), nullable=False, server_default=""))
    op.create_index("ix_games_undo_to", "games", ["undo_to"])
