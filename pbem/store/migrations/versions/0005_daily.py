"""One mail a day, at an hour that the person chose."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; nobody has chosen an hour yet."""
    op.add_column("people", sa.Column("daily", sa.String(), nullable=False, server_default=""))
