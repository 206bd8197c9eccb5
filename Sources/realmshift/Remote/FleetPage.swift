import RealmJSON

/// A fleet as a page of a terminal: how far it is, how many realms stand where, and why realms failed.
struct FleetPage {
    /// The fleet with its failures, as far as they are known.
    var fleet = JSONValue.null

    private static let states = ["succeeded", "unchanged", "failed", "running", "pending", "undone", "kept"]

    /// Takes what an event says; what it leaves out stays.
    mutating func take(_ data: JSONValue) {
        let failures = data["failures"] ?? fleet["failures"] ?? .array([])
        fleet = data["failures"] == nil ? data.adding([JSONMember("failures", failures)]) : data
    }

    /// Whether nothing happens any more without somebody's word.
    var isOver: Bool {
        ["succeeded", "failed", "cancelled", "undone"].contains(fleet.text("state")) || status == .waiting
    }

    /// The exit status of a command for its state.
    var status: ExitStatus {
        switch fleet.text("state") {
        case "succeeded": .done
        // A realm that was not put back has to be seen by who asked for it.
        case "undone": count("kept") == 0 ? .done : .failed
        // A pause that ends by itself is none to wait for.
        case "paused": fleet["heldUntil"]?.string == nil ? .waiting : .done
        default: .failed
        }
    }

    /// The fleet's target and state.
    var title: String {
        let reason = fleet["pauseReason"]?.string.map { " (\($0))" } ?? ""
        return
            "fleet of \(fleet.text("app")) to version \(fleet.text("targetVersion")): \(fleet.text("state"))\(reason), "
            + "\(Quantity.grouped(done)) of \(Quantity.count(total, "realm", "realms"))"
    }

    private func count(_ state: String) -> Int { fleet["counts"]?.count(state) ?? 0 }
    private var total: Int { Self.states.reduce(0) { $0 + count($1) } }
    private var done: Int { total - count("pending") - count("running") }

    /// The lines of the page.
    func lines(columns: Int, rows: Int) -> [String] {
        let part = total > 0 ? Double(done) / Double(total) : 0
        let pace = [
            fleet["realmsPerSecond"]?.double.map { "\(Quantity.grouped(Int($0))) realms/s" },
            fleet["objectsPerSecond"]?.double.map { "\(Quantity.grouped(Int($0))) objects/s" },
            fleet["etaSeconds"]?.double.map { Quantity.duration($0.rounded(.up), isWhole: true) + " left" },
        ].compactMap(\.self)
        // A fleet that stands still has no pace.
        let facts = ["\(Int(part * 100)) %"] + (fleet.text("state") == "running" ? pace : [])
        let bar = ProgressLine.bar(part, length: min(40, max(columns / 3, 10)), blocks: TerminalProgress.hasBlocks)
        let counts = Self.states.filter { count($0) > 0 }.map { "\($0) \(Quantity.grouped(count($0)))" }
        let failures = (fleet["failures"]?.elements ?? []).map { failure in
            let sample = failure["sample"]?.elements?.compactMap(\.string).prefix(3).joined(separator: ", ") ?? ""
            return "  \(Quantity.grouped(failure.count("count"))) × \(failure.text("reason")) (\(sample))"
        }
        let room = max(rows - 4, 0)
        return [title, bar + " " + facts.joined(separator: "  "), counts.joined(separator: "  ")]
            + (failures.isEmpty ? [] : ["failures:"]) + failures.prefix(room)
    }
}
