"""`accept [WORD]` and `decline`: answers to an invitation."""

from pathlib import Path

from pbem import opening
from pbem.advance import ended
from pbem.desk.values import Desk, Request, Served
from pbem.desk.wishes import split_word
from pbem.desk.words import fold, words_for
from pbem.entering import accept_seat, leave
from pbem.live import Live
from pbem.lobby import takes_players


def accept(desk: Desk, live: Live, request: Request) -> Served:
    """Take the seat; a word behind it goes into the dice. The game starts when all have accepted."""
    word = _word(request.rest, desk.service.own_templates)
    if ended(live.game):
        desk.tell("letter.over")
        return Served(live)
    if live.game.status != "open":
        desk.tell("accept.again", word=word, counts=False)
        return Served(live)
    if desk.holder(live).accepted:
        desk.tell("accept.again", word=word, counts=True)
    return Served(accept_seat(desk.session, live, desk.seat, word, desk.now))


def _word(rest: str, own: Path | None) -> str:
    """Return the word for the dice in what stands behind `accept`: what `my word is` names, else all but politeness."""
    said = words_for("accepting", own)
    tokens, word = split_word(rest.split(), own)
    if word:
        return word
    polite = [said.get(fold(token)) == "polite" for token in tokens]
    while tokens and polite[0]:
        tokens, polite = tokens[1:], polite[1:]
    while tokens and polite[-1]:
        tokens, polite = tokens[:-1], polite[:-1]
    return " ".join(tokens)


def decline(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Decline the invitation: the game is called off, or the seat is free again. A running game is not left so."""
    if live.game.status != "open":
        return desk.refuse(live, "desk.help")
    if takes_players(live.game):
        return Served(leave(desk.session, live, desk.seat, desk.now))
    return Served(opening.decline(desk.session, live, desk.seat, desk.now))
