import CLibPQ
import Glibc

/// One connection to PostgreSQL; blocking, for one thread at a time.
public final class PostgresConnection: @unchecked Sendable {
    // Sendable because a pool hands it from thread to thread, never to two at once.
    let handle: OpaquePointer
    /// Whether what was just committed is not on the standby that it has to be on, and may be lost with this server.
    private let isUnreplicated: UnsafeMutablePointer<Bool>
    private var prepared: [String: Prepared] = [:]
    /// Whether the server has said that it takes no changes.
    private(set) var isReadOnly = false
    /// Statements kept prepared; past it all are dropped, which only loops that build SQL could reach.
    private static let preparedLimit = 256

    /// Opens a connection, and waits until the server takes it.
    ///
    /// - Parameters:
    ///   - url: a `postgresql://` URL or a list of `keyword=value` (PostgreSQL manual, 34.1.1).
    ///   - timeouts: how long to wait for the server, where the URL says nothing else.
    ///   - schema: where tables are looked up and made, there or not, where the URL says nothing else; nil leaves that to the
    ///     server.
    /// - Throws: `PostgresError` of class 08.
    public init(
        _ url: String, timeouts: PostgresTimeouts = PostgresTimeouts(), schema: String? = nil
    ) throws(PostgresError) {
        guard let handle = Self.open(url, timeouts) else {
            throw .connection("There is no memory for a connection.")
        }
        self.handle = handle
        isUnreplicated = .allocate(capacity: 1)
        isUnreplicated.initialize(to: false)
        guard PQstatus(handle) == CONNECTION_OK else {
            // With every property set, `deinit` runs for what is thrown here too.
            throw Self.refusal(Self.message(of: handle))
        }
        PQsetNoticeReceiver(handle, Self.hear, isUnreplicated)
        PQsetClientEncoding(handle, "UTF8")
        // Statements are written for one plan each; to compare it with a new one at every execution takes longer than most
        // of them do. A plan that is made while a table is nearly empty stays: one that reads the whole table would go on doing so,
        // and one by a bitmap would go on reading every entry of rows that are gone, as it never marks them. A server that does
        // not know a setting goes on without it.
        PQclear(PQexec(handle, "SET plan_cache_mode = force_generic_plan"))
        PQclear(PQexec(handle, "SET enable_seqscan = off"))
        PQclear(PQexec(handle, "SET enable_bitmapscan = off"))
        // Only where nobody has decided it; a server that does not know a setting has no limit. Locks of a client that stands
        // still, or whose end nobody saw, are let go of as soon as those of a statement that does.
        PQclear(
            PQexec(
                handle,
                """
                SELECT set_config(setting, '\(Int(timeouts.statement / .milliseconds(1)))', false)
                FROM unnest(ARRAY['statement_timeout', 'idle_in_transaction_session_timeout']) AS setting
                WHERE current_setting(setting) = '0'
                """))
        if let schema { try lookUp(in: schema) }
    }

    /// Has tables looked up in a schema, whatever the database or the role has for others, but not where the URL names schemas.
    private func lookUp(in schema: String) throws(PostgresError) {
        try execute(
            """
            SELECT set_config('search_path', quote_ident(\(schema)), false) FROM pg_settings
            WHERE name = 'search_path' AND source <> 'client'
            """)
    }

    /// Why a server was not connected to; libpq has no code for one that takes no changes.
    private static func refusal(_ message: String) -> PostgresError {
        let isReadOnly = message.contains("session is read-only") || message.contains("server is in hot standby mode")
        return isReadOnly ? PostgresError(sqlState: "25006", message: message) : .connection(message)
    }

    /// Asks whether the server takes changes.
    ///
    /// - Throws: `PostgresError` of 25006 where it does not: the connection is broken then.
    public func requireWritable() throws(PostgresError) {
        let setting: String? = try query("SELECT current_setting('transaction_read_only') AS setting").first?
            .optional("setting")
        guard setting == "on" else { return }
        isReadOnly = true
        throw PostgresError(sqlState: "25006", message: "The server takes no changes.")
    }

    private static func open(_ url: String, _ timeouts: PostgresTimeouts) -> OpaquePointer? {
        withParameters(url, timeouts) { PQconnectdbParams($0, $1, 1) }
    }

    /// Whether there is a server at an address that lets clients in, these or others; false where it starts or stops.
    ///
    /// Where it is there and a connection fails all the same, waiting does not help: the password is wrong, say.
    public static func isServerThere(_ url: String, timeouts: PostgresTimeouts = .init()) -> Bool {
        let state = withParameters(url, timeouts) { PQpingParams($0, $1, 1) }
        // An address that is none is not waited for either.
        return state == PQPING_OK || state == PQPING_NO_ATTEMPT
    }

