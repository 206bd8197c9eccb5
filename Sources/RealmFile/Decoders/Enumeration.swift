import RealmModel

/// The distinct values of an enumerated column of strings, REALM_FORMAT section 8.4.
struct Enumeration {
    private var starts: [Int] = [0]
    private var nulls: [Bool] = []
    private var bytes: [UInt8] = []
    /// The values that are no valid UTF-8.
    private var repaired: Set<Int> = []
    private let image: Image

    /// Reads the whole list.
    init(root: Node, in image: Image) throws(InputError) {
        var cells = CellBuffer<UInt8>()
        var starts = [0]
        var nulls: [Bool] = []
        var repaired: Set<Int> = []
        try BPlusTree.forEachLeaf(of: root, in: image) { leaf throws(InputError) in
            let strings = try ByteLeaf(leaf, of: .string, in: image)
            guard strings.count <= BPlusTree.leafLimit else {
                throw leaf.damaged("a leaf of \(strings.count) elements")
            }
            for index in 0..<strings.count {
                try strings.withBytes(at: index) { run throws(InputError) in
                    if let run, !UTF8Text.append(run, to: &cells) { repaired.insert(nulls.count) }
                    nulls.append(run == nil)
                }
                starts.append(cells.count)
            }
            return strings.count
        }
        self.image = image
        self.repaired = repaired
        self.starts = starts
        self.nulls = nulls
        bytes = cells.take()
    }

    /// Bytes of a value; 0 where there is none of this number.
    func byteCount(of index: Int64) -> Int {
        guard let index = Int(exactly: index), nulls.indices.contains(index) else { return 0 }
        return starts[index + 1] - starts[index]
    }

    /// Appends a value to cells.
    ///
    /// - Returns: whether the value is not null; nil where there is none of this number.
    func append(_ index: Int64, to cells: inout CellBuffer<UInt8>) -> Bool? {
        guard let index = Int(exactly: index), nulls.indices.contains(index) else { return nil }
        if repaired.contains(index) { image.countRepairedText() }
        bytes.withUnsafeBytes {
            cells.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[starts[index]..<starts[index + 1]]))
        }
        return !nulls[index]
    }
}
