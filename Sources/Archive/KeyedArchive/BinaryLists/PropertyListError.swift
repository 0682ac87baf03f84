internal import CofferBasics

/// Why a binary property list could not be read or written.
///
/// Offsets count bytes from the start of the file and point to the invalid object.
public enum PropertyListError: Error, Equatable, Sendable {
    // MARK: The file as a whole

    /// The file is larger than the limit.
    case tooLarge(byteCount: Int, limit: Int)
    /// The file does not begin with `bplist`.
    case notABinaryPropertyList
    /// The file is a binary property list of a version other than `00`.
    case unsupportedVersion(UInt8, UInt8)
    /// The file is too short to hold a header, an object and a trailer.
    case tooShort(byteCount: Int)
    /// A field of the trailer contradicts the size of the file or another field.
    case invalidTrailer(TrailerField)

    // MARK: Objects

    /// The file declares more objects than the limit.
    case tooManyObjects(count: UInt64, limit: Int)
    /// The offset table places an object outside the object area.
    case objectOffsetOutOfBounds(object: Int)
    /// An object reaches beyond the object area.
    case truncated(offset: Int)
    /// An object begins with a marker that version `00` does not define.
    case unknownMarker(UInt8, offset: Int)
    /// The count of an object is not an integer, or is larger than the file.
    case invalidCount(offset: Int)
    /// Strings and data overlap so much that together they are larger than the file.
    case overlappingObjects(offset: Int)
    /// A string is not valid ASCII or UTF-16.
    case invalidString(offset: Int)
    /// A reference does not fit in 32 bits.
    case uidOutOfRange(offset: Int)
    /// A container refers to an object that does not exist.
    case referenceOutOfRange(offset: Int)
    /// The key of a dictionary is not a string.
    case keyIsNotAString(offset: Int)
    /// A dictionary has the same key twice.
    case duplicateKey(offset: Int)
    /// A set has the same element twice.
    case duplicateElement(offset: Int)
    /// A container contains itself, directly or through others.
    case cycle(offset: Int)

    // MARK: Limits on values, reading and writing

    /// Values are nested more deeply than the limit.
    case tooDeep(limit: Int)
    /// There are more values than the limit once references are followed.
    case tooManyNodes(limit: Int)

    /// Whether a limit was exceeded, so that larger limits might help.
    public var exceedsLimit: Bool {
        switch self {
        case .tooLarge, .tooManyObjects, .tooDeep, .tooManyNodes: true
        default: false
        }
    }

    /// A field of the 32-byte trailer of a binary property list.
    public enum TrailerField: Sendable {
        /// The number of bytes in an entry of the offset table.
        case offsetByteCount
        /// The number of bytes in a reference to an object.
        case referenceByteCount
        /// The number of objects.
        case objectCount
        /// The number of the root object.
        case topObject
        /// The offset of the offset table.
        case offsetTableOffset
    }
}

extension PropertyListError: CustomStringConvertible {
    /// What is wrong and where, in one sentence.
    public var description: String {
        switch self {
        case .tooLarge(let byteCount, let limit): "file too large: \(byteCount.grouped) bytes (limit \(limit.grouped))"
        case .notABinaryPropertyList: "not a binary property list"
        case .unsupportedVersion(let major, let minor):
            "unsupported binary property list version \(String(versionBytes: [major, minor])): expected 00"
        case .tooShort(let byteCount): "file too short for a binary property list: \(byteCount) bytes"
        case .invalidTrailer(let field): "invalid trailer: \(field)"
        case .tooManyObjects(let count, let limit): "too many objects: \(count.grouped) (limit \(limit.grouped))"
        case .objectOffsetOutOfBounds(let object): "invalid offset: object \(object) is outside the object area"
        case .truncated(let offset): "truncated: the object at byte \(offset) extends beyond the object area"
        case .unknownMarker(let marker, let offset):
            "unknown marker 0x\(String(marker, radix: 16)) in the object at byte \(offset)"
        case .invalidCount(let offset): "invalid count in the object at byte \(offset)"
        case .overlappingObjects(let offset): "the text or data at byte \(offset) overlaps other objects"
        case .invalidString(let offset): "invalid text at byte \(offset)"
        case .uidOutOfRange(let offset): "the reference at byte \(offset) does not fit in 32 bits"
        case .referenceOutOfRange(let offset): "invalid reference at byte \(offset): no such object"
        case .keyIsNotAString(let offset): "the key at byte \(offset) is not a string"
        case .duplicateKey(let offset): "duplicate key in the dictionary at byte \(offset)"
        case .duplicateElement(let offset): "duplicate element in the set at byte \(offset)"
        case .cycle(let offset): "the object at byte \(offset) contains itself"
        case .tooDeep(let limit): "values are nested too deeply (limit \(limit))"
        case .tooManyNodes(let limit): "too many values (limit \(limit.grouped); shared values count each time)"
        }
    }
}

extension PropertyListError.TrailerField: CustomStringConvertible {
    /// What the field holds.
    public var description: String {
        switch self {
        case .offsetByteCount: "the size of an offset"
        case .referenceByteCount: "the size of a reference"
        case .objectCount: "the number of objects"
        case .topObject: "the number of the root object"
        case .offsetTableOffset: "the offset of the offset table"
        }
    }
}

extension String {
    /// Makes the version text of a file, escaping everything except printable ASCII.
    fileprivate init(versionBytes bytes: [UInt8]) {
        self = String(decoding: bytes, as: UTF8.self).printable
    }
}
