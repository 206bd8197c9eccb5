extension Prelude {
    /// All objects of a class on one side: array-like, live, in the order of their keys.
    static let results = #"""
        // A number that may have been a BigInt for its neighbours' sake.
        function plainKey(key) {
          return typeof key === "bigint" && key >= -9007199254740991n && key <= 9007199254740991n ? SafeNumber(key) : key;
        }

        // Where the runs of a class's keys begin, as far as they were asked for, and the keys of the last one used.
        class KeyRuns {
          constructor(info) {
            this.info = info;
            this.changes = info.changes;
            this.count = native.keyRunCount(info.side, info.index);
            this.starts = [0];
            this.run = -1;
            this.keys = null;
          }

          load(run) {
            this.keys = native.keys(this.info.side, this.info.index, run);
            this.run = run;
            this.starts[run + 1] = this.starts[run] + this.keys.length;
            return this.keys;
          }

          at(index) {
            const starts = this.starts;
            if (this.run >= 0 && index >= starts[this.run] && index < starts[this.run + 1]) {
              return plainKey(this.keys[index - starts[this.run]]);
            }
            let run = 0;
            while (run + 1 < starts.length && index >= starts[run + 1]) run += 1;
            for (; run < this.count; run++) {
              const keys = this.load(run);
              if (index < starts[run + 1]) return plainKey(keys[index - starts[run]]);
            }
            return undefined;
          }
        }

        class ResultsState {
          constructor(info) { this.info = info; }

          get length() { return native.count(this.info.side, this.info.index); }

          // Kept until an object of the class is made or deleted.
          get runs() {
            const info = this.info;
            if (info.keyRuns === null || info.keyRuns.changes !== info.changes) info.keyRuns = new KeyRuns(info);
            return info.keyRuns;
          }

          at(index) {
            const key = this.runs.at(index);
            return key === undefined ? undefined : wrap(this.info, key);
          }

          // Visits the objects that there are now, run by run.
          *visit() {
            const info = this.info;
            const count = native.keyRunCount(info.side, info.index);
            for (let run = 0; run < count; run++) {
              const keys = native.keys(info.side, info.index, run);
              for (let i = 0; i < keys.length; i++) yield wrap(info, plainKey(keys[i]));
            }
          }

          copy() {
            const objects = [];
            for (const object of this.visit()) objects[objects.length] = object;
            return objects;
          }
        }

        const resultStates = new WeakMap();

        function resultsOf(results) {
          const state = weakGet(resultStates, results);
          if (state === undefined) throw new SafeTypeError("The receiver is no Results.");
          return state;
        }

        const resultsPrototype = {};
        addReadingMethods(resultsPrototype, results => resultsOf(results).copy());
        const iterate = function () { return resultsOf(this).visit(); };
        defineProperty(resultsPrototype, "values", { value: iterate });
        defineProperty(resultsPrototype, iteratorSymbol, { value: iterate });
        defineProperty(resultsPrototype, "forEach", {
          value: function (visit, receiver) {
            let index = 0;
            for (const object of resultsOf(this).visit()) reflectApply(visit, receiver, [object, index++, this]);
          },
        });
        defineProperty(resultsPrototype, "toJSON", { value: function () { return resultsOf(this).copy(); } });
        for (const name of ["filtered", "sorted"]) {
          defineProperty(resultsPrototype, name, {
            value() { throw new SafeError(`'${name}' has no queries here; use 'filter' or 'toSorted' with a function.`); },
          });
        }
        freeze(resultsPrototype);

        const resultsTraps = freeze({
          get(target, key, receiver) {
            const index = indexOfKey(key);
            if (index >= 0) return weakGet(resultStates, target).at(index);
            if (key === "length") return weakGet(resultStates, target).length;
            return reflectGet(resultsPrototype, key, receiver);
          },
          set() { throw new SafeTypeError("Results can't be changed; create and delete objects instead."); },
          has(target, key) {
            const index = indexOfKey(key);
            return index >= 0 ? index < weakGet(resultStates, target).length : key === "length" || key in resultsPrototype;
          },
          ownKeys(target) {
            const keys = [];
            for (let i = 0; i < weakGet(resultStates, target).length; i++) keys[i] = SafeString(i);
            return keys;
          },
          getOwnPropertyDescriptor(target, key) {
            const index = indexOfKey(key);
            const value = index >= 0 ? weakGet(resultStates, target).at(index) : undefined;
            return value === undefined ? undefined : { value, writable: false, enumerable: true, configurable: true };
          },
          defineProperty() { return false; },
          deleteProperty() { return false; },
          setPrototypeOf() { return false; },
          preventExtensions() { return false; },
        });

        function makeResults(info) {
          const target = objectCreate(resultsPrototype);
          const state = new ResultsState(info);
          const results = new SafeProxy(target, resultsTraps);
          weakSet(resultStates, target, state);
          weakSet(resultStates, results, state);
          return results;
        }
        """#
}
