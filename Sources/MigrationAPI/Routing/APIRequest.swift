import HTTPServer
import RealmModel
import SnapshotStore

/// A request that was matched to a route.
struct APIRequest: Sendable {
    let head: HTTPRequestHead
    /// The parameters of the path, decoded.
    let parameters: [String: String]
    /// The whole request; nil while its body is not read.
    let whole: HTTPRequest?

    /// A parameter that the route's path has.
    func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// The app that the path names; a name that none can have names nothing.
    func app() throws(APIError) -> String { try name("app", .app, of: .app) }

    /// The realm that the path names.
    func realm() throws(APIError) -> String { try name("realm", .realm, of: .realm) }

    private func name(
        _ parameter: String, _ kind: StoreError.Thing, of thing: MissingThing
    ) throws(APIError) -> String {
        let name = self.parameter(parameter)
        guard Name.isValid(name, of: kind) else { throw .notFound(thing, name) }
        return name
    }

    /// A parameter that is an id; what is none names nothing.
    func id(_ name: String, of thing: MissingThing) throws(APIError) -> RealmModel.UUID {
        guard let id = RealmModel.UUID(parameter(name)) else { throw .notFound(thing, parameter(name)) }
        return id
    }

    /// A parameter that is a schema version.
    func schemaVersion(_ name: String) throws(APIError) -> UInt64 {
        guard let version = SchemaVersionNumber.parse(parameter(name)) else {
            throw .notFound(.schemaVersion, parameter(name))
        }
        return version
    }

    /// A name that is about to be given to an app or a realm.
    func newName(_ thing: StoreError.Thing) throws -> String {
        let name = parameter(thing.rawValue)
        guard Name.isValid(name, of: thing) else { throw StoreError.invalidName(thing) }
        return name
    }

    /// Whether nothing is gained by waiting on.
    var shouldStopWaiting: Bool { whole?.shouldStopWaiting ?? false }
}
