"""What each type of a property costs a script, as a share of a plain one that joins two strings."""

import statistics

from realms import SAMPLE, samples

# How a callback reads the property and writes it back.
CALLBACKS = {
    "uuid": "n.uuid = o.uuid;",
    "objectId": "n.objectId = o.objectId;",
    "data": "n.data = o.data;",
    "decimal128": "n.decimal = o.decimal;",
    "mixed": "n.mixed = o.mixed;",
    "dictionary": "n.dictionary = o.dictionary;",
    "set": "n.set = o.set;",
}
OTHERS = {
    "follow a link of a sample": "if (o.link) n.joined = o.link.second;",
    "write to where a link leads": "if (n.link) n.link.joined = o.first;",
    "follow a link, look into a list, reverse some": (
        "if (o.link) n.joined = o.link.second; const all = o.list; if (all.length) n.list = [...all].reverse();"),
}
PLAIN = 'n.joined = o.first + " " + o.second;'


def request(callback):
    return {"targetVersion": 2, "schema": SAMPLE, "migration": {"language": "javascript", "source": (
        'function migrate(m) { m.enumerateObjects("Sample", (o, n) => { %s }); }' % callback)}}


def values(run):
    count = run.count // 4
    first = run.snapshot("samples", run.realms.ndjson("samples", SAMPLE, {"Sample": samples(count)}))
    plain, _, _ = run.time(
        lambda: run.client.migrate("samples", request(PLAIN)), before=lambda: run.client.restore("samples", first))
    steps = {f"read and write back: {kind}": callback for kind, callback in CALLBACKS.items()} | OTHERS
    for name, callback in steps.items():
        run.migrate(
            name, "samples", request(callback), objects=count, peer=statistics.median(plain), peer_name="plain script")
