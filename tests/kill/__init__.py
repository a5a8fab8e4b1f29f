"""
What becomes of games when passes die: killed at any moment, two at once, or with everything around them gone.

`python -m tests.kill` plays a whole game, behind real servers, while its passes are killed at random moments, and
compares it with the undisturbed one:

    tick.py            one `pbem tick` that notes which part it is in, and a nursery of such ticks
    killer.py          what a tick noted, and who kills ticks when
    director.py        one game by mail: a mail server, bots, and ticks that run through or are killed
    findings.py        what was lost, doubled or repeated
    children.py        processes of ours; outside.py: the command line as a process, and a gate before the mailbox

`python -m tests.kill.every` plays a season of several games in which a process is killed at every step, one after the
other, or finds its store locked or its disk full there:

    season.py          the games and their players; script.py: what happens in them besides answers
    world.py           what outlives a process, as files: store, mailbox, what was sent; the ports to it
    points.py          before and after each step that touches them; troubles.py: what can befall a process there
    mortal.py          the command line as a process in such a world
    trial.py           one step of the season, undisturbed and then in trouble at its points
    traces.py          what is left in a world, and how two worlds differ

    test_kill.py            a short game with killed ticks
    test_every.py           a slice of the season; that what is wrong is found
    test_crash.py           a crash at every commit and every hand-over of a pass, one after the other
    test_two_ticks.py       the lock
    test_outside.py         mailbox, server and store that cannot be had
    test_store_troubles.py  disks that are full, stores that cannot be written or are damaged; house.py: who lives there
    test_bots.py            the players
"""
