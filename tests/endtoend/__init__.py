"""
Whole scenes through real sockets: `pbem` with its settings and its store, mail servers, and people who write to it.

Every scene is played in two outside worlds: with the embedded server, always, and with Dovecot and Postfix where they
are installed. How to play them with the servers of another Debian is told in `tests/servers.py`.

    outside.py         the two worlds: mailboxes, what they take and refuse, how they lose their memory
    house.py           an installation in one of them, and its players
    phone.py           somebody else's hand on a mailbox

    test_game.py       from the invitation to the turns, and how a reply finds home
    test_login.py      TLS and none, passwords that are wrong
    test_doctor.py     what `doctor` finds, and that a game can live with it
    test_outgoing.py   mails that are refused, put off, or come back
    test_incoming.py   big letters, and raw bytes
    test_mailbox.py    what others do to the mailbox meanwhile, and where letters are filed
    test_clients.py    letters of mail clients, many at once
    test_watch.py      `watch` and its bell
    test_servers.py    that nothing of this is left out in CI
"""
