import RealmJSON
import Testing

extension `Scripts that lose something, and others` {
    struct Script: Sendable, CustomTestStringConvertible {
        var name: String
        var drops: [String] = []
        var adds: JSONValue = [:]
        var classes: JSONValue = []
        /// The body of a callback for each person, or a whole script; nil for none.
        var body: String?
        /// The name of the rule for its loss; nil for a script that loses nothing.
        var finding: String?
        /// The objects that it is about.
        var count = 0

        var testDescription: String { name }
    }

    static let lossy = [
        Script(name: "empty names", body: "now.name = '';", finding: "valueToEmpty", count: 40),
        Script(name: "ages of zero", body: "now.age = 0;", finding: "valueToEmpty", count: 40),
        Script(name: "flags that are false", body: "now.isActive = false;", finding: "valueToEmpty", count: 26),
        Script(name: "dates of the epoch", body: "now.born = new Date(0);", finding: "valueToEmpty", count: 40),
        Script(name: "empty lists", body: "now.tags = [];", finding: "valueToEmpty", count: 40),
        Script(name: "nulls", body: "now.nick = null;", finding: "valueToNull", count: 40),
        Script(name: "one value for all", body: "now.city = 'Berlin';", finding: "oneValueForAll", count: 32),
        Script(
            name: "names of other objects",
            body: swapping("(values, i) => values[(i * 7 + 3) % values.length]", "name"), finding: "exchangedValues",
            count: 40),
        Script(
            name: "names of the neighbours",
            body: "function migrate(m) { let last = 'Nobody Known'; "
                + "m.enumerateObjects('Person', (before, now) => { now.name = last; last = before.name; }); }",
            finding: "exchangedValues", count: 40),
        Script(
            name: "every second value taken over from the object before",
            body: "function migrate(m) { let last, odd = true; m.enumerateObjects('Person', (before, now) => { "
                + "odd = !odd; if (odd) now.nick = last; last = before.nick; }); }",
            finding: "exchangedValues", count: 20),
        Script(
            name: "ages of other objects", body: swapping("(values, i) => values[(i * 7 + 3) % values.length]", "age"),
            finding: "exchangedValues", count: 38),
        Script(
            name: "links of other objects",
            body: swapping("(values, i) => values[(i * 7 + 3) % values.length]", "friends"), finding: "exchangedValues",
            count: 40),
        Script(
            name: "many different texts that become a few", body: "now.nick = ['a', 'b', 'c'][before.position % 3];",
            finding: "mergedValues", count: 40),
        Script(
            name: "many different numbers that become a few",
            body: "now.position = before.position < 20 ? 1 : 2;", finding: "mergedValues", count: 39),
        Script(
            name: "a property that is never filled", adds: ["full": "string?"], body: "now.age = before.age + 1;",
            finding: "unfilledProperty", count: 40),
        Script(name: "a property that is dropped", drops: ["name"], finding: "droppedValue", count: 40),
        Script(
            name: "half of a name", drops: ["name"], adds: ["first": "string"],
            body: "now.first = before.name.split(' ')[0];", finding: "droppedValue", count: 40),
        Script(
            name: "texts that are cut", body: "now.name = before.name.slice(0, 3);", finding: "truncatedValue",
            count: 40),
        Script(
            name: "numbers that are rounded", body: "now.rating = Number(before.rating.toFixed(1));",
            finding: "roundedNumber", count: 30),
        Script(
            name: "lists that are shortened", body: "now.tags = [before.tags[1]];", finding: "truncatedValue", count: 40
        ),
        Script(
            name: "dates without their time", body: "now.seen = new Date(before.seen.toISOString().slice(0, 10));",
            finding: "truncatedValue", count: 40),
        Script(
            name: "dates without seconds",
            body: "now.seen = new Date(Math.floor(before.seen.getTime() / 60000) * 60000);",
            finding: "truncatedValue", count: 40),
        Script(
            name: "dates without months", body: "now.seen = new Date(Date.UTC(before.seen.getUTCFullYear(), 0, 1));",
            finding: "truncatedValue", count: 40),
        Script(
            name: "decimal numbers that are rounded",
            body: "now.price = new Decimal128(String(Math.round(Number(before.price.toString()))));",
            finding: "roundedNumber", count: 40),
        Script(
            name: "elements that become zero", body: "now.counts = Array.from(before.counts, () => 0);",
            finding: "valueToEmpty", count: 40),
        Script(
            name: "elements that are rounded", body: "now.ratios = Array.from(before.ratios, Math.round);",
            finding: "roundedNumber", count: 40),
        Script(
            name: "values of dictionaries that become empty",
            body: "for (const key of Object.keys(before.traits)) now.traits[key] = '';", finding: "valueToEmpty",
            count: 40),
        Script(
            name: "lists of links that are shortened", body: "now.friends = [now.friends[0]];",
            finding: "truncatedValue", count: 40),
        Script(
            name: "lists of embedded objects that are shortened", body: "now.homes.pop();", finding: "truncatedValue",
            count: 40),
        Script(
            name: "embedded objects that are replaced by empty ones",
            body: "now.house = {street: '', zip: null, floor: 0};",
            finding: "valueToEmpty", count: 40),
        Script(
            name: "embedded objects that are replaced by parts of them",
            body: "now.house = {street: before.house.street, zip: null, floor: before.house.floor};",
            finding: "truncatedValue", count: 40),
        Script(
            name: "the first element of a list", drops: ["tags"], adds: ["tags": "string"],
            body: "now.tags = before.tags[0];", finding: "truncatedValue", count: 40),
        Script(
            name: "the first word of a text", drops: ["name"], adds: ["name": "string[]"],
            body: "now.name = [before.name.split(' ')[0]];", finding: "truncatedValue", count: 40),
        Script(
            name: "the key of one of several links", drops: ["friends"], adds: ["friends": "int[]"],
            body: "now.friends = [before.friends[0].position];", finding: "droppedValue", count: 40),
        Script(
            name: "the beginning of an identifier", drops: ["token"], adds: ["token": "string"],
            body: "now.token = before.token.toString().slice(0, 8);", finding: "truncatedValue", count: 40),
        Script(
            name: "a date in seconds", drops: ["seen"], adds: ["seen": "int"],
            body: "now.seen = Math.floor(before.seen.getTime() / 1000);", finding: "truncatedValue", count: 40),
        Script(
            name: "the day of a date in another property", drops: ["seen"], adds: ["day": "string"],
            body: "now.day = before.seen.toISOString().slice(0, 10);", finding: "truncatedValue", count: 40),
        Script(
            name: "the day of a date as another date", drops: ["seen"], adds: ["day": "date"],
            body: "const day = new Date(before.seen); day.setUTCHours(0, 0, 0, 0); now.day = day;",
            finding: "truncatedValue", count: 40),
        Script(
            name: "the day of a date in three numbers", drops: ["seen"], adds: ["y": "int", "m": "int", "d": "int"],
            body: "const day = before.seen; now.y = day.getUTCFullYear(); now.m = day.getUTCMonth() + 1; "
                + "now.d = day.getUTCDate();", finding: "truncatedValue", count: 40),
        Script(
            name: "the day of a date in an embedded object", drops: ["seen"], adds: ["visit": "Visit?"],
            classes: [["name": "Visit", "embedded": true, "properties": ["day": "string"]]],
            body: "now.visit = {day: before.seen.toDateString()};", finding: "truncatedValue", count: 40),
        Script(
            name: "a date in seconds of another property", drops: ["seen"], adds: ["seenAt": "int"],
            body: "now.seenAt = Math.floor(before.seen.getTime() / 1000);", finding: "truncatedValue", count: 40),
        Script(
            name: "codes that forget a word", drops: ["status"], adds: ["code": "string"],
            body: "now.code = {open: 'O', closed: 'C'}[before.status] || '';", finding: "droppedValue", count: 13),
        Script(
            name: "codes that forget a word for null", drops: ["status"], adds: ["code": "int?"],
            body: "now.code = {open: 1, closed: 2}[before.status] ?? null;", finding: "droppedValue", count: 13),
        Script(
            name: "embedded objects of the neighbours, made anew",
            body: """
                function migrate(m) {
                  const all = [];
                  m.enumerateObjects("Person", ({house: {street, zip, floor}}) => { all.push({street, zip, floor}); });
                  let i = 0;
                  m.enumerateObjects("Person", (before, now) => { now.house = all[++i % all.length]; });
                }
                """,
            finding: "exchangedValues", count: 40),
        Script(
            name: "one of few words that the neighbour had",
            body: swapping("(values, i) => values[i ^ 1]", "city"), finding: "exchangedValues",
            count: 40),
        Script(
            name: "the value of another property of the object", body: "now.name = before.email;",
            finding: "exchangedValues", count: 40),
        Script(
            name: "numbers that are rounded to hundreds",
            body: "now.price = new Decimal128(String(Math.round(Number(before.price) / 10) * 10));",
            finding: "roundedNumber", count: 40),
        Script(
            name: "numbers that are divided without a rest", body: "now.age = Math.floor(before.age / 3);",
            finding: "roundedNumber", count: 27),
        Script(
            name: "numbers of lists that are divided without a rest",
            body: "now.counts = Array.from(before.counts, (count) => Math.round(count / 3));", finding: "roundedNumber",
            count: 40),
        Script(
            name: "numbers of embedded objects that are divided without a rest",
            body: "now.house.floor = Math.floor(before.house.floor / 2);", finding: "roundedNumber", count: 20),
        Script(
            name: "doubles that are divided without a rest", body: "now.rating = Math.floor(before.rating / 2);",
            finding: "roundedNumber", count: 40),
        Script(
            name: "decimal numbers that are divided without a rest",
            body: "now.price = new Decimal128(String(Math.floor(Number(before.price) / 2)));", finding: "roundedNumber",
            count: 40),
        Script(
            name: "elements in whose places others of the list stand", body: "now.tags[0] = before.tags[1];",
            finding: "truncatedValue", count: 40),
        Script(
            name: "one element in the places of several", body: "now.tags[0] = 'X';", finding: "mergedValues", count: 40
        ),
        Script(
            name: "numbers of lists that become integers", drops: ["ratios"], adds: ["ratios": "int[]"],
            body: "now.ratios = Array.from(before.ratios, Math.floor);", finding: "inexactNumber", count: 40),
        Script(
            name: "one text for both flags", drops: ["isActive"], adds: ["isActive": "string"],
            body: "now.isActive = 'true';", finding: "oneValueForAll", count: 40),
        Script(
            name: "a required text that is added and never filled", adds: ["code": "string"],
            finding: "unfilledProperty",
            count: 40),
        Script(
            name: "an object that is deleted",
            body:
                "function migrate(m) { m.enumerateObjects('Person', (b, n) => { if (b.position === 5) m.delete(n); }); }",
            finding: "deletedObjects", count: 1),
        Script(
            name: "all objects but one that are deleted",
            body:
                "function migrate(m) { m.enumerateObjects('Person', (b, n) => { if (b.position !== 5) m.delete(n); }); }",
            finding: "deletedObjects", count: 39),
        Script(
            name: "objects that are made anew without all of their values",
            body: """
                function migrate(m) {
                  const names = [];
                  m.enumerateObjects("Person", (before) => { names.push(before.name); });
                  m.deleteData("Person");
                  for (const name of names) {
                    m.create("Person", {
                      name, age: 0, email: "", isActive: false, rating: 0, born: new Date(0), city: "", status: "",
                      position: 0, seen: new Date(0), price: new Decimal128("0"), token: new UUID(),
                      photo: new Uint8Array(0),
                    });
                  }
                }
                """, finding: "deletedObjects", count: 40),
        Script(
            name: "objects that are deleted", body: "function migrate(m) { m.deleteData('Person'); }",
            finding: "deletedObjects", count: 40),
    ]

