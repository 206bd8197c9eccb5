import Testing

@testable import ScriptChild

/// A script's change of the things that all arrays and objects have in common, before it begins.
struct WorldChange: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var text: String

    init(_ description: String, _ text: String) {
        testDescription = description
        self.text = text
    }

    /// Loses each value that is assigned to an index; nothing of the script's own is to notice.
    private static func indices(_ owner: String, _ descriptor: String) -> String {
        "for (let i = 0; i < 40; i++) define(\(owner), i, \(descriptor));"
    }

    private static let swallowing =
        "{ __proto__: null, get() { return undefined; }, set(value) { kept = value; }, configurable: true }"
    private static let showing =
        "{ __proto__: null, get() { return 'polluted'; }, set(value) { kept = [this, value]; }, configurable: true }"
    private static let fixed = "{ __proto__: null, value: 'polluted', writable: false, configurable: true }"
    private static let plain =
        "{ __proto__: null, value: 'polluted', writable: true, enumerable: true, configurable: true }"

    private static let ofIndices: [WorldChange] = ["Array.prototype", "Object.prototype"].flatMap { owner in
        [("swallow", swallowing), ("show", showing), ("are fixed", fixed), ("are there", plain)].map {
            WorldChange("indices of \(owner) that \($0)", indices(owner, $1))
        }
    }

    private static let others: [WorldChange] = [
        WorldChange(
            "another prototype of arrays",
            "const other = {}; \(indices("other", showing)) Object.setPrototypeOf(Array.prototype, other);"),
        WorldChange(
            "a proxy as prototype of arrays",
            """
            Object.setPrototypeOf(Array.prototype, new Proxy({}, {
              get: () => 'polluted', set(target, key, value) { kept = value; return true; }, has: () => true,
            }));
            """),
        WorldChange(
            "frozen prototypes",
            "Array.prototype[0] = 'polluted'; Object.freeze(Array.prototype); Object.freeze(Object.prototype);"),
        WorldChange(
            "arrays that iterate over something else",
            "Array.prototype[Symbol.iterator] = function* () { yield 'polluted'; };"),
        WorldChange(
            "iterators that end at once",
            """
            for (const one of [[][Symbol.iterator](), (function* () {})(), new Map().entries(), new Set().values()]) {
              let prototype = one;
              while ((prototype = Object.getPrototypeOf(prototype)) !== null && prototype !== Object.prototype) {
                if (Object.getOwnPropertyNames(prototype).includes('next')) prototype.next = () => ({ done: true });
              }
            }
            """),
        WorldChange(
            "arrays of another kind", "Array.prototype.constructor = { [Symbol.species]: function () { return {}; } };"),
        WorldChange("texts that split otherwise", "String.prototype[Symbol.split] = () => ['polluted'];"),
        WorldChange("expressions that always match", "RegExp.prototype.exec = () => ['polluted', 'polluted'];"),
        WorldChange(
            "everything the same as JSON", "Object.prototype.toJSON = () => 1; BigInt.prototype.toJSON = () => 1;"),
        WorldChange(
            "instances of nothing",
            """
            for (const Kind of [Date, Map, Set, Error, RangeError, ArrayBuffer, Number, String, Boolean]) {
              try { define(Kind, Symbol.hasInstance, { value: () => false }) } catch {}
            }
            """
        ),
        WorldChange(
            "instances of everything",
            """
            for (const Kind of [Date, Map, Set, Error, RangeError, ArrayBuffer, Number, String, Boolean]) {
              try { define(Kind, Symbol.hasInstance, { value: () => true }) } catch {}
            }
            """
        ),
        WorldChange(
            "all objects as descriptors", "for (const name of ['writable', 'get', 'set']) Object.prototype[name] = 1;"),
        WorldChange("objects that are promises", "Object.prototype.then = () => {};"),
        WorldChange("promises that never go on", "globalThis['Promise'].prototype.then = () => {};"),
    ]

    /// Each function of the language does nothing but say so.
    private static let everyFunction = WorldChange(
        "every function of the language",
        """
        const seen = new Set([console, Realm, BSON, UUID, ObjectId, Decimal128]), open = [];
        for (const name of Object.getOwnPropertyNames(globalThis)) open.push(globalThis[name]);
        for (const one of [[][Symbol.iterator](), (function* () {})(), ''.matchAll(/a/g), new Map().keys()]) open.push(one);
        const found = [];
        const keysOf = Reflect.ownKeys, describe = Object.getOwnPropertyDescriptor, parent = Object.getPrototypeOf;
        while (open.length > 0) {
          const value = open.pop();
          if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
          seen.add(value);
          open.push(parent(value));
          for (const key of keysOf(value)) {
            const one = describe(value, key);
            if (typeof one.value === 'function' && one.configurable && key !== 'constructor') found.push([value, key]);
            open.push(one.value, one.get, one.set);
          }
        }
        const junk = () => 'polluted';
        for (let i = 0; i < found.length; i++) {
          if (found[i][0] !== globalThis) define(found[i][0], found[i][1], { value: junk, configurable: true });
        }
        """)

    /// Every name that stands in the prelude, as a member of all objects that goes astray.
    private static let everyName: [WorldChange] = {
        let names = Set(Prelude.source.matches(of: /[A-Za-z_$][A-Za-z0-9_$]*/).map { String($0.output) })
        let list = names.sorted().map { "'\($0)'" }.joined(separator: ",")
        return [("swallow", swallowing), ("show", showing), ("are fixed", fixed), ("are there", plain)].map {
            WorldChange(
                "members of all objects that \($0)",
                "for (const name of [\(list)]) if (!(name in Object.prototype)) define(Object.prototype, name, \($1));")
        }
    }()

    /// Members that handlers of proxies and descriptors of properties are asked for, and mostly have not.
    private static let optionalMembers: [WorldChange] = [
        "get", "set", "value", "writable", "enumerable", "configurable", "has", "ownKeys", "deleteProperty",
        "defineProperty",
        "getOwnPropertyDescriptor", "getPrototypeOf", "setPrototypeOf", "isExtensible", "preventExtensions", "apply",
        "construct",
        "raw", "index", "lastIndex", "done", "next", "return", "message", "cause", "stack", "length",
    ].map { WorldChange("all objects with '\($0)'", "Object.prototype['\($0)'] = function () { return 'polluted'; };") }

    /// Changes everything that can be reached from objects of the realm.
    private static let everythingBehindObjects = WorldChange(
        "what stands behind objects",
        """
        const keysOf = Reflect.ownKeys, describe = Object.getOwnPropertyDescriptor, parent = Object.getPrototypeOf;
        const builtIn = new Set([Object.prototype, Function.prototype, Array.prototype, Array, Object, Function, Set, Set.prototype,
          Date, Date.prototype, UUID, ObjectId, Decimal128, Map, Map.prototype, String.prototype, Error, Error.prototype]);
        function begin(m) {
          const open = [m], seen = new Set(builtIn);
          m.enumerateObjects('A', (o, n) => {
            for (const object of [o, n]) for (const name of object.keys()) open.push(object, object[name]);
          });
          open.push(m.newRealm.objects('A'), m.newRealm.objects('A').filtered('n > 0'));
          // Results make objects without end.
          while (open.length > 0 && seen.size < 2000) {
            const value = open.shift();
            if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
            seen.add(value);
            open.push(parent(value));
            for (const key of keysOf(value)) {
              const one = describe(value, key);
              if (one === undefined) continue;
              open.push(one.value, one.get, one.set);
              if (typeof one.value === 'function' && key !== 'constructor') try { value[key] = () => 'polluted'; } catch {}
            }
          }
        }
        """)

    static let all = [everythingBehindObjects] + ofIndices + others + [everyFunction] + everyName + optionalMembers
}
