import TestHTTP
import Testing
import Threads

@testable import HTTPServer

/// One client's requests have half of the workers at most, so that another's begin at once.
struct WorkerLineTests {
    private static func client(_ name: Character) -> HTTPClient { HTTPClient(Array(String(name).utf8)) }

    private static func add(_ name: Character?, to line: inout WorkerLine) {
        let isTaken = line.append({}, for: name.map { client($0) })
        #expect(isTaken)
    }

    /// The clients of the work that threads take.
    private static func begun(_ line: inout WorkerLine, threads: Int) -> [HTTPClient?] {
        var begun: [HTTPClient?] = []
        while begun.count < threads, let piece = line.next() { begun.append(piece.client) }
        return begun
    }

    @Test func `a client has its share of the threads and no more, whoever waits`() {
        var line = WorkerLine(share: 2, queueLimit: 100)
        for _ in 0..<5 { Self.add("a", to: &line) }
        #expect(line.startable == 2)
        #expect(Self.begun(&line, threads: 4).count == 2)
        #expect(line.oldest == nil)
        Self.add("b", to: &line)
        #expect(line.startable == 1)
        #expect(line.oldest != nil)
        #expect(Self.begun(&line, threads: 4) == [Self.client("b")])
        line.ended(Self.client("a"))
        #expect(line.startable == 1)
        #expect(Self.begun(&line, threads: 4) == [Self.client("a")])
    }

    @Test func `clients take turns, and work of nobody's has no share`() {
        var line = WorkerLine(share: 4, queueLimit: 100)
        for name in "aaabbc" { Self.add(name, to: &line) }
        for _ in 0..<6 { Self.add(nil, to: &line) }
        #expect(line.startable == 12)
        let order = Self.begun(&line, threads: 100)
        #expect(order.prefix(4) == [Self.client("a"), Self.client("b"), Self.client("c"), nil])
        #expect(order.count { $0 == nil } == 6)
        #expect(order.count == 12)
    }

    @Test func `a client fills half of the line at most`() {
        var line = WorkerLine(share: 1, queueLimit: 10)
        let taken = (0..<10).count { _ in line.append({}, for: Self.client("a")) }
        #expect(taken == 5)
        Self.add("b", to: &line)
    }

    /// The line against the same said plainly: counts of what may begin, whatever comes and ends in whatever order.
    @Test(arguments: 1...20)
    func `what may begin is counted right`(seed: UInt64) {
        var state = seed
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let names: [Character] = ["a", "b", "c"]
        var line = WorkerLine(share: 2, queueLimit: 1000)
        var (waiting, running) = ([0, 0, 0], [0, 0, 0])
        for _ in 0..<2000 {
            switch random(3) {
            case 0:
                let number = random(3)
                Self.add(names[number], to: &line)
                waiting[number] += 1
            case 1:
                guard let client = line.next()?.client,
                    let number = names.firstIndex(where: { Self.client($0) == client })
                else {
                    #expect(zip(waiting, running).allSatisfy { $0 == 0 || $1 == 2 })
                    continue
                }
                waiting[number] -= 1
                running[number] += 1
            default:
                guard let number = running.indices.filter({ running[$0] > 0 }).randomElement() else { continue }
                line.ended(Self.client(names[number]))
                running[number] -= 1
            }
            #expect(running.allSatisfy { $0 <= 2 })
            #expect(line.startable == zip(waiting, running).reduce(0) { $0 + min($1.0, 2 - $1.1) })
        }
    }

    @Test(arguments: ["/client/b", "/client/b?undecided"])
    func `requests of one client leave half of the workers to another`(target: String) throws {
        let server = try TestServer { $0.workers = 4 }
        let greedy = try (0..<20).map { number in
            let client = try server.client()
            try client.send(SocketClient.head("GET", number % 2 == 0 ? "/held/a" : "/held/a?undecided"))
            return client
        }
        let held = server.handler.held
        #expect(held.wait(timeout: .seconds(10)) { $0.clients.count == 2 })
        #expect(try server.client().request("GET", target).text == "served")
        #expect(held.withLock { $0.clients } == ["a", "a"])
        held.change { $0.areLetGo = true }
        for client in greedy { #expect(try client.response().text == "a") }
    }
}
