"""What we are measured beside, installed from its registry when the bench wants it, never with the project."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / ".bench"
"""Where peers are kept from run to run; no part of the project."""

CHESS = "chess==1.11.2"


def python_chess() -> Any:
    """Return python-chess, with its reader of PGN."""
    _install(CHESS)
    import_module("chess.pgn")
    return import_module("chess")


def _install(requirement: str) -> None:
    """Install *requirement* for this Python, unless it is there, and let it be imported."""
    target = FOLDER / f"{requirement.replace('==', '-')}-{sys.version_info.major}.{sys.version_info.minor}"
    if not target.is_dir():
        command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target"]
        subprocess.run([*command, str(target), requirement], check=True)
    sys.path.append(str(target))
