// Text that a script has written and that waits for its row group to end.
//
// A concatenated text is a tree of its parts until somebody looks at it, and the collector goes through all
// trees that wait. So they are joined some rows at a time, while they are young.

// The rows whose texts are joined together, as a power of two: a small part of a row group.
let runShift = 0;

// Stands in `pending` for a text that was joined with its neighbours.
const JOINED = freeze({});

function endOfRun(run, count) {
  const end = (run + 1) << runShift;
  return end < count ? end : count;
}

// The joined texts of one property of a row group.
class JoinedText {
  constructor(rowCount) {
    // By runs of rows; undefined where nothing was joined yet.
    this.texts = new Items();
    // The length of each row that was joined, 0 of all others.
    this.lengths = new SafeInt32Array(rowCount);
  }

  // Joins what waits in a run; once: what is written later waits by itself.
  join(run, pending) {
    if (this.texts[run] !== undefined) return;
    const first = run << runShift, end = endOfRun(run, pending.length);
    let text = "";
    for (let row = first; row < end; row++) {
      const value = pending[row];
      if (typeof value !== "string") continue;
      this.lengths[row] = value.length;
      text += value;
      pending[row] = JOINED;
    }
    // Looking at one character makes the tree one text.
    charCodeAt(text, 0);
    this.texts[run] = text;
  }

  // The text that stands behind a row's JOINED.
  at(row) {
    const run = row >> runShift;
    let start = 0;
    for (let i = run << runShift; i < row; i++) start += this.lengths[i];
    return this.texts[run].substring(start, start + this.lengths[row]);
  }

  // The texts of a run's rows as they are now, one behind the other.
  textOf(run, pending, end) {
    const joined = this.texts[run];
    const first = run << runShift;
    let isWhole = true;
    for (let row = first; row < end && isWhole; row++) {
      const value = pending[row];
      isWhole = value === JOINED || typeof value !== "string" && this.lengths[row] === 0;
    }
    if (isWhole) return joined;
    let text = "", start = 0;
    for (let row = first; row < end; row++) {
      const value = pending[row], length = this.lengths[row];
      if (value === JOINED) text += joined.substring(start, start + length);
      else if (typeof value === "string") text += value;
      start += length;
    }
    return text;
  }
}
inheritNothing(JoinedText);

// Texts as a column, undefined for rows that were not written.
function packText(pending, joined) {
  const count = pending.length;
  const lengths = new SafeInt32Array(count);
  let text = "";
  for (let run = 0; run << runShift < count; run++) {
    const first = run << runShift, end = endOfRun(run, count);
    const isJoined = joined !== null && joined.texts[run] !== undefined;
    if (isJoined) text += joined.textOf(run, pending, end);
    for (let row = first; row < end; row++) {
      const value = pending[row];
      if (value === undefined) lengths[row] = KEPT_LENGTH;
      else if (value === null) lengths[row] = NULL_LENGTH;
      else if (value === JOINED) lengths[row] = joined.lengths[row];
      else {
        lengths[row] = value.length;
        if (!isJoined) text += value;
      }
    }
  }
  return [text, lengths, null];
}

function flushText(group, index, pending) {
  const packed = packText(pending, group.joined[index]);
  group.joined[index] = null;
  native.replaceText(NEW, group.info.index, group.id, index, packed[0], packed[1]);
}
