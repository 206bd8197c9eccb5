import JobStore
import RealmModel
import Testing

@testable import MigrationJobs

/// The news of apps, as a value.
@Suite struct AppNewsTests {
    private let start = ContinuousClock.now
    private let shop: UUID
    private let other: UUID

    init() throws {
        let parsed = [UUID("0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001"), UUID("0190aaaa-bbbb-7ccc-8ddd-eeeeffff0002")]
        (shop, other) = (try #require(parsed[0]), try #require(parsed[1]))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `who is too late for some begins anew, and all others get each once`() {
        var news = AppNews()
        let follower = news.follow(shop, after: nil, epoch: "e") {}
        #expect(follower.text == "id: e-0\n\n" && follower.count == 0)
        var place = 0
        for number in 1...AppNews.kept * 2 {
            news.hear([.appChanged(shop, .realm("r\(number)")), .appChanged(other, .realms)])
            #expect(news.add([], FollowedApps(), at: start).count == 1)
            let (bytes, count, _) = news.events(of: shop, behind: place)
            #expect(text(bytes) == "id: e-\(number)\nevent: realm\ndata: {\"name\":\"r\(number)\"}\n\n")
            place = count
        }
        let (first, last) = (AppNews.kept, AppNews.kept * 2)
        #expect(text(news.events(of: shop, behind: first - 1).bytes).hasPrefix("id: e-\(last)\nevent: reset\n"))
        #expect(text(news.events(of: shop, behind: first).bytes).hasPrefix("id: e-\(first + 1)\n"))
        #expect(news.follow(shop, after: "e-\(first)", epoch: "f") {}.text.isEmpty)
        for unknown in ["e-\(first - 1)", "e-\(last + 1)", "f-\(last)", "e", "e--1", "e-x"] {
            #expect(news.follow(shop, after: unknown, epoch: "f") {}.text.contains("event: reset"))
        }
    }

    @Test func `news is gathered for a while after the last follower has left`() {
        var news = AppNews()
        let follower = news.follow(shop, after: nil, epoch: "e") {}
        news.leave(shop, follower.follower, at: start)
        news.hear([.appChanged(shop, .version(3))])
        _ = news.changedJobs(at: start + .seconds(1))
        #expect(news.add([], FollowedApps(), at: start).isEmpty && news.followed == [shop])
        #expect(news.follow(shop, after: "e-0", epoch: "f") {}.count == 0)
        #expect(text(news.events(of: shop, behind: 0).bytes).contains("\"version\":3"))
        var forgotten = AppNews()
        forgotten.leave(shop, forgotten.follow(shop, after: nil, epoch: "e") {}.follower, at: start)
        _ = forgotten.changedJobs(at: start + AppNews.patience + .seconds(1))
        #expect(forgotten.followed.isEmpty)
        #expect(forgotten.follow(shop, after: "e-0", epoch: "f") {}.text.contains("event: reset"))
    }

    @Test func `where nothing is heard of changes lists are to be read anew, now and then`() {
        var news = AppNews()
        _ = news.follow(shop, after: nil, epoch: "e") {}
        var resets = 0
        for second in 0..<20 {
            news.miss()
            if !news.add([], FollowedApps(), at: start + .seconds(second)).isEmpty { resets += 1 }
        }
        #expect(resets == 4)
    }

    @Test func `a job that ends changes its realm, and a fleet moves when its counts do`() throws {
        var news = AppNews()
        let parsed = UUID("0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000")
        _ = news.follow(shop, after: nil, epoch: "e") {}
        let (id, fleet) = (try #require(parsed), "running-1")
        news.hear([.changed(id)])
        #expect(news.changedJobs(at: start) == [id] && news.changedJobs(at: start).isEmpty)
        let job = ChangedJob(id: id, app: shop, kind: "migration", realm: "ada", fleet: nil, state: "succeeded")
        let work = FollowedApps(fleets: [FleetAtWork(app: shop, id: id): fleet])
        #expect(news.add([job], work, at: start).count == 1)
        let found = text(news.events(of: shop, behind: 0).bytes)
        #expect(found.matches(of: /event: (\w+)/).map { String($0.1) } == ["job", "fleet", "realm"])
        #expect(news.add([], work, at: start).isEmpty)
        #expect(news.add([], FollowedApps(), at: start).count == 1)
    }

    @Test func `tells once of figures that came to the database`() {
        var news = AppNews()
        _ = news.follow(shop, after: nil, epoch: "e") {}
        news.hear([.appChanged(shop, .figures), .appChanged(shop, .figures), .appChanged(shop, .realm("r"))])
        _ = news.add([], FollowedApps(), at: start)
        #expect(
            text(news.events(of: shop, behind: 0).bytes)
                == "id: e-1\nevent: figures\ndata: {}\n\nid: e-2\nevent: realm\ndata: {\"name\":\"r\"}\n\n")
    }

    @Test
    func `followers of an app that was removed are woken once, and hear it behind all else, however late they come`() {
        var news = AppNews()
        let early = news.follow(shop, after: nil, epoch: "e") {}
        _ = news.follow(other, after: nil, epoch: "e") {}
        news.hear([.appChanged(shop, .version(3)), .appChanged(other, .version(4))])
        #expect(news.add([], FollowedApps(), at: start).count == 2)
        #expect(!news.events(of: shop, behind: 0).isGone)
        #expect(news.add([], FollowedApps(gone: [shop]), at: start).count == 1)
        let last = news.events(of: shop, behind: 0)
        #expect(last.isGone && text(last.bytes).contains("\"version\":3"))
        #expect(news.followed == [other] && !news.events(of: other, behind: 0).isGone)
        #expect(news.add([], FollowedApps(), at: start).isEmpty)
        let late = news.follow(shop, after: nil, epoch: "f") {}
        #expect(news.events(of: shop, behind: late.count).isGone && news.followed == [other])
        for follower in [early, late] { news.leave(shop, follower.follower, at: start) }
        _ = news.changedJobs(at: start + AppNews.patience + .seconds(1))
        #expect(!news.events(of: shop, behind: 0).isGone)
    }
}
