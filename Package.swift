// swift-tools-version: 6.0
import Foundation
import PackageDescription

/// Where the toolchain has the libraries of Swift's parser.
let parserLibraries: String = {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "-print-target-info"]
    process.standardOutput = output
    guard (try? process.run()) != nil else { return "" }
    let information = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let json = try? JSONSerialization.jsonObject(with: information) as? [String: Any]
    let paths = json?["paths"] as? [String: Any]
    return (paths?["runtimeResourcePath"] as? String ?? "") + "/host"
}()

/// For targets that import Swift's parser, or import one that does.
let readingSwift: [SwiftSetting] = [.unsafeFlags(["-I", parserLibraries])]
/// The libraries lie beside the program, in `../lib/realmshift`, or where the toolchain has them.
let linkingParser: [LinkerSetting] = [
    .unsafeFlags(
        ["-L", parserLibraries]
            + ["$ORIGIN", "$ORIGIN/../lib/realmshift", parserLibraries].flatMap {
                ["-Xlinker", "-rpath", "-Xlinker", $0]
            })
]

/// Puts Swift's runtime into the program.
///
/// To load its libraries took a quarter of the time of a small migration. Those named are Foundation's own; the default linker
/// would warn of a function that Foundation calls.
let linkingRuntime: [LinkerSetting] = [
    .unsafeFlags(["-static-stdlib", "-use-ld=lld"]), .linkedLibrary("_FoundationCShims"),
    .linkedLibrary("_FoundationCollections"),
]

