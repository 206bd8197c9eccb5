import Synchronization

/// The description of the API as clients get it: made for the first one that asks, since most processes are never asked.
final class OpenAPIDocument: Sendable {
    private struct State {
        var routes: [APIRoute] = []
        var bytes: [UInt8]?
    }

    private let state = Mutex(State())

    /// Takes the table of routes, which is complete only when the operation that shows the document is in it.
    func describe(_ routes: [APIRoute]) {
        state.withLock { $0 = State(routes: routes) }
    }

    /// The document.
    var bytes: [UInt8] {
        state.withLock { state in
            let bytes = state.bytes ?? OpenAPI.document(of: state.routes)
            state.bytes = bytes
            return bytes
        }
    }
}
