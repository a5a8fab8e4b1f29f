"""That nothing that needs mail servers is left out where all is to be tested."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kill.children import ROOT

ONE = "tests/endtoend/test_game.py::test_where_nobody_looked_for_plus_addresses_answers_go_to_the_address_itself[real]"


@pytest.mark.parametrize(("ci", "told"), [("", "1 skipped"), ("true", "1 error")])
def test_missing_servers_are_skipped_with_the_reason_but_fail_in_ci(tmp_path: Path, ci: str, told: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ONE]
    environment = dict(os.environ) | {"CI": ci, "TEST_SERVERS_ROOT": str(tmp_path)}

    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    assert told in ran.stdout
    assert "dovecot is not installed" in ran.stdout
    assert bool(ci) == bool(ran.returncode)
