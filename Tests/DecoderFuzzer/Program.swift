import Foundation
import RealmFile

/// Changes good inputs at random and decodes them: docs/maintainers/fuzzing.md.
@main
struct Program {
    static func main() {
        do {
            try run(try FuzzOptions(Array(CommandLine.arguments.dropFirst())))
        } catch let wrong as FuzzOptions.Wrong {
            fail("\(wrong.message)\n\(FuzzOptions.usage)")
        } catch {
            fail("\(error)")
        }
    }

    private static func run(_ options: FuzzOptions) throws {
        switch options.mode {
        case .supervise:
            let failures = try Supervisor(options: options).run()
            if failures > 0 { fail("\(failures) inputs failed; they are in \(options.failures)") }
        case .fuzz: try fuzz(options)
        case .write: try write(options)
        case .replay: replay(options)
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(1)
    }

    private static func fuzzer(_ options: FuzzOptions) -> Fuzzer {
        let corpus = Corpus(folders: options.folders)
        guard !corpus.isEmpty else { fail("the corpus has no .realm file") }
        return Fuzzer(seed: options.seed, corpus: corpus, kind: options.kind)
    }

    private static func fuzz(_ options: FuzzOptions) throws {
        let fuzzer = fuzzer(options)
        let progress = try options.progress.map { try Progress(path: $0) }
        let start = Date()
        let (executions, accepted) = fuzzer.run(
            from: options.iteration, to: options.end, until: options.deadline
        ) { progress?.note($0) }
        let rate = Int(Double(executions) / max(Date().timeIntervalSince(start), 0.001))
        print("seed \(options.seed): \(fuzzer.corpus.description)")
        print("iterations \(options.iteration)..: \(executions) inputs, \(accepted) good, \(rate) a second")
    }

    private static func write(_ options: FuzzOptions) throws {
        let input = fuzzer(options).input(options.iteration)
        let path = "\(options.failures)/\(options.seed)-\(options.iteration).\(input.kind.rawValue)"
        try Data(input.bytes).write(to: URL(fileURLWithPath: path))
        print("wrote \(path), \(input.bytes.count) bytes")
    }

    private static func replay(_ options: FuzzOptions) {
        guard let path = options.paths.first, options.paths.count == 1,
            let kind = InputKind(rawValue: URL(fileURLWithPath: path).pathExtension),
            let data = FileManager.default.contents(atPath: path)
        else {
            let fuzzer = fuzzer(options)
            let good = fuzzer.replay(fuzzer.input(options.iteration), iteration: options.iteration)
            return print(good ? "decoded" : "refused")
        }
        let key = EncryptionKeys(besides: [path]).key(of: path)
        let fuzzer = Fuzzer(seed: 0, corpus: Corpus(folders: []))
        for iteration in 0..<4 as Range<UInt64> {
            let input = Corpus.Input(kind: kind, bytes: Array(data), key: key)
            print(fuzzer.replay(input, iteration: iteration) ? "decoded" : "refused")
        }
    }
}
