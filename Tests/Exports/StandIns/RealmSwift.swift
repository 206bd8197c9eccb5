// swift-format-ignore-file
// The interface of RealmSwift that generated models use, to compile them against: no line of it is Realm's.
// Members of its objects that a model may not declare again are here, too.
import Foundation

public protocol Storable {}
public protocol StorableElement: Storable {}
public protocol PrimaryKeyValue: Storable {}
public protocol IndexedValue: Storable {}

extension Int: StorableElement, PrimaryKeyValue, IndexedValue {}
extension Bool: StorableElement, IndexedValue {}
extension Float: StorableElement {}
extension Double: StorableElement {}
extension String: StorableElement, PrimaryKeyValue, IndexedValue {}
extension Data: StorableElement {}
extension Date: StorableElement, IndexedValue {}
extension UUID: StorableElement, PrimaryKeyValue, IndexedValue {}
extension Optional: Storable where Wrapped: Storable {}
extension Optional: StorableElement where Wrapped: StorableElement {}
extension Optional: PrimaryKeyValue where Wrapped: PrimaryKeyValue {}
extension Optional: IndexedValue where Wrapped: IndexedValue {}

public final class ObjectId: NSObject, StorableElement, PrimaryKeyValue, IndexedValue {}
public final class Decimal128: NSObject, StorableElement {}
public enum AnyRealmValue: StorableElement, IndexedValue { case none }

public struct Realm {}
public struct ObjectSchema {}
public struct NotificationToken {}

open class ObjectBase: NSObject {
    open class func propertiesMapping() -> [String: String] { [:] }
    open class func _realmObjectName() -> String? { nil }
    open class func shouldIncludeInDefaultSchema() -> Bool { true }
    public override required init() {}
    public final var isInvalidated: Bool { false }
    public final var isFrozen: Bool { false }
    public final var realm: Realm? { nil }
    public final var objectSchema: ObjectSchema { ObjectSchema() }
    public class func className() -> String { "" }
}

open class Object: ObjectBase, StorableElement {
    open class func primaryKey() -> String? { nil }
    open class func ignoredProperties() -> [String] { [] }
    open class func indexedProperties() -> [String] { [] }
    public final func observe(_ block: @escaping () -> Void) -> NotificationToken { NotificationToken() }
    public final func isSameObject(as other: Object?) -> Bool { false }
    public final func freeze() -> Self { self }
    public final func thaw() -> Self? { self }
}
open class EmbeddedObject: ObjectBase, StorableElement {}
open class AsymmetricObject: ObjectBase {}

public final class List<Element: StorableElement>: Storable {}
public final class MutableSet<Element: StorableElement>: Storable {}
public final class Map<Key: StorableElement, Value: StorableElement>: Storable {}
public struct LinkingObjects<Element: ObjectBase> {}

@propertyWrapper public struct Persisted<Value> {
    public init() where Value: Storable {}
    public init(primaryKey: Bool) where Value: PrimaryKeyValue {}
    public init(indexed: Bool) where Value: IndexedValue {}
    public init<Element>(originProperty: String) where Value == LinkingObjects<Element> {}
    public var wrappedValue: Value {
        get { preconditionFailure("Models are compiled and never run.") }
        set { _ = newValue }
    }
}
