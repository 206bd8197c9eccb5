import RealmModel

/// Counts the bytes of a file's nodes by what they belong to, from their headers and references; no value is decoded.
struct SpaceCensus {
    private enum TopSlot {
        static let tables = 1
        static let history = 8
    }

    private enum TableSlot {
        static let clusters = 2
        static let indexes = 4
    }

    private let image: Image
    /// The bytes that are left for nodes, each of which belongs to one other.
    private var budget: Int

    init(_ image: Image) {
        self.image = image
        budget = image.bytes.count
    }

    /// Counts all of a file; of formats before 10 each class as a whole.
    ///
    /// - Throws: `InputError.Code.damaged` where nodes are not inside the file, or take more bytes than it has.
    mutating func count(topRef: Int64, schema: StoredSchema) throws(InputError) -> FileSpace {
        let sources = Dictionary(schema.classes.map { ($0.table.offset, $0) }) { first, _ in first }
        let top = try take(topRef)
        var space = FileSpace(fileBytes: image.bytes.count, ownBytes: FileHeader.byteCount + top.byteCount)
        for slot in 0..<top.count {
            guard let ref = try reference(slot, of: top) else { continue }
            switch slot {
            case TopSlot.history: space.historyBytes = try bytes(at: ref)
            case TopSlot.tables:
                let tables = try take(ref)
                space.ownBytes += tables.byteCount
                for index in 0..<tables.count {
                    guard let ref = try reference(index, of: tables) else { continue }
                    if let source = sources[Int(ref)] {
                        space.classes.append(try count(source, at: ref))
                    } else {
                        space.ownBytes += try bytes(at: ref)
                    }
                }
            default: space.ownBytes += try bytes(at: ref)
            }
        }
        return space
    }

    private mutating func count(_ source: StoredSchema.Class, at ref: Int64) throws(InputError) -> FileSpace.Class {
        let top = try take(ref)
        var space = FileSpace.Class(
            name: source.schema.name, properties: source.table.columns.map { FileSpace.Property(name: $0.name) },
            structureBytes: top.byteCount)
        let places = Dictionary(source.table.columns.enumerated().map { ($1.key.leafIndex, $0) }) { first, _ in first }
        for slot in 0..<top.count {
            guard let ref = try reference(slot, of: top) else { continue }
            guard case .clusters = source.table.layout else {
                space.structureBytes += try bytes(at: ref)
                continue
            }
            switch slot {
            case TableSlot.clusters: try countClusters(ref, places, in: &space)
            case TableSlot.indexes:
                let indexes = try take(ref)
                space.structureBytes += indexes.byteCount
                for index in 0..<indexes.count {
                    guard let ref = try reference(index, of: indexes) else { continue }
                    let bytes = try bytes(at: ref)
                    if let place = places[index] {
                        space.properties[place].indexBytes += bytes
                    } else {
                        space.structureBytes += bytes
                    }
                }
            default: space.structureBytes += try bytes(at: ref)
            }
        }
        return space
    }

    /// Counts a tree of objects, REALM_FORMAT section 9.
    ///
    /// - Parameter places: the properties' places by the leaf indexes of their columns; any other column is of backlinks.
    private mutating func countClusters(
        _ root: Int64, _ places: [Int: Int], in space: inout FileSpace.Class
    ) throws(InputError) {
        var waiting = [root]
        while let ref = waiting.popLast() {
            let node = try take(ref)
            space.structureBytes += node.byteCount
            for slot in 0..<node.count {
                guard let ref = try reference(slot, of: node) else { continue }
                if slot == 0 {
                    space.structureBytes += try bytes(at: ref)
                } else if node.isInner {
                    waiting.append(ref)
                } else if let place = places[slot - 1] {
                    space.properties[place].valueBytes += try bytes(at: ref)
                } else {
                    space.backlinkBytes += try bytes(at: ref)
                }
            }
        }
    }

    /// Bytes of a node and of all that it refers to.
    private mutating func bytes(at ref: Int64) throws(InputError) -> Int {
        var total = 0
        var waiting = [ref]
        while let ref = waiting.popLast() {
            let node = try take(ref)
            total += node.byteCount
            guard node.hasRefs else { continue }
            for index in 0..<node.count {
                if let child = try reference(index, of: node) { waiting.append(child) }
            }
        }
        return total
    }

    /// The reference in an element; nil for a number and for none.
    private func reference(_ index: Int, of node: Node) throws(InputError) -> Int64? {
        guard node.hasRefs else { return nil }
        let element = try node.integer(at: index)
        return element != 0 && element & 1 == 0 ? element : nil
    }

    private mutating func take(_ ref: Int64) throws(InputError) -> Node {
        let node = try image.header(at: ref)
        budget -= node.byteCount
        guard budget >= 0 else { throw node.damaged("nodes take more bytes than the file has") }
        return node
    }
}
