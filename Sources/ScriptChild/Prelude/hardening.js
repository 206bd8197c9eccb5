// Properties that the prelude looks up, made so that a script can't replace them.

// Fixes the answer of `instanceof` for the language's own classes.
for (const Kind of [SafeDate, SafeMap, SafeSet, SafeError, SafeRangeError, SafeArrayBuffer, SafeNumber, SafeString, SafeBoolean]) {
  defineProperty(Kind, Symbol.hasInstance, { value: Function.prototype[Symbol.hasInstance] });
}

// Called a million times a second: looked up where it stands, and therefore not to be replaced.
defineProperty(StringProto, "substring", { writable: false, configurable: false });

// Fixes the properties of typed arrays, too: a script that replaced one would get the prelude's own memory. Each kind has it as its own, so
// that nothing can be put before it.
for (const Kind of [SafeUint8Array, SafeInt32Array, SafeFloat64Array, SafeBigInt64Array]) {
  for (const name of ["length", "byteLength", "byteOffset", "buffer"]) {
    const { get } = getOwnPropertyDescriptor(getPrototypeOf(Kind.prototype), name);
    defineProperty(Kind.prototype, name, { get, configurable: false });
  }
}
