import AccessStore
import FileStore
import FoundationEssentials
import Glibc
import HTTPServer
import JobStore
import MigrationAPI
import MigrationJobs
import RealmDecoding
import RealmMigration
import Sandbox
import ScriptParent
import SnapshotStore
import Threads
import Webhooks

extension Command {
    /// `realmshift serve`: the service.
    static let serve = Command(
        name: "serve", summary: "run the service: the HTTP API and workers",
        discussion: """
            Serves the HTTP API and runs migrations. Without a database it runs a private PostgreSQL under the data
            directory. The first start writes an administrator key to DIR/admin.key; send it as
            "Authorization: Bearer KEY". An address that other machines reach takes a certificate, or --insecure.
            SIGTERM ends everything in order; running jobs are handed back. SIGHUP reads the certificate anew.
            """,
        operands: [],
        options: [
            Option("--listen", "HOST:PORT", "the address (default 127.0.0.1:8080); port 0 for any that is free"),
            Option("--data", "DIR", "the data directory (default ./data)"),
            Option(
                "--database-url", "URL",
                "an existing PostgreSQL, postgresql://...; also REALMSHIFT_DATABASE_URL (default: a private one)"),
            Option(
                "--workers", "N", "jobs run at once (default 2); 0 leaves them and maintenance to realmshift worker"),
            Option.lease,
        ] + Option.scriptLimits + Option.requestLimits + [
            Option("--upload-limit", "BYTES", "the most bytes of an upload (default 8 GiB)"),
            Option(
                "--spool-limit", "BYTES", "the most bytes of all uploads at once, before they are read (default 64 GiB)"
            ),
            Option("--app-snapshots", "N", "the most snapshots of an app (default: any number)"),
            Option("--app-bytes", "BYTES", "the most stored bytes of an app's snapshots (default: any number)"),
            Option(
                "--unsynced-limit", "N",
                "objects without a required value that sync of a realm bears (default 100000)"),
            Option("--tls-cert", "F", "serve HTTPS with this certificate, PEM (default: HTTP)"),
            Option("--tls-key", "F", "the certificate's private key, PEM"),
            Option("--insecure", nil, "serve plain HTTP to other machines: where a proxy in front speaks TLS"),
            Option(
                "--public-url", "URL",
                "the address that browsers open, https://realms.example.com say (default: the one that requests name)"),
            Option(
                "--allow-origin", "ORIGIN",
                "an origin, https://tools.example.com say, whose pages may use the API with keys, never with cookies; may be given "
                    + "several times (default: none)", isRepeatable: true),
            Option(
                "--connections-per-peer", "N",
                "connections that one address may have at once (default 256; on a loopback address any number)"),
            Option("--rate-limit", "N", "requests a minute that one key may send (default: any number)"),
            Option("--audit-days", "N", "days that GET /v1/audit goes back (default 365)"),
            Option(
                "--webhook-allow", "CIDR",
                "addresses inside the network that webhooks may have, 10.1.0.0/16 say, by http or https; may be given several times "
                    + "(default: none)", isRepeatable: true),
            Option(
                "--webhook-retry", "SECONDS",
                "how long an event is sent again to a webhook that does not take it (default 86400)"),
            Option("--log-requests", nil, "a line of JSON for every request (default: none)"),
            Option.logJobs,
        ],
        examples: [
            "serve --data /var/lib/realmshift",
            "serve --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem --workers 4",
        ],
        run: { try ServeCommand($0).run() })
}

/// One run of `realmshift serve`.
struct ServeCommand {
    /// A service whose requests wait longer than that for a worker is not ready for more.
    private static let longestWait = Duration.seconds(5)

    private let listen: ListenAddress
    private let directory: String
    private let databaseURL: String?
    private let workers: Int
    private let lease: Duration
    private let scriptLimits: ScriptLimits
    private let requestLimits: RequestLimits
    private let quota: AppQuota
    private let spoolLimit: Int
    private let uploadLimit: Int
    private let unsyncedLimit: Int
    private let tls: HTTPServerConfiguration.TLS?
    private let publicOrigin: String?
    private let allowedOrigins: [String]
    private let connectionsPerPeer: Int?
    private let requestsPerMinute: Int?
    private let auditAge: Duration
    private let webhookAddresses: AddressPolicy
    private let webhookRetry: RetrySchedule
    private let log: ServiceLog

