extension Prelude {
    /// Links by columns: keys, of which a script sees objects.
    ///
    /// Members of `RealmObject`.
    static let linkMembers = #"""
          // The key that a link to a value of a script has: null for none, undefined for what Swift has to make a link
          // of, or to refuse.
          static linkKey(property, value) {
            if (property.isOwning) return undefined;
            if (value === null) return null;
            if (typeof value !== "object" || !(#info in value)) return undefined;
            const target = property.target, info = value.#info, key = value.#key;
            if (info !== target && (info.side !== OLD || info.name !== target.name)) return undefined;
            // An object that a script holds is there, unless it was deleted since, or before there were any scripts.
            if (target.deletions === 0 && (info === target || deletionsBefore === 0)) return key;
            point(target, key, 0);
            return native.isValid() ? key : undefined;
          }

          // What a script sees of a link that a column has, or null where its target was deleted.
          static linked(target, key, deletions) {
            const object = new target.Type(target, key, null, 0);
            return deletions !== target.deletions && !RealmObject.exists(object) ? null : object;
          }

          static linkAccessor(info, property) {
            const index = property.index;
            const get = function () {
              let group = this.#group;
              if (group === null || !group.open || this.#info.deletions !== 0) {
                group = RealmObject.group(this);
                if (group === null) return RealmObject.read(this, property);
              }
              const row = this.#row;
              const pending = group.pending[index];
              if (pending !== null) {
                const key = pending[row];
                if (key === null) return null;
                if (key === NATIVE) return RealmObject.read(this, property);
                if (key !== undefined) return RealmObject.linked(property.target, key, 0);
              }
              let column = group.columns[index];
              if (column === null) column = group.column(property);
              if (column.valid !== null && column.valid[row] === 0) return null;
              return RealmObject.linked(property.target, plainKey(column.cells[row]), column.deletions);
            };
            const set = function (value) {
              const key = RealmObject.linkKey(property, value);
              if (key === undefined || !RealmObject.wait(this, property, key)) RealmObject.write(this, property, value);
            };
            return { get, set: info.side === NEW ? set : RealmObject.plainAccessor(property).set };
          }
        """#

    /// The way of links and lists back to Swift.
    static let links = #"""
        // Objects of the new side that were deleted before the script began.
        let deletionsBefore = 0;

        // Takes what Swift has already out of what waits; false where nothing is left.
        function dropNative(pending) {
          let isLeft = false;
          for (let row = 0; row < pending.length; row++) {
            if (pending[row] === NATIVE) pending[row] = undefined;
            else if (pending[row] !== undefined) isLeft = true;
          }
          return isLeft;
        }

        function flushLinks(group, index, pending) {
          if (dropNative(pending)) flushCells(group, index, packNumbers(pending));
        }
        """#
}
