import TestHTTP
import Testing
import Threads

@testable import HTTPServer

/// However much some clients have workers do, the first request of another begins at once.
struct WorkerLineTests {
    private static func client(_ name: Character) -> HTTPClient { HTTPClient(Array(String(name).utf8)) }

    private static func add(_ name: Character?, to line: inout WorkerLine) {
        let isTaken = line.append({ _ in }, for: name.map { client($0) })
        #expect(isTaken)
    }

    /// The clients of the work that threads take.
    private static func begun(_ line: inout WorkerLine) -> [HTTPClient?] {
        var begun: [HTTPClient?] = []
        while let piece = line.next() { begun.append(piece.client) }
        return begun
    }

    @Test func `a client has half of the threads and no more, whoever waits`() {
        var line = WorkerLine(limit: 4, spare: 1, queueLimit: 100)
        for _ in 0..<5 { Self.add("a", to: &line) }
        #expect(line.begun == 2)
        #expect(Self.begun(&line).count == 2)
        #expect(line.oldest == nil)
        Self.add("b", to: &line)
        #expect(line.oldest != nil)
        #expect(Self.begun(&line) == [Self.client("b")])
        line.ended(Self.client("a"))
        #expect(Self.begun(&line) == [Self.client("a")])
    }

    @Test func `the thread that comes free is for who has the fewest`() {
        var line = WorkerLine(limit: 8, spare: 1, queueLimit: 100)
        for name in "aaaaaabbbbbb" { Self.add(name, to: &line) }
        #expect(Self.begun(&line).count { $0 == Self.client("a") } == 4)
        #expect(line.begun == 6)
        line.ended(Self.client("a"))
        #expect(Self.begun(&line) == [Self.client("b")])
    }

    @Test func `whoever has no thread gets one at once, and the server's own work too`() {
        var line = WorkerLine(limit: 8, spare: 4, queueLimit: 100)
        for _ in 0..<20 {
            for name in "abcd" { Self.add(name, to: &line) }
        }
        #expect(line.begun <= 8)
        _ = Self.begun(&line)
        for name in "xyz" {
            Self.add(name, to: &line)
            #expect(Self.begun(&line) == [Self.client(name)])
            Self.add(name, to: &line)
            #expect(Self.begun(&line) == [])
        }
        Self.add(nil, to: &line)
        #expect(Self.begun(&line) == [nil])
        #expect(line.oldest == nil)
    }

    @Test func `who waits for others is known, and has the next turn`() {
        var line = WorkerLine(limit: 2, spare: 1, queueLimit: 100)
        for name in "abcde" { Self.add(name, to: &line) }
        #expect(Self.begun(&line).count == 3)
        #expect(line.oldest != nil)
        Self.add("a", to: &line)
        line.ended(Self.client("a"))
        line.ended(Self.client("b"))
        #expect(Self.begun(&line) == [Self.client("d"), Self.client("e")])
        #expect(line.oldest != nil)
        line.ended(Self.client("c"))
        #expect(Self.begun(&line) == [Self.client("a")])
        #expect(line.oldest == nil)
    }

    @Test func `a client fills half of the line at most`() {
        var line = WorkerLine(limit: 1, spare: 0, queueLimit: 10)
        let taken = (0..<10).count { _ in line.append({ _ in }, for: Self.client("a")) }
        #expect(taken == 6)
        Self.add("b", to: &line)
    }

    /// In any order of beginnings and ends: nothing waits that may begin, and a thread that ends has one piece to take at
    /// most, which it takes itself.
    @Test(arguments: 1...20)
    func `nothing waits that may begin`(seed: UInt64) {
        var state = seed
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let names: [Character?] = ["a", "b", "c", "d", "e", "f", "g", "h", nil]
        let (limit, spare) = (1 + random(12), random(6))
        var line = WorkerLine(limit: limit, spare: spare, queueLimit: 10_000)
        var (waiting, running) = (names.map { _ in 0 }, names.map { _ in 0 })
        for _ in 0..<2000 {
            let number = random(names.count)
            switch random(3) {
            case 0:
                Self.add(names[number], to: &line)
                waiting[number] += 1
            case 1:
                guard running[number] > 0 else { continue }
                line.ended(names[number].map { Self.client($0) })
                running[number] -= 1
            default:
                let next = random(names.count)
                guard running[number] > 0, next != number, let name = names[next] else { continue }
                let others = running.reduce(0, +) - 1
                let mayBegin = running[next] == 0 || others + running[next] < limit
                let isMoved = line.move(from: names[number].map { Self.client($0) }, to: Self.client(name))
                #expect(isMoved == (mayBegin && waiting.allSatisfy { $0 == 0 }))
                guard isMoved else { continue }
                running[number] -= 1
                running[next] += 1
            }
            let begun = Self.begun(&line)
            #expect(begun.count <= 1)
            for client in begun {
                let place = names.firstIndex { $0.map { Self.client($0) } == client } ?? 0
                waiting[place] -= 1
                running[place] += 1
            }
            let sum = running.reduce(0, +)
            #expect(line.begun == sum && sum <= limit + spare)
            for (place, name) in names.enumerated() where waiting[place] > 0 {
                let share = name == nil ? 0 : running[place]
                #expect(share == 0 ? sum == limit + spare : sum + share >= limit)
            }
        }
    }

    @Test func `requests of many clients leave a worker to another`() throws {
        let server = try TestServer { $0.workers = 8 }
        let greedy = try (0..<40).map { number in
            let client = try server.client()
            try client.send(SocketClient.head("GET", "/held/\(number % 4)" + (number % 3 == 0 ? "?undecided" : "")))
            return client
        }
        let held = server.handler.held
        #expect(held.wait(timeout: .seconds(10)) { Set($0.clients).count == 4 && $0.clients.count >= 7 })
        #expect(try server.client().request("GET", "/client/b?undecided").text == "served")
        held.change { $0.areLetGo = true }
        for client in greedy { #expect(try client.response().status == 200) }
    }

    /// A piece of a download after another, for as long as the client takes them.
    @Test func `an answer in pieces gives its worker back between them`() throws {
        let server = try TestServer { $0.workers = 2 }
        let slow = try server.client()
        try slow.send(SocketClient.head("GET", "/endless/a"))
        #expect(slow.take(1) == 1)
        #expect(try server.client().request("GET", "/client/a").text == "served")
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
