import Columns
import RealmModel

/// A part of a Parquet schema: a leaf, or a group of parts.
///
/// Values are taken apart by it: each leaf gets the value with how far it is defined, and which repeated group repeats.
indirect enum ParquetNode {
    case leaf(ParquetLeaf)
    /// An embedded object; `definition` is the level of one that is there.
    case structure([ParquetNode], definition: UInt8)
    /// A list or a set, whose elements repeat at a level.
    case list(ParquetNode, repetition: UInt8, definition: UInt8)
    case map(key: ParquetLeaf, value: ParquetNode, repetition: UInt8, definition: UInt8)

    /// Values of a node, as many as there are rows.
    indirect enum Values {
        case leaf(ParquetCells)
        case structure(validity: Bitmap?, [Values])
        case list(offsets: [Int32], Values)
        case map(offsets: [Int32], keys: ParquetCells, Values)
    }

    /// Takes the values of some rows.
    func append(_ values: Values, rows: [Int]) throws {
        if case .leaf(let leaf) = self, case .leaf(let cells) = values { return try leaf.append(cells, rows: rows) }
        for row in rows { try append(values, row, repetition: 0, definition: 0) }
    }

    /// Takes one value.
    ///
    /// - Parameters:
    ///   - repetition: the level that it repeats at.
    ///   - definition: how far what it is in is defined.
    func append(_ values: Values, _ row: Int, repetition: UInt8, definition: UInt8) throws {
        switch (self, values) {
        case (.leaf(let leaf), .leaf(let cells)):
            try leaf.append(cells, row, repetition: repetition, definition: definition)
        case (.structure(let parts, let own), .structure(let validity, let members)):
            guard validity?[row] ?? true else { return appendNull(repetition: repetition, definition: definition) }
            for (part, member) in zip(parts, members) {
                try part.append(member, row, repetition: repetition, definition: own)
            }
        case (.list(let part, let level, let own), .list(let offsets, let elements)):
            let run = Int(offsets[row])..<Int(offsets[row + 1])
            guard !run.isEmpty else { return appendNull(repetition: repetition, definition: definition) }
            for index in run {
                try part.append(
                    elements, index, repetition: index == run.lowerBound ? repetition : level, definition: own)
            }
        case (.map(let key, let part, let level, let own), .map(let offsets, let keys, let elements)):
            let run = Int(offsets[row])..<Int(offsets[row + 1])
            guard !run.isEmpty else { return appendNull(repetition: repetition, definition: definition) }
            for index in run {
                let place = index == run.lowerBound ? repetition : level
                try key.append(keys, index, repetition: place, definition: own)
                try part.append(elements, index, repetition: place, definition: own)
            }
        default: throw ColumnError.damaged(what: "values of another form than their property's", offset: 0)
        }
    }

    /// Takes the absence of a value, or of all elements.
    func appendNull(repetition: UInt8, definition: UInt8) {
        for leaf in leaves { leaf.appendNull(repetition: repetition, definition: definition) }
    }

    /// The leaves, in the order of the schema.
    var leaves: [ParquetLeaf] {
        switch self {
        case .leaf(let leaf): [leaf]
        case .structure(let parts, _): parts.flatMap(\.leaves)
        case .list(let part, _, _): part.leaves
        case .map(let key, let part, _, _): [key] + part.leaves
        }
    }
}
