extension ProblemCode {
    /// Keys, tokens and sessions; what a path names and is not there.
    static let access: KeyValuePairs<ProblemCode, Row> = [
        .unauthorized: Row(
            401, meaning: "No key was given, or none that the service knows.",
            remedy: "Send `Authorization: Bearer KEY` with a key of this service."),
        .sessionEnded: Row(
            401, meaning: "The browser's session has ended.",
            remedy: "Sign in again."),
        .foreignOrigin: Row(
            403, meaning: "A page of another site sent the request with the session's cookie.",
            remedy: "Use a key, from an origin that `--allow-origin` names."),
        .sessionNeedsHTTPS: Row(
            403, meaning: "A session's cookie would travel in the clear.",
            remedy: "Open the dashboard by HTTPS, or set `--public-url`."),
        .scopeMissing: Row(
            403, meaning: "The key does not have the scope that the operation needs.",
            remedy: "Ask an administrator for a key with the scope that the detail names."),
        .notForTokens: Row(
            403, meaning: "The operation concerns more than realms, which are all that a token opens.",
            remedy: "Ask with a key, from a server."),
        .appNotFound: Row(
            404, meaning: "There is no such app, or the key may not see it.",
            remedy: "Look it up by `GET /v1/apps`; `PUT /v1/apps/{app}` makes one."),
        .realmNotFound: Row(
            404, meaning: "The app has no such realm.",
            remedy: "Look it up by `GET /v1/apps/{app}/realms`; an upload makes one."),
        .schemaVersionNotFound: Row(
            404, meaning: "The app has not declared this schema version.",
            remedy: "Look it up by `GET /v1/apps/{app}/schemas`, or declare it."),
        .snapshotNotFound: Row(
            404, meaning: "There is no such snapshot any more.",
            remedy: "Look the realm's snapshots up; retention removes old ones."),
        .jobNotFound: Row(
            404, meaning: "There is no such job any more.",
            remedy: "Look it up by `GET /v1/jobs`; retention removes old ones."),
        .fleetNotFound: Row(
            404, meaning: "The app has no such fleet.",
            remedy: "Look it up by `GET /v1/apps/{app}/fleets`."),
        .classNotFound: Row(
            404, meaning: "The snapshot has no class of this name.",
            remedy: "Take a name of the snapshot's schema, in its case, percent-encoded."),
        .objectNotFound: Row(
            404, meaning: "The class has no object of this key.",
            remedy: "Look it up by a query; keys of deleted objects are not used again."),
        .apiKeyNotFound: Row(
            404, meaning: "There is no such API key.",
            remedy: "Look it up by `GET /v1/keys`."),
        .tokenNotFound: Row(
            404, meaning: "The app has no such token.",
            remedy: "Look it up in the list of tokens; those that have expired are removed."),
        .sessionNotFound: Row(
            404, meaning: "There is no such session.",
            remedy: "Sign in again."),
        .uploadNotFound: Row(
            404, meaning: "There is no such upload in parts.",
            remedy: "Begin the upload anew."),
        .recoveryNotFound: Row(
            404, meaning: "The realm has no such recovery.",
            remedy: "Take the one that the last client reset named."),
        .partnerNotFound: Row(
            404, meaning: "The realm has no such partner class.",
            remedy: "Look it up in the realm's list of partners."),
        .webhookNotFound: Row(
            404, meaning: "The app has no such webhook.",
            remedy: "Look it up in the app's list of webhooks."),
        .deliveryNotFound: Row(
            404, meaning: "The webhook has no such delivery.",
            remedy: "Look it up in its list of deliveries; events are kept for a week."),
        .exportPolicyMissing: Row(
            404, meaning: "The app does not say what its realms are given back as.",
            remedy: "Set the policy by `PUT /v1/apps/{app}/exports`."),
        .snapshotGone: Row(
            410, meaning: "The changes since this snapshot are not known any more.",
            remedy: "Leave `since` out, and begin anew."),
    ]
}
