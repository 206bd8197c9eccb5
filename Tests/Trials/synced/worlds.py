"""Random realms: classes, the versions of an app that knows them, and the partners and additions that may come."""

from .functions import (Functions, count, is_there, left_only, linked_member, marked, member, named_keys, number_keys,
                        prefixed, right_only, same, texts, total, upper)

OPTIONAL_TEXT = {"type": "string", "optional": True}


def link(to):
    return {"type": "object", "objectType": to, "optional": True}


def collection(kind, of):
    return {"type": kind, "objectType": of, **({"optional": True} if kind == "dictionary" else {})}


def keyed(name, key, properties):
    return {"name": name, "primaryKey": "_id", "properties": {"_id": key, **properties}}


def without(given, *names):
    return {**given, "properties": {n: p for n, p in given["properties"].items() if n not in names}}


# Functions that fill what objects lack, in both languages, by class and property.
SCRIPTS = {
    ("Person", "grade"): ("o => o.age + 1", lambda o: o["age"] + 1),
    ("Person", "rank"): ("o => o.friends.length", lambda o: len(o["friends"])),
    ("Tag", "weight"): ("o => o.label.length", lambda o: len(o["label"])),
    ("Note", "kind"): ("o => o.text + '!'", lambda o: o["text"] + "!"),
    ("Person2", "level"): ("o => o.email === null ? 0 : 1", lambda o: 0 if o["email"] is None else 1)}


