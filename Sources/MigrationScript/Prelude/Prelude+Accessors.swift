extension Prelude {
    /// Single values by columns; members of `RealmObject`.
    static let columnMembers = #"""
          static columnGetter(property) {
            switch (property.type) {
              case "string": return RealmObject.textGetter(property);
              case "bool": return RealmObject.cellGetter(property, cell => cell !== 0);
              case "int": return RealmObject.integerGetter(property);
              case "date": return RealmObject.dateGetter(property);
              default: return RealmObject.cellGetter(property, cell => cell);
            }
          }

          static textGetter(property) {
            const index = property.index;
            return function () {
              let group = this.#group;
              if (group === null || !group.open || this.#info.deletions !== 0) {
                group = RealmObject.group(this);
                if (group === null) return RealmObject.read(this, property);
              }
              const row = this.#row;
              const pending = group.pending[index];
              if (pending !== null) {
                const value = pending[row];
                if (value !== undefined) return value === JOINED ? group.joined[index].at(row) : value;
              }
              let column = group.columns[index];
              if (column === null) column = group.column(property);
              if (column.valid !== null && column.valid[row] === 0) return null;
              const offsets = column.more;
              return column.cells.substring(offsets[row], offsets[row + 1]);
            };
          }

          static cellGetter(property, shown) {
            const index = property.index;
            return function () {
              let group = this.#group;
              if (group === null || !group.open || this.#info.deletions !== 0) {
                group = RealmObject.group(this);
                if (group === null) return RealmObject.read(this, property);
              }
              const row = this.#row;
              const pending = group.pending[index];
              if (pending !== null) {
                const value = pending[row];
                if (value !== undefined) return value;
              }
              let column = group.columns[index];
              if (column === null) column = group.column(property);
              if (column.valid !== null && column.valid[row] === 0) return null;
              return shown(column.cells[row]);
            };
          }

          static integerGetter(property) {
            return RealmObject.cellGetter(property, cell =>
              typeof cell === "bigint" && cell >= -9007199254740991n && cell <= 9007199254740991n
                ? SafeNumber(cell) : cell);
          }

          static dateGetter(property) {
            const index = property.index;
            return function () {
              let group = this.#group;
              if (group === null || !group.open || this.#info.deletions !== 0) {
                group = RealmObject.group(this);
                if (group === null) return RealmObject.read(this, property);
              }
              const row = this.#row;
              const pending = group.pending[index];
              if (pending !== null) {
                const value = pending[row];
                if (value !== undefined) return value === null ? null : new RealmDate(value[1], value[2]);
              }
              let column = group.columns[index];
              if (column === null) column = group.column(property);
              if (column.valid !== null && column.valid[row] === 0) return null;
              return new RealmDate(column.cells[row], column.more[row]);
            };
          }

          // What may wait as it is, of the values that a property of a type takes; undefined for all others, which
          // Swift converts or refuses.
          static fitting(type) {
            switch (type) {
              case "string": return value => typeof value === "string" && value.length <= LONG_TEXT ? value : undefined;
              case "bool": return value => typeof value === "boolean" ? value : undefined;
              case "double": return value => typeof value === "number" ? value : undefined;
              case "float": return value => typeof value === "number" ? fround(value) : undefined;
              case "date": return value =>
                typeof value === "object" && value !== null && isDate(value) ? encodeDate(value) : undefined;
              default: return value => {
                if (typeof value === "number") return isSafeInteger(value) ? value + 0 : undefined;
                if (typeof value !== "bigint" || asIntN(64, value) !== value) return undefined;
                return value >= -9007199254740991n && value <= 9007199254740991n ? SafeNumber(value) : value;
              };
            }
          }

          static columnSetter(property) {
            const index = property.index;
            const optional = property.optional;
            const fitting = RealmObject.fitting(property.type);
            const isText = property.type === "string";
            return function (value) {
              const fits = value === null && optional ? null : fitting(value);
              if (fits === undefined) return RealmObject.write(this, property, value);
              const group = this.#group;
              if (group === null || !group.open || !group.collects || this.#info.deletions !== 0) {
                if (!RealmObject.wait(this, property, fits)) RealmObject.write(this, property, value, fits);
                return;
              }
              let pending = group.pending[index];
              if (pending === null) pending = group.startPending(property);
              pending[this.#row] = fits;
              if (isText && fits !== null && (group.waiting += fits.length) > waitingLimit) group.flush();
            };
          }
        """#
}
