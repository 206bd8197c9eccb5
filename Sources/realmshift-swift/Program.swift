import Sandbox
import SwiftLowering

/// The program that reads Swift files for `realmshift`, as its sandboxed child; not for people.
@main
struct Program {
    static func main() {
        guard CommandLine.arguments.dropFirst().first == "host" else {
            print("realmshift-swift is started by realmshift, and does nothing by itself.")
            return
        }
        HostExit.end(with: HostMain.run(roles: [.swift]))
    }
}
