/// Appends the top array of a file, REALM_FORMAT sections 6 and 25.
struct GroupTopWriter {
    /// The transaction that the file stands for; Realm counts from 1, and its own copies say 2.
    private static let snapshotVersion: Int64 = 2
    /// A history inside the file, as every local Realm has it.
    private static let inRealm: Int64 = 2

    let output: NodeOutput
    let format: WrittenFormat

    /// Appends the array, which says that the file's history is that of a local Realm and empty.
    ///
    /// A shorter array, which has nothing to say of it, reads as a history to be upgraded; what opens such a file with
    /// leave to delete it rather than to migrate it (`deleteRealmIfMigrationNeeded`) deletes it then.
    func append(names: Int64, tables: Int64) -> Int64 {
        let freePositions = output.append(integers: [])
        let freeLengths = output.append(integers: [])
        let freeVersions = output.append(integers: [])
        let entries = 11
        // The width is fixed, so that the size of the file is known before its last node is.
        let size = Int64(output.offset + Node.headerBytes + entries * 8)
        return output.append(
            integers: [
                names, tables, NodeOutput.tagged(size), freePositions, freeLengths, freeVersions,
                NodeOutput.tagged(Self.snapshotVersion), NodeOutput.tagged(Self.inRealm), 0,
                NodeOutput.tagged(format.historySchema), NodeOutput.tagged(0),
            ], .hasRefs, atLeast: 64)
    }
}
