"""Scripts that follow links and change lists of them."""

from large_realm import by_script
from realms import FRIEND, PLAYLIST, TRACKS, friends, playlists, tracks

FRIEND_NAME = [{"name": "Person", "properties": {"name": "string", "friend": "Person", "friendName": "string"}}]
FRIEND_SCRIPT = """
function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("Person", (oldPerson, newPerson) => {
    newPerson.friendName = oldPerson.friend.name;
  });
}
"""
REVERSE_SCRIPT = """
function migrate(migration, oldSchemaVersion) {
  migration.enumerateObjects("Playlist", (oldList, newList) => {
    newList.tracks = [...newList.tracks].reverse();
  });
}
"""
PRIME = 7919


def links(run):
    for title, step in (("neighbours", 1), ("scattered", run.count // 2 + PRIME)):
        realm = "friends-" + title
        run.snapshot(realm, run.realms.ndjson(realm, FRIEND, {"Person": friends(run.count, step)}))
        run.migrate(f"follow a link each, {title}", realm, by_script(FRIEND_NAME, FRIEND_SCRIPT), objects=run.count)


def lists(run):
    count = run.count // 10
    run.snapshot("playlists", run.realms.ndjson(
        "playlists", PLAYLIST, {"Playlist": playlists(count), "Track": tracks(count)}))
    run.migrate("reverse lists of 20 links", "playlists", by_script(PLAYLIST, REVERSE_SCRIPT), objects=count * TRACKS)
