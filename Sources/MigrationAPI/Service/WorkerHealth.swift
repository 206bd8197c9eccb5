import HTTPServer
import Problems
import SnapshotStore

/// Answers `/livez` and `/readyz` for a process that has workers and no API, as the API does for itself.
public final class WorkerHealth: Sendable {
    /// The port that it listens at.
    public var port: UInt16 { server.port }

    private let readiness: Readiness
    private let server: HTTPServer

    /// Listens.
    ///
    /// - Parameter isAtWork: whether the workers take jobs.
    /// - Throws: `HTTPError`: the address is taken or not known.
    public init(
        host: String, port: UInt16, of store: SnapshotStore, isAtWork: @escaping @Sendable () -> Bool
    ) throws(HTTPError) {
        readiness = Readiness(store, directories: [])
        let handler = HealthHandler(readiness: readiness, isAtWork: isAtWork)
        do throws(HTTPError) {
            server = try HTTPServer(
                HTTPServerConfiguration(
                    host: host, port: port, eventThreads: 1, workers: 1, connections: 64, queueLimit: 16),
                handler: handler)
        } catch {
            readiness.stop()
            throw error
        }
    }

    /// Ends it.
    public func stop() {
        server.stop(within: .seconds(1))
        readiness.stop()
    }
}

private struct HealthHandler: HTTPHandler {
    let readiness: Readiness
    let isAtWork: @Sendable () -> Bool

    func route(_ head: HTTPRequestHead) -> HTTPRouting {
        .answer(answer(head), name: "", loggedPath: head.path)
    }

    private func answer(_ head: HTTPRequestHead) -> HTTPResponse {
        guard ["GET", "HEAD"].contains(head.method) else {
            return Problem(.methodNotAllowed, "A worker is asked by GET.", fields: ["Allow": "GET, HEAD"])
                .response(instance: head.path)
        }
        switch head.path {
        case "/livez": return .json(["status": "ok"])
        case "/readyz":
            if let obstacle = readiness.obstacle { return problem(obstacle, head.path) }
            return isAtWork() ? .json(["status": "ready"]) : problem(APIError.notReady, head.path)
        default:
            return Problem(.notFound, "A worker has /livez and /readyz.").response(instance: head.path)
        }
    }

    private func problem(_ error: any Error, _ path: String) -> HTTPResponse {
        ErrorResponse.problem(for: error).response(instance: path)
    }

    func response(to error: HTTPError, path: String) -> HTTPResponse { problem(error, path) }

    func completed(_ access: HTTPAccess) {}
}
