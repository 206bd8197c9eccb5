import RealmMigration

extension MigrationError {
    /// The message about a script that has no memory left, whether its host ended by that or the script's engine could
    /// tell.
    ///
    /// - Parameter bytes: what it may take.
    package static func memoryMessage(_ bytes: Int) -> String { "The script took more than \(bytes) bytes of memory." }
}
