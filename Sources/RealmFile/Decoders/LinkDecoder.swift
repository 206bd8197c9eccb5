import Columns
import RealmModel

/// Decodes links: the key of the target, plus one outside collections.
///
/// A negative key leads to a tombstone (REALM_FORMAT, 13.4): such a link is null, and no element of a collection.
final class LinkDecoder: ColumnDecoder {
    private let target: LinkTarget?
    private let isElement: Bool
    private var leaf: Node?
    private var scratch = CellBuffer<Int64>()
    private var cells = CellBuffer<Int64>()
    private var validity = ValidityBuffer()

    /// - Parameters:
    ///   - target: the class that the links lead to.
    ///   - isElement: whether the leaves are those of a list or a set.
    init(to target: LinkTarget?, isElement: Bool) {
        self.target = target
        self.isElement = isElement
    }

    var count: Int { cells.count }
    var byteCount: Int { cells.count * 8 }

    func open(_ leaf: Node) throws(InputError) -> Int {
        self.leaf = try leaf.asValues("a leaf of links")
        return leaf.count
    }

    func append(_ rows: Range<Int>) throws(InputError) {
        guard let leaf else { return }
        scratch.clear()
        let stored = scratch.grow(by: rows.count)
        leaf.copyIntegers(rows, to: stored)
        try check(stored, in: leaf)
        if isElement { appendElements(stored) } else { appendColumn(stored) }
    }

    private func check(_ stored: UnsafeMutableBufferPointer<Int64>, in leaf: Node) throws(InputError) {
        let raise: Int64 = isElement ? 0 : 1
        let areThere =
            if let target { try target.contains(targetsOf: stored, raisedBy: raise) } else {
                stored.allSatisfy { $0 < raise }
            }
        guard areThere else { throw .brokenLink(at: leaf.offset) }
    }

    private func appendElements(_ stored: UnsafeMutableBufferPointer<Int64>) {
        let added = cells.grow(by: stored.reduce(0) { $0 + ($1 >= 0 ? 1 : 0) })
        var place = 0
        for key in stored where key >= 0 {
            added[place] = key
            place += 1
        }
    }

    private func appendColumn(_ stored: UnsafeMutableBufferPointer<Int64>) {
        let added = cells.grow(by: stored.count)
        for index in stored.indices { added[index] = max(stored[index], 1) - 1 }
        validity.append(contentsOf: stored) { $0 > 0 }
    }

    func take() -> ColumnArray {
        ColumnArray(count: count, validity: validity.take(), values: .int(cells.take()))
    }
}
