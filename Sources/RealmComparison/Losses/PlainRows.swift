import Columns
import RealmModel

/// Rows of which only single values are gone: most of these stand whole in others, or nowhere, which is seen without a ledger.
///
/// Says of a row that nothing of it is in doubt, or that the ledger has to look at it.
struct PlainRows {
    /// A column before, with the one of its property after.
    private struct Old {
        let cells: PlainCells
        let number: Int
        let place: UInt64
        let new: Int?
    }

    private struct New {
        let cells: PlainCells
        let place: UInt64
        /// The column of its property before, where that has no texts.
        let old: Int?
        /// Whether there was a property.
        let wasThere: Bool
    }

    private var texts = TextRows()
    private var old: [Old] = []
    private var new: [New] = []
    /// The row at hand.
    private var before: [PlainCell] = []
    private var after: [PlainCell] = []
    private var isFresh: [Bool] = []
    /// The values that are gone, each with the new ones that have it; none where it is in no value that is no text.
    private var gone: [(old: Int, owners: [UInt64])] = []
    /// Whether the places of all values before were told to the ledger of flags.
    private var isTold = false

    /// Nil where anything but a single value is dropped, changed or added.
    init?(
        _ changes: [LossSurvey.Change], dropped: [Int], added: [Int],
        _ cursors: (old: RowGroupCursor, new: RowGroupCursor)
    ) throws {
        let text = ColumnType(.string)
        func type(_ column: Int, of cursor: RowGroupCursor) -> ColumnType {
            ColumnType(cursor.reader.stored.schema.properties[column])
        }
        let types =
            changes.flatMap { [$0.pair.oldType, $0.pair.newType] } + dropped.map { type($0, of: cursors.old) }
            + added.map { type($0, of: cursors.new) }
        guard types.allSatisfy({ $0 == text || PlainCells.isPlain($0) }) else { return nil }
        for change in changes {
            let (pair, place) = (change.pair, PlacedValues.place(ofRoot: change.pair.other))
            let (first, second) = (try cursors.old.column(pair.property), try cursors.new.column(pair.other))
            texts.add(pair, before: first, after: second)
            let (cells, others) = (PlainCells(first, pair.oldType), PlainCells(second, pair.newType))
            if let others {
                new.append(New(cells: others, place: place, old: cells == nil ? nil : old.count, wasThere: true))
            }
            if let cells {
                old.append(
                    Old(cells: cells, number: pair.property, place: place, new: others == nil ? nil : new.count - 1))
            }
        }
        for column in dropped {
            let array = try cursors.old.column(column)
            if type(column, of: cursors.old) == text { texts.add(dropped: column, array) }
            guard let cells = PlainCells(array, type(column, of: cursors.old)) else { continue }
            old.append(Old(cells: cells, number: column, place: PlacedValues.place(ofRoot: -1 - column), new: nil))
        }
        for column in added {
            let array = try cursors.new.column(column)
            if type(column, of: cursors.new) == text { texts.add(added: column, array) }
            guard let cells = PlainCells(array, type(column, of: cursors.new)) else { continue }
            new.append(
                New(cells: cells, place: PlacedValues.place(ofRoot: column), old: nil, wasThere: false))
        }
    }

    /// Whether nothing of a row is in doubt; if so, notes where its values went.
    mutating func areSettled(
        _ row: Int, _ other: Int, _ ledger: inout ObjectLedger, of key: () throws -> Int64
    ) rethrows -> Bool {
        texts.look(row, other)
        look(row, other)
        guard !mayBeExchanged, findOwners(ledger.map), areApart() else { return false }
        guard try texts.areThere(&ledger.map, of: key) else { return false }
        if !gone.isEmpty {
            let key = try key()
            for (index, owners) in gone {
                let owners = allOwners(index, owners, ledger.map)
                ledger.map.note(owners, from: old[index].place, column: old[index].number, of: key)
            }
        }
        if old.indices.contains(where: { before[$0].isFlag }) { takeFlags(&ledger.flags) }
        return true
    }

    private mutating func takeFlags(_ ledger: inout FlagLedger) {
        let flags = old.indices.filter { before[$0].isFlag }.map {
            FlagLedger.Family(place: old[$0].place, column: old[$0].number, values: [before[$0].value])
        }
        ledger.take(flags, had: isTold ? [] : old.map(\.place) + texts.oldPlaces, self)
        isTold = true
    }

