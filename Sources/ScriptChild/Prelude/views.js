// Views of memory that a script has, and integers of 64 bits in it.

const SafeBigInt64Array = BigInt64Array;

// The getters of views, which a script's own members of the same names can't stand before.
const viewGetters = [getPrototypeOf(SafeUint8Array.prototype), DataView.prototype].map(prototype =>
  ["buffer", "byteOffset", "byteLength"].map(name => uncurry(getOwnPropertyDescriptor(prototype, name).get)));
const arrayKind = uncurry(getOwnPropertyDescriptor(getPrototypeOf(SafeUint8Array.prototype), tagSymbol).get);

// The bytes that a view is of, as a view of the same memory.
function bytesOfView(view) {
  const getters = viewGetters[arrayKind(view) === undefined ? 1 : 0];
  const at = getters[1](view);
  return new SafeUint8Array(getters[0](view), at, getters[2](view));
}

// More bytes than these are copied by the language, which takes long to begin.
const FEW_BYTES = 64;
const lengthOfBytes = viewGetters[0][2];

function copyOfBytes(bytes, start, length) {
  const copy = new SafeUint8Array(length);
  for (let i = 0; i < length; i++) copy[i] = bytes[start + i];
  return copy;
}

// Copies of bytes, which a script may change.
const dataCells = {
  __proto__: null,
  shown(column, row) {
    const start = column.more[row], length = column.more[row + 1] - start;
    return length > FEW_BYTES ? new SafeUint8Array(new SafeUint8Array(column.cells.buffer, start, length))
      : copyOfBytes(column.cells, start, length);
  },
  again: bytes => new SafeUint8Array(bytes),
  size: bytes => 16 + bytes.length,
  fits(value) {
    if (typeof value !== "object" || value === null || !isView(value)) return undefined;
    // Asking an array for its memory makes an object of that, too.
    const bytes = arrayKind(value) === "Uint8Array" ? value : bytesOfView(value);
    const length = lengthOfBytes(bytes);
    if (length > LONG_TEXT) return undefined;
    return length > FEW_BYTES ? new SafeUint8Array(bytes) : copyOfBytes(bytes, 0, length);
  },
};
