"""What holds for every test: no address off loopback, no settings of the machine, no luck in CI."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

IN_CI = bool(os.environ.get("CI"))
LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")
HERE = Path(__file__).parent
SHORT = ("engine", "games", "rules", "pbem/gate", "pbem/mail/test_cases.py", "pbem/reading")
"""Thousands of short tests: handed out one by one, they would keep a core busy with that alone."""

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if IN_CI else "here")

for variable in [name for name in os.environ if name.startswith("PBEM_")]:
    del os.environ[variable]


def stay_at_home(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse a connection to any other machine; what runs in a process of its own is not seen."""
    if event == "socket.connect":
        address = arguments[1]
        if isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            raise PermissionError(f"a test wants to connect to {address[0]}")


sys.addaudithook(stay_at_home)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    """Let nothing that needs mail servers be skipped in CI."""
    outcome = yield
    report = outcome.get_result()
    if IN_CI and report.skipped and item.get_closest_marker("servers") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Hand out short tests by the file, where several processes run them."""
    for item in items:
        is_short = any(item.path.is_relative_to(HERE / one) for one in SHORT)
        if is_short and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(HERE))))
