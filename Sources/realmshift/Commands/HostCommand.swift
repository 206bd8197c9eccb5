import RealmDecoding
import RealmFormats
import Sandbox

/// The hidden command by which the program runs itself as a sandboxed child that reads files; not for people.
enum HostCommand {
    static let name = "host"

    static func run() -> Int32 { HostMain.run(roles: [.decoding(RealmFormat.all)]) }
}
