extension Prelude {
    /// Sets and dictionaries.
    static let sets = #"""
        class RealmSet {
          constructor(object, property) { weakSet(collections, this, new CollectionState(object, property)); }
          get size() { return stateOf(this).items.length; }
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
            const items = stateOf(this).items;
            for (let i = 0; i < items.length; i++) if (same(items[i], value)) return true;
            return false;
          }
          forEach(visit, receiver) {
            const items = stateOf(this).copy();
            for (let i = 0; i < items.length; i++) reflectApply(visit, receiver, [items[i], items[i], this]);
          }
          values() { return arrayIterator(stateOf(this).copy()); }
          keys() { return arrayIterator(stateOf(this).copy()); }
          entries() { return arrayIterator(stateOf(this).copy().map(value => [value, value])); }
          toJSON() { return stateOf(this).json(); }
          [iteratorSymbol]() { return arrayIterator(stateOf(this).copy()); }
        }
        defineProperty(RealmSet.prototype, tagSymbol, { value: "Set" });
        defineProperty(RealmSet.prototype, "constructor", { value: SafeSet });
        freeze(RealmSet.prototype);

        function makeSet(object, property) { return new RealmSet(object, property); }

        const dictionaryTraps = freeze({
          get(target, key, receiver) {
            const items = weakGet(collections, target).items;
            if (typeof key === "string" && mapHas(items, key)) return mapGet(items, key);
            return reflectGet(SafeObject.prototype, key, receiver);
          },
          set(target, key, value) {
            if (typeof key !== "string") throw new SafeTypeError("The key of a dictionary is a string.");
            weakGet(collections, target).change("setEntry", key, encode(value));
            return true;
          },
          has(target, key) {
            return typeof key === "string" && mapHas(weakGet(collections, target).items, key);
          },
          deleteProperty(target, key) {
            if (typeof key === "string") weakGet(collections, target).change("remove", key);
            return true;
          },
          ownKeys(target) {
            const keys = [];
            mapForEach(weakGet(collections, target).items, (_, key) => { keys[keys.length] = key; });
            return keys;
          },
          getOwnPropertyDescriptor(target, key) {
            const items = weakGet(collections, target).items;
            if (typeof key !== "string" || !mapHas(items, key)) return undefined;
            return { value: mapGet(items, key), writable: true, enumerable: true, configurable: true };
          },
          defineProperty() { return false; },
          setPrototypeOf() { return false; },
          preventExtensions() { return false; },
        });

        function makeDictionary(object, property) {
          const state = new CollectionState(object, property);
          const target = {};
          const dictionary = new SafeProxy(target, dictionaryTraps);
          weakSet(collections, target, state);
          weakSet(collections, dictionary, state);
          return dictionary;
        }
        """#
}
