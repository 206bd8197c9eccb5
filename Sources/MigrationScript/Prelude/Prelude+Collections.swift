extension Prelude {
    /// Lists, and what stands behind all collections: live views of one property of one object.
    static let collections = #"""
        // What stands behind a collection that a script holds, where one of its methods was asked for; the traps of the
        // others find it in their target.
        const collections = new WeakMap();

        // A view of a collection: asks Swift for the whole of it once, and again when something may have changed it.
        class CollectionState {
          constructor(object, property) {
            this.object = object;
            this.property = property;
            this.version = -1;
            this.deletions = -1;
            this.cached = null;
            this.isRegistered = false;
          }

          // The elements; of a dictionary, a map.
          get items() {
            const isCurrent = this.cached !== null && (RealmObject.isOld(this.object) ||
              (this.version === this.property.version && this.deletions === allDeletions));
            if (!isCurrent) this.load();
            return this.cached;
          }

          load() {
            const items = this.property.isListed ? RealmObject.listItems(this.object, this.property) : null;
            const coded = items === null ? this.call("value") : null;
            this.version = this.property.version;
            this.deletions = allDeletions;
            if (items !== null) {
              this.cached = items;
            } else if (coded[0] === ARRAY) {
              this.cached = decodeElements(coded);
            } else {
              this.cached = new SafeMap();
              for (let i = 1; i < coded.length; i += 2) mapSet(this.cached, coded[i], decode(coded[i + 1]));
            }
          }

          copy() {
            const items = this.items, copied = [];
            for (let i = 0; i < items.length; i++) copied[i] = items[i];
            return copied;
          }

          call(name, first, second, third) {
            return RealmObject.invoke(name, this.object, this.property, first, second, third);
          }

          // Changes what Swift has.
          change(name, first, second, third) {
            RealmObject.settleList(this.object, this.property);
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
              const shown = [];
              for (let i = 0; i < fits.length; i++) shown[i] = RealmObject.shownElement(property, fits[i]);
              spliceArray(this.cached, start, count, shown);
            }
            RealmObject.noteWaiting(this.object, sizeOfAll(fits));
            return removed;
          }

          // Notes a change of a list that waits; whether what was read of it may follow the change.
          follows() {
            const property = this.property;
            const isCurrent = this.cached !== null && this.version === property.version && this.deletions === allDeletions;
            property.version += 1;
            // Dates are made anew: a script may have changed those that it has.
            if (!isCurrent || property.type === "date") return false;
            this.version = property.version;
            return true;
          }

          splice(index, count, elements) {
            const removed = this.spliceWaiting(index, count, elements);
            if (removed !== null) return removed;
            const coded = encodeElements(elements.length, i => elements[i], 0);
            return decodeElements(this.change("splice", index, count, coded));
          }

          // Puts another element in the place of one.
          replace(index, value) {
            const property = this.property;
            const fits = property.isListed ? RealmObject.fittingElement(property, value) : undefined;
            const list = fits === undefined ? null : RealmObject.waitingList(this.object, property);
            if (list === null) {
              this.splice(index, 1, [value]);
              return;
            }
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
            RealmObject.settleList(this.object, property);
            property.version += 1;
            const length = RealmObject.give("append", this.object, property, coded);
            RealmObject.forget(this.object, property);
            return length;
          }

          // Lets methods that are called on a collection find this.
          register(collection) {
            if (this.isRegistered) return;
            this.isRegistered = true;
            weakSet(collections, collection, this);
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
              defineProperty(members, name, { value: RealmObject.jsonValue(value), enumerable: true });
            });
            return members;
          }
        }

        function stateOf(collection) {
          const state = weakGet(collections, collection);
          if (state === undefined) throw new SafeTypeError("The receiver is no collection of a realm.");
          return state;
        }

        function spliceArray(array, index, count, elements) {
          if (elements.length === 0) return arraySplice(array, index, count);
          if (elements.length === 1) return arraySplice(array, index, count, elements[0]);
          const values = [index, count];
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

        // Methods of arrays that change nothing work on a copy of the elements.
        function addReadingMethods(prototype, elements) {
          const define = (object, name, method) => defineProperty(object, name, { ...method, configurable: true });
          const names = ["at", "concat", "every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flat",
            "flatMap", "forEach", "join", "map", "reduce", "reduceRight", "slice", "some", "toReversed", "toSorted",
            "toSpliced", "toString", "with", "entries", "keys"];
          for (const name of names) {
            const method = SafeArray.prototype[name];
            if (method === undefined) continue;
            define(prototype, name, {
              value: function (...values) { return reflectApply(method, elements(this), values); },
            });
          }
          const values = function () { return arrayIterator(elements(this)); };
          define(prototype, "values", { value: values });
          define(prototype, iteratorSymbol, { value: values });
          const find = (array, value) => {
            for (let i = 0; i < array.length; i++) if (same(array[i], value)) return i;
            return -1;
          };
          define(prototype, "indexOf", { value: function (value) { return find(elements(this), value); } });
          define(prototype, "includes", { value: function (value) { return find(elements(this), value) >= 0; } });
          define(prototype, "lastIndexOf", {
            value: function (value) {
              const array = elements(this);
              for (let i = array.length - 1; i >= 0; i--) if (same(array[i], value)) return i;
              return -1;
            },
          });
          define(prototype, "isEmpty", { value: function () { return this.length === 0; } });
        }

        // The target of a list's proxy: an array to `Array.isArray`, always empty, that knows what stands behind.
        class List extends SafeArray {
          #state;
          constructor(state) {
            super();
            this.#state = state;
          }
          static state(target) { return target.#state; }
        }
        const listPrototype = List.prototype;
        defineProperty(listPrototype, "constructor", { value: SafeArray });
        addReadingMethods(listPrototype, list => stateOf(list).copy());
        for (const [name, value] of SafeObject.entries({
          push(...values) {
            const state = stateOf(this);
            let length = -1;
            for (let i = 0; i < values.length; i++) length = state.append(values[i]);
            return length < 0 ? state.items.length : length;
          },
          pop() {
            const state = stateOf(this);
            const length = state.items.length;
            return length === 0 ? undefined : state.splice(length - 1, 1, [])[0];
          },
          shift() {
            const state = stateOf(this);
            return state.items.length === 0 ? undefined : state.splice(0, 1, [])[0];
          },
          unshift(...values) {
            const state = stateOf(this);
            state.splice(0, 0, values);
            return state.items.length;
          },
          splice(start, count, ...values) {
            const state = stateOf(this);
            const length = state.items.length;
            const index = relative(start, length, 0);
            const rest = length - index;
            let removed = arguments.length === 0 ? 0 : arguments.length === 1 ? rest : trunc(+count) || 0;
            removed = removed < 0 ? 0 : removed > rest ? rest : removed;
            return state.splice(index, removed, values);
          },
          remove(index) { stateOf(this).splice(index, 1, []); },
          removeAll() {
            const state = stateOf(this);
            state.splice(0, state.items.length, []);
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
        })) defineProperty(listPrototype, name, { value });
        freeze(listPrototype);

        const listTraps = freeze({
          get(target, key, receiver) {
            const state = List.state(target);
            const index = indexOfKey(key);
            if (index >= 0) return state.items[index];
            if (key === "length") return state.items.length;
            state.register(receiver);
            return reflectGet(listPrototype, key, receiver);
          },
          set(target, key, value) {
            const state = List.state(target);
            const length = state.items.length;
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
            return index >= 0 ? index < List.state(target).items.length : key === "length" || key in listPrototype;
          },
          ownKeys(target) {
            const length = List.state(target).items.length;
            const keys = [];
            for (let i = 0; i < length; i++) keys[i] = SafeString(i);
            keys[keys.length] = "length";
            return keys;
          },
          getOwnPropertyDescriptor(target, key) {
            const items = List.state(target).items;
            const index = indexOfKey(key);
            if (index >= 0 && index < items.length) {
              return { value: items[index], writable: true, enumerable: true, configurable: true };
            }
            if (key === "length") return { value: items.length, writable: true, enumerable: false, configurable: false };
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
          lastList = new SafeProxy(new List(lastState), listTraps);
          return lastList;
        }

        // What stands behind a value where it is known to be a list of a realm, or undefined.
        function stateOfList(value) { return value === lastList ? lastState : weakGet(collections, value); }
        """#
}
