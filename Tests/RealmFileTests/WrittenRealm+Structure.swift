import Testing

extension WrittenRealm {
    /// Checks how nodes lie, that backlinks are the links turned round, and that indexes find every object.
    ///
    /// - Parameter fillsLeaves: whether no leaf may be short; those that are copied are as long as they were.
    func checkStructure(fillsLeaves: Bool = true) throws {
        let structure = FileStructure(bytes)
        #expect(try structure.gaps() == [])
        // Realm fills its leaves, so a written one may not be short because a row group ended there.
        #expect(try !fillsLeaves || structure.clusterSizes().allSatisfy { $0.dropLast().allSatisfy { $0 == 256 } })
        let expected = try links()
        let found = try structure.backlinks()
        for (name, pairs) in found where !pairs.isEmpty {
            #expect(pairs.sorted { $0.lexicographicallyPrecedes($1) } == expected[name])
        }
        #expect(Set(found.filter { !$0.value.isEmpty }.keys) == Set(expected.keys))
        for lookup in try indexedValues(atMost: 20) {
            let keys = try structure.lookUp(lookup.bytes, column: lookup.column, table: lookup.table)
            #expect(keys.contains(lookup.key))
            // Values that differ past byte 200 alone share a list, and null is there with zeros alone.
            #expect(keys.count == lookup.count || lookup.bytes.map { $0.count > 200 } ?? true)
        }
    }
}
