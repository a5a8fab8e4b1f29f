"""
Letters of our own making, in the manners of real mail: `python -m tests.mail` prints what becomes of them.

    cases/             one kind of trouble each; what is expected stands in `verdicts.toml`
    clients/<client>/  how one mail client writes; `letters.toml` names the public source of its manner
    answered/          mails of ours that the letters of the clients answer, byte for byte as `compose` wrote them once
    rows.toml          the troubles of real mail by number, and what shows each: letters of `cases/`, or tests elsewhere
    corpus.py          reads all of these
    fuzz.py            letters by chance, made of what stands in `bait.py`: `python -m tests.mail.fuzz --minutes 10`
"""
