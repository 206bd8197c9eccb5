/// The last event of a stream whose app, fleet or job was removed, as a Server-Sent Event.
///
/// It has no id: a client that comes back is told that there is nothing to follow.
let goneEvent = Array("event: gone\ndata: {}\n\n".utf8)