    private mutating func look(_ row: Int, _ other: Int) {
        before.removeAll(keepingCapacity: true)
        after.removeAll(keepingCapacity: true)
        isFresh.removeAll(keepingCapacity: true)
        gone.removeAll(keepingCapacity: true)
        for column in old { before.append(column.cells[row]) }
        for column in new {
            let cell = column.cells[other]
            after.append(cell)
            isFresh.append(column.old.map { before[$0] != cell } ?? true)
        }
        for (index, column) in old.enumerated() where !before[index].isHollow && !before[index].isFlag {
            if column.new.map({ isFresh[$0] }) ?? true { gone.append((index, [])) }
        }
    }

    /// Whether a value is in another property that had another one.
    private var mayBeExchanged: Bool {
        gone.contains { sought in
            new.indices.contains {
                isFresh[$0] && new[$0].wasThere && $0 != old[sought.old].new
                    && before[sought.old].isCarried(by: after[$0])
            }
        }
    }

    /// Finds the new values that have those that are gone; false where there are fewer of them.
    private mutating func findOwners(_ map: PlaceMap) -> Bool {
        var taken: Set<Int> = []
        for index in gone.indices {
            let sought = before[gone[index].old]
            let found = new.indices.filter { isFresh[$0] && sought.isCarried(by: after[$0]) }
            guard !found.isEmpty else { continue }
            guard let free = found.first(where: { !taken.contains($0) }) else { return false }
            taken.insert(free)
            gone[index].owners = found.map { new[$0].place }
        }
        return true
    }

    /// Whether each value that is in no other has digits that no other value has: it is nowhere then, or all of it is in a new text.
    private func areApart() -> Bool {
        gone.allSatisfy { sought in
            guard sought.owners.isEmpty else { return true }
            let cell = before[sought.old]
            guard let digits = cell.number.flatMap(LeadingDigits.init) else { return isApart(cell, sought.old) }
            let isApart = gone.allSatisfy { other in
                other.old == sought.old || !mayBe(digits, before[other.old], isFound: !other.owners.isEmpty)
            }
            guard isApart, !texts.mayHaveGone(digits), !texts.haveDigitsThatStayed else { return false }
            return new.indices.allSatisfy { isFresh[$0] || !mayBe(digits, after[$0], isFound: true) }
        }
    }

    /// - Parameter isFound: whether another value has it as it is.
    private func mayBe(_ digits: LeadingDigits, _ other: PlainCell, isFound: Bool) -> Bool {
        if case .date(let date) = other { return digits.mayBePart(ofFraction: date.nanoseconds != 0) }
        guard let number = other.number else { return !isFound && !other.isFlag }
        return LeadingDigits(number).map(digits.mayBe) ?? false
    }

    /// Whether a date that is in no other value has nothing to do with others that are gone.
    private func isApart(_ cell: PlainCell, _ index: Int) -> Bool {
        guard case .date = cell, !texts.haveFreshDigits, !texts.haveDigitsThatStayed else { return false }
        return gone.allSatisfy { $0.old == index || !$0.owners.isEmpty && before[$0.old] != cell }
            && new.indices.allSatisfy { isFresh[$0] || after[$0].isFlag || after[$0] == .null }
    }

    /// The new values that have one that is gone, texts among them; those that had it in all objects so far are enough.
    private func allOwners(_ index: Int, _ owners: [UInt64], _ map: PlaceMap) -> [UInt64] {
        guard before[index].isSaidInTexts else { return owners }
        let steady = map.steadyTargets(of: old[index].place)
        let found = owners + texts.having(before[index], among: steady)
        guard let steady, !found.contains(where: steady.contains) else { return found }
        return owners + texts.having(before[index], among: nil)
    }
}

extension PlainRows: FlagPlaces {
    var places: [UInt64] { new.map(\.place) + texts.places }

    func values(at place: UInt64) -> [Value]? {
        guard let index = new.firstIndex(where: { $0.place == place }) else {
            return texts.text(at: place).map { [$0] }
        }
        // A flag that stayed says of the others that they are another one.
        let isThere = isFresh[index] || new[index].old.map { before[$0].isFlag } == true
        return isThere ? [after[index].value] : nil
    }
}
