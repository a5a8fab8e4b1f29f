"""
Golden games: whole games that show each way a game can end and each ruling, replayed by every run of the tests.

    TITLE/index.toml       which file shows what, at which entry, and how it ends; what no game shows, and why
    TITLE/*.game           the games, as `pbem game export` writes them, with their seeds
    TITLE/components.toml  the tables that they stand on, which need not be the packaged ones for ever
    TITLE/endings.py       what is looked for: the ways a game can end
    TITLE/rulings.py       likewise, the rulings of the title's README.md
    TITLE/players.py       bots with a liking, which bring such games about
    watch.py               a game, entry by entry
    files.py               index and games, read and written
    find.py                `python -m tests.games.find` plays until it sees what no file shows yet

A new ruling needs a situation in `rulings.py` and a game: `python -m tests.games.find --keep`. Games that a change of
the rules lets replay otherwise are made anew: delete them and their parts of the index, and find them again; if the
packaged tables shall count too, delete all of them and the tables.
"""
