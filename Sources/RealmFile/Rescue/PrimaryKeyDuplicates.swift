import CCrypto
import Columns
import RealmModel

/// Finds the objects that have the primary key of one before them.
///
/// Keys are compared by 128 bits of their SHA-256, a share of them in each reading of the column, so that some
/// `shareLimit` of them are in memory at once whatever the class has.
struct PrimaryKeyDuplicates {
    /// The digests of one reading: 24 bytes each.
    static let shareLimit = 1 << 20

    private struct Entry {
        let high: UInt64
        let low: UInt64
        let position: Int
    }

    private let share: UInt64
    private let shares: UInt64
    private var entries: [Entry] = []
    private var duplicates: [Int] = []

    /// How many readings a class of so many objects needs.
    static func shares(of count: Int) -> Int { count / shareLimit + 1 }

    /// Looks at one share of the keys.
    init(share: Int, of shares: Int) {
        self.share = UInt64(share)
        self.shares = UInt64(shares)
    }

    /// Adds the primary keys of objects.
    ///
    /// - Parameters:
    ///   - rows: the rows of the array, and the positions of their objects.
    mutating func add(_ array: ColumnArray, _ rows: [(row: Int, position: Int)]) {
        for (row, position) in rows {
            guard let (high, low) = Self.digest(of: row, in: array), low % shares == share else { continue }
            entries.append(Entry(high: high, low: low, position: position))
        }
        if entries.count > 2 * Self.shareLimit { settle() }
    }

    /// The positions of the objects whose keys others before them have.
    mutating func finish() -> [Int] {
        settle()
        return duplicates
    }

    private mutating func settle() {
        entries.sort { ($0.high, $0.low, $0.position) < ($1.high, $1.low, $1.position) }
        var kept: [Entry] = []
        for entry in entries {
            if let last = kept.last, last.high == entry.high, last.low == entry.low {
                duplicates.append(entry.position)
            } else {
                kept.append(entry)
            }
        }
        entries = kept
    }

    private static func digest(of row: Int, in array: ColumnArray) -> (UInt64, UInt64)? {
        if array.isNull(row) { return digest(of: [], kind: 0) }
        switch array.values {
        case .int(let cells): return withUnsafeBytes(of: cells[row]) { digest(of: Array($0), kind: 1) }
        case .fixed(let width, let bytes): return digest(of: bytes[row * width..<(row + 1) * width], kind: 2)
        case .variable(let offsets, let bytes):
            return digest(of: bytes[Int(offsets[row])..<Int(offsets[row + 1])], kind: 3)
        default: return nil
        }
    }

    private static func digest(of bytes: some Collection<UInt8>, kind: UInt8) -> (UInt64, UInt64) {
        let input = [kind] + bytes
        var hash = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(input, input.count, &hash)
        return hash.withUnsafeBytes {
            ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
    }
}