    init(_ arguments: Arguments) throws {
        listen = try ListenAddress(arguments["--listen"] ?? "127.0.0.1:8080", option: "--listen", of: .serve)
        let data = arguments["--data"] ?? "data"
        // A ~ that the shell has left is a name; Foundation would take it for the home directory.
        directory = data.hasPrefix("~") ? "./" + data : data
        var info = stat()
        if stat(directory, &info) == 0, info.st_mode & S_IFMT != S_IFDIR {
            throw UsageError("\(directory) is no folder: --data takes one.", command: .serve)
        }
        databaseURL = try ServiceDatabase.url(arguments, of: .serve)
        workers = try arguments.integer("--workers", in: 0...256, of: .serve) ?? 2
        lease = try arguments.lease(of: .serve)
        scriptLimits = try arguments.scriptLimits(of: .serve)
        requestLimits = try arguments.requestLimits(of: .serve)
        quota = AppQuota(
            snapshots: try arguments.integer("--app-snapshots", in: 1...(1 << 40), of: .serve),
            bytes: try arguments.integer("--app-bytes", in: 1...(1 << 60), of: .serve))
        spoolLimit = try arguments.integer("--spool-limit", in: 1...(1 << 50), of: .serve) ?? 64 << 30
        uploadLimit = try arguments.integer("--upload-limit", in: 1...(1 << 50), of: .serve) ?? 8 << 30
        unsyncedLimit = try arguments.integer("--unsynced-limit", in: 0...(1 << 40), of: .serve) ?? 100_000
        switch (arguments["--tls-cert"], arguments["--tls-key"]) {
        case (let certificate?, let key?): tls = .init(certificatePath: certificate, keyPath: key)
        case (nil, nil): tls = nil
        default: throw UsageError("--tls-cert and --tls-key go together.", command: .serve)
        }
        guard tls != nil || listen.isLoopback || arguments.has("--insecure") else {
            throw UsageError(
                "\(listen.host) is reached from other machines, and keys would travel in the clear: give --tls-cert and "
                    + "--tls-key, or --insecure where a proxy in front speaks TLS.", command: .serve)
        }
        publicOrigin = try arguments["--public-url"].map { try Self.origin($0, of: "--public-url") }
        allowedOrigins = try arguments.all("--allow-origin").map { try Self.origin($0, of: "--allow-origin") }
        requestsPerMinute = try arguments.integer("--rate-limit", in: 1...1_000_000, of: .serve)
        auditAge = .seconds(86_400 * (try arguments.integer("--audit-days", in: 1...36_500, of: .serve) ?? 365))
        webhookAddresses = AddressPolicy(permitted: try arguments.all("--webhook-allow").map(Self.addresses))
        webhookRetry = RetrySchedule(
            patience: .seconds(try arguments.integer("--webhook-retry", in: 1...2_592_000, of: .serve) ?? 86_400))
        connectionsPerPeer =
            try arguments.integer("--connections-per-peer", in: 1...65_536, of: .serve)
            ?? (listen.isLoopback ? nil : 256)
        log = ServiceLog(
            logsRequests: arguments.has("--log-requests"), logsJobs: arguments.logsJobs)
    }

    private static func addresses(_ text: String) throws(UsageError) -> AddressRange {
        guard let range = AddressRange(text) else {
            throw UsageError("--webhook-allow takes addresses, as 10.1.0.0/16 or fd00::/8.", command: .serve)
        }
        return range
    }

    private static func origin(_ text: String, of option: String) throws(UsageError) -> String {
        if let origin = WebOrigin(text) { return origin.text }
        let hasLetters = text.unicodeScalars.contains { !$0.isASCII && $0.properties.isAlphabetic }
        throw UsageError(
            "\(option) takes a scheme and a host, as https://realms.example.com, and no path."
                + (hasLetters ? " Write a host of other letters as browsers send it: xn--…." : ""), command: .serve)
    }

    func run() throws -> ExitStatus {
        ServiceSignals.prepare()
        ServiceMemory.prepare()
        try Folder.make(directory)
        let database = try ServiceDatabase(
            url: databaseURL, directory: directory, connections: 24 + 2 * workers, log: log)
        defer { database.stop() }
        let jobs = JobStore(SnapshotStore(database.pool, unsyncedLimit: unsyncedLimit))
        let access = AccessStore(database.pool)
        let events = JobEvents(jobs, log: log)
        events.start()
        defer { events.stop() }
        let hosts = try ServiceHosts(workers: workers, limits: scriptLimits, decodesUploads: true, log: log)
        defer { hosts.close() }
        let pool = startWorkers(jobs, events, hosts)
        // With the server's and the database's, the times add up to less than the 30 seconds that a supervisor gives.
        defer { pool?.stop(timeout: .seconds(8)) }
        let webhooks = startWebhooks(jobs)
        defer { webhooks.stop() }
        let isReady = Mutex(false)
        let running = Mutex<HTTPServer?>(nil)
        let api = try makeAPI(jobs, access, events, hosts) {
            isReady.withLock { $0 } && running.withLock { ($0?.longestWait ?? .zero) < Self.longestWait }
        }
        defer { api.stop() }
        let server = try startServer(api)
        running.withLock { $0 = server }
        defer { running.withLock { $0 = nil } }
        defer { server.stop(within: .seconds(5)) }
        let keyPath = try AdministratorKey.ensure(in: directory, access: access)
        isReady.withLock { $0 = true }
        log.note("listening on \(tls == nil ? "http" : "https")://\(listen.authority(port: server.port))")
        log.note(
            keyPath.map { "the administrator key is in \($0)" }
                ?? "the database has an administrator key already, which \(directory)/admin.key does not hold")
        ServiceSignals.waitForEnd { reloadCertificate(server) }
        isReady.withLock { $0 = false }
        log.note("stopping")
        return .done
    }

