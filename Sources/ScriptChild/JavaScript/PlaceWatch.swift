import CJavaScriptCore

/// Tells now and then which line a script is in, for the message about one that never ends.
///
/// The engine calls back on the script's own thread, where the script's calls can be read; it looks no more often than that, so
/// that a script is as fast as without.
final class PlaceWatch {
    /// Seconds of the processor between two looks.
    private static let interval = 0.25

    private let group: JSContextGroupRef
    private let told: (Int) -> Void

    /// - Parameter told: is told the line of the script, from 1; on the thread of the script.
    init(of machine: JavaScriptMachine, told: @escaping (Int) -> Void) {
        group = machine.reference
        self.told = told
    }

    /// Watches as long as a body runs.
    func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        arm()
        defer { JSContextGroupClearExecutionTimeLimit(group) }
        return try withExtendedLifetime(self) { try body() }
    }

    /// Each look needs the next one to be asked for.
    private func arm() {
        let look: @convention(c) (JSContextRef?, UnsafeMutableRawPointer?) -> Bool = { context, watch in
            guard let context, let watch else { return false }
            Unmanaged<PlaceWatch>.fromOpaque(watch).takeUnretainedValue().look(context)
            // The script goes on: the parent ends it.
            return false
        }
        JSContextGroupSetExecutionTimeLimit(group, Self.interval, look, Unmanaged.passUnretained(self).toOpaque())
    }

    private func look(_ context: JSContextRef) {
        if let line = ScriptPlace.line(in: context) { told(line) }
        arm()
    }
}
