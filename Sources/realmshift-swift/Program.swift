import Sandbox
import SwiftLowering

/// The program that reads Swift files for `realmshift`, as its sandboxed child; not for people.
@main
struct Program {
    static func main() { HostMain.runProgram("realmshift-swift", roles: [.swift]) }
}