    /// Reads the certificate anew; where it can't be used, the one before stays.
    private func reloadCertificate(_ server: HTTPServer) {
        guard tls != nil else { return log.note("SIGHUP: there is no certificate to read, the service speaks HTTP") }
        do {
            try server.reloadCertificate()
            log.note("SIGHUP: new connections get the certificate that was read anew")
        } catch {
            log.note("SIGHUP: the certificate of before stays: \(error)")
        }
    }

    private func startWorkers(_ jobs: JobStore, _ events: JobEvents, _ hosts: ServiceHosts) -> JobWorkers? {
        guard workers > 0 else { return nil }
        let pool = JobWorkers(
            jobs, events: events, host: hosts.scriptHost,
            configuration: WorkerConfiguration(workers: workers, lease: lease, scriptLimits: scriptLimits), log: log)
        pool.start()
        return pool
    }

    /// Events are sent by the service, and by no worker: it is the process that an operator lets out of the network.
    private func startWebhooks(_ jobs: JobStore) -> WebhookDeliverer {
        let deliverer = WebhookDeliverer(jobs, addresses: webhookAddresses, schedule: webhookRetry) { [log] in
            log.failed("webhooks", $0)
        }
        deliverer.start()
        return deliverer
    }

    private func makeAPI(
        _ jobs: JobStore, _ access: AccessStore, _ events: JobEvents, _ hosts: ServiceHosts,
        isReady: @escaping @Sendable () -> Bool
    ) throws -> MigrationAPI {
        try MigrationAPI(
            jobs: jobs, access: access, queue: JobQueue(jobs, scriptLimits: scriptLimits), events: events,
            decoder: SandboxedDecoder(hosts: hosts.decoders),
            scripts: hosts.scriptHost,
            configuration: APIConfiguration(
                version: Program.version, uploadLimitBytes: uploadLimit,
                spoolDirectory: ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp",
                requestLimits: requestLimits, requestsPerMinute: requestsPerMinute,
                auditDirectory: directory + "/audit", auditAge: auditAge,
                quota: quota,
                spoolLimitBytes: spoolLimit, publicOrigin: publicOrigin, allowedOrigins: allowedOrigins,
                speaksTLS: tls != nil, webhookAddresses: webhookAddresses),
            makeScratch: { try FileSegmentStore() }, makeFile: { try TemporaryFile.named() }, log: log, isReady: isReady
        )
    }

    private func startServer(_ api: MigrationAPI) throws -> HTTPServer {
        var configuration = HTTPServerConfiguration(host: listen.host, port: listen.port, tls: tls)
        configuration.connections = min(configuration.connections, OpenFiles.raiseLimit())
        configuration.connectionsPerPeer = connectionsPerPeer
        return try HTTPServer(configuration, handler: api)
    }
}

/// Where a service listens.
struct ListenAddress {
    let host: String
    let port: UInt16

    /// Reads `host:port`, `[address]:port` or a port alone.
    init(_ text: String, option: String, of command: Command) throws(UsageError) {
        let colon = text.lastIndex(of: ":")
        let tail = colon.map { text[text.index(after: $0)...] } ?? text[...]
        guard let port = UInt16(tail) else {
            throw UsageError("\(option) takes HOST:PORT, as 127.0.0.1:8080.", command: command)
        }
        let head = colon.map { String(text[..<$0]) } ?? ""
        host = head.isEmpty ? "127.0.0.1" : head.filter { !"[]".contains($0) }
        self.port = port
    }

    /// Whether no other machine can reach it: 127.0.0.0/8, ::1, and the name that stands for them.
    var isLoopback: Bool {
        var address = in_addr()
        if inet_pton(AF_INET, host, &address) == 1 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
        var address6 = in6_addr()
        if inet_pton(AF_INET6, host, &address6) == 1 {
            return withUnsafeBytes(of: address6) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        }
        return host.lowercased() == "localhost"
    }

    /// The address with the port that was found, as a URL has it.
    func authority(port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
