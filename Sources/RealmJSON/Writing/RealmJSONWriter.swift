import Columns
import RealmModel

/// Writes a snapshot as Realm JSON or NDJSON, chunk by chunk as the caller asks for them.
///
/// Shows the declared schema; objects are in the order of their keys, deleted ones left out. Memory is bounded by the
/// row group that is being written and a cache of those that links and embedded objects are in.
public struct RealmJSONWriter {
    /// Which of the two forms of Realm JSON is written.
    public enum Layout: Hashable, Sendable, CaseIterable {
        /// One document, `{"schemaVersion", "schema", "objects"}`.
        case document
        /// NDJSON: a line `{"schemaVersion", "schema"}`, then a line `{"class", "object"}` an object.
        case lines
    }

    /// How the text is written.
    public struct Options: Hashable, Sendable {
        /// Two spaces a level, for documents that people read; slow, and JSON alone.
        public var isPretty: Bool
        /// Bytes after which a chunk ends; it may be longer by an object, or by as much as objects are larger than those
        /// before them, 256 at most.
        public var chunkBytes: Int

        /// Sets the options.
        public init(isPretty: Bool = false, chunkBytes: Int = 1 << 18) {
            self.isPretty = isPretty
            self.chunkBytes = max(chunkBytes, 1)
        }
    }

    private enum Position {
        case head
        /// Before the row group of a number, of the class of a number.
        case group(Int, class: Int)
        /// Before the live row of a place.
        case row(Int, of: RowGroupView, rows: [Int], class: Int)
        case end
    }

    private let writer: ObjectWriter
    private let layout: Layout
    private let options: Options
    private let classes: [ObjectSchema]
    private var position = Position.head
    private var isFirstObject = true
    /// The most objects of the class that are written at once.
    private var mostAtOnce = 1
    /// The bytes of one of the objects that were written last.
    private var objectBytes = 0

    /// Prepares to write.
    public init(
        _ snapshot: Snapshot, from store: any SegmentStore, layout: Layout, options: Options = Options()
    ) {
        writer = ObjectWriter(snapshot, store: store, hidesUndeclared: true)
        self.layout = layout
        self.options = options
        classes = snapshot.declared.classes.filter { !$0.isEmbedded }
    }

    /// The next bytes of the text; nil after the last.
    ///
    /// - Throws: what the store throws; `ColumnError`; `tooLarge` where embedded objects nest deeper than can be read.
    public mutating func next() throws -> [UInt8]? {
        if case .end = position { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(options.chunkBytes + options.chunkBytes / 8)
        while out.count < options.chunkBytes {
            switch position {
            case .head:
                appendHead(to: &out)
                try begin(class: 0, to: &out)
            case .group(let group, let number): try begin(group: group, class: number, to: &out)
            case .row(let place, let group, let rows, let number):
                try append(from: place, of: group, rows: rows, class: number, to: &out)
            case .end: return out
            }
        }
        return out
    }

    private var isPretty: Bool { options.isPretty && layout == .document }

    private func appendHead(to out: inout [UInt8]) {
        JSONText.append(isPretty ? "{\n  \"schemaVersion\": " : "{\"schemaVersion\":", to: &out)
        if let version = writer.snapshot.schemaVersion {
            JSONValue(version).append(to: &out)
        } else {
            JSONText.append("null", to: &out)
        }
        JSONText.append(isPretty ? ",\n  \"schema\": " : ",\"schema\":", to: &out)
        SchemaJSON.encode(writer.snapshot.declared).append(to: &out, indentation: isPretty ? 1 : nil)
        switch layout {
        case .document: JSONText.append(isPretty ? ",\n  \"objects\": {" : ",\"objects\":{", to: &out)
        case .lines: JSONText.append("}\n", to: &out)
        }
    }

    private mutating func begin(class number: Int, to out: inout [UInt8]) throws {
        guard number < classes.count else {
            if layout == .document { JSONText.append(isPretty ? "\n  }\n}\n" : "}}\n", to: &out) }
            position = .end
            return
        }
        if layout == .document {
            if number > 0 { out.append(UInt8(ascii: ",")) }
            if isPretty { JSONText.append("\n    ", to: &out) }
            JSONText.append(string: classes[number].name, to: &out)
            JSONText.append(isPretty ? ": [" : ":[", to: &out)
        }
        isFirstObject = true
        // The size of embedded objects is bounded by no row group of their owners.
        mostAtOnce = classes[number].properties.contains(where: holdsEmbedded) ? 1 : 256
        objectBytes = options.chunkBytes
        position = .group(0, class: number)
    }

    private func holdsEmbedded(_ property: Property) -> Bool {
        property.objectType.flatMap { writer.snapshot.declared[$0] }?.isEmbedded ?? false
    }

    private mutating func begin(group: Int, class number: Int, to out: inout [UInt8]) throws {
        guard let view = try writer.view(of: classes[number].name), group < view.reader.rowGroups.count else {
            if layout == .document {
                if isPretty, !isFirstObject { JSONText.append("\n    ", to: &out) }
                out.append(UInt8(ascii: "]"))
            }
            return try begin(class: number + 1, to: &out)
        }
        try view.willRead(group: group)
        let rowGroup = RowGroupView(view, group: group)
        position = .row(0, of: rowGroup, rows: rowGroup.rowGroup.liveRows, class: number)
    }

    private mutating func append(
        from first: Int, of group: RowGroupView, rows: [Int], class number: Int, to out: inout [UInt8]
    ) throws {
        var place = first
        while place < rows.count, out.count < options.chunkBytes {
            let start = out.count
            let count = min(max((options.chunkBytes - start) / objectBytes, 1), mostAtOnce, rows.count - place)
            try append(Array(rows[place..<place + count]), of: group, to: &out)
            objectBytes = max((out.count - start) / count, 1)
            place += count
        }
        position =
            place < rows.count
            ? .row(place, of: group, rows: rows, class: number) : .group(group.group + 1, class: number)
    }

    private mutating func append(_ rows: [Int], of group: RowGroupView, to out: inout [UInt8]) throws {
        guard layout == .document else {
            return try RowGroupObjects(group, rows: rows, by: writer).appendLines(to: &out)
        }
        defer { isFirstObject = false }
        guard isPretty else {
            return try RowGroupObjects(group, rows: rows, by: writer).appendElements(to: &out, isFirst: isFirstObject)
        }
        for (index, row) in rows.enumerated() {
            if index > 0 || !isFirstObject { out.append(UInt8(ascii: ",")) }
            JSONText.append("\n      ", to: &out)
            var object: [UInt8] = []
            try writer.append(row: row, of: group, to: &object)
            try JSONValue.parse(object).append(to: &out, indentation: 3)
        }
    }
}
