"""Everything that My Village can say: keys of questions, events and refusals with the names of their fields."""

from engine.core.ruleset import Vocabulary

VOCABULARY = Vocabulary(
    decisions={
        # chance
        "my.first": (),  # who begins
        "my.board": ("seat",),  # which village board the seat gets
        "my.customer": (),  # which customer is turned up
        "my.die": ("colour",),  # what the next die of this colour shows
        "my.look": ("letter",),  # which card the Travel church sees
        "my.travel": ("letter",),  # which card the traveller gets
        "my.rat": (),  # how far the rat goes
        # a turn
        "my.total": (),
        "my.dice": ("total",),  # for this total; 0: any two, for the main house
        "my.change": ("total",),
        "my.flags": ("total",),
        "my.step": (),
        "my.customers": ("hours", "coins"),  # what the next customer costs
        "my.face": (),
        "my.tile": (),
        "my.mark": (),
        "my.good": (),
        "my.journey": ("letter",),
        "my.death": (),
        "my.labourer": (),
    },
    events={
        # set-up
        "my.first": ("seat",),
        "my.board": ("seat", "numbers"),  # of the play flag
        "my.customer": ("customer",),  # turned up
        # round; `stories` lie on the hand tile of `seat`, who begins
        "my.round": ("round", "seat", "stories"),
        "my.rolled": ("white", "black"),  # faces
        # dice
        "my.chosen": ("seat",),  # a total, or the main house; the dice tell it
        "my.dice": ("seat", "dice", "hours"),
        "my.total": ("seat", "total", "coins"),
        # flags of the boards
        "my.played": ("seat", "stories"),
        "my.enrolled": ("seat",),
        "my.advanced": ("seat",),
        "my.promoted": ("seat", "profession", "hours", "stories"),
        "my.house-coin": ("seat", "coins", "hours"),
        "my.house-stories": ("seat", "stories", "hours"),
        "my.house-home": ("seat", "stories", "hours"),  # brought home from the tree
        "my.steward": ("seat",),
        "my.took": ("seat", "customer", "hours", "coins"),
        "my.hand": ("seat", "stories", "hours"),
        # cards
        "my.bought": ("seat", "card", "hours"),
        "my.gift-coins": ("seat", "coins"),
        "my.gift-stories": ("seat", "stories"),
        "my.no-gift": ("seat", "card"),
        "my.picked": ("seat", "good"),
        "my.marked": ("seat", "what"),
        "my.tile": ("seat", "flag"),
        "my.tile-moved": ("seat",),  # to the meeting place
        "my.travel": ("seat", "letter", "hours", "coins"),  # paid
        "my.looked": ("seat", "letter"),
        "my.seen": ("points", "hours", "coins", "last"),  # by one seat alone: the card, and what it adds to the next
        "my.under": ("seat", "letter"),
        "my.arrived": ("seat", "letter", "points", "hours", "coins", "last"),
        "my.made": ("seat", "good", "hours"),
        "my.farmed": ("seat", "coins", "hours"),
        "my.served": ("seat", "customer", "points", "hours", "joker"),  # the good that the joker stood for, or ""
        "my.meeting": ("seat", "hours"),
        "my.set": ("seat", "old", "new", "total"),
        # the end of a turn
        "my.done": ("seat",),  # no more flags, or customers
        "my.idle": ("seat", "hours"),
        "my.bridge": ("seat",),
        "my.booked": ("seat", "profession", "stories"),  # in the book
        "my.buried": ("seat", "profession"),  # in a common grave
        "my.book-full": ("graves",),  # the next ones are common graves
        "my.last-round": ("graves",),
        "my.rat": ("face", "left"),  # steps to the village
        "my.invasion": ("face",),
        "my.lost": ("seat", "stories"),
        "my.averted": ("seat", "left"),
        "my.labourer": ("seat", "profession"),
        "my.over": ("winners",),
    },
    reasons={
        "turn.not-owed": ("seat",),
        "turn.not-asked": ("verb", "decision"),
        "price.short": ("what", "need", "have"),
        "villager.missing": ("profession",),
        "draw.not-there": ("what",),
        "total.short": ("total", "need", "have"),  # coins, for any two dice
        "dice.not-there": ("die",),
        "dice.order": ("dice",),  # the same dice, in the order in which they are written
        "dice.short": ("total", "need", "have"),  # coins, for these dice
        "change.total": ("total", "first", "second"),
        "change.order": ("first", "second"),
        "flag.used": ("flag",),
        "flag.number": ("flag", "numbers", "total"),  # what it answers to
        "flag.alone": ("flag",),  # a black flag after white ones
        "house.step": ("space", "open"),
        "house.where": ("open",),  # a space is to be named
        "house.first": ("space",),  # the dice come first
        "steward.none": (),
        "take.not-open": ("customer",),
        "take.one": (),  # one must be taken
        "hand.back": (),  # it was taken in this round
        "buy.gone": ("card",),
        "buy.owned": ("card", "owned"),
        "buy.church": ("card",),
        "mark.other": ("what", "choices"),
        "make.none": ("good",),
        "farm.none": (),
        "serve.none": ("customer",),
        "joker.none": (),
        "joker.good": ("customer", "good"),
        "school.full": ("space",),
        "school.empty": ("space",),
        "school.filled": ("profession",),
        "travel.over": (),
        "travel.letter": ("letter", "next"),
        "meeting.none": (),
        "face.not-yours": ("face", "dice"),
        "tile.not-yours": ("flag",),
        "bury.nobody": ("profession",),
    },
    parts=("religion", "council", "fields", "travel", "market", "stories", "labourers", "hand"),
    ties=("rest",),
    reveals=("my.arrived",),
    news=("my.round",),
)