    /// A script that gives each object a value made of those of all.
    private static func swapping(_ pick: String, _ property: String) -> String {
        """
        function migrate(m) {
          const values = [], pick = \(pick);
          m.enumerateObjects("Person", (before, now) => {
            const value = now.\(property);
            values.push(typeof value === "object" ? Array.from(value) : value);
          });
          let i = 0;
          m.enumerateObjects("Person", (before, now) => { now.\(property) = pick(values, i++); });
        }
        """
    }

    static let harmless = [
        Script(name: "nothing at all"),
        Script(
            name: "a few spellings that become one", body: "now.city = {Wien: 'Vienna'}[before.city] ?? before.city;"),
        Script(
            name: "words in other words",
            body: "now.status = {open: 'closed', closed: 'open', new: 'open'}[before.status];"
        ),
        Script(name: "positions the other way round", body: "now.position = 41 - before.position;"),
        Script(
            name: "positions without gaps", body: "now.position = 2 * before.position + (before.position > 9 ? 5 : 0);"),
        Script(name: "dates in another zone", body: "now.born = new Date(before.born.getTime() - 5 * 3600000);"),
        Script(name: "a property more", adds: ["note": "string?", "visits": "int"]),
        Script(
            name: "a name in two parts", drops: ["name"], adds: ["first": "string", "last": "string"],
            body: "[now.first, now.last] = before.name.split(' ');"),
        Script(
            name: "a name of which the property keeps a part", adds: ["last": "string"],
            body: "[now.name, now.last] = before.name.split(' ');"),
        Script(
            name: "two properties in one", drops: ["name", "city"], adds: ["label": "string"],
            body: "now.label = `${before.name} (${before.city})`;"),
        Script(
            name: "a date in words", drops: ["born"], adds: ["day": "string"],
            body: "now.day = before.born.toISOString().slice(0, 10).split('-').reverse().join('.');"),
        Script(
            name: "a date in milliseconds", drops: ["born"], adds: ["bornAt": "double"],
            body: "now.bornAt = before.born.getTime();"),
        Script(name: "tidy texts", body: "now.email = before.email.trim().toLowerCase();"),
        Script(name: "texts without white space around", body: "now.email = before.email.trim();"),
        Script(
            name: "a default", adds: ["level": "int", "isNew": "bool"], body: "now.level = 1; now.isNew = false;"),
        Script(name: "another type", drops: ["age"], adds: ["age": "string"], body: "now.age = String(before.age);"),
        Script(
            name: "another name", drops: ["name"], adds: ["title": "string"],
            body: "function migrate(m) { m.renameProperty('Person', 'name', 'title'); }"),
        Script(
            name: "values in a class of their own", drops: ["city"], adds: ["home": "City?"],
            classes: [["name": "City", "properties": ["title": "string"]]],
            body: """
                const cities = {};
                function migrate(m) {
                  m.enumerateObjects("Person", (before, now) => {
                    now.home = cities[before.city] ??= m.create("City", {title: before.city});
                  });
                }
                """),
        Script(
            name: "values in embedded objects", drops: ["city", "isActive"], adds: ["home": "Address?"],
            classes: [["name": "Address", "embedded": true, "properties": ["town": "string", "isActive": "bool"]]],
            body: "now.home = {town: before.city, isActive: before.isActive};"),
        Script(
            name: "numbers for words", drops: ["status"], adds: ["status": "int"],
            body: "now.status = {open: 0, closed: 1, new: 2}[before.status];"),
        Script(
            name: "an embedded object in properties of its owner", drops: ["house"],
            adds: ["street": "string", "zip": "string?", "floor": "int"],
            body: "({street: now.street, zip: now.zip, floor: now.floor} = before.house);"),
        Script(
            name: "an embedded object in another property", drops: ["house"], adds: ["address": "Place?"],
            body: "const {street, zip, floor} = before.house; now.address = {street, zip, floor};"),
        Script(
            name: "an embedded object in a list", drops: ["house"], adds: ["addresses": "Place[]"],
            body: "const {street, zip, floor} = before.house; now.addresses.push({street, zip, floor});"),
        Script(
            name: "embedded objects that are made anew",
            body: "const {street, zip, floor} = before.house; now.house = {street, zip, floor};"),
        Script(
            name: "a date in milliseconds of an integer", drops: ["seen"], adds: ["seenAt": "int"],
            body: "now.seenAt = before.seen.getTime();"),
        Script(
            name: "data in hexadecimal", drops: ["token", "photo"], adds: ["picture": "string", "id": "string"],
            body: """
                now.picture = Array.from(before.photo, (byte) => byte.toString(16).padStart(2, "0")).join("");
                now.id = before.token.toString().toUpperCase();
                """),
        Script(
            name: "lists of links in another order", body: "now.friends = Array.from(now.friends).reverse();"),
        Script(
            name: "a text in three parts, of which all have the first", drops: ["photo", "name"],
            adds: ["title": "string", "first": "string", "last": "string", "bytes": "data"],
            body: "now.bytes = before.photo; now.title = 'Dr.'; [now.first, now.last] = before.name.split(' ');"),
        Script(
            name: "a date in words of a language", drops: ["born"], adds: ["day": "string"],
            body: "now.day = before.born.toDateString();"),
        Script(
            name: "a date and its time in words", drops: ["born"], adds: ["day": "string"],
            body: "now.day = before.born.toUTCString();"),
        Script(
            name: "a date in eight digits", drops: ["born"], adds: ["day": "int"],
            body: "now.day = Number(before.born.toISOString().slice(0, 10).replaceAll('-', ''));"),
        Script(
            name: "a date in days", drops: ["born"], adds: ["day": "int"],
            body: "now.day = before.born.getTime() / 86400000;"),
        Script(
            name: "numbers in another unit", drops: ["rating"], adds: ["pounds": "double"],
            body: "now.pounds = before.rating * 2.20462 + 32;"),
        Script(
            name: "numbers in another unit, rounded", drops: ["rating"], adds: ["pounds": "double"],
            body: "now.pounds = Math.round(before.rating * 2204.62) / 1000;"),
        Script(name: "all texts in capital letters", body: "now.name = before.name.toUpperCase();"),
        Script(name: "dates an hour later", body: "now.seen = new Date(before.seen.getTime() + 3600000);"),
        Script(
            name: "decimal numbers twice as large",
            body: "now.price = new Decimal128(String(2 * Number(before.price)));"),
        Script(
            name: "numbers of lists one less", body: "now.counts = Array.from(before.counts, (count) => count - 1);"),
        Script(
            name: "numbers of lists twice as large",
            body: "now.counts = Array.from(before.counts, (count) => 2 * count);"),
        Script(
            name: "elements in other words",
            body: "now.tags = Array.from(before.tags, (tag) => ({t0: 'x0', t1: 'x1'})[tag] ?? tag);"),
        Script(name: "lists the other way round", body: "now.tags.reverse();"),
        Script(name: "flags the other way round", body: "now.isActive = !before.isActive;"),
        Script(name: "positions from zero on", body: "now.position = before.position - 1;"),
        Script(
            name: "lists in another order, without repetitions", body: "now.tags = [...new Set(before.tags)].sort();"),
    ]
}
