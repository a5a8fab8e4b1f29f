"""Settings of a player: what is mailed and when, in which form, language and zone, and a new secret for the tag."""

from zoneinfo import ZoneInfo, available_timezones

from msgspec.structs import replace

from pbem.advance import store_all
from pbem.desk.values import Desk, Request, Served
from pbem.desk.words import fold, language_code
from pbem.live import Live
from pbem.quiet import LONGEST, parse_hour, parse_quiet
from pbem.store import observers, people

WATCH = {"all": "all", "tudo": "all", "mine": "mine", "meu": "mine", "minhas": "mine", "normal": "normal"}
ACKS = {"all": "all", "todas": "all", "tudo": "all", "few": "few", "poucas": "few", "menos": "few"}
ON = frozenset({"", "on", "yes", "sim", "ligar", "ligado", "ligados", "ativar", "com"})
OFF = frozenset({"off", "no", "nao", "desligar", "desligado", "desligados", "desativar", "normal", "sem"})
DAILY_WORDS = ON | {"daily", "diario", "diaria", "every day", "todo dia", "once a day", "uma vez por dia"}


def watch(desk: Desk, live: Live, request: Request) -> Served:
    """Choose when reports go: `all`, `normal`, or `mine`."""
    return _change(desk, live, "watch", WATCH.get(fold(request.rest), ""), request)


def acks(desk: Desk, live: Live, request: Request) -> Served:
    """Choose whether clean orders are answered too: `all` or `few`."""
    return _change(desk, live, "acks", ACKS.get(fold(request.rest), ""), request)


def _change(desk: Desk, live: Live, name: str, value: str, request: Request) -> Served:
    if not value:
        return _misused(desk, live, name, request)
    holder = desk.holder(live)
    live = live.with_holder(replace(holder, watch=value) if name == "watch" else replace(holder, acks=value))
    store_all(desk.session, live)
    desk.tell("desk.setting", name=name, value=value)
    return Served(live)


def language(desk: Desk, live: Live, request: Request) -> Served:
    """Choose the language of mails, by its name or its code: português, english, pt, pt-BR."""
    found = language_code(request.rest.partition(" ")[0], desk.service.own_templates)
    if not found:
        return _misused(desk, live, "language", request)
    people.change_person(desk.session, desk.person.id, language=found)
    desk.tell("desk.setting", name="language", value=found)
    return Served(live)


def zone(desk: Desk, live: Live, request: Request) -> Served:
    """Choose the time zone that moments are shown in, by its name or its city: Europe/Lisbon, lisbon, São Paulo."""
    wanted = fold(request.rest).replace(" ", "_")
    zones = sorted(available_timezones())
    found = [one for one in zones if one.casefold() == wanted]
    found += [one for one in zones if wanted and one.casefold().rpartition("/")[2] == wanted]
    if not found:
        return _misused(desk, live, "zone", request)
    people.change_person(desk.session, desk.person.id, zone=ZoneInfo(found[0]).key)
    desk.tell("desk.setting", name="zone", value=found[0])
    return Served(live)


def plain(desk: Desk, live: Live, request: Request) -> Served:
    """Choose mails without pictures and tables, which a screen reader reads well; `off`: with them again."""
    wanted = _switch(request)
    if wanted is None:
        return _misused(desk, live, "plain", request)
    people.change_person(desk.session, desk.person.id, plain=wanted)
    desk.tell("desk.plain", on=wanted)
    return Served(live)


def reminders(desk: Desk, live: Live, request: Request) -> Served:
    """Choose whether a reminder goes before a deadline of this game."""
    wanted = _switch(request)
    if wanted is None:
        return _misused(desk, live, "reminders", request)
    live = live.with_holder(replace(desk.holder(live), reminders=wanted))
    store_all(desk.session, live)
    desk.tell("desk.reminders", on=wanted)
    return Served(live)


def quiet(desk: Desk, live: Live, request: Request) -> Served:
    """
    Choose hours, by the clock where the person lives, in which no mail comes; alone: tell which they are.

    What goes all the same: the answer to a letter just sent, and the last call before a deadline in those hours.
    """
    person = people.get_person(desk.session, desk.person.id)
    wanted = fold(request.rest)
    if wanted:
        hours = parse_quiet(wanted)
        if wanted not in OFF and (hours is None or not hours.length or hours.length > LONGEST):
            return _misused(desk, live, "quiet", request)
        person = people.change_person(desk.session, person.id, quiet="" if wanted in OFF else str(hours))
    begin, _, end = person.quiet.partition("-")
    desk.tell("desk.quiet", begin=begin, end=end, zone=person.zone)
    return Served(live)


DAILY = "18:00"
"""The hour of a daily mail for who names none."""


def digest(desk: Desk, live: Live, request: Request) -> Served:
    """
    Choose one hour of the day, by the clock where the person lives, for all mail; alone: tell which it is.

    What goes at once all the same: the answer to a letter just sent, and the last call before a deadline that comes
    sooner.
    """
    person = people.get_person(desk.session, desk.person.id)
    wanted = fold(request.rest)
    if wanted:
        hour = "" if wanted in OFF else DAILY if wanted in DAILY_WORDS else parse_hour(wanted)
        if hour is None:
            return _misused(desk, live, "digest", request)
        person = people.change_person(desk.session, person.id, daily=hour)
    desk.tell("desk.digest", hour=person.daily, zone=person.zone)
    return Served(live)


def _switch(request: Request) -> bool | None:
    """Return what a command says that is switched on and off; None if it says neither."""
    wanted = fold(request.rest)
    return True if wanted in ON else False if wanted in OFF else None


def _misused(desk: Desk, live: Live, command: str, request: Request) -> Served:
    return desk.refuse(live, "desk.usage", command=command, value=request.rest[:40])


def new_tag(desk: Desk, live: Live, request: Request) -> Served:  # noqa: ARG001 - every command has this shape
    """Give the seat a new secret; mails with the old one count no more."""
    holder = desk.holder(live)
    live = live.with_holder(replace(holder, epoch=holder.epoch + 1))
    store_all(desk.session, live)
    one = observers.find_observer(desk.session, live.game.id, desk.person.id)
    if one is not None:  # the tag of his place proves the seat as well
        observers.save_observer(desk.session, replace(one, epoch=one.epoch + 1))
    desk.tell("desk.tag-changed")
    return Served(live)
