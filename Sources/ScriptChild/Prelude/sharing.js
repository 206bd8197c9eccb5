// A script's text as a function that runs for one realm after the other in a world (`SharedScript`): whether it may, and whether it has left
// anything behind.
//
// Swift has seen to it that the text's code comes by the language by names alone (`ScriptWords`). Here are the names, as this engine has them.

const { ownKeys } = Reflect;
const namesOf = text => new SafeSet(split(text, " "));

// Parts of the language that a script may name. Others lead to what no name tells: symbols, proxies, prototypes, promises.
const admittedGlobals = namesOf("Array BigInt Boolean Date Error Infinity JSON Map Math NaN Number RangeError Set String TypeError undefined " +
  "isFinite isNaN parseFloat parseInt console Decimal128 ObjectId UUID BSON Realm");

// Members of these parts, and of their objects, that a script may name.
const admittedMembers = namesOf("length name message size description cause " +
  // Words of the language that are members of iterators, too.
  "return throw delete of " +
  // Arrays, maps and sets.
  "isArray from at concat every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join lastIndexOf map pop " +
  "push reduce reduceRight reverse shift slice some sort splice unshift toReversed toSorted toSpliced keys values entries get set has add clear " +
  // Texts and numbers.
  "charAt charCodeAt codePointAt endsWith startsWith localeCompare normalize padEnd padStart repeat replace replaceAll split substring substr " +
  "toLowerCase toUpperCase trim trimEnd trimStart fromCharCode fromCodePoint anchor big blink bold fixed link small strike sub sup toFixed toPrecision toString isInteger isSafeInteger isFinite " +
  "isNaN parseFloat parseInt EPSILON MAX_SAFE_INTEGER MIN_SAFE_INTEGER MAX_VALUE MIN_VALUE " +
  "abs ceil floor max min pow round sign sqrt trunc random hypot log log10 log2 exp PI E cbrt sin cos tan atan atan2 parse stringify " +
  // Dates.
  "now UTC toISOString toJSON getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds getUTCFullYear " +
  "getUTCMonth getUTCDate getUTCDay getUTCHours getUTCMinutes getUTCSeconds getUTCMilliseconds getTimezoneOffset setTime setFullYear setMonth " +
  "setDate setHours setMinutes setSeconds setMilliseconds setUTCFullYear setUTCMonth setUTCDate setUTCHours setUTCMinutes setUTCSeconds " +
  "setUTCMilliseconds");

// Whether the text of some names may share a world: it names admitted parts of the language alone, and declares nothing of the name of a
// global member, which a program and a function take differently.
//
// `names` and `declared`: with a space between two.
function admits(names, declared) {
  for (const name of namesOf(declared)) if (name in globalThis || givenNames.has(name)) return false;
  const members = new SafeSet();
  for (const part of reachedParts()) for (const key of ownKeys(part)) members.add(key);
  for (const name of namesOf(names)) {
    if ((members.has(name) || name in globalThis) && !admittedMembers.has(name) && !admittedGlobals.has(name)) return false;
  }
  return true;
}

// The admitted parts of the language, and all that their objects, and the objects of literals, inherit from.
function reachedParts() {
  const parts = new SafeSet(iterators());
  for (const name of ownKeys(globalThis)) {
    // The console that scripts see is the prelude's.
    const part = admittedGlobals.has(name) && name !== "console" ? globalThis[name] : null;
    if (typeof part === "function") parts.add(part.prototype);
    if (part !== null && typeof part === "object" || typeof part === "function") parts.add(part);
  }
  // A set goes on to what is added while it is walked through.
  for (const part of parts) {
    const prototype = part === undefined ? null : getPrototypeOf(part);
    if (prototype !== null) parts.add(prototype);
  }
  parts.delete(undefined);
  return parts;
}

// An object of each kind that no member leads to, and that lists, maps, sets and texts, and functions of them, answer.
function iterators() {
  const list = [].values(), found = [list, new SafeMap().values(), new SafeSet().values(), ""[iteratorSymbol](), "".matchAll(/a/g)];
  if (typeof list.map === "function") found.push(list.map(value => value));
  if (typeof Iterator === "function") found.push(Iterator.from({ next() {} }));
  const makers = [function* () {}, async function* () {}, async () => {}];
  return [...found, ...makers, makers[0](), makers[1]()];
}

// Names of the global object that each run is given anew.
const givenNames = namesOf("Date console Decimal128 ObjectId UUID BSON Realm");

// Answers a function that tells whether the parts of the language are as they are now: the members of all that have any, and of functions
// that have one of some names, and their values.
function watch(names) {
  const watched = new Items();
  for (const part of partsWatched(namesOf(names))) {
    const keys = ownKeys(part), kept = new Items();
    for (let i = 0; i < keys.length; i++) {
      if (isGiven(part, keys[i])) continue;
      const descriptor = getOwnPropertyDescriptor(part, keys[i]);
      if ("value" in descriptor) kept[kept.length] = [keys[i], descriptor.value];
    }
    watched[watched.length] = [part, keys, kept];
  }
  return () => {
    for (let i = 0; i < watched.length; i++) {
      const part = watched[i][0], known = watched[i][1], kept = watched[i][2], keys = ownKeys(part);
      if (keys.length !== known.length) return false;
      for (let j = 0; j < known.length; j++) if (keys[j] !== known[j]) return false;
      for (let j = 0; j < kept.length; j++) if (!is(part[kept[j][0]], kept[j][1])) return false;
    }
    return true;
  };
}

// Whether each run is given a member anew.
function isGiven(part, key) {
  return part === globalThis && givenNames.has(key) || part === Math && key === "random" || part === SafeDate.prototype && key === "constructor";
}

// All objects of the language that have members, and its functions that a member of one of the names leads to. Others have a name and a
// length alone.
function partsWatched(named) {
  const found = new SafeSet([globalThis]), seen = new SafeSet([globalThis]);
  for (const iterator of iterators()) seen.add(getPrototypeOf(iterator));
  for (const part of seen) {
    const prototype = getPrototypeOf(part), keys = ownKeys(part);
    if (prototype !== null) seen.add(prototype);
    if (typeof part !== "function" || keys.length > 2) found.add(part);
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
