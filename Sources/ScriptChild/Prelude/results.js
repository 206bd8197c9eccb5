// All objects of a class on one side: array-like, live, in the order of their keys.

const LOADED_RUNS = 64, WALKING_USES = 8;

const mapDelete = uncurry(SafeMap.prototype.delete), mapClear = uncurry(SafeMap.prototype.clear);
const mapSize = uncurry(getOwnPropertyDescriptor(SafeMap.prototype, "size").get);
const generatorNext = uncurry((function* () {})().next);

// A class's keys by runs, which are its row groups: the runs that were used last, and where each begins among
// all objects, as far as that was asked for. New objects come behind the last; a deletion moves what follows.
class KeyRuns {
  constructor(info) {
    this.info = info;
    this.starts = taggedItems(0);
    this.loaded = new SafeMap();
    this.run = -1;
    this.keys = null;
    this.rows = null;
    this.uses = 0;
  }

  // Makes the run of a position the current one; false where there is none.
  find(index) {
    const starts = this.starts;
    if (this.run >= 0 && index >= starts[this.run] && index < starts[this.run + 1]) return true;
    if (index < starts[starts.length - 1]) {
      let run = 0;
      while (index >= starts[run + 1]) run += 1;
      this.select(run);
      return true;
    }
    // The last run that is known may have grown.
    const count = native.keyRunCount(this.info.side, this.info.index);
    for (let run = starts.length > 1 ? starts.length - 2 : 0; run < count; run++) {
      mapDelete(this.loaded, run);
      this.select(run);
      if (index < starts[run + 1]) return true;
    }
    return false;
  }

  select(run) {
    let parts = mapGet(this.loaded, run);
    if (parts === undefined) {
      parts = native.keys(this.info.side, this.info.index, run);
      if (mapSize(this.loaded) >= LOADED_RUNS) mapClear(this.loaded);
      mapSet(this.loaded, run, parts);
    }
    this.run = run;
    this.keys = parts[0];
    this.rows = parts[1];
    this.starts[run + 1] = this.starts[run] + parts[0].length;
    this.uses = 0;
  }

  // Columns pay where a script walks through a run, not where it jumps.
  noteUse() {
    this.uses += 1;
    if (this.uses === WALKING_USES) openWindow(this.info, this.run, this.keys, this.rows);
  }

  noteRemoval(key) {
    const run = this.run;
    if (run < 0 || placeOfKey(this.keys, key) < 0) return this.reset();
    this.starts.length = run + 1;
    mapDelete(this.loaded, run);
    this.run = -1;
  }

  reset() {
    this.starts = taggedItems(0);
    mapClear(this.loaded);
    this.run = -1;
  }
}
inheritNothing(KeyRuns);

class ResultsState {
  constructor(info) { this.info = info; }

  // For queries: null for all objects.
  keys() { return null; }

  get length() { return native.count(this.info.side, this.info.index); }

  at(index) {
    const info = this.info;
    if (info.keyRuns === null) info.keyRuns = new KeyRuns(info);
    const runs = info.keyRuns;
    if (!runs.find(index)) return undefined;
    runs.noteUse();
    return wrap(info, plainKey(runs.keys[index - runs.starts[runs.run]]));
  }

  // Visits the objects that there are now, run by run.
  *visit() {
    const info = this.info;
    const count = native.keyRunCount(info.side, info.index), total = this.length;
    let done = 0;
    for (let run = 0; run < count; run++) {
      const parts = native.keys(info.side, info.index, run);
      openWindow(info, run, parts[0], parts[1]);
      if (enumerationDepth === 0) reportProgress(info, done, total);
      for (let i = 0; i < parts[0].length; i++) {
        if (enumerationDepth === 0 && (i & CLOCK_MASK) === 0) reportIfDue(info, done + i, total);
        yield wrap(info, plainKey(parts[0][i]));
      }
      done += parts[0].length;
    }
  }

  copy() {
    const objects = new Items(), visit = this.visit();
    for (let step = generatorNext(visit); !step.done; step = generatorNext(visit)) objects[objects.length] = step.value;
    return objects;
  }
}
inheritNothing(ResultsState);

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
    const objects = resultsOf(this).visit();
    for (let step = generatorNext(objects); !step.done; step = generatorNext(objects)) {
      reflectApply(visit, receiver, [step.value, index++, this]);
    }
  },
});
defineProperty(resultsPrototype, "toJSON", { value: function () { return ordinary(resultsOf(this).copy()); } });
addQueries(resultsPrototype, results => {
  const state = resultsOf(results);
  return [state.info, state.keys()];
});
freeze(resultsPrototype);

const resultsTraps = freeze({
  __proto__: null,
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
    const keys = new Items();
    for (let i = 0; i < weakGet(resultStates, target).length; i++) keys[i] = SafeString(i);
    return keys;
  },
  getOwnPropertyDescriptor(target, key) {
    const index = indexOfKey(key);
    const value = index >= 0 ? weakGet(resultStates, target).at(index) : undefined;
    return value === undefined ? undefined : { __proto__: null, value, writable: false, enumerable: true, configurable: true };
  },
  defineProperty() { return false; },
  deleteProperty() { return false; },
  setPrototypeOf() { return false; },
  preventExtensions() { return false; },
});

function makeResults(info) { return resultsFrom(new ResultsState(info)); }

function resultsFrom(state) {
  const target = objectCreate(resultsPrototype);
  const results = new SafeProxy(target, resultsTraps);
  weakSet(resultStates, target, state);
  weakSet(resultStates, results, state);
  return results;
}
