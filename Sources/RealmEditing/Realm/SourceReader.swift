import Columns

/// Reads the class that is edited as it was, once somebody asks for it.
final class SourceReader {
    private let source: StoredClass
    private let store: any SegmentStore
    private var reader: ClassReader?

    init(_ source: StoredClass, _ store: any SegmentStore) {
        self.source = source
        self.store = store
    }

    func callAsFunction() throws -> ClassReader {
        let opened = try reader ?? ClassReader(source, store: store)
        reader = opened
        return opened
    }
}
