// Sets.

class RealmSet {
  constructor(object, property) { new Collection(this, new CollectionState(object, property)); }
  get size() { return stateOf(this).length; }
  add(value) {
    stateOf(this).append(value);
    return this;
  }
  delete(value) { return stateOf(this).change("remove", encode(value)); }
  clear() {
    const state = stateOf(this);
    RealmObject.write(state.object, state.property, []);
  }
  has(value) {
    const state = stateOf(this), items = state.items, sought = state.sought(value);
    for (let i = 0; i < items.length; i++) if (same(items[i], sought)) return true;
    return false;
  }
  forEach(visit, receiver) {
    const items = stateOf(this).copy();
    for (let i = 0; i < items.length; i++) reflectApply(visit, receiver, [items[i], items[i], this]);
  }
  values() { return arrayIterator(stateOf(this).copy()); }
  keys() { return arrayIterator(stateOf(this).copy()); }
  entries() {
    const items = stateOf(this).copy();
    for (let i = 0; i < items.length; i++) items[i] = [items[i], items[i]];
    return arrayIterator(items);
  }
  toJSON() { return stateOf(this).json(); }
  [iteratorSymbol]() { return arrayIterator(stateOf(this).copy()); }
}
defineProperty(RealmSet.prototype, tagSymbol, { value: "Set" });
defineProperty(RealmSet.prototype, "constructor", { value: SafeSet });
addQueries(RealmSet.prototype, selectionOf);
freeze(RealmSet.prototype);

function makeSet(object, property) { return new RealmSet(object, property); }