/// Where no time is spent at run time: optimizing these modules takes a fifth of a release build.
let notOptimized: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
    name: "realmshift",
    products: [
        .executable(name: "realmshift", targets: ["realmshift"]),
        .executable(name: "realmshift-script", targets: ["realmshift-script"]),
        .executable(name: "realmshift-swift", targets: ["realmshift-swift"]),
    ],
    targets: [
        // Shims: a module map and a header over a system library, nothing else.
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CThreads"),
        .systemLibrary(name: "CAllocator"),
        .systemLibrary(
            name: "CJavaScriptCore", pkgConfig: "javascriptcoregtk-4.1",
            providers: [.apt(["libjavascriptcoregtk-4.1-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // simdjson (libsimdjson-dev) is C++: a few lines of it give Swift the parsed value as a flat tape.
        .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
        // Files that travel inside the programs: scripts, tables, the API's description.
        .target(name: "CEmbeddedFiles", cSettings: [.unsafeFlags(["-std=c23"])]),

        // Pure: no clock, socket, database or logger.
        .target(name: "RealmModel"),
        .target(name: "Columns", dependencies: ["RealmModel", "CZstd"]),
        .target(name: "RealmJSON", dependencies: ["RealmModel", "Columns", "CSimdjson"]),
        .target(name: "RealmFile", dependencies: ["RealmModel", "Columns", "CCrypto"]),
        .target(name: "RealmEditing", dependencies: ["RealmModel", "Columns"]),
        .target(name: "RealmMigration", dependencies: ["RealmModel", "Columns", "RealmJSON", "RealmEditing"]),
        .target(
            name: "RealmSync",
            dependencies: ["RealmModel", "Columns", "RealmJSON", "RealmEditing", "RealmMigration"]),
        .target(name: "RealmQuery", dependencies: ["RealmModel", "Columns"]),
        // Decides the next step of a fleet; knows nothing of realms.
        .target(name: "RealmFleet"),
        .target(name: "RealmAnonymizing", dependencies: ["RealmModel", "Columns"]),
        .target(
            name: "RealmComparison", dependencies: ["RealmModel", "Columns", "RealmJSON", "RealmMigration"]),
        .target(
            name: "RealmExport", dependencies: ["RealmModel", "Columns", "RealmJSON", "CCrypto", "CSQLite", "CZlib"]),
        .target(
            name: "RealmFormats", dependencies: ["RealmModel", "Columns", "RealmJSON", "RealmFile", "RealmExport"]),
        // Describes failures, for requests, jobs and commands alike.
        .target(
            name: "Problems",
            dependencies: ["RealmModel", "Columns", "RealmJSON", "RealmEditing", "RealmMigration", "RealmSync"]),

        // Threads, and what they wait for.
        .target(name: "Threads", dependencies: ["CThreads"]),

        // Adapters: one foreign library each.
        .target(name: "Sandbox", dependencies: ["RealmModel", "Columns", "Threads", "CSeccomp"]),
        .target(
            name: "RealmDecoding",
            dependencies: ["RealmModel", "Columns", "RealmFile", "RealmFormats", "FileStore", "Sandbox"]),
        .target(name: "FileStore", dependencies: ["Columns", "CCrypto"]),
        // A service, as the program in a shell uses it.
        .target(
            name: "ServiceClient", dependencies: ["RealmModel", "RealmJSON", "Problems", "CCurl"],
            swiftSettings: notOptimized),
        // Parents and children have their tasks' bytes in common, and no more.
        .target(name: "SwiftWire", dependencies: ["RealmModel", "Columns", "RealmJSON"]),
        .target(name: "SwiftParent", dependencies: ["RealmModel", "Columns", "Sandbox", "SwiftWire"]),
        // Reads Swift, in a program of its own: nothing else links the parser.
        .target(
            name: "SwiftLowering", dependencies: ["RealmModel", "SwiftWire", "Sandbox", "Threads"],
            swiftSettings: readingSwift + notOptimized,
            linkerSettings: linkingParser),
        .executableTarget(
            name: "realmshift-swift", dependencies: ["SwiftLowering", "Sandbox"], swiftSettings: readingSwift),
        .target(
            name: "ScriptWire", dependencies: ["RealmModel", "Columns", "RealmJSON", "RealmMigration", "Sandbox"]),
        .target(
            name: "ScriptParent",
            dependencies: [
                "RealmModel", "Columns", "RealmJSON", "RealmMigration", "Sandbox", "Threads", "ScriptWire", "SwiftWire",
                "SwiftParent",
            ]),
        // Runs scripts, in a program of its own: nothing else links the engine.
        .target(
            name: "ScriptChild",
            dependencies: [
                "RealmModel", "Columns", "RealmJSON", "RealmEditing", "RealmMigration", "RealmQuery", "Threads",
                "Sandbox", "ScriptWire", "CJavaScriptCore", "CEmbeddedFiles",
            ],
            exclude: ["Prelude", "Swift"]),
        .executableTarget(
            name: "realmshift-script", dependencies: ["ScriptChild", "Sandbox"], linkerSettings: linkingRuntime),
        .target(name: "HTTPServer", dependencies: ["Threads", "CEpoll", "CSSL", "CZlib", "CZstd"]),
        .target(name: "Postgres", dependencies: ["CLibPQ", "Threads"]),

        // Service: the stores have every SQL statement.
        .target(
            name: "StoreCore",
            dependencies: [
                "RealmModel", "Columns", "RealmJSON", "RealmSync", "RealmFleet", "Problems", "Postgres",
                "CEmbeddedFiles",
            ]),
        .target(name: "AccessStore", dependencies: ["RealmModel", "Postgres", "StoreCore"]),
        .target(
            name: "SnapshotStore",
            dependencies: [
                "RealmModel", "Columns", "RealmJSON", "RealmMigration", "Threads", "Postgres", "StoreCore",
            ]),
        .target(
            name: "JobStore",
            dependencies: [
                "RealmModel", "Columns", "RealmJSON", "RealmMigration", "RealmSync", "RealmFleet", "Problems",
                "Threads", "Postgres", "StoreCore", "SnapshotStore",
            ]),
        // Changes of realms that clients share, for requests and jobs alike.
        .target(
            name: "SyncedRealms",
            dependencies: [
                "RealmModel", "Columns", "RealmJSON", "RealmEditing", "RealmMigration", "RealmSync", "Problems",
                "StoreCore", "SnapshotStore", "JobStore",
            ]),
        .target(
            name: "MigrationJobs",
            dependencies: [
                "RealmModel", "Columns", "RealmJSON", "RealmEditing", "RealmMigration", "RealmSync", "RealmComparison",
                "RealmFleet", "Problems", "Threads", "StoreCore", "SnapshotStore", "JobStore", "SyncedRealms",
            ]),
        // Sends events to the webhooks of apps.
        .target(
            name: "Webhooks",
            dependencies: ["RealmModel", "Threads", "StoreCore", "JobStore", "CCurl", "CCrypto"]),
        .target(name: "Dashboard", dependencies: ["CCrypto", "CEmbeddedFiles"], exclude: ["Web"]),
        .target(
            name: "MigrationAPI",
            dependencies: [
                "Dashboard",
                "RealmModel", "Columns", "RealmJSON", "RealmFile", "RealmExport", "RealmFormats", "RealmMigration",
                "RealmSync", "RealmComparison", "RealmFleet", "RealmAnonymizing", "RealmQuery",
                "Problems", "Threads", "HTTPServer", "Postgres", "StoreCore", "SnapshotStore", "JobStore",
                "AccessStore", "SyncedRealms", "MigrationJobs", "Webhooks", "SwiftWire", "SwiftParent", "FileStore",
                "CAllocator", "CCrypto", "CEmbeddedFiles",
            ],
            exclude: ["OpenAPI/Parts"]),

        // Rim.
        .executableTarget(
            name: "realmshift",
            dependencies: [
                "RealmModel", "Columns", "RealmJSON", "RealmFile", "RealmExport", "RealmFormats", "RealmMigration",
                "RealmComparison", "RealmAnonymizing", "RealmQuery", "Problems", "FileStore", "Sandbox",
                "RealmDecoding", "ScriptParent", "SwiftWire", "SwiftParent", "HTTPServer", "Postgres", "StoreCore",
                "SnapshotStore",
                "JobStore", "AccessStore", "MigrationJobs", "MigrationAPI", "Webhooks", "Threads", "CAllocator",
                "CCrypto",
                "ServiceClient",
            ],
            swiftSettings: notOptimized, linkerSettings: linkingRuntime),
    ],
    cxxLanguageStandard: .cxx17
)

// `make build` leaves them out: they take time, and no program has them.
if Context.environment["PROGRAMS_ALONE"] == nil {
    package.targets += [
        // A PostgreSQL for the tests that need one.
        .target(name: "TestDatabase", dependencies: ["Postgres", "Threads"], path: "Tests/TestDatabase"),
        // The stores in a database of a test's own.
        .target(
            name: "TestStores",
            dependencies: [
                "StoreCore", "SnapshotStore", "JobStore", "AccessStore", "Postgres", "Columns", "RealmModel",
                "TestDatabase", "Threads",
            ],
            path: "Tests/TestStores"),
        // Random numbers that can be had again.
        .target(name: "TestRandomness", path: "Tests/TestRandomness"),
        // An HTTP client that sends exactly the bytes that a test means.
        .target(name: "TestHTTP", path: "Tests/TestHTTP"),

        .testTarget(name: "RealmFleetTests", dependencies: ["RealmFleet", "TestRandomness"]),
        .testTarget(
            name: "RealmAnonymizingTests",
            dependencies: ["RealmAnonymizing", "RealmFormats", "RealmFile", "RealmJSON", "Columns", "RealmModel"]),
        .testTarget(name: "RealmModelTests", dependencies: ["RealmModel", "TestRandomness"]),
        .testTarget(name: "ColumnsTests", dependencies: ["Columns", "RealmModel", "TestRandomness"]),
        .testTarget(name: "RealmJSONTests", dependencies: ["RealmJSON", "Columns", "RealmModel", "TestRandomness"]),
        // Decodes changed files at random: docs/maintainers/fuzzing.md.
        .executableTarget(
            name: "DecoderFuzzer",
            dependencies: ["RealmFile", "RealmJSON", "Columns", "RealmModel", "CZstd", "TestRandomness"],
            path: "Tests/DecoderFuzzer"),
        .testTarget(
            name: "RealmFileTests",
            dependencies: ["RealmFile", "RealmJSON", "Columns", "RealmModel", "DecoderFuzzer", "TestRandomness"],
            resources: [.copy("Fixtures")]),
        .testTarget(
            name: "ProblemsTests", dependencies: ["Problems", "RealmMigration", "RealmJSON", "Columns", "RealmModel"]),
        .testTarget(
            name: "RealmMigrationTests",
            dependencies: ["RealmMigration", "RealmEditing", "RealmJSON", "Columns", "RealmModel", "TestRandomness"]),
        .testTarget(
            name: "RealmEditingTests", dependencies: ["RealmEditing", "Columns", "RealmModel", "TestRandomness"]),
        .testTarget(
            name: "RealmSyncTests",
            dependencies: [
                "RealmSync", "RealmEditing", "RealmMigration", "RealmJSON", "Columns", "RealmModel", "TestRandomness",
            ]),
        .testTarget(
            name: "RealmQueryTests",
            dependencies: ["RealmQuery", "RealmJSON", "Columns", "RealmModel", "TestRandomness"]),
        .testTarget(
            name: "RealmComparisonTests",
            dependencies: [
                "RealmComparison", "RealmSync", "RealmMigration", "RealmJSON", "Columns", "RealmModel",
                "TestRandomness",
            ]),
        // A host that also does what none should, for the tests of the sandbox.
        .executableTarget(
            name: "SandboxTestHost",
            dependencies: [
                "CSeccomp", "ScriptChild", "RealmDecoding", "Sandbox", "RealmFormats", "Columns", "RealmModel",
            ],
            path: "Tests/SandboxTestHost"),
        .testTarget(name: "FileStoreTests", dependencies: ["FileStore", "Columns"]),
        .testTarget(
            name: "SandboxTests",
            dependencies: ["Sandbox", "Columns", "RealmModel", "Threads", "TestRandomness", "SandboxTestHost"]),
        .testTarget(
            name: "RealmDecodingTests",
            dependencies: [
                "RealmDecoding", "Sandbox", "RealmFormats", "RealmFile", "RealmMigration", "Columns", "RealmModel",
                "SandboxTestHost",
            ]),
        .testTarget(
            name: "RealmFormatsTests", dependencies: ["RealmFormats", "RealmFile", "Columns", "RealmModel"]),
        .testTarget(
            name: "RealmExportTests", dependencies: ["RealmExport", "RealmJSON", "Columns", "RealmModel", "CSQLite"]),
        .testTarget(
            name: "ScriptTests",
            dependencies: [
                "ScriptChild", "ScriptParent", "ScriptWire", "Sandbox", "RealmMigration", "RealmJSON", "Columns",
                "RealmModel",
                "TestRandomness", "SandboxTestHost",
            ]),
        .testTarget(
            name: "SwiftLoweringTests",
            dependencies: ["Columns", "SwiftParent", "SwiftWire", "TestRandomness"], resources: [.copy("Snippets")]),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "Threads", "CZlib", "CZstd", "TestHTTP", "TestRandomness"]),
        .testTarget(name: "ServiceClientTests", dependencies: ["ServiceClient"]),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "CCurl", "Webhooks", "JobStore", "StoreCore", "Postgres", "RealmModel", "Threads", "TestStores",
            ]),
        .testTarget(name: "DashboardTests", dependencies: ["Dashboard"]),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres", "Threads", "TestDatabase"]),
        .testTarget(
            name: "StoreCoreTests",
            dependencies: [
                "CLibPQ", "StoreCore", "SnapshotStore", "JobStore", "Postgres", "RealmMigration", "RealmModel",
                "TestDatabase",
                "TestStores", "Threads",
            ],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "AccessStoreTests",
            dependencies: ["AccessStore", "SnapshotStore", "StoreCore", "Postgres", "RealmModel", "TestStores"]),
        .testTarget(
            name: "SnapshotStoreTests",
            dependencies: [
                "SnapshotStore", "StoreCore", "JobStore", "Postgres", "RealmMigration", "RealmSync", "RealmJSON",
                "Columns", "RealmModel", "TestDatabase", "TestRandomness", "TestStores",
                "Threads",
            ]),
        .testTarget(
            name: "JobStoreTests", dependencies: ["JobStore", "StoreCore", "Postgres", "RealmModel", "TestStores"]),
        .testTarget(
            name: "MigrationJobsTests",
            dependencies: [
                "MigrationJobs", "RealmEditing", "RealmMigration", "RealmSync", "RealmFleet", "RealmJSON", "Problems",
                "StoreCore", "SnapshotStore", "JobStore", "SyncedRealms", "Postgres", "Columns", "RealmModel",
                "Threads", "TestDatabase",
            ]),
        .testTarget(
            name: "MigrationAPITests",
            dependencies: [
                "MigrationAPI", "HTTPServer", "StoreCore", "SnapshotStore", "JobStore", "AccessStore", "SyncedRealms",
                "MigrationJobs", "FileStore", "RealmFile", "RealmFormats",
                "ScriptParent", "Sandbox", "SandboxTestHost", "Postgres", "RealmJSON", "Columns", "RealmModel",
                "Threads", "TestDatabase", "TestHTTP", "TestStores",
            ]),
        .testTarget(
            name: "ProgramTests",
            dependencies: ["TestHTTP", "TestDatabase", "Postgres", "RealmJSON", "CJavaScriptCore"]),
    ]
}
