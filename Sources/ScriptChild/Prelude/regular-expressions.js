// Regular expressions that give up: the engine stops one that goes back and forth for long, and calls that "no match".
//
// It takes at least half a second of the processor until it does so. An expression that found nothing after a fifth of that is tried
// again under a precise clock, and fails where it took as long again: whether there is a match can't be told then.

const regexSource = uncurry(SafeObject.getOwnPropertyDescriptor(RegExp.prototype, "source").get);
const regexFlags = uncurry(SafeObject.getOwnPropertyDescriptor(RegExp.prototype, "flags").get);
const nativeExec = RegExp.prototype.exec;
const SafeRegExp = RegExp;

// The time since a moment; a migration is told of an expression that took long, whatever it found.
function timeSince(before, pattern) {
  const time = readClock() - before;
  // Where the pattern is a text, that may be an object's.
  if (time > SLOW_MILLISECONDS && native !== ended && isRegExp(pattern)) {
    native.slowExpression(sourceShown(pattern), time, placeOf(new SafeError(""))[0]);
  }
  return time;
}

function sourceShown(expression) {
  const source = regexSource(expression);
  return source.length > 200 ? source.substring(0, 200) + "…" : source;
}

function isRegExp(value) {
  if (typeof value !== "object" || value === null) return false;
  try {
    // Of RegExp's objects alone; the prototype has one for compatibility.
    regexSource(value);
    return value !== SafeRegExp.prototype;
  } catch (error) {
    if (isOutOfStack(error)) throw error;
    return false;
  }
}

// Throws where an expression that found nothing may have given up.
//
// `start`: where it began; `isRepeated`: whether it goes on behind each match.
function mistrust(pattern, text, start, isRepeated) {
  const isExpression = isRegExp(pattern);
  if (!isExpression && typeof pattern === "object" && pattern !== null) return;
  const flags = isExpression ? regexFlags(pattern) : "";
  const isSticky = indexOf(flags, "y") >= 0;
  const isUnicode = indexOf(flags, "u") >= 0 || indexOf(flags, "v") >= 0;
  const copy = new SafeRegExp(
    isExpression ? regexSource(pattern) : pattern, indexOf(flags, "g") < 0 && !isSticky ? flags + "g" : flags);
  copy.lastIndex = start;
  for (;;) {
    const before = api.processorTime();
    const found = reflectApply(nativeExec, copy, [text]);
    if (found === null) {
      if (api.processorTime() - before > PATIENCE_MILLISECONDS) throw gaveUp(copy);
      return;
    }
    if (!isRepeated) return;
    if (found[0] === "") copy.lastIndex += isUnicode && isPair(text, copy.lastIndex) ? 2 : 1;
  }
}

// Of an expression that was tried once: a global or sticky one began where the last match had ended.
function mistrustOne(expression, text, start) {
  const flags = isRegExp(expression) ? regexFlags(expression) : "";
  mistrust(expression, SafeString(text), indexOf(flags, "g") >= 0 || indexOf(flags, "y") >= 0 ? start : 0, false);
}

function isPair(text, index) {
  return (charCodeAt(text, index) & 0xfc00) === 0xd800 && (charCodeAt(text, index + 1) & 0xfc00) === 0xdc00;
}

function gaveUp(expression) {
  return new SafeError(`The regular expression /${sourceShown(expression)}/ found nothing for so long that it may have given up: ` +
    "write it so that it has fewer ways to match the same text.");
}

function startOf(pattern) {
  if (typeof pattern !== "object" || pattern === null) return 0;
  const index = pattern.lastIndex;
  return typeof index === "number" && isSafeInteger(index) && index > 0 ? index : 0;
}

// The engine's own functions under names that nobody else has: called as methods the compiler knows them for its own and puts them
// in place, which it does not by way of `Reflect.apply`.
function keptMethods(owner, names) {
  const keys = objectCreate(null);
  for (const name of names) {
    keys[name] = SafeSymbol(name);
    defineProperty(owner, keys[name], { value: owner[name] });
  }
  return keys;
}

