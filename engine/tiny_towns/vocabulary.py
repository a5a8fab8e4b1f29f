"""Everything that Tiny Towns can say: keys of questions, events and refusals with the names of their fields."""

from engine.core.ruleset import Vocabulary
from engine.tiny_towns.components import BUILDINGS, RESOURCES
from engine.tiny_towns.scoring import PARTS

VOCABULARY = Vocabulary(
    decisions={
        # chance
        "towns.card": ("colour",),
        "towns.helper": ("pile",),  # 1 or 2
        "towns.first": (),
        "towns.deal": ("seat",),
        "towns.resource": (),  # Town Hall
        "towns.open": (),  # Solo
        # before the first round
        "towns.monument": (),
        "towns.corners": ("count",),
        # the round
        "towns.name": (),
        "towns.take": (),
        "towns.place": ("resource",),
        "towns.put": ("resource",),  # what came instead
        "towns.build": (),
        "towns.cubes": ("card", "square"),
        "towns.cut-corners": (),
        "towns.innovate": (),
        "towns.cooperate": (),
        "towns.give": ("card", "resource"),
        "towns.forage": (),
        "towns.renovate": (),
        "towns.mark": ("card", "square"),
        "towns.guild": ("left",),  # how many more may be replaced
        "towns.university": (),
        "towns.stock": (),
        "towns.forge": (),
        "towns.watch": ("card",),
        "towns.villagers": ("count",),  # how many must still move
        "towns.lodge": ("count",),  # how many are in the Lodge
    },
    events={
        # set-up
        "towns.card": ("card",),
        "towns.helper": ("helper", "cost"),
        "towns.first": ("seat",),
        "towns.dealt": ("seat",),
        "towns.dealt-card": ("seat", "card"),  # to its owner
        "towns.kept": ("seat", "card"),  # to its owner
        "towns.corners": ("seat", "squares"),
        # the round; `seat` is the Master Builder, or -1
        "towns.round": ("round", "seat"),
        "towns.named": ("seat", "resource"),
        "towns.drawn": ("resource",),
        "towns.open": ("resource",),
        "towns.took": ("seat", "resource"),
        # answers to the resource
        "towns.placed": ("seat", "resource", "square"),
        "towns.swapped": ("seat", "named", "resource"),
        "towns.stored": ("seat", "resource", "card", "square"),
        "towns.exchanged": ("seat", "given", "resource", "square"),
        "towns.aside": ("seat", "resource", "left"),
        "towns.scrapped": ("seat", "resource", "squares"),
        # constructing
        "towns.built": ("seat", "card", "square", "cubes"),
        "towns.works": ("seat", "square", "card"),
        "towns.shrine": ("seat", "points"),
        "towns.marked": ("seat", "card", "square", "resource"),
        "towns.replaced": ("seat", "square", "old", "card"),
        "towns.added": ("seat", "card", "square"),
        "towns.brought": ("seat", "resource", "square"),
        "towns.stocked": ("seat", "cards"),
        "towns.skipped": ("seat", "effect"),  # by choice; `effect` is the last word of the decision's key
        "towns.activated": ("seat", "helper", "squares"),
        "towns.done": ("seat",),
        # the end of the round
        "towns.stays": ("seat", "card"),  # no place for a piece of the Watch
        "towns.moved": ("seat", "origin", "square"),
        "towns.to-lodge": ("seat", "square"),  # a villager found no square
        "towns.lodged": ("seat", "square"),
        "towns.waits": ("seat", "count"),  # in the Lodge: no square is free
        "towns.completed": ("seat",),
        "towns.ranked": ("seat", "points", "rank"),  # Solo: 1 is the best
        "towns.over": ("winners",),
    },
    reasons={
        "turn.not-owed": ("seat",),
        "turn.not-asked": ("verb", "decision"),
        "draw.not-there": ("what",),
        "hammer.seat": ("seat",),
        "keep.not-dealt": ("card", "dealt"),
        "corners.count": ("need",),
        "corners.order": ("squares",),
        "name.marked": ("resource",),
        "take.not-open": ("resource", "open"),
        "take.marked": ("resource",),
        "square.cube": ("square", "resource"),
        "square.building": ("square", "card"),
        "answer.own": (),  # only what another names
        "answer.free": (),  # nobody named it
        "swap.no-factory": ("resource",),
        "swap.same": ("resource",),
        "store.nothing": ("square",),
        "store.no-statue": ("square",),
        "store.full": ("square", "card"),
        "exchange.no-warehouse": ("square",),
        "exchange.no-cube": ("square", "resource"),
        "exchange.same": ("resource",),
        "cavern.off": (),
        "cavern.used": ("most",),
        "card.not-open": ("card",),
        "card.not-yours": ("card",),  # a Monument
        "build.built": ("card",),  # the Monument stands
        "build.layout": ("card",),  # the layout lies nowhere
        "build.cubes": ("card",),  # Cooperate: the cubes are not in town
        "build.square": ("card", "square", "squares"),
        "use.cubes": ("card", "squares"),
        "give.square": ("square", "resource", "squares"),
        "bank.limit": ("most",),
        "mark.twice": ("resource",),
        "replace.nothing": ("square",),
        "replace.monument": ("square",),
        "replace.same": ("square", "card"),
        "add.building": ("what",),  # a building is due, not a cube
        "add.resource": ("what",),  # a cube is due, not a building
        "stock.count": ("need",),
        "stock.order": ("cards",),
        "ability.not-open": ("helper",),
        "ability.cost": ("helper", "need"),
        "ability.nobody": ("square",),  # nobody works there
        "ability.order": ("squares",),
        "ability.scrap": (),  # stands for the placement, not after it
        "ability.nothing": ("helper",),
        "villager.none": ("square",),
        "villager.stays": ("square",),
        "villager.square": ("origin", "square", "squares"),
        "lodge.square": ("square", "squares"),
    },
    parts=PARTS,
    ties=("turns", "empty", "cottages"),
    facts={
        **dict.fromkeys(("towns.take", "towns.place", "towns.put"), RESOURCES),
        "towns.watch": BUILDINGS,
    },
    news=("towns.round", "towns.over", "towns.ranked"),
)
