import RealmModel

/// A node of the file, REALM_FORMAT section 2: its header decoded, its payload known to lie inside the file.
///
/// Reading an element past `count` is an error, never a load outside the payload.
struct Node {
    /// How the payload is cut into elements.
    enum Layout: UInt8 {
        /// Integers of `width` bits.
        case bits = 0
        /// Cells of `width` bytes.
        case cells = 1
        /// One byte an element.
        case blob = 2
    }

    /// Bytes of every header.
    static let headerBytes = 8

    /// Bytes from the start of the file to the header.
    let offset: Int
    /// The number of elements.
    let count: Int
    /// Bits (`bits`) or bytes (`cells`) of an element; 0, 1, 2, 4, 8, 16, 32 or 64.
    let width: Int
    let layout: Layout
    /// Whether this is an inner node of a B+tree or of a cluster tree.
    let isInner: Bool
    let hasRefs: Bool
    /// The flag whose meaning depends on what the node is for.
    let hasContext: Bool
    /// The payload, exactly the bytes that the elements take.
    let payload: UnsafeRawBufferPointer

    /// Bytes of header and payload, rounded up as in the file.
    var byteCount: Int { Self.headerBytes + (payload.count + 7) & ~7 }

    /// The error of something in this node that contradicts the format.
    func damaged(_ what: String) -> InputError { .damaged(what, at: offset) }

    /// The bytes of one cell of a node of cells, or of one run of a blob.
    ///
    /// The caller has checked the range against `payload.count`.
    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: payload[range])
    }
}
