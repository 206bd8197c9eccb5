"""Histories that went wrong once, each the shortest of its kind, named for what should hold."""

from .functions import Functions, Way, count, is_there, linked_member, named_keys, number_keys, same, texts, total
from .worlds import OPTIONAL_TEXT, collection, keyed, link


class Known:
    """A realm and its steps, in the form of random ones."""

    def __init__(self, schema, steps, versions=None, partners=None, additions=()):
        self.schema, self.versions, self.partners = schema, versions or {1: schema}, partners or {}
        self.steps = [*steps, {"op": "check", "since": 2, "before": 2}]


def batch(*upserts, deletes=(), version=None, base=None):
    """A batch of pairs of a class and an object, and of pairs of a class and a key."""
    return {"op": "batch", "version": version, "base": base, "batch": {
        "upserts": [{"class": c, "object": o} for c, o in upserts], "deletes": [{"class": c, "key": k} for c, k in deletes]}}


def partner(of, to, ways, keys=None, key="int"):
    functions = Functions(ways, keys)
    return {"class": of, "partner": keyed(to, key, {n: p for w in ways for n, p in w.right.items() if n != "_id"}), **functions.texts}, functions


def property_partner(of, old, way):
    functions = Functions([way])
    return {"class": of, "property": old, "partner": {"name": of, "properties": way.right}, **functions.texts}, functions


T = keyed("T", "int", {"a": "int"})
T2 = keyed("T2", "int", {"b": "string"})
T_VERSIONS = {1: [T], 2: [T2]}
T_PARTNER = {"T2": partner("T", "T2", [texts("a", "b"), Way({}, {"x": OPTIONAL_TEXT})])}
TWO = batch(("T", {"_id": 1, "a": 1}), ("T", {"_id": 2, "a": 2}))
MAKE = {"op": "make", "partner": "T2"}
HOLD, WORK = {"op": "hold", "kill": False}, {"op": "work"}
ABORT = {"op": "abort", "partner": "T2"}
CHECK = {"op": "check"}

CITY = keyed("City", "string", {"name": "string"})
TEAM = keyed("Team", "string", {})
BADGE = {"name": "Badge", "embedded": True, "properties": {"team": link("Team")}}
OWNER = keyed("Owner", "int", {"badge": link("Badge")})
OWNERS = [TEAM, BADGE, OWNER]
FRIENDS, FRIENDS2 = collection("list", "T"), collection("list", "T2")
LINKED = keyed("T", "int", {"a": "int", "f": FRIENDS})
LINKED_PARTNER = {"T2": partner("T", "T2", [texts("a", "b"), same("f", FRIENDS, FRIENDS2), Way({}, {"x": OPTIONAL_TEXT})])}
SET = collection("set", "City")


def city_label():
    return property_partner("City", "name", Way(
        {"name": "string"}, {"label": "string"}, [("label", "'L-' + o.name", lambda o: "L-" + o["name"])],
        [("name", "o.label.slice(2)", lambda o: o["label"][2:])]))


def add(name, properties, defaults=False):
    return {"op": "add", "properties": [[name, properties]], "defaults": defaults}


