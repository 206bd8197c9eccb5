"""Realms of many collections: playlists of twenty tracks each, as a list, a set, a dictionary, and with embedded notes."""

import json

TRACKS = 20
SCHEMA = [
    {"name": "Playlist", "primaryKey": "id", "properties": {
        "id": "int", "tracks": "Track[]", "favourites": {"type": "set", "objectType": "Track"},
        "byTitle": {"type": "dictionary", "objectType": "Track"},
        "notes": {"type": "list", "objectType": "Note"}}},
    {"name": "Track", "properties": {"title": "string"}},
    {"name": "Note", "embedded": True, "properties": {"text": "string", "track": "Track"}},
]


def write_playlists(count, out):
    """NDJSON of so many playlists, and of as many tracks."""
    out.write(json.dumps({"schemaVersion": 1, "schema": SCHEMA}) + "\n")
    for number in range(count):
        # Neither ascending nor without repetition, as a list may be.
        tracks = [(number * 31 + place * place * 7) % count for place in range(TRACKS)]
        _write(out, "Playlist", {
            "id": number, "tracks": tracks, "favourites": sorted(set(tracks)),
            "byTitle": {f"place {place:02}": track for place, track in enumerate(tracks)},
            "notes": [{"text": f"note {place}", "track": track} for place, track in enumerate(reversed(tracks))]})
    for number in range(count):
        _write(out, "Track", {"_key": number, "title": f"Track {number}"})


def _write(out, name, made):
    out.write(json.dumps({"class": name, "object": made}) + "\n")
