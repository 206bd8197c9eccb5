// Lists.

const listPrototype = objectCreate(SafeArray.prototype);
defineProperty(listPrototype, "constructor", { value: SafeArray });
addReadingMethods(listPrototype, list => stateOf(list).lend(), (list, value) => stateOf(list).sought(value));
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

// The state of a list, and the handler of its proxy.
class ListState extends CollectionState {
  // The constructor that the language makes looks at what a script gave all arrays.
  constructor(object, property) { super(object, property); }
  get(_, key, receiver) {
    if (key === "length") return this.length;
    const index = indexOfKey(key);
    if (index >= 0) return this.given(this.items[index]);
    return reflectGet(listPrototype, key, receiver);
  }
  set(_, key, value) {
    const length = this.length;
    const index = key === "length" ? length : indexOfKey(key);
    if (key === "length") {
      if (!(isInteger(value) && value >= 0 && value <= length)) throw new SafeRangeError("A list can't grow by its length.");
      if (value < length) this.splice(value, length - value, []);
    } else if (index < 0) {
      throw new SafeError(`A list has no property '${SafeString(key)}'`);
    } else if (index < length) {
      this.replace(index, value);
    } else if (index === length) {
      this.append(value);
    } else {
      throw new SafeRangeError(`Index ${index} is beyond the end of a list of ${length}`);
    }
    return true;
  }
  has(_, key) {
    const index = indexOfKey(key);
    return index >= 0 ? index < this.length : key === "length" || key in listPrototype;
  }
  ownKeys() {
    const length = this.length;
    const keys = new Items();
    for (let i = 0; i < length; i++) keys[i] = SafeString(i);
    keys[keys.length] = "length";
    return keys;
  }
  getOwnPropertyDescriptor(_, key) {
    const items = this.items;
    const index = indexOfKey(key);
    if (index >= 0 && index < items.length) {
      return { __proto__: null, value: this.given(items[index]), writable: true, enumerable: true, configurable: true };
    }
    if (key === "length") return { __proto__: null, value: items.length, writable: true, enumerable: false, configurable: false };
    return undefined;
  }
  defineProperty() { return false; }
  deleteProperty() { return false; }
  setPrototypeOf() { return false; }
  preventExtensions() { return false; }
}

// The target of all proxies of lists: an array to `Array.isArray`, always empty.
const listTarget = [];

// The list that was last asked for, which scripts often ask for again, or assign to another property.
let lastList = null, lastState = null;

function makeList(object, property) {
  if (lastState !== null && lastState.object === object && lastState.property === property) return lastList;
  lastState = new ListState(object, property);
  lastList = new Collection(new SafeProxy(listTarget, lastState), lastState);
  return lastList;
}
