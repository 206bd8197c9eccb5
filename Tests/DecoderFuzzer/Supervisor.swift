import Foundation

/// Runs fuzzing processes: a decoder that traps ends its process, and the next one goes on behind that input.
struct Supervisor {
    /// More failures than these are most likely the same few.
    private static let mostFailures = 50

    let options: FuzzOptions

    /// Fuzzes for the time, or as many inputs, as was asked for.
    ///
    /// - Returns: the number of inputs that failed.
    func run() throws -> Int {
        try FileManager.default.createDirectory(atPath: options.failures, withIntermediateDirectories: true)
        let path = options.failures + "/progress-\(getpid())"
        let progress = try Progress(path: path)
        defer { unlink(path) }
        let deadline = options.deadline
        var first = options.iteration
        var failures = 0
        while deadline.timeIntervalSinceNow > 0, options.end.map({ first < $0 }) ?? true, failures < Self.mostFailures {
            progress.note(first)
            let limit =
                options.end.map { ["--inputs", "\($0 - first)"] } ?? ["--seconds", "\(deadline.timeIntervalSinceNow)"]
            let status = try child(.fuzz, limit + ["--iteration", "\(first)", "--progress", path])
            guard status != 0 else { break }
            let iteration = progress.iteration
            failures += 1
            try report(status, iteration)
            first = iteration + 1
        }
        return failures
    }

    private func report(_ status: Int32, _ iteration: UInt64) throws {
        _ = try child(.write, ["--iteration", "\(iteration)", "--failures", options.failures])
        let words = ["replay", "--seed", "\(options.seed)"] + kind + ["--iteration", "\(iteration)"]
        print("failed with \(status): DecoderFuzzer \(words.joined(separator: " "))")
    }

    private var kind: [String] { options.kind.map { ["--kind", $0.rawValue] } ?? [] }

    /// The exit code of a process of this program, or the number of the signal that ended it, negative.
    private func child(_ mode: FuzzOptions.Mode, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [mode.rawValue, "--seed", "\(options.seed)"] + kind + arguments + options.paths
        // The trace of a trap takes seconds and says little in a release build; `replay` shows it.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
