// What a script may leave behind in a world where it runs for one realm after the other.
//
// Only scripts that come by parts of the language by name alone run so (`SharedScript`): what their text does not name they do not reach.

const { ownKeys } = Reflect;

// Names of the global object that each run is given anew.
const givenNames = ["Date", "console", "Decimal128", "ObjectId", "UUID", "BSON", "Realm"];

// Answers a function that tells whether the parts of the language that have one of some names are as they are now: the members that they
// have, and the values of those that the text names. Null where a declaration may mean a member of the global object: a program and a
// function take it differently.
//
// `names` and `declared`: with a space between two.
function watch(names, declared) {
  const named = new SafeSet(split(names, " ")), given = new SafeSet(givenNames), watched = new Items();
  for (const name of split(declared, " ")) if (name in globalThis) return null;
  for (const part of namedParts(named)) {
    const keys = ownKeys(part), kept = new Items();
    for (let i = 0; i < keys.length; i++) {
      if (!named.has(keys[i]) || part === globalThis && given.has(keys[i]) || part === Math && keys[i] === "random") continue;
      const descriptor = getOwnPropertyDescriptor(part, keys[i]);
      if ("value" in descriptor) kept[kept.length] = [keys[i], descriptor.value];
    }
    watched[watched.length] = [part, keys.length, kept];
  }
  return () => {
    for (let i = 0; i < watched.length; i++) {
      const part = watched[i][0], kept = watched[i][2];
      if (ownKeys(part).length !== watched[i][1]) return false;
      for (let j = 0; j < kept.length; j++) if (!is(part[kept[j][0]], kept[j][1])) return false;
    }
    return true;
  };
}

// The global object, and all objects and functions of the language that a member of one of the names leads to.
function namedParts(named) {
  const found = new SafeSet([globalThis]), seen = new SafeSet([globalThis]);
  // No member leads to what these inherit.
  const makers = [function* () {}, async function* () {}, async () => {}];
  const others = [[].values(), new SafeMap().values(), new SafeSet().values(), ""[iteratorSymbol](), makers[0](), makers[1]()];
  for (const other of [...makers, ...others]) seen.add(getPrototypeOf(other));
  // A set goes on to what is added while it is walked through.
  for (const part of seen) {
    const prototype = getPrototypeOf(part), keys = ownKeys(part);
    if (prototype !== null) seen.add(prototype);
    for (let i = 0; i < keys.length; i++) {
      const { value, get, set } = getOwnPropertyDescriptor(part, keys[i]);
      for (const next of [value, get, set]) {
        if (typeof next !== "function" && (typeof next !== "object" || next === null)) continue;
        seen.add(next);
        if (named.has(keys[i])) found.add(next);
      }
    }
  }
  return found;
}
