import RealmMigration
import Testing

@testable import ScriptChild

/// Objects, links and schemas as scripts see them.
@Suite struct ScriptObjectTests {
    private let realm: TestRealm

    init() throws {
        realm = try TestRealm(
            #"""
            {"schemaVersion": 3,
             "schema": [
               {"name": "Person", "primaryKey": "id", "properties": {
                 "id": "int", "name": {"type": "string", "mapTo": "stored_name"}, "dog": "Dog", "home": "Address",
                 "dogs": "Dog[]", "old": "int"}},
               {"name": "Dog", "properties": {"name": "string",
                 "owners": {"type": "linkingObjects", "objectType": "Person", "property": "dogs"}}},
               {"name": "Address", "embedded": true, "properties": {"street": "string"}}],
             "objects": {
               "Person": [
                 {"id": 1, "name": "Ada", "dog": 0, "home": {"street": "A"}, "dogs": [0, 1], "old": 7},
                 {"id": 2, "name": "Bob", "dog": null, "home": null, "dogs": [], "old": 8}],
               "Dog": [{"_key": 0, "name": "Rex"}, {"_key": 1, "name": "Fido"}]}}
            """#)
    }

    private static let target = #"""
        [{"name": "Person", "primaryKey": "id", "properties": {
            "id": "int", "name": {"type": "string", "mapTo": "stored_name"}, "dog": "Dog", "home": "Address",
            "dogs": "Dog[]", "new": "string?"}},
         {"name": "Dog", "properties": {"name": "string",
            "owners": {"type": "linkingObjects", "objectType": "Person", "property": "dogs"}}},
         {"name": "Address", "embedded": true, "properties": {"street": "string"}}]
        """#

    private func log(_ body: String, usesColumns: Bool = true) throws -> [String] {
        try realm.log(
            "function migrate(migration, oldSchemaVersion) { \(body) }", to: Self.target, usesColumns: usesColumns)
    }

    @Test func `shows versions and schemas`() throws {
        let lines = try log(
            """
            console.log(oldSchemaVersion, migration.oldSchemaVersion, migration.newSchemaVersion);
            console.log(migration.oldSchema.map(c => c.name), "old" in migration.oldSchema.Person.properties,
                        "old" in migration.newSchema.Person.properties);
            console.log(migration.newSchema.Person);
            console.log(migration.newSchema.Dog.properties.owners, migration.newSchema.Address.embedded);
            """)
        #expect(lines[0] == "3 3 4")
        #expect(lines[1] == #"["Person","Dog","Address"] true false"#)
        #expect(
            lines[2].hasPrefix(
                #"{"name":"Person","primaryKey":"id","embedded":false,"properties":{"id":{"type":"int","optional":false,"indexed":true},"name":{"type":"string","optional":false,"indexed":false,"mapTo":"stored_name"},"dog":{"type":"object","optional":true,"indexed":false,"objectType":"Dog"}"#
            ))
        #expect(
            lines[3]
                == #"{"type":"linkingObjects","optional":false,"indexed":false,"objectType":"Person","property":"dogs"} true"#
        )
    }

    @Test func `has linking objects on the new side alone`() throws {
        let lines = try log(
            """
            migration.enumerateObjects("Dog", (o, n) => { console.log(o.owners, n.owners.length); });
            console.log(migration.oldSchema.Dog.properties.owners);
            """)
        #expect(lines == ["undefined 1", "undefined 1", "undefined"])
    }

    @Test func `enumerates no object that it has created`() throws {
        let lines = try log(
            """
            migration.create("Dog", { name: "first" });
            for (let i = 0; i < 2; i++) {
              migration.enumerateObjects("Dog", (o, n) => {
                console.log(n.name);
                if (i === 0) migration.create("Dog", { name: "second" });
              });
            }
            console.log(migration.newRealm.objects("Dog").length);
            """)
        #expect(lines == ["Rex", "Fido", "Rex", "Fido", "5"])
    }

    @Test(arguments: [true, false])
    func `follows links, back too`(usesColumns: Bool) throws {
        let lines = try log(
            """
            migration.enumerateObjects("Person", (o, n) => {
              console.log(o.name, n.name, o.dog && o.dog.name, n.home && n.home.street, n.dogs.map(d => d.name), o.old, n.old);
              for (const dog of n.dogs) console.log(dog.owners.length, dog.owners[0].isSame(n), dog._key);
            });
            """, usesColumns: usesColumns)
        #expect(
            lines == [
                #"Ada Ada Rex A ["Rex","Fido"] 7 undefined"#, "1 true 0", "1 true 1",
                "Bob Bob null null [] 8 undefined",
            ])
    }

    @Test(arguments: [true, false])
    func `shows an object's properties as members`(usesColumns: Bool) throws {
        let lines = try log(
            """
            migration.enumerateObjects("Person", (o, n) => {
              if (n.id !== 1) return;
              console.log(n);
              console.log(n.keys(), "name" in n, "nope" in n, n.nope, n.constructor.name, n.isValid());
              const seen = []; for (const name in n) seen.push(name);
              console.log(seen);
              console.log(n.dogs[0]);
            });
            """, usesColumns: usesColumns)
        #expect(
            lines == [
                #"{"id":1,"name":"Ada","dog":0,"home":{"street":"A"},"dogs":[0,1],"new":null}"#,
                #"["id","name","dog","home","dogs","new"] true false undefined Person true"#,
                #"["id","name","dog","home","dogs","new"]"#, #"{"_key":0,"name":"Rex"}"#,
            ])
    }

    @Test(arguments: [true, false])
    func `creates, links and deletes`(usesColumns: Bool) throws {
        let json = try realm.json(
            """
            function migrate(migration) {
              const dog = migration.create("Dog", { name: "New" });
              migration.enumerateObjects("Person", (o, n) => {
                n.new = `${o.name} ${o.old}`;
                n.dog = dog;
                n.dogs.push(dog);
                n.home = { street: "S" + n.id };
              });
              migration.create("Person", { id: 3, name: "Eve", dog: { name: "Made" }, home: { street: "E" } });
              migration.create("Person", [4, "Array", null, null, [dog], "x"]);
              migration.enumerateObjects("Dog", (o, n) => { if (n.name === "Rex") migration.delete(n); });
            }
            """, to: Self.target, TestRealm.Run(usesColumns: usesColumns))
        #expect(
            json == #"{"Person":[{"id":1,"name":"Ada","dog":2,"home":{"street":"S1"},"dogs":[1,2],"new":"Ada 7"},"#
                + #"{"id":2,"name":"Bob","dog":2,"home":{"street":"S2"},"dogs":[2],"new":"Bob 8"},"#
                + #"{"id":3,"name":"Eve","dog":3,"home":{"street":"E"},"dogs":[],"new":null},"#
                + #"{"id":4,"name":"Array","dog":null,"home":null,"dogs":[2],"new":"x"}],"#
                + #""Dog":[{"_key":1,"name":"Fido"},{"_key":2,"name":"New"},{"_key":3,"name":"Made"}]}}"#)
    }

    @Test(arguments: [true, false])
    func `updates the object with the primary key, where create is told to`(usesColumns: Bool) throws {
        let json = try realm.json(
            """
            function migrate(migration) {
              migration.enumerateObjects("Person", (o, n) => { n.new = "was " + o.id; });
              const ada = migration.create("Person", { id: 1, name: "Ada L.", dogs: [], home: { street: "B" } }, "modified");
              const bob = migration.newRealm.create("Person", [2, "Bobby", null, undefined, undefined, "array"], "all");
              const same = migration.create("Person", { id: 1, dog: null }, true);
              migration.create("Person", { id: 3, name: "Eve" }, "modified");
              migration.create("Person", { id: 4, name: "Dan" }, "never");
              migration.create("Dog", { name: "Rex" }, "all");
              console.log(ada.id, bob.id, same.name);
              for (const attempt of [() => migration.create("Person", { name: "Nobody" }, "all"),
                () => migration.create("Person", { id: 1 }, "sometimes")]) {
                try { attempt() } catch (error) { console.log(error.message) }
              }
            }
            """, to: Self.target, TestRealm.Run(usesColumns: usesColumns))
        #expect(
            json == #"{"Person":[{"id":1,"name":"Ada L.","dog":null,"home":{"street":"B"},"dogs":[],"new":"was 1"},"#
                + #"{"id":2,"name":"Bobby","dog":null,"home":null,"dogs":[],"new":"array"},"#
                + #"{"id":3,"name":"Eve","dog":null,"home":null,"dogs":[],"new":null},"#
                + #"{"id":4,"name":"Dan","dog":null,"home":null,"dogs":[],"new":null}],"#
                + #""Dog":[{"_key":0,"name":"Rex"},{"_key":1,"name":"Fido"},{"_key":2,"name":"Rex"}]}}"#)
    }

    private static let nestedRealm = #"""
        {"schemaVersion": 1, "schema": [
           {"name": "P", "primaryKey": "id", "properties": {"id": {"type": "int", "default": 7}, "n": "string?", "d": "D",
             "ds": "D[]", "map": "D?{}", "set": "D<>", "e": "E", "self": "P"}},
           {"name": "D", "primaryKey": "k", "properties": {"k": "string?", "v": "int", "sub": "D"}},
           {"name": "E", "embedded": true, "properties": {"a": "int", "d": "D", "e": "G"}},
           {"name": "G", "embedded": true, "properties": {"a": "int", "d": "D"}},
           {"name": "F", "properties": {"v": "int?", "p": "P"}}],
         "objects": {"P": [{"id": 1, "n": "one"}, {"id": 7, "n": "seven"}], "D": [{"k": "a", "v": 1}, {"k": null, "v": 0}]}}
        """#

    /// As Realm's JavaScript SDK does: the mode holds for the objects inside, too, and an omitted key is its default or null.
    @Test(arguments: [true, false])
    func `updates the objects inside, where create is told to`(usesColumns: Bool) throws {
        let realm = try TestRealm(Self.nestedRealm)
        let lines = try realm.log(
            """
            function migrate(migration) {
              const create = (name, value, mode = "modified") => migration.create(name, value, mode);
              migration.enumerateObjects("P", (o, n) => { n.n += "!"; });
              migration.enumerateObjects("D", (o, n) => { n.v += 10; });
              const find = (name, key) => migration.newRealm.objectForPrimaryKey(name, key);
              const p = create("P", { id: 3, n: "three", self: { id: 1, n: "changed", d: { k: "a", sub: { k: "b", v: 2 } } } });
              console.log(p.self.n, find("P", 1).n, find("D", "a").v, find("D", "a").sub.v);
              create("P", { id: 1, ds: [{ k: "a", v: 5 }, find("D", "b"), { k: "c", v: 3 }], map: { x: { k: "a", sub: null } },
                set: new Set([{ k: "c", v: 4 }]), e: { a: 1, d: { k: "b", v: 6 }, e: { a: 2, d: ["a", 7, null] } } });
              const one = find("P", 1);
              console.log(one.n, one.ds.map(d => d.k + d.v), one.map.x.k, one.set.size, one.e.d.v, one.e.e.d.v);
              create("P", { n: "default" });
              create("D", { v: 9 }, "all");
              console.log(find("P", 7).n, find("D", null).v);
              const me = create("P", { id: 4, self: { id: 4, n: "me", self: { id: 2 } } });
              console.log(me.n, me.self.id);
              create("F", { v: 1, p: { id: 4, n: "via" } });
              create("F", { p: { id: 5, n: "new" } }, true);
              console.log(me.n, migration.newRealm.objects("P").length, migration.newRealm.objects("D").length);
              for (const attempt of [() => create("P", [1, "few"]), () => create("D", { k: "z" }), () => create("P", { id: 1, d: 5 }),
                () => { const circle = { id: 6 }; circle.self = circle; create("P", circle); }]) {
                try { attempt(); console.log("done") } catch (error) { console.log(error.message) }
              }
            }
            """,
            to: #"""
                [{"name": "P", "primaryKey": "id", "properties": {"id": {"type": "int", "default": 7}, "n": "string?", "d": "D",
                   "ds": "D[]", "map": "D?{}", "set": "D<>", "e": "E", "self": "P"}},
                 {"name": "D", "primaryKey": "k", "properties": {"k": "string?", "v": "int", "sub": "D"}},
                 {"name": "E", "embedded": true, "properties": {"a": "int", "d": "D", "e": "G"}},
                 {"name": "G", "embedded": true, "properties": {"a": "int", "d": "D"}},
                 {"name": "F", "properties": {"v": "int?", "p": "P"}}]
                """#, usesColumns: usesColumns)
        #expect(lines[0] == "changed changed 11 2")
        #expect(lines[1] == #"changed ["a7","b6","c4"] a 1 6 7"#)
        #expect(lines[2] == "default 9")
        #expect(lines[3] == "me 4")
        #expect(lines[4] == "via 6 4")
        #expect(lines[5] == "Invalid array input: number of values (2) does not match number of properties (8).")
        #expect(lines[6] == "Missing value for property 'D.v'")
        #expect(lines[7] == "Expected 'P.d' to be an instance of D, got a number")
        #expect(lines[8] == "A value nests deeper than 100 levels.")
    }

    @Test(arguments: [true, false])
    func `copies an object, values that wait included`(usesColumns: Bool) throws {
        let json = try realm.json(
            """
            function migrate(migration) {
              migration.enumerateObjects("Dog", (o, n) => { n.name = n.name + "!"; migration.create("Dog", n); });
              migration.enumerateObjects("Address", (o, n) => { n.street = "changed"; });
              migration.enumerateObjects("Person", (o, n) => { if (n.id === 2) n.home = o.home ?? { street: "new" }; });
            }
            """, to: Self.target, TestRealm.Run(usesColumns: usesColumns))
        #expect(
            json.contains(
                #""Dog":[{"_key":0,"name":"Rex!"},{"_key":1,"name":"Fido!"},{"_key":2,"name":"Rex!"},{"_key":3,"name":"Fido!"}]"#
            ))
        #expect(json.contains(#""home":{"street":"changed"}"#))
        #expect(json.contains(#""home":{"street":"new"}"#))
    }

    @Test(arguments: [true, false])
    func `says that an object was deleted`(usesColumns: Bool) throws {
        let lines = try log(
            """
            const kept = [];
            migration.enumerateObjects("Dog", (o, n) => {
              kept.push(n);
              n.name = "x";
              if (kept.length === 1) migration.delete(n);
            });
            console.log(kept.map(d => d.isValid()));
            for (const attempt of [d => d.name, d => { d.name = "y" }, d => d.owners, d => migration.delete(d)]) {
              try { attempt(kept[0]); console.log("done"); } catch (error) { console.log(error.realmCode); }
            }
            console.log(kept[1].name);
            """, usesColumns: usesColumns)
        #expect(lines[0] == "[false,true]")
        #expect(Set(lines[1...4]) == ["InvalidatedObject"], "\(lines)")
        #expect(lines[5] == "x")
    }

    @Test(arguments: [true, false])
    func `deletes each object of a list once`(usesColumns: Bool) throws {
        let lines = try log(
            """
            migration.enumerateObjects("Person", (oldObject, newObject) => {
              if (newObject.id !== 1) return;
              const [rex, fido] = newObject.dogs;
              newObject.dogs = [fido, rex, fido];
              try { migration.delete([rex, rex]); } catch (error) { console.log(error.message); }
              migration.delete(newObject.dogs);
              console.log(newObject.dogs.length, migration.newRealm.objects("Dog").length);
            });
            """, usesColumns: usesColumns)
        #expect(lines.last == "0 0")
        // An array is the script's own.
        #expect(lines.count == 2)
    }

    @Test(arguments: [true, false])
    func `works on two realms as Realm JS does`(usesColumns: Bool) throws {
        let source = """
            function onMigration(oldRealm, newRealm) {
              console.log(oldRealm.schemaVersion, newRealm.schemaVersion, oldRealm.objects("Person").length);
              const oldObjects = oldRealm.objects("Person"), newObjects = newRealm.objects("Person");
              for (let i = 0; i < oldObjects.length; i++) newObjects[i].new = oldObjects[i].name + oldObjects[i].old;
              for (const i in newObjects) console.log(i, newObjects[i].new);
              console.log(newRealm.objectForPrimaryKey("Person", 2).name, newRealm.objectForPrimaryKey("Person", 9));
              newRealm.create("Dog", { name: "Third" });
              console.log(newRealm.objects("Dog").length, newRealm.objects("Dog").map(d => d.name), oldRealm.objects("Dog").length);
              newRealm.delete(newRealm.objects("Dog").filter(d => d.name !== "Rex"));
              console.log([...newRealm.objects("Dog")].length, newRealm.objects("Dog")[5]);
              for (const attempt of [() => oldRealm.create("Dog", {}), () => newRealm.objects("Nope"),
                                     () => newRealm.objects("Dog").filtered("x =="), () => { newRealm.objects("Dog")[0] = 1 }]) {
                try { attempt(); console.log("done"); } catch (error) { console.log(error.message); }
              }
              newRealm.delete(newRealm.objects("Person"));
              newRealm.deleteModel("Dog");
            }
            """
        let run = TestRealm.Run(usesColumns: usesColumns)
        let json = try realm.json(source, to: Self.target, run)
        #expect(json == #"{"Person":[],"Dog":[]}}"#)
        #expect(
            run.observer.lines == [
                "3 4 2", "0 Ada7", "1 Bob8", "Bob null", #"3 ["Rex","Fido","Third"] 2"#, "1 undefined",
                "Cannot modify managed objects outside of a write transaction.",
                "Object type 'Nope' not found in schema.",
                "Invalid predicate: 'x ==': syntax error, unexpected end of query",
                "Results can't be changed; create and delete objects instead.",
            ])
    }

    @Test func `tells how far it is`() throws {
        let observer = TestObserver()
        _ = try realm.migrate(
            "function migrate(m) { m.enumerateObjects('Person', () => {}) }", to: Self.target,
            TestRealm.Run(observer: observer))
        #expect(observer.progress.contains { $0.phase == "script" })
    }

    @Test func `is not harmed by a script that changes built-ins`() throws {
        let lines = try log(
            """
            Array.prototype.push = String.prototype.split = Map.prototype.get = WeakMap.prototype.get = () => 1;
            Object.defineProperty = Object.keys = Reflect.get = Array.isArray = JSON.stringify = () => 2;
            Array.prototype[Symbol.iterator] = undefined;
            migration.enumerateObjects("Person", (o, n) => { n.new = o.name; console.log(n.new, n.dogs.length); });
            """)
        #expect(lines == ["Ada 2", "Bob 0"])
    }

    @Test(arguments: [true, false]) func `hands its memory to no script that changes what typed arrays tell`(
        usesColumns: Bool
    ) throws {
        let source = """
            function migrate(migration) {
              let asked = 0;
              const spy = { get() { asked += 1; return 0; }, configurable: true };
              const names = ["length", "byteLength", "byteOffset", "buffer"];
              const kinds = [Uint8Array, Int32Array, Float64Array, BigInt64Array];
              for (const prototype of [...kinds.map(kind => kind.prototype), Object.getPrototypeOf(Uint8Array.prototype)]) {
                for (const name of names) {
                  try { Object.defineProperty(prototype, name, spy); } catch (error) { if (!(error instanceof TypeError)) throw error; }
                }
              }
              for (const kind of kinds) {
                Object.setPrototypeOf(kind.prototype, Object.defineProperties({}, Object.fromEntries(names.map(n => [n, spy]))));
              }
              migration.enumerateObjects("Person", (o, n) => { n.new = o.name; console.log(n.new, n.dogs.length); });
              for (const person of migration.newRealm.objects("Person")) console.log(person.new);
              console.log(migration.newRealm.objects("Person").filtered("dogs.@count > 0").length, asked);
            }
            """
        let run = TestRealm.Run(usesColumns: usesColumns)
        _ = try realm.json(source, to: Self.target, run)
        #expect(run.observer.lines == ["Ada 2", "Bob 0", "Ada", "Bob", "1 0"])
    }
}
