// The interface of Realm .NET that generated models use, to compile them against: no line of it is Realm's.
namespace MongoDB.Bson {
    public struct ObjectId {}
    public struct Decimal128 {}
}
namespace Realms {
    using System;
    public interface IRealmObjectBase {}
    public interface IRealmObject : IRealmObjectBase {}
    public interface IEmbeddedObject : IRealmObjectBase {}
    public interface IAsymmetricObject : IRealmObjectBase {}
    public struct RealmValue {}
    public class Realm {}
    public enum IndexType { None, General, FullText }
    [AttributeUsage(AttributeTargets.Property)] public class PrimaryKeyAttribute : Attribute {}
    [AttributeUsage(AttributeTargets.Property)] public class RequiredAttribute : Attribute {}
    [AttributeUsage(AttributeTargets.Property)] public class IndexedAttribute : Attribute {
        public IndexedAttribute(IndexType type = IndexType.General) {}
    }
    [AttributeUsage(AttributeTargets.Property | AttributeTargets.Class)] public class MapToAttribute : Attribute {
        public MapToAttribute(string name) {}
    }
    [AttributeUsage(AttributeTargets.Property)] public class BacklinkAttribute : Attribute {
        public BacklinkAttribute(string property) {}
    }
}
