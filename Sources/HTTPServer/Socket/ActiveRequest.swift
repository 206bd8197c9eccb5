/// One request of a connection, from its head to the last byte of its answer.
struct ActiveRequest: @unchecked Sendable {
    // Handlers' functions are called by the one alone that has the connection in hand.
    let id: String
    let method: String
    let path: String
    let start = ContinuousClock.now
    var name = ""
    var loggedPath: String
    var head: HTTPRequestHead?
    var decide: (@Sendable () -> HTTPRouting)?
    var route: HTTPRoute?
    var sink: BodySink?
    /// Asks the handler again.
    var resume: (() -> HTTPAnswer)?
    var response: HTTPResponse?
    /// The claim of a large answer, until it is sent.
    var held: HeldBytes.Claim?
    var pieces: PieceReader?
    var status = 0
    var isPeerWatched = false

    init(id: String, method: String, path: String) {
        self.id = id
        self.method = method
        self.path = path
        loggedPath = path
    }

    /// Its entry in the access log.
    var access: HTTPAccess {
        HTTPAccess(
            method: method, name: name, path: loggedPath, requestID: id, traceParent: head?.traceParent,
            status: status,
            duration: ContinuousClock.now - start,
            failure: pieces?.failure)
    }
}
