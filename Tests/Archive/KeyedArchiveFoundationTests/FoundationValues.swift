import Foundation
import KeyedArchive

/// A value that the other side cannot represent.
struct UnconvertibleValue: Error {
    let kind: String

    init(_ value: Any) {
        kind = "\(type(of: value))"
    }
}

// MARK: - Archives

extension ArchiveValue {
    /// The Foundation object for this value.
    var foundationObject: NSObject {
        get throws { try foundationObject(null: NSNull()) }
    }

    // Two instances of `NSNull` are equal on Linux but have different hashes, which crashes `NSKeyedArchiver`; the
    // whole value therefore shares one instance.
    private func foundationObject(null: NSNull) throws -> NSObject {
        func objects(_ values: some Sequence<ArchiveValue>) throws -> [NSObject] {
            try values.map { try $0.foundationObject(null: null) }
        }
        switch self {
        case .null: return null
        case .bool(let value): return NSNumber(value: value)
        case .integer(let value): return try value.foundationNumber
        case .real(let value): return NSNumber(value: value)
        case .string(let value): return NSString(string: value)
        case .data(let bytes): return NSData(data: Data(bytes))
        case .date(let seconds): return NSDate(timeIntervalSinceReferenceDate: seconds)
        case .uuid(let value):
            return NSUUID(uuidBytes: (0..<16).map { UInt8(truncatingIfNeeded: value >> (120 - 8 * $0)) })
        case .url(let url): return try url.foundationURL
        case .array(let elements): return NSArray(array: try objects(elements))
        case .set(let elements): return NSSet(array: try objects(elements))
        case .dictionary(let entries):
            return NSDictionary(objects: try objects(entries.map(\.value)), forKeys: try objects(entries.map(\.key)))
        case .object(let object): throw UnconvertibleValue(object)
        }
    }

    /// Makes the value that `object` represents.
    init(foundation object: Any) throws {
        switch try FoundationScalar(object) {
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .string(let value): self = .string(value)
        case .data(let bytes): self = .data(bytes)
        case .date(let seconds): self = .date(secondsSinceReferenceDate: seconds)
        case nil: try self.init(container: object)
        }
    }

    private init(container object: Any) throws {
        switch object {
        case is NSNull: self = .null
        case let uuid as UUID:
            let digits = uuid.uuidString.filter { $0 != "-" }
            guard let value = UInt128(digits, radix: 16) else { throw UnconvertibleValue(uuid) }
            self = .uuid(value)
        // Bridging `NSURL` to `URL` would lose the base.
        case let url as NSURL: self = .url(ArchiveURL(url))
        case let array as NSArray: self = .array(try array.map { try ArchiveValue(foundation: $0) })
        case let set as NSSet: self = .set(CanonicalSet(try set.allObjects.map { try ArchiveValue(foundation: $0) }))
        case let dictionary as NSDictionary:
            let entries = try dictionary.allKeys.map { key in
                guard let value = dictionary.object(forKey: key) else { throw UnconvertibleValue(key) }
                return (key: try ArchiveValue(foundation: key), value: try ArchiveValue(foundation: value))
            }
            guard let entries = CanonicalDictionary(entries) else { throw UnconvertibleValue(dictionary) }
            self = .dictionary(entries)
        default: throw UnconvertibleValue(object)
        }
    }
}

extension ArchiveURL {
    fileprivate var foundationURL: NSURL {
        get throws {
            let url = NSURL(string: text, relativeTo: try base?.foundationURL as URL?)
            guard let url else { throw UnconvertibleValue(self) }
            return url
        }
    }

    fileprivate init(_ url: NSURL) {
        self.init(url.relativeString, relativeTo: url.baseURL.map { ArchiveURL($0 as NSURL) })
    }
}

// MARK: - Property lists

extension PropertyList {
    /// The Foundation object for this value.
    var foundationObject: NSObject {
        get throws {
            switch self {
            case .bool(let value): NSNumber(value: value)
            case .integer(let value): try value.foundationNumber
            case .real(let value): NSNumber(value: value)
            case .string(let value): NSString(string: value)
            case .data(let bytes): NSData(data: Data(bytes))
            case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
            case .array(let elements): NSArray(array: try elements.map { try $0.foundationObject })
            case .dictionary(let entries):
                NSDictionary(
                    objects: try entries.map { try $0.value.foundationObject },
                    forKeys: entries.map { NSString(string: $0.key) }
                )
            case .null, .uid, .set: throw UnconvertibleValue(self)
            }
        }
    }

    /// Makes the value that `object` represents.
    init(foundation object: Any) throws {
        switch try FoundationScalar(object) {
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .string(let value): self = .string(value)
        case .data(let bytes): self = .data(bytes)
        case .date(let seconds): self = .date(secondsSinceReferenceDate: seconds)
        case nil: try self.init(container: object)
        }
    }

    private init(container object: Any) throws {
        switch object {
        case let array as [Any]: self = .array(try array.map { try PropertyList(foundation: $0) })
        case let dictionary as [AnyHashable: Any]:
            let entries = try dictionary.map { key, value in
                guard let key = key.base as? String else { throw UnconvertibleValue(key.base) }
                return (key: key, value: try PropertyList(foundation: value))
            }
            guard let entries = CanonicalDictionary(entries) else { throw UnconvertibleValue(dictionary) }
            self = .dictionary(entries)
        default: throw UnconvertibleValue(object)
        }
    }
}

// MARK: - Scalars

/// The scalars that archives and property lists have in common.
private enum FoundationScalar {
    case bool(Bool)
    case integer(Int128)
    case real(Double)
    case string(String)
    case data([UInt8])
    case date(Double)

    /// Makes the scalar for `object`, or `nil` if it is not a scalar.
    init?(_ object: Any) throws {
        // `as? Bool` would also accept the numbers 0 and 1.
        if let value = object as? Bool, type(of: object) == Bool.self {
            self = .bool(value)
            return
        }
        switch object {
        case let number as NSNumber: self = try FoundationScalar(number)
        case let string as String: self = .string(string)
        case let data as Data: self = .data(Array(data))
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        default: return nil
        }
    }

    private init(_ number: NSNumber) throws {
        switch UInt8(bitPattern: number.objCType.pointee) {
        // Booleans are the only one-byte numbers that a file can hold.
        case UInt8(ascii: "c"): self = .bool(number.boolValue)
        case UInt8(ascii: "i"), UInt8(ascii: "q"): self = .integer(Int128(number.int64Value))
        case UInt8(ascii: "Q"): self = .integer(Int128(number.uint64Value))
        case UInt8(ascii: "d"): self = .real(number.doubleValue)
        default: throw UnconvertibleValue(number)
        }
    }
}

extension Int128 {
    fileprivate var foundationNumber: NSNumber {
        get throws {
            if let value = Int64(exactly: self) { return NSNumber(value: value) }
            if let value = UInt64(exactly: self) { return NSNumber(value: value) }
            throw UnconvertibleValue(self)
        }
    }
}
