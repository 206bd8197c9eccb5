// The parts of the prelude that few scripts have a use for, each of which is made when it is first asked for: `…Made`.
//
// Unlike the rest, they look up parts of the language that a script may change: if its text may do such things, all are made before
// it runs (`prepare`).

// The states behind results.
const resultStates = new SafeWeakMap();

// Has the script whose text is to run find what it may ask for.
api.prepare = function (changesLanguage, usesConsole, usesValues, usesTime) {
  if (changesLanguage) {
    hardeningMade();
    collectionsMade();
    expressionsMade();
    callingMade();
  }
  if (usesConsole) consoleMade();
  if (usesValues && !hasValues) addValues();
  if (usesTime) timeMade();
};

let hasValues = false;
function addValues() {
  hasValues = true;
  valuesMade().addValues();
}

const isDate = value => value instanceof SafeDate;

// Thrown where a value nests too deep. The error is made at the top: an engine's stack has a hundred calls, and further down none of
// them is the script's.
const tooDeep = freeze({ __proto__: null });

function atTop(body) {
  try {
    return body();
  } catch (error) {
    throw error === tooDeep ? new SafeRangeError(`A value nests deeper than ${DEPTH_LIMIT} levels.`) : error;
  }
}

// Codes any value that a script gives, for Swift to read; throws if a realm can't hold it.
function encode(value, depth = 0) {
  if (value === null || typeof value !== "object") {
    if (typeof value === "function") throw new SafeTypeError("A function can't be stored.");
    if (typeof value === "symbol") throw new SafeTypeError("A symbol can't be stored.");
    return value;
  }
  return valuesMade().encodeObject(value, depth);
}

// The value that a script sees for one that Swift has coded.
function decode(coded) {
  return coded === null || typeof coded !== "object" ? coded : valuesMade().decodeTagged(coded);
}

function makeDate(seconds, nanoseconds) { return valuesMade().makeDate(seconds, nanoseconds); }

function makeList(object, property) { return collectionsMade().makeList(object, property); }
function makeSet(object, property) { return collectionsMade().makeSet(object, property); }
function makeDictionary(object, property) { return collectionsMade().makeDictionary(object, property); }
function makeResults(info) { return collectionsMade().makeResults(info); }


api.callEach = function (...given) { return reflectApply(callingMade().callEach, undefined, given); };
