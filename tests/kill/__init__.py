"""
What becomes of a game when passes die: killed at any moment, two at once, or with everything around them gone.

`python -m tests.kill` plays a whole game while its passes are killed, and compares it with the undisturbed one.

    tick.py            one `pbem tick` that notes which part it is in, and a nursery of such ticks
    director.py        one game by mail: a mail server, bots, and ticks that run through or are killed
    findings.py        what was lost, doubled or repeated
    test_kill.py       a short game with killed ticks
    test_crash.py      a crash at every commit and every hand-over of a pass, one after the other
    test_two_ticks.py  the lock
    test_outside.py    mailbox, server and store that cannot be had
"""
