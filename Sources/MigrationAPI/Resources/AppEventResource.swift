import HTTPServer
import JobStore
import MigrationJobs

/// `/v1/apps/{app}/events`.
struct AppEventResource: Sendable {
    let jobs: JobStore
    let events: JobEvents

    var routes: [APIRoute] {
        [
            APIRoute("GET", "/v1/apps/{app}/events", "followApp", requires: .read, query: []) { request in
                let app = try jobs.store.apps.find(request.app()).id
                let stream = AppEventStream(request, app, after: request.head.fields["Last-Event-ID"], events: events)
                return .events(stream.body)
            }
        ]
    }
}
