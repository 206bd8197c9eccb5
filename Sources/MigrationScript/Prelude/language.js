// What the prelude uses of the language, as it is before any script has run.

const SafeArray = Array, SafeDate = Date, SafeError = Error, SafeMap = Map, SafeObject = Object;
const SafeProxy = Proxy, SafeSet = Set, SafeString = String, SafeSymbol = Symbol, SafeNumber = Number, SafeTypeError = TypeError;
const SafeRangeError = RangeError, SafeUint8Array = Uint8Array, SafeArrayBuffer = ArrayBuffer;
const SafeBoolean = Boolean, SafeBigInt = BigInt, SafeFloat64Array = Float64Array, SafeInt32Array = Int32Array;
const SafeBigInt64Array = BigInt64Array;
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const { create: objectCreate, defineProperty, freeze, getPrototypeOf, keys: objectKeys, setPrototypeOf } = Object;
const { getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
const objectPrototype = Object.prototype;
const { get: reflectGet, apply: reflectApply, construct: reflectConstruct } = Reflect;
const isArray = Array.isArray, isView = ArrayBuffer.isView;
const { isInteger, isSafeInteger, MAX_SAFE_INTEGER } = Number;
const { trunc, fround, floor, random: nativeRandom } = Math;
const nativeNow = Date.now, dateText = uncurry(Date.prototype.toString), is = Object.is, asIntN = BigInt.asIntN;
const stringify = JSON.stringify, parse = JSON.parse;
const arraySlice = uncurry(Array.prototype.slice);
const arrayIterator = uncurry(Array.prototype[Symbol.iterator]);
const arrayFill = uncurry(Array.prototype.fill);
const { splice: SafeSplice, reverse: SafeReverse, sort: SafeSort } = Array.prototype;
const arraySplice = uncurry(SafeSplice);
const arrayJoin = uncurry(Array.prototype.join);
const getTime = uncurry(Date.prototype.getTime);
const toLowerCase = uncurry(String.prototype.toLowerCase);
const indexOf = uncurry(String.prototype.indexOf);
const split = uncurry(String.prototype.split);
const charCodeAt = uncurry(String.prototype.charCodeAt);
const padStart = uncurry(String.prototype.padStart);
const numberToString = uncurry(Number.prototype.toString);
const match = uncurry(RegExp.prototype.exec);
const mapGet = uncurry(Map.prototype.get), mapSet = uncurry(Map.prototype.set);
const mapHas = uncurry(Map.prototype.has), mapForEach = uncurry(Map.prototype.forEach);
const mapDelete = uncurry(Map.prototype.delete), mapClear = uncurry(Map.prototype.clear);
const mapSize = uncurry(getOwnPropertyDescriptor(Map.prototype, "size").get);
const setForEach = uncurry(Set.prototype.forEach);
const weakGet = uncurry(WeakMap.prototype.get), weakSet = uncurry(WeakMap.prototype.set);
const bufferSlice = uncurry(ArrayBuffer.prototype.slice);
const iteratorSymbol = Symbol.iterator, tagSymbol = Symbol.toStringTag;
const StringProto = String.prototype;
const generatorNext = uncurry((function* () {})().next);
const toISOString = uncurry(Date.prototype.toISOString);

// Has the objects of a class inherit what the class has, and nothing of what a script gives all objects.
function inheritNothing(Kind) { setPrototypeOf(Kind.prototype, null); }

// Arrays of the prelude's own. They inherit nothing: what a script does to the prototypes of arrays and objects neither shows where an
// element is missing nor is told of one that is put there.
class Items extends SafeArray {
  constructor(count = 0) { super(count); }
}
delete Items.prototype.constructor;
inheritNothing(Items);
freeze(Items.prototype);

// An array as scripts have them, of the elements of one of the prelude's own.
const ordinary = items => arraySlice(items);

// Another array of the prelude's own of the same elements.
function copied(items) {
  const copy = new Items();
  for (let i = 0; i < items.length; i++) copy[i] = items[i];
  return copy;
}

// Gives an object a member as an assignment does, whatever all objects inherit.
function putMember(object, name, value) {
  defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
}

function taggedItems(tag) {
  const coded = new Items();
  coded[0] = tag;
  return coded;
}

// What `instanceof` says of the language's own classes.
for (const Kind of [SafeDate, SafeMap, SafeSet, SafeError, SafeRangeError, SafeArrayBuffer, SafeNumber, SafeString, SafeBoolean]) {
  defineProperty(Kind, Symbol.hasInstance, { value: Function.prototype[Symbol.hasInstance] });
}

// Called a million times a second: looked up where it stands, and therefore not to be replaced.
defineProperty(StringProto, "substring", { writable: false, configurable: false });

// What typed arrays tell of themselves, too: who replaced it would be handed the prelude's own memory. Each kind has it as its own, so
// that nothing can be put before it.
for (const Kind of [SafeUint8Array, SafeInt32Array, SafeFloat64Array, SafeBigInt64Array]) {
  for (const name of ["length", "byteLength", "byteOffset", "buffer"]) {
    const { get } = getOwnPropertyDescriptor(getPrototypeOf(Kind.prototype), name);
    defineProperty(Kind.prototype, name, { get, configurable: false });
  }
}

// What Swift offers of the transaction; nothing before `begin` and after the end of the migration.
const ended = new SafeProxy({}, { __proto__: null, get() { throw new SafeError("The migration has ended."); } });
let native = ended;

// Memory shared with Swift (`CallSlots`), by the places that are named SLOT_….
let slots = null, bigSlots = null;

// Names the object and the property of the next call; nothing of a script may run in between.
function point(info, key, index) {
  slots[SLOT_SIDE] = info.side;
  slots[SLOT_CLASS_INDEX] = info.index;
  if (typeof key === "number") {
    slots[SLOT_KEY] = key;
    slots[SLOT_KEY_IS_LONG] = 0;
  } else {
    bigSlots[SLOT_KEY] = key;
    slots[SLOT_KEY_IS_LONG] = 1;
  }
  slots[SLOT_PROPERTY] = index;
  slots[SLOT_HAS_NUMBER] = 0;
}

// Filled by Swift: log, decimal. Filled below: begin, run, makeError, describe.
const api = {};
