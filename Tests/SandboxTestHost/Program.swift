import Columns
import Glibc
import ScriptChild
import RealmDecoding
import RealmFormats
import RealmModel
import Sandbox

/// A program whose `host` command does what tests need: scripts, decoding, and what no host should.
@main
struct Program {
    static func main() {
        guard CommandLine.arguments.dropFirst().first == "host" else { exit(2) }
        exit(HostMain.run(roles: HostRole.scripts + [.decoding(formats), .probing]))
    }

    /// Two that are read as a decoder should, and two that are not.
    private static let formats: [RealmFormat] = [
        .json, .realm,
        RealmFormat(
            "refuse in the middle", mediaType: "",
            read: { _, _, store in
                // Encoding them takes longer than finding out that the file is at fault.
                let cells = (0..<100_000).map { Double($0) * 1.000_000_7 }
                for _ in 0..<8 { _ = try store.write(ColumnArray(count: cells.count, values: .double(cells))) }
                throw InputError(.damaged, "in the middle")
            }),
        RealmFormat("trap", mediaType: "", read: { _, _, _ in fatalError("a decoder's fault") }),
    ]
}
