import Sandbox
import ScriptWire

extension HostProfile {
    /// A host that runs scripts for small realms.
    public static func scripts(memoryBytes: Int) -> HostProfile {
        HostProfile(ScriptPace.brief.roleName, memoryBytes: memoryBytes)
    }

    /// A host that runs scripts for a large realm.
    public static func longScripts(memoryBytes: Int) -> HostProfile {
        HostProfile(ScriptPace.long.roleName, memoryBytes: memoryBytes)
    }
}

extension HostPool {
    /// Hosts that run scripts.
    ///
    /// The engine and what that needs take longer to load than most commands take: only the program `realmshift-script` is
    /// linked with them, which lies beside this one.
    ///
    /// - Parameter policy: how many hosts wait; none unless said otherwise.
    public convenience init(runningScripts policy: Policy = .none) {
        self.init(executable: ProgramPath.beside("realmshift-script"), policy: policy)
    }
}
