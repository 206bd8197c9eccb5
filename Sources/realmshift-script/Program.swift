import ScriptChild
import Sandbox

/// The program that runs scripts for `realmshift`, as its sandboxed child; not for people.
@main
struct Program {
    static func main() { HostMain.runProgram("realmshift-script", roles: HostRole.scripts) }
}
