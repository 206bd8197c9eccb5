import Foundation
import Testing

/// Point 16: what `docs/command-line.md` and `docs/leaving-realm.md` show is what the program does.
@Suite struct `Documentation of the command line` {
    private struct Block {
        /// `console`, or `js` and the name of a file.
        var info: [String]
        var lines: [String]
    }

    private struct Example: Equatable {
        var command: String
        var output: [String]
    }

    private static func blocks(of page: String = "command-line.md") throws -> [Block] {
        let page = BuiltProgram.root.appendingPathComponent("docs/\(page)")
        var blocks: [Block] = []
        var isInside = false
        for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isInside.toggle()
                if isInside {
                    blocks.append(Block(info: line.dropFirst(3).split(separator: " ").map(String.init), lines: []))
                }
            } else if isInside {
                blocks[blocks.count - 1].lines.append(line)
            }
        }
        return blocks
    }

    /// The commands of a block, each with what it prints.
    private static func examples(_ block: Block) -> [Example] {
        block.lines.reduce(into: []) { examples, line in
            if line.hasPrefix("$ ") {
                examples.append(Example(command: String(line.dropFirst(2)), output: []))
            } else if !examples.isEmpty {
                examples[examples.count - 1].output.append(line)
            }
        }
    }

    /// A text without what differs from run to run: times, and sizes of files that are packed.
    private static func stable(_ line: String) -> String {
        line.replacing(#/\d+(\.\d+)? s$/#, with: "N s").replacing(#/[\d,]+ bytes/#, with: "N bytes")
            .replacing(#/^bytes \d+/#, with: "bytes N")
    }

    private static func run(_ command: String, in folder: TemporaryFolder) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let programs = URL(fileURLWithPath: try BuiltProgram.path()).deletingLastPathComponent().path
        process.arguments = ["-c", "PATH=\"$0:$PATH\"; { \(command); } >.printed 2>&1", programs]
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 }
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOfFile: folder.path(".printed"), encoding: .utf8)
        return text.isEmpty ? [] : (text.hasSuffix("\n") ? String(text.dropLast()) : text).components(separatedBy: "\n")
    }

    @Test(arguments: ["command-line.md", "leaving-realm.md"])
    func `shows what the program prints`(page: String) throws {
        let folder = try TemporaryFolder()
        let examples = BuiltProgram.root.appendingPathComponent("examples")
        for name in try FileManager.default.contentsOfDirectory(atPath: examples.path) {
            try FileManager.default.copyItem(
                atPath: examples.appendingPathComponent(name).path, toPath: folder.path(name))
        }
        let blocks = try Self.blocks(of: page)
        #expect(blocks.flatMap(Self.examples).count > 8)
        for block in blocks {
            if ["js", "swift"].contains(block.info.first) {
                _ = try folder.file(block.info[1], block.lines.joined(separator: "\n") + "\n")
            }
            guard block.info == ["console"] else { continue }
            for example in Self.examples(block) {
                let output = try Self.run(example.command, in: folder)
                #expect(output.map(Self.stable) == example.output.map(Self.stable), "\(example.command)")
            }
        }
    }

    @Test(arguments: [
        "serve", "worker", "migrate", "rehearse", "convert", "verify", "models", "inspect", "diff", "schema", "script",
    ])
    func `has an example of every command`(command: String) throws {
        let commands = try Self.blocks().flatMap(Self.examples).map(\.command)
        #expect(commands.contains { $0.hasPrefix("realmshift \(command) ") })
    }
}
