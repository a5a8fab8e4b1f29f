"""Everything that Village can say: keys of questions, events and refusals with the names of their fields."""

from engine.core.ruleset import Vocabulary

VOCABULARY = Vocabulary(
    decisions={
        # chance
        "village.customer": (),  # which customer comes out of the pile
        "village.cube": ("space",),  # which cube is laid on the space
        "village.piece": ("left",),  # which piece leaves the black bag; `left` are still to be drawn, this one included
        # a turn; `free`: 1 on the emptied board of the last turns, where any action may be done without a cube
        "village.turn": ("free",),
        "village.well": (),
        "village.harvest": ("grain",),  # what the harvest would bring
        "village.family": (),
        "village.crafts": (),
        "village.produce": ("building",),  # where a member was just trained
        "village.travel": (),
        "village.council": (),
        "village.privilege": ("stage",),  # the highest that is open
        "village.cubes": ("count",),  # how many cubes may be chosen
        "village.good": (),
        "village.church": (),
        # others; `free`: 1 where the sale costs no surcharge
        "village.market": ("day", "free"),
        "village.death": ("number",),  # of the members among whom one must die
        "village.redeem": ("left",),  # how many more may leave the bag
        "village.rise": (),
    },
    events={
        # round; `seat` is the starting player
        "village.round": ("round", "seat"),
        "village.seeded": ("harvest", "family", "crafts", "market", "travel", "council", "church"),  # cubes on each
        "village.customers": ("stalls", "line"),  # all customers in front and in line, after some have come
        "village.first": ("seat",),  # who took the marker is the new starting player
        # turn
        "village.took": ("seat", "colour", "space"),
        "village.plague": ("seat", "space", "time"),
        "village.well": ("seat", "pay"),
        "village.acts": ("seat", "space"),  # after the well, or free
        "village.forgone": ("seat",),
        "village.skipped": ("seat", "action"),  # by choice; `action` is the last word of the decision's key
        "village.cannot-act": ("seat", "space"),  # nothing could be done there
        "village.bridge": ("seat",),  # time has passed the bridge
        # death; `spot` is where the member stood
        "village.chronicled": ("seat", "number", "spot", "section"),
        "village.buried": ("seat", "number", "spot"),  # in an anonymous grave
        "village.removed": ("seat", "number", "spot"),  # no place was left
        "village.nobody-dies": ("seat",),
        # actions
        "village.harvested": ("seat", "grain"),
        "village.born": ("seat", "number"),
        "village.home": ("seat", "number", "spot"),
        "village.trained": ("seat", "number", "building", "time"),
        "village.made": ("seat", "good", "time"),
        "village.bought": ("seat", "good", "pay"),
        "village.milled": ("seat", "coins", "grain", "time"),
        "village.departed": ("seat", "number", "city", "pay", "time"),
        "village.travelled": ("seat", "number", "origin", "city", "pay", "time"),
        "village.city-points": ("seat", "city", "points"),
        "village.city-coins": ("seat", "city", "coins"),
        "village.city-cubes": ("seat", "city", "count"),  # to be chosen now
        "village.city-known": ("seat", "city"),  # marked before: no reward
        "village.entered": ("seat", "number", "pay", "time"),
        "village.advanced": ("seat", "number", "stage", "pay", "time"),  # to this stage
        "village.privileged": ("seat", "stage"),  # what it gives is chosen next
        "village.marker": ("seat",),
        "village.marker-gone": ("seat", "holder"),
        "village.paid-prestige": ("seat", "coins", "points"),
        "village.chose": ("seat", "colours"),
        "village.no-cubes": ("seat",),
        "village.picked": ("seat", "good"),
        "village.no-goods": ("seat",),
        "village.prayed": ("seat", "number", "pay", "time"),
        # market day
        "village.market": ("day", "seat"),
        "village.sold": ("seat", "customer", "pay", "time"),
        "village.passed": ("seat",),
        "village.cannot-sell": ("seat",),
        "village.market-over": ("day",),
        # mass; `seat` leads it
        "village.mass": ("round", "seat"),
        "village.last-mass": ("round", "seat"),
        "village.redeemed": ("seat", "number", "coins"),
        "village.monk": (),
        "village.drawn": ("seat", "number"),
        "village.rose": ("seat", "number", "window", "grain"),  # to this window
        "village.majority": ("seats", "points"),
        "village.no-majority": (),
        # end; `area` is chronicle or graves
        "village.triggered": ("seat", "area"),
        "village.last-turns": ("seats",),
        "village.over": ("winners",),
    },
    reasons={
        "turn.not-owed": ("seat",),  # the seat owes nothing
        "turn.not-asked": ("verb", "decision"),  # the move answers another question than the one put
        "price.short": ("what", "need", "have"),
        "price.payment": ("price", "paid"),  # the words do not pay this price; a coin stands for any one cube
        "price.order": ("price", "paid"),  # they do, in another order: cubes first, then coins
        "supply.short": ("what", "need", "have"),
        "draw.not-there": ("what", "number"),
        "take.no-cube": ("colour", "space"),
        "take.no-cubes": ("space",),
        "take.emptied": (),  # the board is empty: an action is free now
        "well.emptied": (),
        "well.count": ("need", "paid"),
        "well.mixed": ("paid",),
        "act.cubes-left": (),  # a cube must be taken, or the well paid
        "act.nothing": ("space",),  # nothing could be done there
        "member.not-home": ("number",),
        "birth.none-left": (),
        "home.at-home": ("number",),
        "home.nobody": ("spot", "number"),
        "make.untrained": ("good", "building"),
        "make.other": ("good", "building"),  # who was just trained makes another good
        "market.no-customer": ("customer",),
        "market.in-line": ("customer",),
        "market.surcharge": ("cube",),
        "market.no-surcharge": (),
        "travel.no-road": ("origin", "city"),
        "travel.nobody": ("city", "number"),
        "council.nobody": ("stage", "number"),
        "council.last-stage": (),
        "council.closed": ("stage", "open"),  # `open` is the highest stage whose privilege may be used; 0 none
        "cubes.second": (),  # a second cube is due
        "cubes.only-one": (),
        "cubes.order": ("colours",),  # the same cubes, in the order of the colours
        "bury.nobody": ("spot", "number"),
        "redeem.nobody": ("number",),
        "rise.nobody": ("window", "number"),
        "rise.last-window": (),
    },
    parts=("prestige", "travel", "council", "church", "chronicle", "customers", "coins"),
    ties=("customers", "living"),
    news=("village.round", "village.triggered"),
)