// Only for scripts that may have expressions at all: making the functions takes a small migration's time.
function watchExpressions() {
  const { match: nativeMatch, matchAll: nativeMatchAll, replace: nativeReplace, replaceAll: nativeReplaceAll,
    search: nativeSearch, split: nativeSplit } = StringProto;
  const nativeTest = SafeRegExp.prototype.test;
  const { match: keptMatch, replace: keptReplace, replaceAll: keptReplaceAll, search: keptSearch, split: keptSplit } =
    keptMethods(StringProto, ["match", "replace", "replaceAll", "search", "split"]);
  const { test: keptTest } = keptMethods(SafeRegExp.prototype, ["test"]);
  const iteratorPrototype = SafeObject.getPrototypeOf("".matchAll(/a/g));
  const nativeNext = iteratorPrototype.next;
  const walks = new SafeWeakMap();

  replaceFunctions(SafeRegExp.prototype, {
    test(text) {
      const start = startOf(this), before = readClock();
      const isKept = typeof this === "object" && this !== null && this[keptTest] === nativeTest;
      const isFound = isKept ? this[keptTest](text) : reflectApply(nativeTest, this, [text]);
      const time = timeSince(before, this);
      if (!isFound && time > PATIENCE_MILLISECONDS) mistrustOne(this, text, start);
      return isFound;
    },
  });

  replaceFunctions(StringProto, {
    match(pattern) {
      const start = startOf(pattern), before = readClock();
      const found = typeof this === "string" ? this[keptMatch](pattern) : reflectApply(nativeMatch, this, [pattern]);
      if (timeSince(before, pattern) > PATIENCE_MILLISECONDS) mistrustAll(pattern, this, start);
      return found;
    },
    matchAll(pattern) {
      const found = reflectApply(nativeMatchAll, this, [pattern]);
      weakSet(walks, found, [pattern, SafeString(this), startOf(pattern)]);
      return found;
    },
    replace(pattern, replacement) {
      const start = startOf(pattern), before = readClock();
      const replaced = typeof this === "string" ? this[keptReplace](pattern, replacement) : reflectApply(nativeReplace, this, [pattern, replacement]);
      if (timeSince(before, pattern) > PATIENCE_MILLISECONDS && isRegExp(pattern)) mistrustAll(pattern, this, start);
      return replaced;
    },
    replaceAll(pattern, replacement) {
      const before = readClock();
      const replaced = typeof this === "string" ? this[keptReplaceAll](pattern, replacement) : reflectApply(nativeReplaceAll, this, [pattern, replacement]);
      if (timeSince(before, pattern) > PATIENCE_MILLISECONDS && isRegExp(pattern)) mistrustAll(pattern, this, 0);
      return replaced;
    },
    search(pattern) {
      const before = readClock();
      const index = typeof this === "string" ? this[keptSearch](pattern) : reflectApply(nativeSearch, this, [pattern]);
      const time = timeSince(before, pattern);
      if (index < 0 && time > PATIENCE_MILLISECONDS) mistrust(pattern, SafeString(this), 0, false);
      return index;
    },
    split(separator, limit) {
      const before = readClock();
      const parts = typeof this === "string" ? this[keptSplit](separator, limit) : reflectApply(nativeSplit, this, [separator, limit]);
      if (timeSince(before, separator) > PATIENCE_MILLISECONDS && isRegExp(separator)) mistrust(separator, SafeString(this), 0, true);
      return parts;
    },
  });

  // A sticky expression goes on from where it is, a global one from the beginning.
  function mistrustAll(pattern, text, start) {
    const flags = isRegExp(pattern) ? regexFlags(pattern) : "";
    const isGlobal = indexOf(flags, "g") >= 0;
    mistrust(pattern, SafeString(text), isGlobal || indexOf(flags, "y") < 0 ? 0 : start, isGlobal);
  }

  replaceFunctions(iteratorPrototype, {
    next() {
      const before = readClock();
      const step = reflectApply(nativeNext, this, []);
      if (readClock() - before > SLOW_MILLISECONDS) {
        const walk = weakGet(walks, this);
        if (walk !== undefined && timeSince(before, walk[0]) > PATIENCE_MILLISECONDS && step.done) {
          mistrust(walk[0], walk[1], walk[2], true);
        }
      }
      return step;
    },
  });
}

// Replacing `exec` has the engine go the long way with all of the above: only for scripts that may call it themselves.
function watchExec() {
  replaceFunctions(SafeRegExp.prototype, {
    exec(text) {
      const start = startOf(this), before = readClock();
      const found = reflectApply(nativeExec, this, [text]);
      const time = timeSince(before, this);
      if (found === null && time > PATIENCE_MILLISECONDS) {
        mistrustOne(this, text, start);
      }
      return found;
    },
  });
}
