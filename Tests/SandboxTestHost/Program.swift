import Columns
import Glibc
import MigrationScript
import RealmDecoding
import RealmJSON
import RealmModel
import Sandbox

/// A program whose `host` command does what tests need: scripts, decoding, and what no host should.
@main
struct Program {
    static func main() {
        guard CommandLine.arguments.dropFirst().first == "host" else { exit(2) }
        exit(HostMain.run(roles: [.scripts, .decoding(by: decode), .probing]))
    }

    /// What the format's name asks for.
    @Sendable private static func decode(
        format: String, input: UnsafeRawBufferPointer, store: any SegmentStore, limits: RowGroupLimits
    ) throws -> Snapshot {
        switch format {
        case "json": return try RealmJSONReader(ByteArraySource(Array(input)), into: store, limits: limits).read()
        case "refuse in the middle":
            // Encoding them takes longer than finding out that the file is at fault.
            let cells = (0..<100_000).map { Double($0) * 1.000_000_7 }
            for _ in 0..<8 { _ = try store.write(ColumnArray(count: cells.count, values: .double(cells))) }
            throw InputError(.damaged, "in the middle")
        default: fatalError("a decoder's fault")
        }
    }
}
