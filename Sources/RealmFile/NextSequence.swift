import RealmModel

/// Finds the number that the next object of a class may be numbered with, from the table's counter and its keys.
///
/// The counter is kept where it leads to a key that is not used; as in Realm, used ones are skipped.
struct NextSequence {
    /// Integers up to here are taken for keys that were counted or copied from a primary key; those above for hashes.
    private static let hashThreshold: Int64 = 1 << 48

    private let hasPrimaryKey: Bool
    private var candidate: Int64

    /// - Parameters:
    ///   - counter: the table's counter.
    ///   - keysAreHashed: whether keys were made of primary keys rather than counted (formats before 22).
    init(counter: Int64, hasPrimaryKey: Bool, keysAreHashed: Bool) {
        self.hasPrimaryKey = hasPrimaryKey
        keysFollowPrimaryKey = hasPrimaryKey && keysAreHashed
        candidate = counter
    }

    private let keysFollowPrimaryKey: Bool

    /// Takes notice of the next keys, which ascend.
    mutating func skip(_ keys: UnsafeMutableBufferPointer<Int64>) {
        if keysFollowPrimaryKey {
            for key in keys where key < Self.hashThreshold { candidate = max(candidate, key + 1) }
            return
        }
        guard let last = keys.last, last >= key else { return }
        for used in keys where used == key { candidate += 1 }
    }

    /// The number.
    var value: Int64 { candidate }

    private var key: Int64 {
        ObjectKey.allocated(sequence: candidate, hasPrimaryKey: hasPrimaryKey).value
    }
}