class World:
    """The subject of a history, made of random choices alone."""

    def __init__(self, random):
        self.keys = {"Tag": random.choice(["uuid", "int"]), "City": random.choice(["string", "objectId"]),
                     "Person": random.choice(["int", "string"]), "Note": "int"}
        embeds = random.random() < 0.8
        tag = keyed("Tag", self.keys["Tag"], {"label": "string"})
        city = keyed("City", self.keys["City"], {"name": "string", "size": {"type": "int", "optional": True}, "twin": link("City")})
        room = {"name": "Room", "embedded": True, "properties": {"floor": "int", "tag": link("Tag"), "key": OPTIONAL_TEXT}}
        address = {"name": "Address", "embedded": True, "properties": {
            "street": "string", "zip": OPTIONAL_TEXT, "city": link("City"), "room": link("Room")}}
        ways = self.person_ways(random, embeds)
        person = keyed("Person", self.keys["Person"], {n: p for w in ways for n, p in w.left.items()})
        second = keyed("Person2", self.keys["Person"], {n: p for w in ways for n, p in w.right.items()})
        about = random.choice(["Person", "City"])
        note = keyed("Note", "int", {"text": "string", "about": link(about), "tags": collection("list", "Tag")})
        embedded = [room, address] if embeds else []
        note2, note_functions = self.make_note2(random, note)
        self.schema = [tag, city, *embedded, person, note]
        self.partners = self.make_partners(random, ways, second)
        if note2:
            self.partners["Note2"] = ({"class": "Note", "partner": note2, **note_functions.texts}, note_functions)
        self.additions = self.make_additions(embeds)
        self.classes = [keyed("Event", "int", {"title": "string", "at": link("City"), "guests": collection("set", "Tag")})]
        self.versions = self.make_versions(random, tag, city, embedded, person, second, note2 or note, about)

    @staticmethod
    def person_ways(random, embeds):
        friends, to_second = collection("list", "Person"), collection("list", "Person2")
        ways = [
            random.choice([same("name", "string"), upper("name")]),
            random.choice([texts("age", "years"), total("age", "sum", "rank"), same("age", "int")]),
            random.choice([same("note", OPTIONAL_TEXT), left_only("note", OPTIONAL_TEXT)]),
            random.choice([same("city", link("City")), is_there("city", link("City"), "settled")]),
            random.choice([same("friends", friends, to_second), count("friends", friends, "popularity")]),
            random.choice([same("tags", collection("set", "Tag")), count("tags", collection("set", "Tag"), "tagCount")]),
            random.choice([same("roles", collection("dictionary", "City")), left_only("roles", collection("dictionary", "City"))]),
            right_only("email", OPTIONAL_TEXT)]
        if random.random() < 0.5:
            ways.append(right_only("buddy", link("Person2")))
        if embeds:
            home, places, spots = link("Address"), collection("list", "Address"), collection("dictionary", "Address")
            ways.append(random.choice([same("spots", spots), left_only("spots", spots), left_only("more", "string")]))
            ways += [random.choice([same("home", home), member("home", home, "street", "street"),
                                    linked_member("home", home, "city", "homed"), left_only("home", home)]),
                     random.choice([same("places", places), count("places", places, "placeCount")])]
        return ways

    def make_note2(self, random, note):
        """In some worlds notes have partners, too, whose keys have another type."""
        if random.random() < 0.4:
            return None, None
        is_fit = random.random() < 0.8
        way, forward, backward = number_keys() if is_fit else named_keys("text")
        properties = note["properties"]
        ways = [way, same("text", "string"), same("about", properties["about"]), same("tags", properties["tags"]),
                right_only("extra", OPTIONAL_TEXT)]
        self.keys["Note2"] = "{}" if is_fit else "-{}"
        return (keyed("Note2", "string", {n: p for w in ways for n, p in w.right.items()}),
                Functions(ways, {"Note": forward, "Note2": backward}))

    @staticmethod
    def make_partners(random, ways, second):
        """Requests for partners and their functions, by a name of the history's."""
        def request(functions, **more):
            return {**more, **functions.texts}, functions
        inner = Functions([random.choice([prefixed("name", "label"), marked("name", "label", "twin")])])
        return {
            "Person2": request(Functions(ways), **{"class": "Person", "partner": second}),
            "label": request(inner, **{"class": "City", "property": "name",
                                       "partner": {"name": "City", "properties": {"label": "string"}}})}

    @staticmethod
    def make_additions(embeds):
        """The additions of migrations: classes with the properties that come to them."""
        found = [("Person", {"rank": {"type": "int", "default": 5}}), ("Person", {"grade": "int"}), ("Person", {"nick": OPTIONAL_TEXT}),
                 ("City", {"area": {"type": "double", "default": 1.5}}), ("City", {"mayor": link("Person")}),
                 ("Tag", {"weight": "int"}), ("Note", {"stars": {"type": "int", "optional": True}}), ("Note", {"kind": "string"}),
                 ("Person2", {"level": {"type": "int", "default": 2}}), ("Person2", {"mood": OPTIONAL_TEXT}),
                 ("Note", {"cities": collection("list", "City")})]
        if embeds:
            found += [("Address", {"door": {"type": "int", "default": 9}}), ("Address", {"bell": OPTIONAL_TEXT})]
        return found

    def make_versions(self, random, tag, city, embedded, person, second, new_note, about):
        """Version 1 is older than the realm's schema, 2 has the partners, and 3 what is added."""
        old = [without(c, "zip", "key", *([] if random.random() < 0.5 else ["room"])) if c["name"] in ("Address", "Room") else c
               for c in embedded]
        if old and "room" not in old[1]["properties"]:
            old = old[1:]
        new_city = without(city, "name")
        new_city["properties"]["label"] = "string"
        new = [tag, new_city, *embedded, second, without(new_note, "about") if about == "Person" else new_note]
        grown = {c["name"]: {**c, "properties": dict(c["properties"])} for c in self.schema}
        for name, properties in self.additions:
            if name in grown and random.random() < 0.6:
                grown[name]["properties"].update(properties)
        if random.random() < 0.5:
            grown.update({c["name"]: c for c in self.classes})
        return {1: [tag, without(city, "size"), *old, without(person, "note"), self.schema[-1]], 2: new, 3: list(grown.values())}
