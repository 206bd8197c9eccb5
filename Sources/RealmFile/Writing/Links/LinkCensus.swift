import Columns
import RealmModel

/// Which properties link to which classes, and how many times to each row group, found in one pass over all links.
struct LinkCensus {
    /// The properties that hold links, in the order of classes and columns; mixed ones that hold none included.
    let sources: [LinkSource]

    /// Counts the links of a snapshot.
    ///
    /// - Parameter readers: one a class.
    /// - Throws: `brokenLink`; `notInFormat` where a mixed value is a collection and the format has none.
    init(_ readers: [ClassReader], in format: WrittenFormat) throws {
        let indexes = readers.map(\.stored).classIndexes
        var sources: [LinkSource] = []
        for (classIndex, reader) in readers.enumerated() {
            for (propertyIndex, property) in reader.stored.schema.properties.enumerated() {
                guard property.type == .object || property.type == .mixed else { continue }
                let target = property.type == .object ? property.objectType.flatMap { indexes[name: $0] } : nil
                var source = LinkSource(
                    classIndex: classIndex, propertyIndex: propertyIndex, type: ColumnType(property), target: target,
                    counts: [:])
                if let target { source.counts[target] = Self.zeros(readers[target]) }
                let scan = LinkScan(source, reader, classIndexes: indexes, in: format)
                try Self.count(scan, into: &source.counts, readers)
                sources.append(source)
            }
        }
        self.sources = sources
    }

    /// Sources that are known without their objects.
    init(sources: [LinkSource]) { self.sources = sources }

    private static func zeros(_ reader: ClassReader) -> [Int] { [Int](repeating: 0, count: reader.rowGroups.count) }

    private static func count(
        _ scan: LinkScan, into counts: inout [Int: [Int]], _ readers: [ClassReader]
    ) throws {
        var lastTarget = -1
        var last = RowGroup(rowCount: 0, firstKey: ObjectKey(0), lastKey: ObjectKey(-1))
        var lastGroup = 0
        for group in scan.reader.rowGroups.indices {
            try scan.reader.willRead(keys: false, [scan.source.propertyIndex], inGroup: group)
            try scan.forEachLink(inGroup: group) { row, target, key in
                if target != lastTarget || key < last.firstKey.value || key > last.lastKey.value {
                    let groups = readers[target].rowGroups
                    guard let found = groups[...].index(of: key) else {
                        throw scan.brokenLink(key: try scan.reader.keys(inGroup: group)[row])
                    }
                    (lastTarget, lastGroup, last) = (target, found, groups[found])
                }
                counts[target, default: Self.zeros(readers[target])][lastGroup] += 1
            }
        }
    }
}
