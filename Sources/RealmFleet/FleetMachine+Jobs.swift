/// The jobs by which the realms of a fleet have their turns.
extension FleetMachine {
    /// Realms that a job takes at most: the next job of the fleet is behind those of others that wait.
    public static let sliceSize = 64
    /// Bytes of the snapshots of these realms together, but for the last.
    public static let sliceBytes = 4 << 20
    /// Realms that a job puts back at most.
    public static let undoSize = 500
    /// How often a realm has its turn that changes meanwhile.
    public static let turnLimit = 10
    /// Jobs at once, at most.
    private static let laneLimit = 16

    /// How many jobs there is something to do for at once.
    public var usefulJobs: Int {
        // After the pause of a canary one job begins, and makes the others.
        if isHeld { return 1 }
        let size = state == .undoing ? Self.undoSize : Self.sliceSize
        return min((allowance + size - 1) / size, Self.laneLimit)
    }
}
