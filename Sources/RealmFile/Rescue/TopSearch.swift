import RealmModel

/// A place where the top array of a file may be.
struct TopCandidate: Hashable {
    let source: RescueReport.Source
    let ref: Int64
    /// The version of the format, as far as the header tells.
    let formatVersion: Int
}

/// Where a file says that its top array is.
enum CurrentPlace {
    /// At an offset, which may be none of the file.
    case named(Int64)
    /// The end of the file would say it, and is not there.
    case atEnd
    /// It says nothing.
    case unknown
}

/// Looks for the top arrays of a file: those that its header and its end name, and those that lie about in it.
struct TopSearch {
    /// Commits that are looked at beside those that the header names.
    static let scannedLimit = 8
    /// Top arrays of one table that are looked at.
    static let tableLimit = 4
    private static let headerBytes = 24
    private static let footerBytes = 16
    private static let sizes: Set<Int> = [3, 5, 7, 9, 10, 11, 12]
    private static let newestFormat = 24

    private let file: DamagedFile
    private let bytes: UnsafeRawBufferPointer
    /// Whether the file has the mark of a realm.
    let hasMark: Bool
    /// Whether the header says that there is nothing in the file, and nothing is.
    var isEmpty: Bool { saysEmpty && bytes[Self.headerBytes...].allSatisfy { $0 == 0 } }
    private var saysEmpty = false
    /// Where the file says that the top array is.
    private(set) var currentPlace = CurrentPlace.unknown
    /// Those that the header and the end of the file name, in the order in which they are to be tried.
    private(set) var named: [TopCandidate] = []
    private(set) var format = newestFormat

    /// Reads the header and the footer, as far as they are there.
    init(_ file: DamagedFile) {
        self.file = file
        bytes = file.bytes
        hasMark = FileHeader.hasMark(bytes)
        guard hasMark, bytes.count >= Self.headerBytes else {
            if let ref = footer() { append(.footer, ref, Self.newestFormat) }
            return
        }
        let slot = Int(bytes[23] & 1)
        let refs = [0, 8].map { bytes.loadUnaligned(fromByteOffset: $0, as: Int64.self) }
        let versions = [20, 21].map { Int(bytes[$0]) }
        format = Self.isSupported(versions[slot]) ? versions[slot] : versions[1 - slot]
        if !Self.isSupported(format) { format = Self.newestFormat }
        saysEmpty = refs[slot] == 0
        currentPlace = slot == 0 && refs[0] == -1 ? footer().map { .named($0) } ?? .atEnd : .named(refs[slot])
        if slot == 0, refs[0] == -1 {
            if let ref = footer() { append(.current, ref, format) }
        } else {
            append(.current, refs[slot], format)
        }
        let other = versions[1 - slot]
        append(.other, refs[1 - slot], Self.isSupported(other) ? other : format)
        if let ref = footer() { append(.footer, ref, format) }
    }

    private static func isSupported(_ version: Int) -> Bool { (try? FormatVersion.check(version)) != nil }

    private mutating func append(_ source: RescueReport.Source, _ ref: Int64, _ version: Int) {
        guard ref >= Self.headerBytes, ref & 7 == 0, ref <= bytes.count - Node.headerBytes,
            !named.contains(where: { $0.ref == ref })
        else { return }
        named.append(TopCandidate(source: source, ref: ref, formatVersion: version))
    }

    private func footer() -> Int64? {
        let start = bytes.count - Self.footerBytes
        guard start >= Self.headerBytes,
            bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self) == FileHeader.footerMagic
        else { return nil }
        return bytes.loadUnaligned(fromByteOffset: start, as: Int64.self)
    }

    /// Goes through all that may be a node, for what lies about in the file.
    func scan() -> Scan {
        var scan = Scan()
        // Nodes of the oldest files bear no mark.
        let isOld = format < FormatVersion.clusters.lowerBound
        let image = file.image(formatVersion: format)
        for offset in stride(from: Self.headerBytes, through: bytes.count - Node.headerBytes, by: 8)
        where isOld || bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) == NodeSurvey.mark {
            switch (bytes[offset + 4] & 0xf8, Int(bytes[offset + 5]) << 8 | Int(bytes[offset + 6])) {
            // An array of references that is no inner node.
            case (0x40, 0):
                if let version = version(ofTopAt: offset, in: image), !named.contains(where: { $0.ref == offset }) {
                    scan.addTop(TopCandidate(source: .scan, ref: Int64(offset), formatVersion: format), version)
                } else if !isOld, let table = FoundTable(at: offset, in: image) {
                    scan.add(table)
                }
            // Cells.
            case (0x08, _): scan.addNames(at: offset, in: image, file.effort)
            default: break
            }
        }
        return scan
    }

    /// The versions, tops, tables and names that lie about in a file.
    struct Scan {
        private var versions: [Int64] = []
        /// The newest top arrays, the newest first.
        private(set) var tops: [TopCandidate] = []
        /// The newest top arrays of tables, by the table's place in the list of tables, the newest first.
        private(set) var tables: [Int: [FoundTable]] = [:]
        /// The list of most names of tables.
        private(set) var names: [String] = []

        fileprivate mutating func addTop(_ candidate: TopCandidate, _ version: Int64) {
            // The later of two in the file is as likely the newer.
            let place = versions.firstIndex { $0 <= version } ?? versions.count
            versions.insert(version, at: place)
            tops.insert(candidate, at: place)
            guard tops.count > scannedLimit else { return }
            versions.removeLast()
            tops.removeLast()
        }

        fileprivate mutating func add(_ table: FoundTable) {
            guard tables.count < SchemaLimit.classCount || tables[table.index] != nil else { return }
            var versions = tables[table.index] ?? []
            versions.insert(table, at: versions.firstIndex { $0.version <= table.version } ?? versions.count)
            tables[table.index] = Array(versions.prefix(tableLimit))
        }

        fileprivate mutating func addNames(at offset: Int, in image: Image, _ effort: RescueEffort) {
            guard let node = try? image.uncheckedHeader(at: Int64(offset)), node.width >= 8, node.count >= names.count,
                node.count <= SchemaLimit.classCount * 2, effort.take(node.count / RescueEffort.elementsPerStep),
                let leaf = try? ByteLeaf(node, of: .string, in: image, nullIsEmpty: true)
            else { return }
            let found = (0..<leaf.count).map { try? leaf.text(at: $0) }
            guard found.allSatisfy({ $0 != nil }), found.contains(where: { Table.className(ofTable: $0 ?? "") != nil })
            else { return }
            names = found.compactMap(\.self)
        }
    }

    /// The number of the transaction that wrote a top array; nil where it is something else.
    private func version(ofTopAt offset: Int, in image: Image) -> Int64? {
        guard let top = try? image.uncheckedHeader(at: Int64(offset)), Self.sizes.contains(top.count),
            let names = child(0, of: top, image), let tables = child(1, of: top, image),
            names.layout == .cells, tables.layout == .bits, tables.hasRefs, names.count == tables.count,
            let size = try? top.tagged(at: 2), size > 0
        else { return nil }
        return (try? top.tagged(at: Group.versionSlot)) ?? 1
    }

    private func child(_ index: Int, of node: Node, _ image: Image) -> Node? {
        guard let ref = try? node.reference(at: index) else { return nil }
        return try? image.uncheckedHeader(at: ref)
    }
}
