extension Prelude {
    /// Row groups that an enumeration is in: columns read once, writes collected and handed over as columns.
    ///
    /// The one place where a value can be newer than in Swift is `pending` of an open group, and every access to a row
    /// of an open group comes here, whichever way the script got hold of the object.
    static let columns = #"""
        // Strings longer than this go to Swift by themselves; more than that many characters waiting are handed over.
        const LONG_TEXT = 1 << 20, WAITING_TEXT = 1 << 24;
        const NULL_LENGTH = -1, KEPT_LENGTH = -2;
        const KEPT = 0, WRITTEN = 1, NULL_STATE = 2;

        class Column {
          constructor(parts) {
            this.valid = parts[0];
            this.cells = parts[1];
            this.more = parts[2];
          }
        }

        // Where a key stands among ascending keys, or −1.
        function placeOfKey(keys, key) {
          let low = 0, high = keys.length - 1;
          while (low <= high) {
            const middle = (low + high) >> 1;
            if (keys[middle] < key) low = middle + 1;
            else if (keys[middle] > key) high = middle - 1;
            else return middle;
          }
          return -1;
        }

        class RowGroup {
          constructor(info, id, keys, rows) {
            this.info = info;
            this.id = id;
            this.keys = keys;
            this.rows = rows;
            this.open = true;
            this.uses = 0;
            this.waiting = 0;
            this.columns = [];
            this.pending = [];
            for (let i = 0; i < info.properties.length; i++) {
              this.columns[i] = null;
              this.pending[i] = null;
            }
            // By row, the count of deletions at which the object was last seen to exist.
            this.seen = null;
          }

          column(property) {
            const info = this.info;
            const column = new Column(native.column(info.side, info.index, this.id, property.index));
            this.columns[property.index] = column;
            return column;
          }

          // Where the rows of a property that a script writes wait.
          startPending(property) {
            const rows = this.rows;
            const pending = arrayFill(new SafeArray(rows[rows.length - 1] + 1), undefined);
            this.pending[property.index] = pending;
            return pending;
          }

          // The row of a key, or −1.
          rowOf(key) {
            const place = placeOfKey(this.keys, key);
            return place < 0 ? -1 : this.rows[place];
          }

          flush() {
            for (let i = 0; i < this.pending.length; i++) if (this.pending[i] !== null) this.flushProperty(i);
            this.waiting = 0;
          }

          flushProperty(index) {
            const pending = this.pending[index];
            if (pending === null) return;
            this.pending[index] = null;
            this.columns[index] = null;
            const type = this.info.properties[index].type;
            if (type === "string") flushText(this, index, pending);
            else if (type === "date") flushDates(this, index, pending);
            else flushNumbers(this, index, pending);
          }

          // Whether a value of a row waits.
          isWaiting(row) {
            for (let i = 0; i < this.pending.length; i++) {
              if (this.pending[i] !== null && this.pending[i][row] !== undefined) return true;
            }
            return false;
          }

          discard() {
            for (let i = 0; i < this.pending.length; i++) this.pending[i] = this.columns[i] = null;
            this.waiting = 0;
          }
        }

        function flushText(group, index, pending) {
          const count = pending.length;
          const lengths = new SafeInt32Array(count);
          let text = "";
          for (let row = 0; row < count; row++) {
            const value = pending[row];
            if (value === undefined) lengths[row] = KEPT_LENGTH;
            else if (value === null) lengths[row] = NULL_LENGTH;
            else {
              lengths[row] = value.length;
              text += value;
            }
          }
          native.replaceText(NEW, group.info.index, group.id, index, text, lengths);
        }

        function flushNumbers(group, index, pending) {
          const count = pending.length;
          const states = new SafeUint8Array(count);
          let cells = new SafeFloat64Array(count);
          for (let row = 0; row < count; row++) {
            const value = pending[row];
            if (value === undefined) continue;
            if (typeof value === "bigint") return flushBigInts(group, index, pending);
            states[row] = value === null ? NULL_STATE : WRITTEN;
            cells[row] = value;
          }
          native.replaceCells(NEW, group.info.index, group.id, index, states, cells, null);
        }

        function flushBigInts(group, index, pending) {
          const count = pending.length;
          const states = new SafeUint8Array(count);
          const cells = new SafeBigInt64Array(count);
          for (let row = 0; row < count; row++) {
            const value = pending[row];
            if (value === undefined) continue;
            states[row] = value === null ? NULL_STATE : WRITTEN;
            if (value !== null) cells[row] = SafeBigInt(value);
          }
          native.replaceCells(NEW, group.info.index, group.id, index, states, cells, null);
        }

        function flushDates(group, index, pending) {
          const count = pending.length;
          const states = new SafeUint8Array(count);
          const seconds = new SafeBigInt64Array(count);
          const nanoseconds = new SafeInt32Array(count);
          for (let row = 0; row < count; row++) {
            const value = pending[row];
            if (value === undefined) continue;
            states[row] = value === null ? NULL_STATE : WRITTEN;
            if (value !== null) {
              seconds[row] = SafeBigInt(value[1]);
              nanoseconds[row] = value[2];
            }
          }
          native.replaceCells(NEW, group.info.index, group.id, index, states, seconds, nanoseconds);
        }

        // Enumerations may be nested: the same row group is opened once and closed with its last use.
        function openGroup(info, id, keys, rows) {
          for (let i = 0; i < info.groups.length; i++) {
            const group = info.groups[i];
            if (group.id === id && group.keys.length === keys.length) {
              group.uses += 1;
              return group;
            }
          }
          // A group of the same rows without those deleted meanwhile must not stand beside the first.
          for (let i = 0; i < info.groups.length; i++) if (info.groups[i].id === id) return null;
          const group = new RowGroup(info, id, keys, rows);
          group.uses = 1;
          info.groups[info.groups.length] = group;
          return group;
        }

        function closeGroup(group) {
          group.uses -= 1;
          if (group.uses > 0) return;
          const groups = group.info.groups;
          for (let i = 0; i < groups.length; i++) if (groups[i] === group) { arraySplice(groups, i, 1); break; }
          group.open = false;
          group.flush();
          group.columns = group.pending = null;
        }

        function flushAll() {
          for (let i = 0; i < sides[NEW].length; i++) {
            const groups = sides[NEW][i].groups;
            for (let j = 0; j < groups.length; j++) groups[j].flush();
          }
        }

        function discardColumns(info) {
          for (let i = 0; i < info.groups.length; i++) info.groups[i].discard();
        }
        """#
}
