// The parts of the language that the prelude uses, as they are before any script has run.

const SafeArray = Array, SafeDate = Date, SafeError = Error, SafeMap = Map, SafeObject = Object;
const SafeProxy = Proxy, SafeSet = Set, SafeString = String, SafeSymbol = Symbol, SafeNumber = Number, SafeTypeError = TypeError;
const SafeRangeError = RangeError, SafeUint8Array = Uint8Array, SafeArrayBuffer = ArrayBuffer;
const SafeBoolean = Boolean, SafeBigInt = BigInt, SafeFloat64Array = Float64Array, SafeInt32Array = Int32Array;
const SafeBigInt64Array = BigInt64Array, SafeWeakMap = WeakMap;
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const { create: objectCreate, defineProperty, freeze, getPrototypeOf, keys: objectKeys, setPrototypeOf } = Object;
const { getOwnPropertyDescriptor, getOwnPropertyNames } = Object;
const objectPrototype = Object.prototype;
const { get: reflectGet, apply: reflectApply, construct: reflectConstruct } = Reflect;
const isArray = Array.isArray, isView = ArrayBuffer.isView;
const { isInteger, isSafeInteger, MAX_SAFE_INTEGER } = Number;
const { trunc, fround, floor, random: nativeRandom } = Math;
const nativeNow = Date.now, is = Object.is, asIntN = BigInt.asIntN;
const parse = JSON.parse;
const arraySlice = uncurry(Array.prototype.slice);
const arrayFill = uncurry(Array.prototype.fill);
const arraySplice = uncurry(Array.prototype.splice);
const indexOf = uncurry(String.prototype.indexOf), lastIndexOf = uncurry(String.prototype.lastIndexOf);
const split = uncurry(String.prototype.split);
const charCodeAt = uncurry(String.prototype.charCodeAt);
const toWellFormed = uncurry(String.prototype.toWellFormed);
const match = uncurry(RegExp.prototype.exec);
const mapGet = uncurry(Map.prototype.get), mapSet = uncurry(Map.prototype.set);
const mapHas = uncurry(Map.prototype.has);
const weakGet = uncurry(WeakMap.prototype.get), weakSet = uncurry(WeakMap.prototype.set);
const iteratorSymbol = Symbol.iterator, tagSymbol = Symbol.toStringTag;
const StringProto = String.prototype;

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

// The getters of views, which a script's own members of the same names can't stand before.
const viewGetters = [getPrototypeOf(SafeUint8Array.prototype), DataView.prototype].map(prototype =>
  ["buffer", "byteOffset", "byteLength"].map(name => uncurry(getOwnPropertyDescriptor(prototype, name).get)));
const arrayKind = uncurry(getOwnPropertyDescriptor(getPrototypeOf(SafeUint8Array.prototype), tagSymbol).get);

// The bytes that a view is of, as a view of the same memory.
function bytesOfView(view) {
  const getters = viewGetters[arrayKind(view) === undefined ? 1 : 0];
  const at = getters[1](view);
  return new SafeUint8Array(getters[0](view), at, getters[2](view));
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
