import Columns
import RealmModel

/// One realm's side of a class that is compared.
struct ClassSide {
    let view: ClassView
    let writer: ObjectWriter

    init(_ view: ClassView, _ writer: ObjectWriter) {
        self.view = view
        self.writer = writer
    }

    /// The text of a property's value.
    func text(_ property: PropertyView, of object: ObjectRow) throws -> [UInt8] {
        var text: [UInt8] = []
        try writer.append(try object.group.column(property), object.row, property, to: &text)
        return text
    }

    /// The text of a property's value, in which links are as they are in all realms that have the same.
    func comparableText(_ property: PropertyView, of object: ObjectRow) throws -> [UInt8] {
        writer.isForComparing = true
        defer { writer.isForComparing = false }
        return try text(property, of: object)
    }

    /// The text of links to an object.
    func key(of object: ObjectRow) throws -> [UInt8] {
        var text: [UInt8] = []
        try writer.append(link: object.key, to: view, to: &text)
        return text
    }
}

/// A class of two realms, and the properties that both have.
struct ClassPair {
    let old: ClassSide
    let new: ClassSide
    let identity: ObjectChangeCounts.Identity
    private let properties: [(old: PropertyView, new: PropertyView)]

    init(_ old: ClassSide, _ new: ClassSide) {
        self.old = old
        self.new = new
        properties = old.view.properties.compactMap { property in
            new.view.properties.first { $0.property.name.hasSameBytes(as: property.property.name) }
                .map { (property, $0) }
        }
        let keys = (old.view.primaryKey?.property, new.view.primaryKey?.property)
        let isShared =
            keys.0 != nil && keys.0?.name.hasSameBytes(as: keys.1?.name ?? "") == true && keys.0?.type == keys.1?.type
        identity = isShared ? .primaryKey : .objectKey
    }

    /// How an object differs; nil where it does not.
    ///
    /// - Parameters:
    ///   - before: the object in the first realm, nil where it is not there.
    ///   - after: the object in the second realm.
    func change(_ before: ObjectRow?, _ after: ObjectRow?) throws -> ObjectChange? {
        switch (before, after) {
        case (let before?, let after?):
            let changes = try changes(before, after)
            return changes.isEmpty ? nil : ObjectChange(key: try new.key(of: after), kind: .changed(changes))
        case (let before?, nil): return ObjectChange(key: try old.key(of: before), kind: .removed)
        case (nil, let after?): return ObjectChange(key: try new.key(of: after), kind: .added)
        case (nil, nil): return nil
        }
    }

    /// Goes through the objects of both realms in the order of their keys.
    func joinByObjectKey(_ body: (ObjectRow?, ObjectRow?) throws -> Void) throws {
        var (olds, news) = (ObjectRows(old.view), ObjectRows(new.view))
        var (before, after) = (try olds.next(), try news.next())
        while before != nil || after != nil {
            let (oldKey, newKey) = (before?.key ?? .max, after?.key ?? .max)
            let isBefore = after == nil || before != nil && oldKey <= newKey
            let isAfter = before == nil || after != nil && newKey <= oldKey
            try body(isBefore ? before : nil, isAfter ? after : nil)
            if isBefore { before = try olds.next() }
            if isAfter { after = try news.next() }
        }
    }

    private func changes(_ before: ObjectRow, _ after: ObjectRow) throws -> [ObjectChange.PropertyChange] {
        var changes: [ObjectChange.PropertyChange] = []
        for property in properties {
            let cells = (try before.group.column(property.old), try after.group.column(property.new))
            if property.old.type == property.new.type,
                cells.0.hasPlainCell(at: before.row, like: cells.1, at: after.row, of: property.old.type)
            {
                continue
            }
            let texts = (try old.text(property.old, of: before), try new.text(property.new, of: after))
            guard texts.0 != texts.1 else { continue }
            if property.old.mayHoldLinks, property.new.mayHoldLinks,
                try old.comparableText(property.old, of: before) == new.comparableText(property.new, of: after)
            {
                continue
            }
            changes.append(.init(name: property.new.property.publicName, from: texts.0, to: texts.1))
        }
        return changes
    }
}

extension PropertyView {
    fileprivate var mayHoldLinks: Bool { type.element == .object || type.element == .mixed }
}

extension ColumnArray {
    /// Whether two cells are certainly of one value, which their bits alone tell: links and collections never are.
    fileprivate func hasPlainCell(at row: Int, like other: ColumnArray, at otherRow: Int, of type: ColumnType) -> Bool {
        guard type.element != .object, type.element != .mixed else { return false }
        return plainlyHolds(other, row: otherRow, at: row)
    }
}
