// Lists.

const listPrototype = objectCreate(SafeArray.prototype);
defineProperty(listPrototype, "constructor", { value: SafeArray });
addReadingMethods(listPrototype, list => stateOf(list).lend());
const listMethods = {
  push(...values) {
    const state = stateOf(this);
    let length = -1;
    for (let i = 0; i < values.length; i++) length = state.append(values[i]);
    return length < 0 ? state.length : length;
  },
  pop() {
    const state = stateOf(this);
    const length = state.length;
    return length === 0 ? undefined : state.splice(length - 1, 1, [])[0];
  },
  shift() {
    const state = stateOf(this);
    return state.length === 0 ? undefined : state.splice(0, 1, [])[0];
  },
  unshift(...values) {
    const state = stateOf(this);
    state.splice(0, 0, values);
    return state.length;
  },
  splice(start, count, ...values) {
    const state = stateOf(this);
    const length = state.length;
    const index = relative(start, length, 0);
    const rest = length - index;
    let removed = arguments.length === 0 ? 0 : arguments.length === 1 ? rest : trunc(+count) || 0;
    removed = removed < 0 ? 0 : removed > rest ? rest : removed;
    return state.splice(index, removed, values);
  },
  remove(index) { stateOf(this).splice(index, 1, []); },
  removeAll() {
    const state = stateOf(this);
    state.splice(0, state.length, []);
  },
  reverse() {
    const state = stateOf(this);
    const items = state.copy();
    state.splice(0, items.length, reflectApply(SafeReverse, items, []));
    return this;
  },
  sort(compare) {
    const state = stateOf(this);
    const items = state.copy();
    state.splice(0, items.length, reflectApply(SafeSort, items, [compare]));
    return this;
  },
  swap(first, second) {
    const items = stateOf(this).copy();
    this[first] = items[second];
    this[second] = items[first];
  },
};
for (const name of objectKeys(listMethods)) defineProperty(listPrototype, name, { value: listMethods[name] });
addQueries(listPrototype, selectionOf);
freeze(listPrototype);

const listTraps = freeze({
  __proto__: null,
  get(target, key, receiver) {
    if (key === "length") return Collection.state(target).length;
    const index = indexOfKey(key);
    if (index >= 0) return Collection.state(target).items[index];
    return reflectGet(listPrototype, key, receiver);
  },
  set(target, key, value) {
    const state = Collection.state(target);
    const length = state.length;
    const index = key === "length" ? length : indexOfKey(key);
    if (key === "length") {
      if (!(isInteger(value) && value >= 0 && value <= length)) throw new SafeRangeError("A list can't grow by its length.");
      if (value < length) state.splice(value, length - value, []);
    } else if (index < 0) {
      throw new SafeError(`A list has no property '${SafeString(key)}'`);
    } else if (index < length) {
      state.replace(index, value);
    } else if (index === length) {
      state.append(value);
    } else {
      throw new SafeRangeError(`Index ${index} is beyond the end of a list of ${length}`);
    }
    return true;
  },
  has(target, key) {
    const index = indexOfKey(key);
    return index >= 0 ? index < Collection.state(target).length : key === "length" || key in listPrototype;
  },
  ownKeys(target) {
    const length = Collection.state(target).length;
    const keys = new Items();
    for (let i = 0; i < length; i++) keys[i] = SafeString(i);
    keys[keys.length] = "length";
    return keys;
  },
  getOwnPropertyDescriptor(target, key) {
    const items = Collection.state(target).items;
    const index = indexOfKey(key);
    if (index >= 0 && index < items.length) {
      return { __proto__: null, value: items[index], writable: true, enumerable: true, configurable: true };
    }
    if (key === "length") return { __proto__: null, value: items.length, writable: true, enumerable: false, configurable: false };
    return undefined;
  },
  defineProperty() { return false; },
  deleteProperty() { return false; },
  setPrototypeOf() { return false; },
  preventExtensions() { return false; },
});

// The list that was last asked for, which scripts often ask for again, or assign to another property.
let lastList = null, lastState = null;

function makeList(object, property) {
  if (lastState !== null && lastState.object === object && lastState.property === property) return lastList;
  lastState = new CollectionState(object, property);
  // Its target is an array to `Array.isArray`, always empty.
  lastList = new Collection(new SafeProxy(new Collection([], lastState), listTraps), lastState);
  return lastList;
}
