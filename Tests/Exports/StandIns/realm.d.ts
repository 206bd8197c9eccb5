// The interface of Realm JavaScript that generated models use, to compile them against: no line of it is Realm's.
declare module "realm" {
  export namespace BSON {
    class ObjectId { readonly kind: "objectId"; }
    class Decimal128 { readonly kind: "decimal128"; }
    class UUID { readonly kind: "uuid"; }
  }
  type PropertyType = "int" | "bool" | "float" | "double" | "string" | "data" | "date" | "decimal128" | "objectId" | "uuid" | "mixed"
    | "object" | "list" | "set" | "dictionary" | "linkingObjects";
  namespace Realm {
    type Mixed = unknown;
    interface PropertySchema {
      type: PropertyType; objectType?: string; optional?: boolean; indexed?: boolean | "full-text"; property?: string; mapTo?: string;
      default?: unknown;
    }
    interface ObjectSchema {
      name: string; primaryKey?: string; embedded?: boolean; asymmetric?: boolean; properties: Record<string, PropertySchema | string>;
    }
    abstract class Object<T = any> {
      keys(): string[];
      entries(): [string, unknown][];
      toJSON(): Record<string, unknown>;
      isValid(): boolean;
      objectSchema(): ObjectSchema;
      linkingObjects<U = any>(objectType: string, propertyName: string): Results<U>;
      linkingObjectsCount(): number;
      addListener(callback: (object: T) => void): void;
      removeListener(callback: (object: T) => void): void;
      removeAllListeners(): void;
      getPropertyType(propertyName: string): string;
    }
    interface Results<T> extends ReadonlyArray<T> {}
    interface List<T> extends Array<T> {}
    interface Set<T> { has(value: T): boolean; }
    interface Dictionary<T> { [key: string]: T; }
  }
  class Realm {}
  export default Realm;
}
