"""`pbem watch` as a process: a letter wakes it, and it ends when it is told to."""

import os
import signal
import subprocess
import sys
import time

from tests.endtoend.house import House
from tests.endtoend.outside import wait_until
from tests.kill.children import ROOT

EVERY = 60


def test_a_letter_wakes_watch_long_before_its_time(house: House) -> None:
    house.new_game("village")
    house.ana.tells(house.bob, "at first")
    command = [sys.executable, "-m", "pbem", "--config", str(house.file), "watch", "--every", str(EVERY)]
    watch = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=dict(os.environ))

    try:
        wait_until(lambda: house.bob.heard("at first") == [1])
        begun = time.monotonic()
        house.ana.tells(house.bob, "woken")
        wait_until(lambda: house.bob.heard("woken") == [1])
        took = time.monotonic() - begun
    finally:
        watch.send_signal(signal.SIGTERM)
        told = watch.communicate(timeout=EVERY)[0]

    assert took < EVERY / 2
    assert 0 == watch.returncode
    assert 2 == told.count("fetched 1")
