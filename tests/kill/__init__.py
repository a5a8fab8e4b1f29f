"""
What becomes of a game when passes die: killed at any moment, two at once, or with everything around them gone.

`python -m tests.kill` plays a whole game while its passes are killed, and compares it with the undisturbed one.

    tick.py            one `pbem tick` that notes which part it is in, and a nursery of such ticks
    killer.py          what a tick noted, and who kills ticks when
    director.py        one game by mail: a mail server, bots, and ticks that run through or are killed
    findings.py        what was lost, doubled or repeated
    children.py        processes of ours; outside.py: the command line as a process, and a gate before the mailbox

    test_kill.py       a short game with killed ticks
    test_crash.py      a crash at every commit and every hand-over of a pass, one after the other
    test_two_ticks.py  the lock
    test_outside.py    mailbox, server and store that cannot be had
    test_bots.py       the players
"""
