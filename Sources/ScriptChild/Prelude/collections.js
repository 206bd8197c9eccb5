// The base of all collections: live views of one property of one object.

const { anew, encodeElements, encodeMap, decodeElements, same, mapForEach } = valuesMade();
const arrayIterator = uncurry(SafeArray.prototype[iteratorSymbol]);
const { splice: SafeSplice, reverse: SafeReverse, sort: SafeSort } = SafeArray.prototype;

// A view of a collection: asks Swift for the whole of it once, and again when something may have changed it.
class CollectionState {
  constructor(object, property) {
    this.object = object;
    this.property = property;
    this.version = -1;
    this.deletions = -1;
    this.cached = null;
    // Whether something else has the elements that were read, too, which stay then as they are.
    this.isLent = false;
  }

  get isCurrent() {
    return this.cached !== null && (RealmObject.isOld(this.object) ||
      (this.version === this.property.version && this.deletions === allDeletions));
  }

  // The elements; of a dictionary, a map.
  get items() {
    if (!this.isCurrent) this.load();
    return this.cached;
  }

  // How many elements there are; those of a list are not made for it.
  get length() {
    if (!this.isCurrent && this.property.isListed) {
      const length = RealmObject.listLength(this.object, this.property);
      if (length >= 0) return length;
    }
    return this.items.length;
  }

  // The elements as they are now, for good.
  lend() {
    if (this.property.isGivenAnew) return this.copy();
    const items = this.items;
    this.isLent = true;
    return items;
  }

  load() {
    const items = this.property.isListed ? RealmObject.listItems(this.object, this.property)
      : this.property.isCopied ? RealmObject.collectionItems(this.object, this.property) : null;
    const coded = items === null ? this.call("value") : null;
    this.version = this.property.version;
    this.deletions = allDeletions;
    this.isLent = false;
    if (items !== null) {
      this.cached = items;
    } else if (coded[0] === ARRAY_TAG) {
      this.cached = decodeElements(coded);
    } else {
      this.cached = new SafeMap();
      for (let i = 1; i < coded.length; i += 2) mapSet(this.cached, coded[i], decode(coded[i + 1]));
    }
  }

  copy() {
    const copy = copied(this.items);
    if (this.property.isGivenAnew) for (let i = 0; i < copy.length; i++) copy[i] = anew(copy[i]);
    return copy;
  }

  // An element for a script, which may change it.
  given(element) { return this.property.isGivenAnew ? anew(element) : element; }

  // A value that is looked for, as the elements are.
  sought(value) { return this.property.type === "float" && typeof value === "number" ? fround(value) : value; }

  call(name, first, second, third) {
    return RealmObject.invoke(name, this.object, this.property, first, second, third);
  }

  // Changes what Swift has.
  change(name, first, second, third) {
    RealmObject.settle(this.object, this.property);
    this.property.version += 1;
    const result = this.call(name, first, second, third);
    RealmObject.forget(this.object, this.property);
    return result;
  }

  // Changes a list that waits; null where it can't wait.
  spliceWaiting(index, count, elements) {
    const property = this.property;
    const fits = property.isListed ? RealmObject.fittingElements(property, elements) : null;
    const list = fits === null ? null : RealmObject.waitingList(this.object, property);
    if (list === null) return null;
    const place = +index;
    const start = isInteger(place) && place > 0 ? place : 0;
    const removed = spliceArray(list, start, count, fits);
    for (let i = 0; i < removed.length; i++) removed[i] = RealmObject.shownElement(property, removed[i]);
    if (this.follows()) {
      const shown = new Items();
      for (let i = 0; i < fits.length; i++) shown[i] = RealmObject.shownElement(property, fits[i]);
      spliceArray(this.cached, start, count, shown);
    }
    RealmObject.noteWaiting(this.object, sizeOfAll(fits));
    return removed;
  }

  // Notes a change of a list that waits; whether what was read of it may follow the change.
  follows() {
    const property = this.property;
    const isCurrent = this.isCurrent;
    property.version += 1;
    if (!isCurrent || this.isLent) return false;
    this.version = property.version;
    return true;
  }

  splice(index, count, elements) {
    const removed = this.spliceWaiting(index, count, elements);
    if (removed !== null) return removed;
    const coded = encodeElements(elements.length, i => elements[i], 0);
    return ordinary(decodeElements(this.change("splice", index, count, coded)));
  }

