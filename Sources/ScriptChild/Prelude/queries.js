// Objects chosen and ordered by Swift: `filtered` and `sorted`.

// The objects that a query chose, or that stand in an order: as they were when it was asked.
class SelectedState {
  #keys;
  constructor(info, keys) {
    this.info = info;
    this.#keys = keys;
  }
  keys() { return asBigInts(this.#keys); }
  get length() { return this.#keys.length; }
  at(index) { return index < this.#keys.length ? wrap(this.info, plainKey(this.#keys[index])) : undefined; }
  *visit() { for (let i = 0; i < this.#keys.length; i++) yield this.at(i); }
  copy() {
    const objects = new Items();
    for (let i = 0; i < this.#keys.length; i++) objects[i] = this.at(i);
    return objects;
  }
}
inheritNothing(SelectedState);

function asBigInts(keys) {
  const cells = new SafeBigInt64Array(keys.length);
  for (let i = 0; i < keys.length; i++) cells[i] = SafeBigInt(keys[i]);
  return cells;
}

// Lets a query see earlier writes of the script.
function flushForQuery(info) {
  if (info.side !== NEW) return;
  if (isIndependent) refuseDependence("it asks for objects of the new realm");
  flushAll();
}

// Pairs of a property and whether it is reversed, of the forms that Realm JS takes.
function sortKeys(property, isReversed) {
  const coded = taggedItems(ARRAY_TAG);
  const add = (path, reversed) => {
    if (typeof path !== "string") throw new SafeTypeError("'sorted' takes the name of a property, or an array of them.");
    coded[coded.length] = path;
    coded[coded.length] = reversed === true;
  };
  if (!isArray(property)) {
    add(property, isReversed);
    return coded;
  }
  for (let i = 0; i < property.length; i++) {
    if (isArray(property[i])) add(property[i][0], property[i][1]);
    else add(property[i], isReversed);
  }
  return coded;
}

// `selection`: of a collection the class of its objects and their keys.
function addQueries(prototype, selection) {
  defineProperty(prototype, "filtered", {
    value: function filtered(query, ...values) {
      if (typeof query !== "string") throw new SafeTypeError("'filtered' takes a query as text.");
      const selected = selection(this), info = selected[0];
      flushForQuery(info);
      const coded = encodeElements(values.length, i => values[i], 0);
      return resultsFrom(new SelectedState(info, native.filter(info.side, info.index, selected[1], query, coded)));
    },
  });
  defineProperty(prototype, "sorted", {
    value: function sorted(property, isReversed) {
      const selected = selection(this), info = selected[0];
      flushForQuery(info);
      return resultsFrom(new SelectedState(info, native.sort(info.side, info.index, selected[1], sortKeys(property, isReversed))));
    },
  });
}

// The objects of a list or a set.
function selectionOf(collection) {
  const state = stateOf(collection);
  const info = state.property.target;
  if (info === null || state.property.type !== "object") {
    throw new SafeError("Only collections of objects can be asked; copy the values of another: [...values].");
  }
  const items = state.copy(), keys = new Items();
  for (let i = 0; i < items.length; i++) keys[i] = items[i]._key;
  return [info, asBigInts(keys)];
}
