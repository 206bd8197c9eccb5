import MigrationScript
import Sandbox

/// The program that runs scripts for `realmshift`, as its sandboxed child; not for people.
@main
struct Program {
    static func main() {
        guard CommandLine.arguments.dropFirst().first == "host" else {
            print("realmshift-script is started by realmshift, and does nothing by itself.")
            return
        }
        HostExit.end(with: HostMain.run(roles: [.scripts]))
    }
}
