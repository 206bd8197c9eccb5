import RealmMigration
import Testing

@testable import ScriptChild

/// Point 1: an object's properties are its own, enumerable ones, as in Realm JS.
@Suite struct OwnPropertyTests {
    private let realm: TestRealm

    init() throws {
        realm = try TestRealm(
            #"""
            {"schemaVersion": 3,
             "schema": [
               {"name": "Dog", "properties": {
                 "name": "string", "age": "int", "born": "date?", "owner": "Person", "friends": "Dog[]", "tags": "string<>",
                 "notes": "mixed{}", "home": "Address", "homes": "Address[]"}},
               {"name": "Person", "primaryKey": "id", "properties": {"id": "int",
                 "dogs": {"type": "linkingObjects", "objectType": "Dog", "property": "owner"}}},
               {"name": "Address", "embedded": true, "properties": {"street": "string", "floor": "int?"}}],
             "objects": {
               "Person": [{"id": 7}],
               "Dog": [{"_key": 0, "name": "Rex", "age": 3, "born": null, "owner": 7, "friends": [1], "tags": ["a", "b"],
                        "notes": {"x": 1, "y": "z"}, "home": {"street": "A", "floor": 2},
                        "homes": [{"street": "B", "floor": null}]},
                       {"_key": 1, "name": "Fido", "age": 5, "born": null, "owner": null, "friends": [], "tags": [],
                        "notes": {}, "home": null, "homes": []}]}}
            """#)
    }

    /// A comment that has a script take its objects for spread, or nothing.
    static let ways = ["", "// , ...\n"]

    private static let all = #""name","age","born","owner","friends","tags","notes","home","homes""#

    @Test(
        arguments: [
            ("Object.keys(o)", "[\(all)]"),
            ("Object.getOwnPropertyNames(o)", "[\(all)]"),
            ("Reflect.ownKeys(o)", "[\(all)]"),
            ("o.keys()", "[\(all)]"),
            ("(() => { const names = []; for (const name in o) names.push(name); return names; })()", "[\(all)]"),
            ("Object.keys({...o})", "[\(all)]"),
            ("Object.keys(Object.assign({}, o))", "[\(all)]"),
            ("Object.keys(Object.assign({}, null, {first: 1}, o))", "[\"first\",\(all)]"),
            ("Object.keys(Object.getOwnPropertyDescriptors(o))", "[\(all)]"),
            ("Object.values(o).slice(0, 2)", #"["Rex",3]"#),
            ("Object.entries(o).slice(0, 2)", #"[["name","Rex"],["age",3]]"#),
            (
                "(({age, ...rest}) => [age, Object.keys(rest).length, 'age' in rest, rest.name])(o)",
                #"[3,8,false,"Rex"]"#
            ),
            ("[o.hasOwnProperty('age'), o.hasOwnProperty('nope'), o.hasOwnProperty('isValid')]", "[true,false,false]"),
            ("[Object.hasOwn(o, 'age'), Object.hasOwn(o, 'nope'), o.propertyIsEnumerable('age')]", "[true,false,true]"),
            ("['age' in o, 'nope' in o, Reflect.has(o, 'age'), 'toString' in o]", "[true,false,true,true]"),
            (
                "Object.getOwnPropertyDescriptor(o, 'age')",
                #"{"value":3,"writable":true,"enumerable":true,"configurable":true}"#
            ),
            (
                "Reflect.getOwnPropertyDescriptor(o, 'name')",
                #"{"value":"Rex","writable":true,"enumerable":true,"configurable":true}"#
            ),
            ("String(Object.getOwnPropertyDescriptor(o, 'nope'))", "undefined"),
            ("[{...o}.home.street, {...o}.owner.id, {...o}.friends[0].name]", #"["A",7,"Fido"]"#),
            ("JSON.stringify(Object.keys(JSON.parse(JSON.stringify(o))))", "[\"_key\",\(all)]"),
            ("Object.keys(o.home)", #"["street","floor"]"#),
            ("({...o.home})", #"{"street":"A","floor":2}"#),
            ("Object.keys(o.owner)[0]", "id"),
            ("({...o.owner}).id", "7"),
            ("Object.keys(o.friends[0])", "[\(all)]"),
            ("Object.keys(o.notes)", #"["x","y"]"#),
            ("({...o.notes})", #"{"x":1,"y":"z"}"#),
            ("(({x, ...rest}) => rest)(o.notes)", #"{"y":"z"}"#),
            ("[o.notes.hasOwnProperty('x'), 'x' in o.notes, Object.hasOwn(o.notes, 'q')]", "[true,true,false]"),
            ("Object.entries(o.notes)", #"[["x",1],["y","z"]]"#),
            ("Object.assign({z: 1}, o.notes)", #"{"z":1,"x":1,"y":"z"}"#),
        ], ways)
    func `are an object's own, on both sides`(_ expected: (expression: String, value: String), _ way: String) throws {
        let lines = try realm.log(
            """
            \(way)function migrate(migration) {
              migration.enumerateObjects("Dog", (oldObject, newObject) => {
                if (oldObject._key !== 0) return;
                for (const o of [oldObject, newObject]) console.log(\(expected.expression));
              });
              const o = migration.newRealm.objects("Dog")[0];
              console.log(\(expected.expression));
            }
            """)
        #expect(lines == [expected.value, expected.value, expected.value])
    }

    @Test(
        arguments: [
            "{...d, name: 'copy'}", "Object.assign({}, d, {name: 'copy'})",
            "Object.fromEntries(Object.entries(d).map(([k, v]) => [k, k === 'name' ? 'copy' : v]))",
            "(({name, ...rest}) => ({name: 'copy', ...rest}))(d)",
        ], ["oldObject", "newObject"])
    func `copy all of an object, links and embedded objects as they are`(_ copy: String, _ side: String) throws {
        let json = try realm.json(
            """
            function migrate(migration) {
              migration.enumerateObjects("Dog", (oldObject, newObject) => {
                const d = \(side);
                newObject.age += 0;
                if (d._key === 0) migration.create("Dog", \(copy));
              });
            }
            """)
        #expect(
            json.contains(
                #""name":"copy","age":3,"born":null,"owner":7,"friends":[1],"tags":["a","b"],"notes":{"x":1,"y":"z"},"home":{"street":"A","floor":2},"homes":[{"street":"B","floor":null}]}"#
            ))
    }

    @Test func `a copy leaves out what Realm computes`() throws {
        let json = try realm.json(
            """
            function onMigration(oldRealm, newRealm) {
              const person = newRealm.objects("Person")[0];
              if (Object.keys(person).join() !== "id,dogs" || {...person}.dogs.length !== 1) throw "dogs are missing";
              newRealm.create("Person", {...person, id: 8});
            }
            """)
        #expect(json.contains(#"[{"id":7},{"id":8}]"#))
    }

    @Test(arguments: ways)
    func `are written as any, and not defined anew`(_ way: String) throws {
        let lines = try realm.log(
            """
            \(way)function migrate(migration) {
              const o = migration.newRealm.objects("Dog")[1];
              Object.assign(o, {age: 9, name: "Max"});
              o.age += 1;
              console.log(o.age, o.name);
              for (const define of [() => Object.defineProperty(o, "age", {value: 1}), () => { o.nope = 1; },
                                    () => Object.defineProperties(o, {age: {value: 1}})]) {
                try { define(); console.log("done"); } catch (error) { console.log(error.message); }
              }
              console.log(Reflect.defineProperty(o, "age", {value: 1}), o.age);
            }
            """)
        #expect(
            lines == [
                "10 Max", "The properties of an object are those of its class; assign to them.",
                "Property 'Dog.nope' does not exist",
                "The properties of an object are those of its class; assign to them.", "false 10",
            ])
    }

    @Test(arguments: [
        ("f({...o})", true), ("({ ...o })", true), ("({a, ...rest}) => a", true), ("[1, ...list]", true),
        ("({\n...o})", true), ("// (\n...", true), ("/*(*/...", true), ("'wait, ...'", true),
        ("Math.max(...list)", false), ("[...list]", false), ("(...values) => [ ...values]", false), ("a.b.c", false),
        ("", false),
    ])
    func `a script that can't spread an object is known`(_ source: String, _ may: Bool) {
        #expect(ScriptSyntax.maySpreadObjects(source) == may)
    }

    @Test(arguments: [
        ("Object.keys(o)", true), ("f(Object)", true), ("Reflect.ownKeys(o)", true), ("o.hasOwnProperty('a')", true),
        ("o.propertyIsEnumerable('a')", true), ("({}).constructor.keys(o)", true),
        ("this['Obj' + 'ect'].keys(o)", true),
        ("globalThis", true), ("Obj\\u0065ct.keys(o)", true), ("''.__proto__", true),
        ("migration.enumerateObjects('A', (oldObject, newObject) => {})", false), ("newObject.$Object = 1", false),
        ("", false),
    ])
    func `a script that can't ask for the members of objects is known`(_ source: String, _ may: Bool) {
        #expect(ScriptSyntax.mayReflect(source) == may)
    }
}