def histories():
    """The histories by name."""
    without_name = {**CITY, "properties": {"_id": "string", "label": "string"}}
    old_badge = {**BADGE, "properties": {"team": link("Team")}}
    new_badge = {**BADGE, "properties": {**BADGE["properties"], "zip": OPTIONAL_TEXT}}
    many = {**OWNER, "properties": {**OWNER["properties"], "badges": collection("list", "Badge")}}
    wearer = keyed("Owner", "int", {"badge": link("Badge"), "name": "string"})
    key_way, forward, backward = number_keys()
    bad_way, bad_forward, bad_backward = named_keys("n")
    named = keyed("A", "int", {"n": "string"})
    pointing = keyed("Q", "int", {"t": link("T"), "ts": collection("list", "T")})
    return {
        "after an abort clients of the partner class are refused":
            Known([T], [TWO, MAKE, CHECK, ABORT], T_VERSIONS, T_PARTNER),
        "after an abort clients of the partner property are refused":
            Known([CITY], [batch(("City", {"_id": "a", "name": "x"})), {"op": "make", "partner": "label"}, CHECK,
                           {"op": "abort", "partner": "label"}], {1: [CITY], 2: [without_name]}, {"label": city_label()}),
        "what a batch gives one side is not lost to the other":
            Known([LINKED], [TWO, MAKE, CHECK, batch(("T", {"_id": 1, "a": 50, "f": [2]}), ("T2", {"_id": 1, "x": "q"})),
                             batch(("T2", {"_id": 3, "f": [1]}), ("T", {"_id": 3, "a": 4})), CHECK,
                             batch(("T", {"_id": 2, "a": 50}), ("T2", {"_id": 2, "b": "51"})),
                             batch(("T", {"_id": 2, "a": 50}), ("T2", {"_id": 2, "b": "050"}))], None, LINKED_PARTNER),
        "the job that makes partners overwrites nothing":
            Known([LINKED], [batch(("T", {"_id": 1, "a": 7, "f": [1, 2]}), ("T", {"_id": 2, "a": 2})), HOLD, MAKE,
                             batch(("T2", {"_id": 1, "b": "07", "x": "w"}), version=None), CHECK, WORK], None, LINKED_PARTNER),
        "deleting a partner that waits to be made deletes both sides":
            Known([T], [TWO, HOLD, MAKE, batch(deletes=[("T2", 2)]), CHECK, WORK], T_VERSIONS, T_PARTNER),
        "a new object of a partner property that is being made is there once":
            Known([CITY], [HOLD, {"op": "make", "partner": "label"}, batch(("City", {"_id": "a", "label": "L-x"})), CHECK, WORK], None,
                  {"label": city_label()}),
        "a link that a deletion clears runs forward":
            Known([CITY, keyed("T", "int", {"city": link("City"), "cities": collection("list", "City")})],
                  [batch(("City", {"_id": "a"}), ("City", {"_id": "b"}), ("T", {"_id": 1, "city": "a", "cities": ["a", "b"]})), MAKE, CHECK,
                   batch(deletes=[("City", "a")])], None,
                  {"T2": partner("T", "T2", [is_there("city", link("City"), "settled"), count("cities", collection("list", "City"), "n")])}),
        "a link that is cleared in an embedded object runs forward":
            Known([TEAM, BADGE, wearer], [batch(("Team", {"_id": "a"}), ("Owner", {"_id": 1, "badge": {"team": "a"}})),
                                          {"op": "make", "partner": "Owner2"}, CHECK, batch(deletes=[("Team", "a")])], None,
                  {"Owner2": partner("Owner", "Owner2", [linked_member("badge", link("Badge"), "team", "teamed"), same("name", "string")])}),
        "what is deleted after a cut-over leaves no embedded objects in the old class":
            Known([TEAM, BADGE, wearer], [batch(("Owner", {"_id": 1, "badge": {"team": None}})), {"op": "make", "partner": "Owner2"}, CHECK,
                                          {"op": "cutOver", "partner": "Owner2", "accept": True}, batch(deletes=[("Owner2", 1)]),
                                          add("Badge", {"n": {"type": "int", "default": 9}})], None,
                  {"Owner2": partner("Owner", "Owner2", [linked_member("badge", link("Badge"), "team", "teamed"), same("name", "string")])}),
        "the owner of an embedded object whose link was cleared is told and differs":
            Known(OWNERS, [batch(("Team", {"_id": "a"}), ("Owner", {"_id": 1, "badge": {"team": "a"}})), CHECK, batch(deletes=[("Team", "a")])]),
        "the owner of an embedded object whose link was cleared conflicts with an older base":
            Known(OWNERS, [batch(("Team", {"_id": "a"}), ("Owner", {"_id": 1, "badge": {"team": "a"}})), batch(deletes=[("Team", "a")]),
                           batch(("Owner", {"_id": 1, "badge": None}), base=2)]),
        "defaults that a migration writes reach the partner":
            Known([T], [batch(("T", {"_id": 1, "a": 1})), MAKE, CHECK, add("T", {"rank": {"type": "int", "default": 5}}, True)], None,
                  {"T2": partner("T", "T2", [total("a", "sum", "rank")])}),
        "partners with another type of key stay partners":
            Known([T], [TWO, {"op": "make", "partner": "T2"}, CHECK, batch(("T2", {"_id": "08", "b": "8"})), batch(("T2", {"_id": "8", "b": "8"})),
                        batch(("T", {"_id": 2, "a": 5}), deletes=[("T2", "1")])], None,
                  {"T2": partner("T", "T2", [key_way, texts("a", "b")], {"T": forward, "T2": backward}, "string")}),
        "a partner's key that is made of what changes is refused":
            Known([named], [batch(("A", {"_id": 1, "n": "x"})), {"op": "make", "partner": "A2"}, batch(("A", {"_id": 1, "n": "w"}))], None,
                  {"A2": partner("A", "A2", [bad_way, same("n", "string")], {"A": bad_forward, "A2": bad_backward}, "string")}),
        "what a version does not show of an embedded object is kept":
            Known([TEAM, new_badge, many],
                  [batch(("Team", {"_id": "a"}), ("Owner", {"_id": 1, "badge": {"team": "a", "zip": "z"}, "badges": [{"zip": "1"}, {"zip": "2"}]})),
                   batch(("Owner", {"_id": 1, "badge": {"team": None}, "badges": [{"team": "a"}, {}, {"team": "a"}]}), version=1)],
                  {1: [TEAM, old_badge, many], 2: [TEAM, new_badge, many]}),
        "sets of links are compared as sets":
            Known([CITY, keyed("T", "int", {"s": SET})],
                  [batch(("City", {"_id": "z"}), ("City", {"_id": "a"}), ("T", {"_id": 1, "s": ["z", "a"]})), MAKE, CHECK,
                   batch(("T", {"_id": 2, "s": ["z", "a"]}), ("T2", {"_id": 3, "s": ["z", "a"]})), CHECK,
                   {"op": "cutOver", "partner": "T2", "accept": False}], None, {"T2": partner("T", "T2", [same("s", SET)])}),
        "a batch that is sent again comes to the same":
            Known([T], [TWO, MAKE, CHECK, {**batch(("T2", {"_id": 5, "b": "5"}), deletes=[("T", 5)]), "op": "twice"}], T_VERSIONS, T_PARTNER),
        "an empty batch makes no snapshot": Known([T], [TWO, {"op": "empty", "version": None, "batch": {}}]),
        "an added optional property is no conflict": Known([T], [TWO, add("T", {"c": OPTIONAL_TEXT}), batch(("T", {"_id": 1, "a": 5}), base=2)]),
        "an added index is no conflict":
            Known([T], [TWO, {"op": "index", "class": "T", "property": "a"}, batch(("T", {"_id": 1, "a": 5}), base=2)]),
        "an old client gets a recovery after a cut-over":
            Known([T], [TWO, MAKE, CHECK, {"op": "cutOver", "partner": "T2", "accept": False}], T_VERSIONS, T_PARTNER),
        "a class with a partner can be backfilled":
            Known([T], [TWO, MAKE, CHECK, add("T", {"r": "int"}), CHECK, {"op": "backfill", "class": "T", "property": "r", "value": 7}],
                  T_VERSIONS, T_PARTNER),
        "a partner property is made again whatever objects lack":
            Known([CITY], [batch(("City", {"_id": "a", "name": "A"})), {"op": "make", "partner": "label"}, CHECK, add("City", {"r": "int"}),
                           {"op": "abort", "partner": "label"}, {"op": "make", "partner": "label"}], None, {"label": city_label()}),
        "a partner class is made again when its objects lacked a value and have gone since":
            Known([T], [TWO, MAKE, CHECK, add("T2", {"level": {"type": "int", "default": 2}}), CHECK, ABORT,
                        batch(deletes=[("T", 1), ("T", 2)]), MAKE], None, T_PARTNER),
        "a link to an object that a client can't have is not shown":
            Known([T, pointing], [TWO, batch(("Q", {"_id": 1, "t": 1, "ts": [1, 2]})), CHECK, add("T", {"r": "int"}), CHECK,
                                  batch(("T", {"_id": 2, "r": 1})), CHECK, {"op": "backfill", "class": "T", "property": "r", "value": 7}]),
        "a link that is shown again because a backfill filled its object conflicts with an older base":
            Known([T, pointing], [TWO, batch(("Q", {"_id": 1, "t": 1, "ts": []})), add("T", {"r": "int"}),
                                  {"op": "backfill", "class": "T", "property": "r", "value": 7}, batch(("Q", {"_id": 1, "ts": []}), base=2)]),
        "a link that is shown again because a client filled its object conflicts with an older base":
            Known([T, pointing], [TWO, batch(("Q", {"_id": 1, "t": 1, "ts": []})), add("T", {"r": "int"}),
                                  batch(("T", {"_id": 1, "r": 7})), batch(("Q", {"_id": 1, "ts": []}), base=2)]),
        "an addition to embedded objects is told of their owners":
            Known(OWNERS, [batch(("Team", {"_id": "a"}), ("Owner", {"_id": 1, "badge": {"team": "a"}})), CHECK,
                           add("Badge", {"zip": OPTIONAL_TEXT}), CHECK, add("Badge", {"door": {"type": "int", "default": 9}}, True)]),
        "what a version does not show of a new embedded object is its default":
            Known([TEAM, {**BADGE, "properties": {**BADGE["properties"], "door": {"type": "int", "default": 9}}}, OWNER],
                  [batch(("Owner", {"_id": 1, "badge": {"team": None}}), version=1)], {1: OWNERS}),
        "a partner with links and another type of key is made":
            Known([CITY, keyed("T", "int", {"city": link("City")})], [batch(("City", {"_id": "a"}), ("T", {"_id": 1, "city": "a"})), MAKE], None,
                  {"T2": partner("T", "T2", [key_way, same("city", link("City"))], {"T": forward, "T2": backward}, "string")}),
        "what a client's model alone requires is the empty value of its type":
            Known([T], [TWO], {1: [keyed("T", "int", {"a": "int", "r": "int", "s": "string"})]}),
    }
