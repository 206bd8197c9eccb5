extension Prelude {
    /// Lists by columns; members of `RealmObject`.
    ///
    /// A list that waits is an array of what its elements are in a column: keys, numbers, texts, dates as they are coded.
    static let listMembers = #"""
          // The elements of a list, or null where Swift has to be asked.
          static listItems(object, property) {
            const group = RealmObject.group(object);
            if (group === null) return null;
            const pending = group.pending[property.index];
            const waiting = pending === null ? undefined : pending[object.#row];
            if (waiting === NATIVE) return null;
            if (waiting !== undefined) {
              RealmObject.dropDeleted(property, waiting);
              const items = [];
              for (let i = 0; i < waiting.length; i++) items[i] = RealmObject.shownElement(property, waiting[i]);
              return items;
            }
            const column = group.columns[property.index] ?? group.column(property);
            const target = property.target;
            if (target !== null && target.deletions !== column.deletions) return null;
            const offsets = column.cells, row = object.#row;
            const items = [];
            const end = offsets[row + 1];
            if (target !== null) {
              const keys = column.more.cells, Type = target.Type;
              for (let i = offsets[row]; i < end; i++) {
                items[items.length] = new Type(target, plainKey(keys[i]), null, 0);
              }
            } else {
              for (let i = offsets[row]; i < end; i++) {
                items[items.length] = RealmObject.shownElement(property, elementOf(property, column.more, i));
              }
            }
            return items;
          }

          static shownElement(property, element) {
            const target = property.target;
            if (target !== null) return new target.Type(target, element, null, 0);
            return property.type === "date" && element !== null ? new RealmDate(element[1], element[2]) : element;
          }

          // Takes the links to objects that were deleted out of a list that waits.
          static dropDeleted(property, waiting) {
            const target = property.target;
            if (target === null || target.deletions === 0 || waiting[SEEN] === target.deletions) return;
            let count = 0;
            for (let i = 0; i < waiting.length; i++) {
              point(target, waiting[i], 0);
              if (native.isValid()) waiting[count++] = waiting[i];
            }
            waiting.length = count;
            waiting[SEEN] = target.deletions;
          }

          // What may wait of an element that a script gives; undefined for what Swift converts or refuses.
          static fittingElement(property, value) {
            if (property.isOwning) return undefined;
            if (property.target !== null) return value === null ? undefined : RealmObject.linkKey(property, value);
            if (value === null) return property.optional ? null : undefined;
            return property.fitting(value);
          }

          // The elements of an array that a script gives as they may wait, or null.
          static fittingElements(property, values) {
            if (property.isOwning) return null;
            const fits = [];
            for (let i = 0; i < values.length; i++) {
              const element = RealmObject.fittingElement(property, values[i]);
              if (element === undefined) return null;
              fits[i] = element;
            }
            if (property.target !== null && property.target.deletions !== 0) fits[SEEN] = property.target.deletions;
            return fits;
          }

          // A list that waits, to be changed in place; null where a change has to go to Swift.
          static waitingList(object, property) {
            if (object.#info.side === OLD || property.isOwning) return null;
            const group = RealmObject.group(object);
            if (group === null || !group.collects) return null;
            const pending = group.pending[property.index] ?? group.startPending(property);
            const waiting = pending[object.#row];
            if (waiting === NATIVE) return null;
            if (waiting !== undefined) {
              RealmObject.dropDeleted(property, waiting);
              return waiting;
            }
            const column = group.columns[property.index] ?? group.column(property);
            if (property.target !== null && property.target.deletions !== column.deletions) return null;
            const list = [];
            const end = column.cells[object.#row + 1];
            for (let i = column.cells[object.#row]; i < end; i++) {
              list[list.length] = elementOf(property, column.more, i);
            }
            if (property.target !== null && column.deletions !== 0) list[SEEN] = column.deletions;
            pending[object.#row] = list;
            return list;
          }

          // Counts what a script gave to lists that wait, which hold beside it no more than the column; hands over what is
          // too much.
          static noteWaiting(object, size) {
            const group = object.#group;
            group.waiting += size;
            if (group.waiting > waitingLimit) group.flush();
          }

          // Hands a list that waits over by itself: Swift is about to change it.
          static settleList(object, property) {
            if (!property.isListed || object.#info.side === OLD) return;
            const group = findGroup(object.#info, object.#key);
            if (group === null) return;
            const row = foundRow;
            const pending = group.pending[property.index];
            if (pending === null || pending[row] === undefined || pending[row] === NATIVE) return;
            const waiting = pending[row];
            RealmObject.dropDeleted(property, waiting);
            const coded = [ARRAY];
            for (let i = 0; i < waiting.length; i++) {
              coded[i + 1] = property.target === null ? waiting[i] : [OBJECT, NEW, property.target.index, waiting[i]];
            }
            pending[row] = NATIVE;
            RealmObject.give("set", object, property, coded);
          }

          // Notes that Swift has another value than what was read of an object.
          static forget(object, property) {
            const info = object.#info;
            if (info.side === OLD || !(property.isListed || property.isLink)) return;
            const group = findGroup(info, object.#key);
            if (group === null) return;
            const row = foundRow;
            const pending = group.pending[property.index] ?? group.startPending(property);
            pending[row] = NATIVE;
          }

          static listAccessor(property) {
            return {
              get() { return makeList(this, property); },
              set(value) {
                if (!RealmObject.waitForList(this, property, value)) RealmObject.write(this, property, value);
              },
            };
          }

          // Leaves a list that a script assigns with the others of its row group, where it fits.
          static waitForList(object, property, value) {
            if (object.#info.side === OLD || !usesColumns || !isArray(value)) return false;
            const state = stateOfList(value);
            const values = state === undefined ? [] : state.items;
            if (state === undefined) for (let i = 0; i < value.length; i++) values[i] = value[i];
            const fits = RealmObject.fittingElements(property, values);
            if (fits === null || !RealmObject.wait(object, property, fits)) return false;
            RealmObject.noteWaiting(object, sizeOfAll(fits));
            property.version += 1;
            return true;
          }
        """#

    static let lists = #"""
        // Under which a list that waits has the count of deletions at which its targets were last seen to exist.
        const SEEN = Symbol("seen");

        // An element of a column as it may wait in a list.
        function elementOf(property, column, index) {
          if (column.valid !== null && column.valid[index] === 0) return null;
          const cell = column.cells;
          switch (property.type) {
            case "string": return cell.substring(column.more[index], column.more[index + 1]);
            case "bool": return cell[index] !== 0;
            case "date": return [DATE, plainKey(cell[index]), column.more[index]];
            case "int": case "object": return plainKey(cell[index]);
            default: return cell[index];
          }
        }

        // Characters that an element takes as much memory as, near enough.
        function sizeOf(element) { return typeof element === "string" ? 16 + element.length : 16; }

        function sizeOfAll(elements) {
          let size = 16 * elements.length;
          for (let i = 0; i < elements.length; i++) if (typeof elements[i] === "string") size += elements[i].length;
          return size;
        }

        // Lists that wait: how many elements each row has, and behind that all elements as a column.
        function flushLists(group, index, pending) {
          if (!dropNative(pending)) return;
          const count = pending.length;
          const lengths = new SafeInt32Array(count);
          const elements = [];
          for (let row = 0; row < count; row++) {
            const list = pending[row];
            if (list === undefined) {
              lengths[row] = KEPT_LENGTH;
              continue;
            }
            lengths[row] = list.length;
            for (let i = 0; i < list.length; i++) elements[elements.length] = list[i];
          }
          const type = group.info.properties[index].type;
          const packed = type === "string" ? packText(elements, null) : type === "date" ? packDates(elements) : packNumbers(elements);
          native.replaceLists(NEW, group.info.index, group.id, index, lengths, packed[0], packed[1], packed[2]);
        }
        """#
}
