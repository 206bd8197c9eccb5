// Dictionaries.

const dictionaryTraps = freeze({
  __proto__: null,
  get(target, key, receiver) {
    const state = Collection.state(target), items = state.items;
    if (typeof key === "string" && mapHas(items, key)) return state.given(mapGet(items, key));
    return reflectGet(SafeObject.prototype, key, receiver);
  },
  set(target, key, value) {
    if (typeof key !== "string") throw new SafeTypeError("The key of a dictionary is a string.");
    Collection.state(target).change("setEntry", key, encode(value));
    return true;
  },
  has(target, key) {
    return typeof key === "string" && mapHas(Collection.state(target).items, key);
  },
  deleteProperty(target, key) {
    if (typeof key === "string") Collection.state(target).change("remove", key);
    return true;
  },
  ownKeys(target) {
    const keys = new Items();
    mapForEach(Collection.state(target).items, (_, key) => { keys[keys.length] = key; });
    return keys;
  },
  getOwnPropertyDescriptor(target, key) {
    const state = Collection.state(target), items = state.items;
    if (typeof key !== "string" || !mapHas(items, key)) return undefined;
    return { __proto__: null, value: state.given(mapGet(items, key)), writable: true, enumerable: true, configurable: true };
  },
  defineProperty() { return false; },
  setPrototypeOf() { return false; },
  preventExtensions() { return false; },
});

function makeDictionary(object, property) {
  const state = new CollectionState(object, property);
  return new Collection(new SafeProxy(new Collection({}, state), dictionaryTraps), state);
}
