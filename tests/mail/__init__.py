"""
Letters of our own making, in the manners of real mail: `python -m tests.mail` prints what becomes of them.

    cases/             one kind of trouble each; what is expected stands in `verdicts.toml`
    clients/<client>/  how one mail client writes; `letters.toml` names the public source of its manner
    answered/          mails of ours that the letters of the clients answer, byte for byte as `compose` wrote them once
    corpus.py          reads all of these
"""