    /// Parameters before `dbname` yield to those of the URL.
    private static func withParameters<Result>(
        _ url: String, _ timeouts: PostgresTimeouts,
        _ body: ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        let parameters =
            timeouts.parameters + [
                ("target_session_attrs", "read-write"), ("fallback_application_name", "realmshift"), ("dbname", url),
            ]
        let strings = parameters.map { (strdup($0.keyword), strdup($0.value)) }
        defer {
            for (keyword, value) in strings {
                free(keyword)
                free(value)
            }
        }
        let keywords = strings.map { UnsafePointer($0.0) } + [nil]
        let values = strings.map { UnsafePointer($0.1) } + [nil]
        return body(keywords, values)
    }

    deinit {
        PQfinish(handle)
        isUnreplicated.deallocate()
    }

    /// Hears of a wait for the synchronous standby that was given up: PostgreSQL warns, and calls the commit a success.
    private static let hear: PQnoticeReceiver = { context, notice in
        // By the server's own function: its messages may be in any language.
        let source = PQresultErrorField(notice, Int32(UnicodeScalar("R").value)).map { String(cString: $0) }
        if source == "SyncRepWaitForLSN" { context?.assumingMemoryBound(to: Bool.self).pointee = true }
    }

    /// Whether the connection is lost, or leads to a server that takes no changes, and can only be let go of.
    public var isBroken: Bool { PQstatus(handle) != CONNECTION_OK || isReadOnly }

    /// Whether no transaction is open.
    public var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// Runs a statement and gives its rows.
    @discardableResult
    public func query(_ statement: PostgresStatement) throws(PostgresError) -> [PostgresRow] {
        let result = try run(statement)
        return (0..<result.rowCount).map { PostgresRow(result: result, index: $0) }
    }

    /// Runs a statement and says how many rows it touched.
    @discardableResult
    public func execute(_ statement: PostgresStatement) throws(PostgresError) -> Int {
        try run(statement).affectedRows
    }

    /// Runs a text of any number of statements without parameters, in one transaction where none is open.
    public func execute(script sql: String) throws(PostgresError) {
        PQclear(try check(PQexec(handle, sql)))
    }

    /// A statement that the server knows.
    private struct Prepared {
        let name: String
        /// Known once it has run.
        var columns: PostgresColumns?
    }

    private func run(_ statement: PostgresStatement) throws(PostgresError) -> PostgresResult {
        let known = try prepare(statement)
        let count = statement.parameters.count
        let bytes = statement.parameters.flatMap { $0.bytes ?? [] }
        let lengths = statement.parameters.map { Int32($0.bytes?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: count)
        let result = bytes.withUnsafeBytes { buffer in
            // An empty array may have no address, and a value of no bytes still needs one, or it would be null.
            withUnsafeBytes(of: UInt64(0)) { empty in
                var offset = 0
                let start = (buffer.baseAddress ?? empty.baseAddress)?.assumingMemoryBound(to: CChar.self)
                let pointers = statement.parameters.map { parameter -> UnsafePointer<CChar>? in
                    guard let bytes = parameter.bytes else { return nil }
                    defer { offset += bytes.count }
                    return start.map { $0 + offset }
                }
                return PQexecPrepared(handle, known.name, Int32(count), pointers, lengths, formats, 1)
            }
        }
        let checked = try check(result)
        if let columns = known.columns { return PostgresResult(taking: checked, columns: columns) }
        let columns = PostgresColumns(of: checked)
        prepared[statement.sql]?.columns = columns
        return PostgresResult(taking: checked, columns: columns)
    }

    private func prepare(_ statement: PostgresStatement) throws(PostgresError) -> Prepared {
        if let known = prepared[statement.sql] { return known }
        if prepared.count >= Self.preparedLimit {
            try execute(script: "DEALLOCATE ALL")
            prepared = [:]
        }
        let name = "s\(prepared.count)"
        let types = statement.parameters.map { Oid($0.type.oid) }
        PQclear(try check(PQprepare(handle, name, statement.sql, Int32(types.count), types)))
        let known = Prepared(name: name)
        prepared[statement.sql] = known
        return known
    }

    /// Takes a result that is no error, or throws the error that it is.
    @discardableResult
    func check(_ result: OpaquePointer?) throws(PostgresError) -> OpaquePointer {
        guard let result else { throw .connection(Self.message(of: handle)) }
        if isUnreplicated.pointee {
            isUnreplicated.pointee = false
            PQclear(result)
            throw PostgresError(
                sqlState: "08007", message: "It is not known whether the synchronous standby has what was committed.")
        }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_SINGLE_TUPLE: return result
        default:
            defer { PQclear(result) }
            let error = error(of: result)
            if error.isReadOnly { isReadOnly = true }
            throw error
        }
    }

    private func error(of result: OpaquePointer) -> PostgresError {
        func field(_ code: UnicodeScalar) -> String? {
            PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
        }
        guard let state = field("C") else { return .connection(Self.message(of: handle)) }
        return PostgresError(
            sqlState: state, message: field("M") ?? "PostgreSQL gave no message.", constraint: field("n"))
    }

    static func message(of handle: OpaquePointer) -> String {
        guard let text = PQerrorMessage(handle) else { return "The connection failed." }
        return String(cString: text).split(separator: "\n").joined(separator: " ")
    }

    var lastMessage: String { Self.message(of: handle) }
}
