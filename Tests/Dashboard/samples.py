"""Realms that the pages are shown with."""

MARKUP = "<img src=x onerror=alert(1)>"


def hostile_realm():
    """A realm whose class, property and values would be markup, were they not text."""
    schema = [
        {"name": MARKUP, "primaryKey": "_id", "properties": {
            "_id": "string", MARKUP: "string", "all": "string[]", "by name": "string{}",
            "friend": {"type": "object", "objectType": MARKUP}, "any": "mixed"}},
    ]
    values = {"all": [MARKUP], "by name": {MARKUP: MARKUP}, MARKUP: MARKUP, "any": MARKUP}
    objects = [{"_id": MARKUP, "friend": "a/b?c#d%", **values}, {"_id": "a/b?c#d%", "friend": MARKUP, **values}]
    return {"schemaVersion": 1, "schema": schema, "objects": {MARKUP: objects}}


def linked_realm():
    return {"schemaVersion": 1, "schema": [
        {"name": "Person", "primaryKey": "id", "properties": {
            "id": "int", "name": "string?", "dogs": "Dog[]", "home": "Home", "big": "int", "picture": "data?"}},
        {"name": "Dog", "properties": {"name": "string", "born": "date?"}},
        {"name": "Home", "embedded": True, "properties": {"street": "string"}},
    ], "objects": {
        "Person": [
            {"id": 1, "name": "Ada", "dogs": [4, 5], "home": {"street": "Main Street"}, "big": 9007199254740993,
             "picture": {"$binary": {"base64": "AAEC", "subType": "00"}}},
            {"id": 2, "name": None, "dogs": [], "home": None, "big": 0, "picture": None}],
        "Dog": [{"_key": 4, "name": "Rex", "born": {"$date": "2020-01-31T10:00:00.123Z"}}, {"_key": 5, "name": "Bella", "born": None}]}}
