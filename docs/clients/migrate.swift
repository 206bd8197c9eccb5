import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking  // on Linux
#endif

struct MigrationFailure: Error { let reason: String }

/// Replaces a realm file by what the app's declared migration makes of it; throws, and leaves it as it is, where that fails.
func migrate(server: String, token: String, app: String, realm: String, file: URL, version: Int) async throws {
    func request(_ method: String, _ path: String, _ fields: [String: String] = [:]) throws -> URLRequest {
        guard let url = URL(string: server + path) else { throw MigrationFailure(reason: "The server's URL is none.") }
        var request = URLRequest(url: url, timeoutInterval: 600)
        request.httpMethod = method
        request.allHTTPHeaderFields = fields.merging(["Authorization": "Bearer \(token)"]) { $1 }
        return request
    }
    func check(_ response: URLResponse, _ data: Data?) throws {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        let problem = data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
        if !(200..<300).contains(status) {
            throw MigrationFailure(reason: problem?["detail"] as? String ?? "The service answered \(status).")
        }
    }
    struct Job: Decodable {
        struct Problem: Decodable { let detail: String }
        let id, state, sourceSnapshot: String, resultSnapshot: String?, error: Problem?
    }
    let name = realm.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? realm
    let path = "/v1/apps/\(app)/realms/\(name)"
    let (answer, uploaded) = try await URLSession.shared.upload(
        for: request("POST", "\(path)/snapshots", ["Content-Type": "application/x-realm"]), fromFile: file)
    try check(uploaded, answer)
    struct Upload: Decodable { let id: String }
    let own = try JSONDecoder().decode(Upload.self, from: answer).id
    let fields = ["Content-Type": "application/json", "Prefer": "wait=60"]
    let order = try JSONSerialization.data(withJSONObject: ["targetVersion": version])
    var (data, response) = try await URLSession.shared.upload(
        for: request("POST", "\(path)/migrations", fields), from: order)
    try check(response, data)
    var job = try JSONDecoder().decode(Job.self, from: data)
    while job.state == "queued" || job.state == "running" {
        (data, response) = try await URLSession.shared.data(for: request("GET", "/v1/jobs/\(job.id)", ["Prefer": "wait=60"]))
        try check(response, data)
        job = try JSONDecoder().decode(Job.self, from: data)
    }
    guard job.state == "succeeded", let result = job.resultSnapshot else {
        throw MigrationFailure(reason: job.error?.detail ?? "The migration was cancelled.")
    }
    guard job.sourceSnapshot == own else {
        throw MigrationFailure(reason: "Another device has uploaded the realm meanwhile.")
    }
    let (migrated, taken) = try await URLSession.shared.download(
        for: request("GET", "/v1/snapshots/\(result)/content", ["Accept": "application/x-realm"]))
    try check(taken, nil)
    let new = file.appendingPathExtension("new")
    try? FileManager.default.removeItem(at: new)
    try FileManager.default.moveItem(at: migrated, to: new)
    guard rename(new.path, file.path) == 0 else { throw MigrationFailure(reason: "The migrated file is \(new.path).") }
}