  // Puts another element in the place of one.
  replace(index, value) {
    const property = this.property;
    const fits = property.isListed ? RealmObject.fittingElement(property, value) : undefined;
    const list = fits === undefined ? null : RealmObject.waitingList(this.object, property);
    if (list === null) {
      this.change("setElement", index, encode(value));
      return;
    }
    // An equal element stays, as in Realm: 0 where -0 is written over it.
    if (list[index] === fits) return;
    list[index] = fits;
    if (this.follows()) this.cached[index] = RealmObject.shownElement(property, fits);
    RealmObject.noteWaiting(this.object, sizeOf(fits));
  }

  append(value) {
    const property = this.property;
    const element = property.isListed ? RealmObject.fittingElement(property, value) : undefined;
    const list = element === undefined ? null : RealmObject.waitingList(this.object, property);
    if (list !== null) {
      list[list.length] = element;
      const length = list.length;
      if (this.follows()) this.cached[length - 1] = RealmObject.shownElement(property, element);
      RealmObject.noteWaiting(this.object, sizeOf(element));
      return length;
    }
    const coded = encode(value);
    if (isIndependent) RealmObject.mustBeInHand(this.object);
    RealmObject.settle(this.object, property);
    property.version += 1;
    const length = RealmObject.give("append", this.object, property, coded);
    RealmObject.forget(this.object, property);
    return length;
  }

  encode(depth) {
    const items = this.items;
    if (this.property.collection === "dictionary") return encodeMap(items, depth);
    return encodeElements(items.length, i => items[i], depth);
  }

  json() {
    if (this.property.collection !== "dictionary") return RealmObject.jsonValue(this.copy());
    const members = {};
    mapForEach(this.items, (value, name) => {
      defineProperty(members, name, { __proto__: null, value: RealmObject.jsonValue(value), enumerable: true });
    });
    return members;
  }
}
inheritNothing(CollectionState);

function stateOf(collection) {
  const state = Collection.state(collection);
  if (state === undefined) throw new SafeTypeError("The receiver is no collection of a realm.");
  return state;
}

function spliceArray(array, index, count, elements) {
  if (elements.length === 0) return arraySplice(array, index, count);
  if (elements.length === 1) return arraySplice(array, index, count, elements[0]);
  const values = new Items();
  values[0] = index;
  values[1] = count;
  for (let i = 0; i < elements.length; i++) values[i + 2] = elements[i];
  return reflectApply(SafeSplice, array, values);
}

// The index that a property key is, or −1.
function indexOfKey(key) {
  if (typeof key !== "string") return -1;
  const code = charCodeAt(key, 0);
  if (!(code >= 48 && code <= 57)) return -1;
  const index = +key;
  return isInteger(index) && SafeString(index) === key ? index : -1;
}

function relative(index, length, missing) {
  if (index === undefined) return missing;
  const whole = trunc(+index) || 0;
  return whole < 0 ? (whole + length > 0 ? whole + length : 0) : whole < length ? whole : length;
}

// Methods of arrays that change nothing work on a copy of the elements, which `elements` gives; nothing changes those afterwards. `sought`
// makes a value that is looked for one as the elements are.
function addReadingMethods(prototype, elements, sought = (_, value) => value) {
  const define = (object, name, method) => defineProperty(object, name, { ...method, configurable: true });
  const names = ["at", "concat", "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flat",
    "flatMap", "forEach", "join", "map", "reduce", "reduceRight", "slice", "some", "toReversed", "toSorted",
    "toSpliced", "toString", "with", "entries", "keys"];
  for (const name of names) {
    const method = SafeArray.prototype[name];
    if (method === undefined) continue;
    define(prototype, name, {
      value: function (...values) { return reflectApply(method, ordinary(elements(this)), values); },
    });
  }
  const values = function () { return arrayIterator(elements(this)); };
  define(prototype, "values", { value: values });
  define(prototype, iteratorSymbol, { value: values });
  // A place that is given as arrays take one: below zero it counts from the end.
  const placeOf = (from, length) => {
    const place = trunc(+from) || 0;
    return place < 0 ? length + place : place;
  };
  const find = (array, value, from) => {
    const start = placeOf(from, array.length);
    for (let i = start < 0 ? 0 : start; i < array.length; i++) if (same(array[i], value)) return i;
    return -1;
  };
  define(prototype, "indexOf", { value: function (value, from) { return find(elements(this), sought(this, value), from); } });
  define(prototype, "includes", { value: function (value, from) { return find(elements(this), sought(this, value), from) >= 0; } });
  define(prototype, "lastIndexOf", {
    value: function (value, ...from) {
      const array = elements(this), item = sought(this, value), last = array.length - 1;
      const start = from.length > 0 ? placeOf(from[0], array.length) : last;
      for (let i = start < last ? start : last; i >= 0; i--) if (same(array[i], item)) return i;
      return -1;
    },
  });
  define(prototype, "isEmpty", { value: function () { return this.length === 0; } });
}
