import RealmJSON
import StoreCore

extension MigrationOrder {
    /// The limits of a job's scripts; nil for as much as the service gives.
    public struct Limits: Hashable, Sendable {
        /// Seconds that the scripts may take together.
        public var timeoutSeconds: Double?
        /// Bytes of memory that a script may take.
        public var memoryBytes: Int?
        /// Objects that a script may create.
        public var createdCount: Int?
        /// Bytes of columns that a script may write.
        public var writtenBytes: Int?
        /// Bytes of lines that a script may log.
        public var logBytes: Int?

        /// Describes limits.
        public init(
            timeoutSeconds: Double? = nil, memoryBytes: Int? = nil, createdCount: Int? = nil, writtenBytes: Int? = nil,
            logBytes: Int? = nil
        ) {
            self.timeoutSeconds = timeoutSeconds
            self.memoryBytes = memoryBytes
            self.createdCount = createdCount
            self.writtenBytes = writtenBytes
            self.logBytes = logBytes
        }

        /// The limits as members of an object, all of them.
        public var members: [JSONMember] {
            func integer(_ name: String, _ value: Int?) -> JSONMember {
                JSONMember(name, value.map { .int(Int64($0)) } ?? .null)
            }
            return [
                JSONMember("timeoutSeconds", timeoutSeconds.map { .double($0) } ?? .null),
                integer("memoryBytes", memoryBytes), integer("createdCount", createdCount),
                integer("writtenBytes", writtenBytes), integer("logBytes", logBytes),
            ]
        }

        /// Reads what `members` made, among others; those that an older program left out are nil.
        init(in json: JSONValue) throws(StoreError) {
            func integer(_ name: String) throws(StoreError) -> Int? {
                try json.storedIfAny(name) { $0.int.map { Int($0) } }
            }
            self.init(
                timeoutSeconds: try json.storedIfAny("timeoutSeconds", \.double),
                memoryBytes: try integer("memoryBytes"), createdCount: try integer("createdCount"),
                writtenBytes: try integer("writtenBytes"), logBytes: try integer("logBytes"))
        }
    }
}
